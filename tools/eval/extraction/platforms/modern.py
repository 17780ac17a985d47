"""What frameworks and plug-ins write: articles in parts, shadow roots, accordions, boxes, names that say nothing."""

from __future__ import annotations

from tools.eval.extraction.platforms.writer import Platform, Writer, el, page


def _streamed(w: Writer) -> str:
    """A newspaper on Next.js: the article comes in a hidden part behind the page, class names are hashes."""
    title, parts = w.titled(), [el("p.css-sum", w.paragraph())]
    sign_up = el(
        "div.css-nl1/form",
        el("h3.css-nn", "Get the Morning Post"),
        el("p.css-nn2", "The five stories you need to start the day, in your inbox every weekday at 7 a.m."),
        "<input type=email><button>Sign up</button>",
        el("p.css-nn3", "By signing up you agree to our <a>Terms</a> and <a>Privacy Policy</a>."),
    )
    card = el("div.css-1wz8t/div.css-9a/a", "<span>Read more</span>", el("p.css-h4", w.headline()))
    for at in range(w.several(6)):
        parts.append(el("div.css-53u6y8/p.css-at9mc1", w.paragraph()))
        parts.append({1: card, 2: sign_up}.get(at, ""))
    byline = f"<span>By <a>{w.name()}</a></span><time datetime='{w.day}'>{w.day}</time><button>Share</button>"
    article = el("article.css-1vxca1k", el("h1.css-88wicj", title), el("div.css-by", byline), *parts)
    article += el("p.css-corr", "© 2026 The Harbour Post. All rights reserved.")
    more = el("div.css-rec", el("h2", "More in Transport"), *(el("div.css-rc/a/h3", w.headline()) for _ in range(3)))
    fallback = '<!--$?--><template id="B:0"></template>' + el("div.css-skel/p", "Loading…") + "<!--/$-->"
    return page(
        w,
        "{} | The Harbour Post",
        el("header.css-top/nav/ul", w.menu()),
        el("main.css-main", fallback),
        el("footer.css-ft/ul", w.others(4)),
        el("div[hidden=][id=S:0]", article, more),
        '<script>$RC("B:0","S:0")</script>',
    )


def _shadow_roots(w: Writer) -> str:
    """A site of web components, each with its tree in a declarative shadow root."""

    def component(name: str, *inside: str) -> str:
        return el(f"{name}/template[shadowrootmode=open]", "<style>p {}</style>", *inside)

    article = el("article", el("h1", w.titled()), el("p.by", f"By {w.name()}"), w.paragraphs(w.several(3)))
    return page(
        w,
        "{} | Wire of Trains",
        component("wire-header", el("nav/ul", w.menu())),
        el("main", component("wire-article", article)),
        component("wire-footer", el("footer/p", "© 2026 Wire of Trains. All rights reserved.")),
    )


def _accordion(w: Writer) -> str:
    """A help page whose questions are buttons in headings; pop-ups behind it."""
    title, lead = w.titled(), w.paragraphs(1)
    question = "h3.flex/button[type=button][aria-expanded=false]"
    answers = (
        el("div.item", el(question, w.text(w.headline() + "?")), el("div[role=region]/div.pb-4", w.paragraphs(2)))
        for _ in range(w.several(4))
    )
    offer = el("h2", "Before you go") + el("p", "Ten percent off your next crossing when you join our list, twice a month.")
    return page(
        w,
        "{} | Help",
        el("header/nav/ul", w.menu()),
        el("div.shell", el("h1", title), lead, el("div.accordion", *answers)),
        el("dialog", offer, "<form><input type=email><button>Join</button></form>"),
        el(
            "div[popover=auto]/p", "Choose your region and currency, so that we can show you the right prices for your journey."
        ),
        el("footer/p", "© 2026 Harbour Ferries"),
    )


def _magazine(w: Writer) -> str:
    """A magazine with the usual plug-ins: a box of a newsletter in the text, the life of the author, a form for comments."""
    title, parts = w.titled(), [el("p", w.paragraph()) for _ in range(w.several(4))]
    parts[1] += el(
        "div#mc_embed_shell/div#mc_embed_signup",
        el("h2", "Never miss a story"),
        el("p", "Our weekly letter brings the best of the magazine to more than 40,000 readers. Leave at any time."),
        "<form><label>Email Address <span>*</span></label><input type=email name=EMAIL><input type=submit></form>",
    )
    life = f"{w.name()} is a writer who lives by the sea. She has written here since the second issue, mostly about ferries."
    author = el("div.saboxplugin-wrap.author-box", el("div.saboxplugin-authorname/a", w.name()), el("div.desc/p", life))
    reply = el("h3", "Leave a Reply") + "<form><p>Your email address will not be published.</p><input type=email></form>"
    return page(
        w,
        "{} - Salt Magazine",
        el("header.site-header/nav/ul", w.menu()),
        el(
            "div.site-content",
            el("main.site-main/article.post", el("h1.entry-title", title), el("div.entry-content", *parts, author)),
            el("nav.post-navigation", f"<span>Previous:</span> <a>{w.headline()}</a>"),
            el("div#comments/div#respond", reply),
        ),
        el("div.bottom/p", "© 2019–2026 Salt Magazine Ltd. All rights reserved. Registered office: 4 Harbour Street, Whitby."),
    )


def _firm(w: Writer) -> str:
    """A small Chinese firm's news: a column of addresses, lines about the page, an imprint, and names that say nothing."""
    title, p = w.titled(), "p/span[style=font-size:16px]"
    text = el(
        "div.nr", *(el(p, w.paragraph()) for _ in range(w.several(4))), el("p/strong", w.text("常见问题")), w.paragraphs(1)
    )
    about = f"<span>作者：江城慢车机械</span><span>发布时间：{w.day} 09:12:33</span><span>浏览量：{w.number * 7 + 120}</span>"
    contact = ("江城慢车机械有限公司", "联系人：林经理", "地址：江城市经济开发区青石路18号慢车产业园3号楼")
    column = (
        el("div.lm", "新闻分类") + el("ul", w.menu()) + el("div.lm", "联系我们") + "".join(el("p", line) for line in contact)
    )
    around = (
        el("div.bq", "标签：<a>慢车</a><a>机械配件</a>"),
        el("p", f"本文网址：http://www.slowtrain.example/news/{w.number}.html"),
        el("div.sx", el("p", f"上一篇：<a>{w.headline()}</a>"), el("p", f"下一篇：<a>{w.headline()}</a>")),
        el("div.xg", el("h3", "相关新闻"), el("ul", w.others(5))),
    )
    return page(
        w,
        "{}-江城慢车机械有限公司",
        el("div.top", "<span>欢迎光临江城慢车机械有限公司官网！</span><span>全国服务热线：400-123-4567</span>"),
        el("div.nav_box/ul", w.menu()),
        el("div.position", "您当前的位置：<a>首页</a> > <a>新闻中心</a> > <a>行业资讯</a>"),
        el("div.box", el("div.left", column), el("div.right/div.con", el("h1", title), el("div.xx", about), text, *around)),
        el("div.foot", el("p", "Copyright © 2024 江城慢车机械有限公司 版权所有 备案号：鄂ICP备12345678号")),
        el("div.foot/p", "主营业务：慢车配件,慢车机械,慢车维修 技术支持：青石网络"),
    )


def _encyclopedia(w: Writer) -> str:
    """An article of a Chinese encyclopedia: facts, contents, sections with buttons, sources, statistics."""
    name, facts = w.titled(), (("中文名", "慢车"), ("外文名", "Slow Train"), ("始建时间", "1958年"), ("总长度", "112千米"))
    sections = ("历史沿革", "线路走向", "主要车站")

    def paragraph(classes: str) -> str:
        return el(f"div.para_fT72O.{classes}", el("span.text_wRvkv", w.paragraph()), "<sup>[1]</sup>")

    lead = el("div.lemmaSummary_M04mg", *(paragraph("summary_p8SjF") for _ in range(2)))
    rows = (
        el("div.itemWrapper", el("dt.itemName", w.text(key)), el("dd.itemValue/span", w.text(value))) for key, value in facts
    )
    box = el("div.basicInfo_pmZ6R/dl.basicInfoBlock", *rows)
    contents = el("div.catalog_L84", el("h2", "目录"), el("ol", *(el("li/a", section) for section in sections)))
    body = (
        el("div.paraTitle_zuWDV", el("h2", w.text(section)), "<div class=edit-lemma><a>播报</a><a>编辑</a></div>")
        + "".join(paragraph("content_dAMp9") for _ in range(w.several(1)))
        for section in sections
    )
    text = el("div.contentTab", lead, box, contents, *body, el("div.tagList", "词条标签：<a>铁路</a><a>交通</a>"))
    counts = el("ul", el("li", "浏览次数：12345次"), el("li", "编辑次数：67次 <a>历史版本</a>"))
    return page(
        w,
        "{}_慢车百科",
        el("div.header-wrapper/ul", w.menu()),
        el(
            "div.mainContent",
            el(
                "div.lemmaTitleBox", el("div.lemmaTitle/h1", name), "<div class=btnList><a>播报</a><a>编辑</a><a>讨论</a></div>"
            ),
            el("div.contentWrapper", text, el("div.sideContent", el("div.lemmaStatistics", "词条统计", counts))),
        ),
        el("div.footer/p", "©2024 慢车百科 使用前必读 | 百科协议 | 隐私政策 京ICP证030173号"),
    )


PLATFORMS = (
    Platform("streamed", "modern", "en", _streamed, tuned=True),
    Platform("shadow roots", "modern", "en", _shadow_roots, tuned=True),
    Platform("accordion", "modern", "en", _accordion, tuned=True),
    Platform("magazine", "modern", "en", _magazine),
    Platform("firm", "modern", "zh", _firm, tuned=True),
    Platform("encyclopedia", "modern", "zh", _encyclopedia, tuned=True),
)
