"""Writing in forms of its own: a paper with figures, a judgment, answers that open, code in tabs, readings above characters."""

from __future__ import annotations

from tools.eval.extraction.platforms.writer import Platform, Writer, el, page


def _paper(w: Writer) -> str:
    """A whole paper in an open journal: abstract, figures, a table, references."""
    title = w.titled()
    abstract = w.said() + " " + w.said()

    def section(at: int, name: str, inside: str) -> str:
        return el(f"div#section{at}.section.toc-section", el("h2", w.text(name)), inside)

    figure = el(
        "div.figure",
        el(
            "div.img-box/div.figure-inline-download",
            "Download:",
            "<ul><li><a>PPT</a> slide</li><li><a>PNG</a> larger image</li><li><a>TIFF</a> original image</li></ul>",
        ),
        el("div.figcaption", w.text("Fig 1."), " ", w.line()),
        el("p.caption_target", w.line()),
        el("p.caption_object/a", f"https://doi.org/10.1371/journal.{w.number}.g001"),
    )
    rows = "".join(
        el("tr", *(el("td", w.text(c)) for c in (w.name(at), f"{at + w.number}.{at}5", f"0.0{at}"))) for at in range(1, 5)
    )
    table = el(
        "div.table-wrap",
        el("div.figcaption", w.text("Table 1."), " ", w.line()),
        el("table", el("thead/tr", *(el("th", w.text(c)) for c in ("Station", "Mean delay", "p"))), el("tbody", rows)),
    )
    text = (
        section(1, "Introduction", w.paragraphs(w.several(2)))
        + section(2, "Methods", w.paragraphs(2) + el("h3", w.heading()) + w.paragraphs(1))
        + section(3, "Results", w.paragraphs(2) + figure + table + w.paragraphs(1))
        + section(4, "Discussion", w.paragraphs(2))
    )
    refs = el(
        "ol.references",
        *(
            el(
                "li",
                el("span.order", f"{at}."),
                w.text(f"{w.name(at)} A. {w.headline()}. J Rail. 201{at};{at}: 11–19."),
                el("ul.reflinks", "<li><a>View Article</a></li><li><a>PubMed/NCBI</a></li><li><a>Google Scholar</a></li>"),
            )
            for at in range(1, 8)
        ),
    )
    return page(
        w,
        "{} | JOURNAL Rail",
        el("header#pagehdr/nav/ul", w.menu()),
        el(
            "main#main-content",
            el(
                "div.article-info/div.classifications",
                el("p#licenseShort", "Open Access"),
                el("p#peerReviewed", "Peer-reviewed"),
                el("p#artType", "Research Article"),
            ),
            el("h1#artTitle", title),
            el("ul#author-list.author-list", *(el("li/a.author-name", w.name(at)) for at in range(3))),
            el("ul.signposts", "<li>12 Save</li><li>3 Citation</li><li>2,345 View</li><li>6 Share</li>"),
            el(
                "section.article-body/div.article-container",
                el(
                    "nav#nav-article-page/ul",
                    "<li><a>Abstract</a></li><li><a>Introduction</a></li><li><a>Methods</a></li><li><a>References</a></li>",
                ),
                el(
                    "div.article-content/div#artText.article-text",
                    el(
                        "div.abstract.toc-section", el("h2", w.text("Abstract")), el("div.abstract-content/p", w.text(abstract))
                    ),
                    el(
                        "div.articleinfo",
                        el(
                            "p",
                            "<strong>Citation: </strong>",
                            f"Birch A, Reed T (2026) {w.title}. JOURNAL Rail 21(3): e03{w.number}. https://doi.org/10.1371/journal.{w.number}",
                        ),
                        el("p", "<strong>Editor: </strong>May Lowe, University of Riverton, UNITED KINGDOM"),
                        el(
                            "p",
                            f"<strong>Received: </strong>March {w.number + 1}, 2026; <strong>Accepted: </strong>June 12, 2026",
                        ),
                        el(
                            "p",
                            "<strong>Copyright: </strong> © 2026 Birch, Reed. This is an open access article under the"
                            " terms of the <a>Creative Commons Attribution License</a>, which permits unrestricted use"
                            " and reproduction in any medium, provided the original author and source are credited.",
                        ),
                        el("p", "<strong>Funding:</strong> The author(s) received no specific funding for this work."),
                        el(
                            "p",
                            "<strong>Competing interests: </strong> The authors declare that none exist.",
                        ),
                    ),
                    text,
                    el("div.toc-section", el("h2", w.text("References")), refs),
                ),
            ),
            el(
                "aside.article-aside",
                el("div", "<a>Download PDF</a><a>Print</a>"),
                el(
                    "div.subject-areas-container",
                    el("h3", "Subject Areas"),
                    el("ul", "<li><a>Railways</a></li><li><a>Motion</a></li>"),
                ),
            ),
        ),
        el(
            "footer#pageftr",
            el("p", "JOURNAL Rail is a nonprofit corporation, #C2354500, based in Riverton"),
            el("ul", w.menu()),
        ),
        head=f"<meta name='citation_title' content='{w.title}'><meta name='citation_abstract' content='{abstract}'>",
    )


def _verdict(w: Writer) -> str:
    """A judgment of a Chinese court, with the rights of appeal that each of them names."""
    own = [w.text(t) for t in ("江城市江岸区人民法院", "民 事 判 决 书", f"（2026）江0102民初{w.number + 1200}号")]
    parts = [
        w.text(f"原告：{w.name(w.number)}，男，汉族，住江城市江岸区。"),
        w.text("被告：江城铁路物流有限公司，住所地江城市江城大道1号。"),
    ]
    text = [w.paragraph() for _ in range(w.several(3))]
    law = w.text("本院认为，当事人应当按照约定全面履行自己的义务。依照《中华人民共和国民法典》第五百零九条之规定，判决如下：")
    ruled = [w.line(), w.line()]
    appeal = [
        w.text(
            "如果未按本判决指定的期间履行给付金钱义务，应当依照《中华人民共和国民事诉讼法》第二百六十四条之规定，加倍支付迟延履行期间的债务利息。"
        ),
        w.text(
            "如不服本判决，可在判决书送达之日起十五日内，向本院递交上诉状，并按对方当事人的人数提出副本，上诉于江城市中级人民法院。"
        ),
    ]
    signed = [
        w.text(t)
        for t in (f"审判员　{w.name(1)}", f"二〇二六年三月十{'一二三四五六七八九'[w.number % 9]}日", f"书记员　{w.name(2)}")
    ]
    style = "div[style=LINE-HEIGHT: 25pt;TEXT-INDENT: 30pt]"
    lines = "".join(el(style, line) for line in (*own, *parts, *text, law, *ruled, *appeal, *signed))
    return page(
        w,
        "{} - 裁判文书库",
        el("div.header/div.header_nav/ul", w.menu()),
        el(
            "div.container",
            el("div.title_nav", "<a>首页</a>&gt;<a>民事案件</a>&gt;文书全文"),
            el(
                "div.PDF_box",
                el("div.PDF_title", w.titled()),
                el("div.head_line", f"发布日期：2026-04-{w.number + 11}", "<span>浏览：123次</span>", "<a>下载</a><a>打印</a>"),
                el("div#PDF_pox.PDF_pox", lines),
            ),
            el(
                "div.right_list",
                el("h4", "相似案例"),
                el("ul", w.others(5)),
                el("h4", "公告"),
                el(
                    "p",
                    "本库裁判文书供公众查阅。除法律规定外，任何单位和个人不得利用本库信息牟取非法利益，不得对文书内容进行修改后使用。",
                ),
            ),
        ),
        el(
            "div.footer",
            el("p", "地址：江城市东江大道1号 邮编：430000 总机：027-1234567"),
            el("p", "版权所有 江ICP备05023036号"),
        ),
    )


def _faq_zh(w: Writer) -> str:
    """Questions of a Chinese help centre, as a list of definitions that a script opens."""
    title = w.titled()
    body = "".join(
        el("dt.q", w.text(f"{at}. ") + w.text(w.headline() + "？")) + el("dd.a[style=display:none]", el("p", w.paragraph()))
        for at in range(1, w.several(5))
    )
    return page(
        w,
        "{}-帮助中心-江城票务",
        el("div.top/div.w", "<a>登录</a><a>注册</a><a>我的订单</a>"),
        el(
            "div.w.main",
            el(
                "div.side-nav",
                el("h3", "帮助中心"),
                el(
                    "dl",
                    *(
                        el("dt", name) + el("dd/a", name + "流程") + el("dd/a", name + "须知")
                        for name in ("购票", "退票", "改签", "会员")
                    ),
                ),
            ),
            el(
                "div.content",
                el("div.crumb", "<a>帮助中心</a> &gt; <a>常见问题</a>"),
                el("h2.title", title),
                el("dl.faq-list", body),
                el("div.eval", "以上内容是否解决了您的问题？", "<a>已解决</a><a>未解决</a>"),
                el(
                    "div.service",
                    el(
                        "p",
                        "如果没有找到您要的答案，您可以拨打客服热线 400-888-0000，或者联系在线客服，每天八点至二十二点。",
                    ),
                ),
            ),
        ),
        el("div.footer/div.w", el("p", "江城票务有限公司 版权所有"), el("p", "增值电信业务经营许可证：江B2-20100001")),
    )


def _code_tabs(w: Writer) -> str:
    """A page of a manual with code in several languages behind tabs."""
    title = w.titled()

    def tabs(at: int) -> str:
        inside = (
            ("Python", f"client = depot.Client({at})\nfor page in client.pages(limit={w.number}):\n    print(page.url)"),
            (
                "JavaScript",
                f"const client = new Client({at});\nfor await (const page of client.pages({w.number}))"
                "\n  console.log(page.url);",
            ),
            ("Go", f"client := depot.New({at})\nfor page := range client.Pages({w.number}) {{\n\tfmt.Println(page.URL)\n}}"),
        )
        labels = el("ul.tabs[role=tablist]", *(el("li.tabs__item[role=tab]", name) for name, _ in inside))
        panels = "".join(
            el(
                f"div{'' if number == 0 else '[hidden=]'}[role=tabpanel]/div.codeBlockContainer/div.codeBlockContent",
                el("pre.prism-code/code.codeBlockLines", w.text(code)),
                el("div.buttonGroup/button", "Copy"),
            )
            for number, (_, code) in enumerate(inside)
        )
        return el("div.tabs-container", labels, el("div.margin-top--md", panels))

    note = el(
        "div.theme-admonition.admonition.alert", el("div.admonitionHeading", "tip"), el("div.admonitionContent/p", w.line())
    )
    body = (
        w.paragraphs(1)
        + el("h2", w.heading())
        + w.paragraphs(1)
        + tabs(1)
        + note
        + w.paragraphs(1)
        + el("h2", w.heading())
        + tabs(2)
        + w.paragraphs(w.several(1))
    )
    return page(
        w,
        "{} | Depot Docs",
        el("nav.navbar.navbar--fixed-top/div.navbar__inner/div.navbar__items", w.menu("a.navbar__item")),
        el(
            "div#docusaurus_skipToContent_fallback.main-wrapper/div.docsWrapper",
            el("aside.theme-doc-sidebar-container/nav/ul", w.menu("li/a"), w.others(12)),
            el(
                "main.docMainContainer/div.container/div.row",
                el(
                    "div.col.docItemCol",
                    el(
                        "div.docItemContainer",
                        el(
                            "article",
                            el("nav.theme-doc-breadcrumbs/ul", "<li><a>Guides</a></li>"),
                            el("div.theme-doc-markdown.markdown", el("header/h1", title), body),
                            el(
                                "footer.theme-doc-footer",
                                "<a>Edit this page</a>",
                                "<span>Last updated on <b>Mar 11, 2026</b></span>",
                            ),
                        ),
                        el("nav.pagination-nav", "<a>Previous</a><a>Next</a>"),
                    ),
                ),
                el("div.col.col--3/div.tableOfContents/ul", w.others(4)),
            ),
        ),
        el("footer.footer.footer--dark", "Copyright © 2026 Depot, Inc. Built with Docusaurus."),
        path="body/div#__docusaurus",
    )


def _readings(w: Writer) -> str:
    """A Chinese poem with the reading above each character, notes and a translation below."""
    title = w.titled()
    lines = ("江城五月落梅花", "铁轨千里到天涯", "慢车一夜无人问", "小站黎明有几家")
    sounds = "jiāng chéng wǔ yuè luò méi huā tiě guǐ qiān lǐ dào tiān yá màn chē yī yè wú rén wèn xiǎo zhàn lí míng yǒu jǐ jiā"
    readings = dict(zip("".join(lines), sounds.split(), strict=True))

    def line(words: str) -> str:
        return "".join(f"<ruby>{char}<rp>(</rp><rt>{readings[char]}</rt><rp>)</rp></ruby>" for char in words)

    shown = [lines[(at + w.number) % 4] for at in range(4)]
    for words in shown:
        w.truth.append(words)
    verse = el("div.poem-body", *(el("p", line(words), "。") for words in shown))
    return page(
        w,
        "{}原文、拼音、翻译及赏析_古诗网",
        el("div.topbar/ul", w.menu()),
        el(
            "div.main3/div.left",
            el(
                "div.sons",
                el("h1", title),
                el("p.source", "<a>许知远山</a><a>〔唐代〕</a>"),
                verse,
                el("div.tool", "<span>译</span><span>注</span><span>赏</span><span>拼音</span>"),
            ),
            el(
                "div.sons/div.contyishang",
                el("h2", w.text("译文及注释")),
                el("p/strong", w.text("译文")),
                w.paragraphs(1),
                el("p/strong", w.text("注释")),
                el("p", "<br/>".join(w.line() for _ in range(w.several(2)))),
            ),
            el(
                "div.sons/div.contyishang",
                el("h2", w.text("赏析")),
                w.paragraphs(w.several(1)),
                el("div.cankao", el("span", "参考资料："), el("div", "1、周大路.唐诗鉴赏.江城：江城出版社，2010：98-99")),
            ),
            el(
                "div.sonspic",
                el("p/a", "许知远山"),
                el("p", "许知远山，唐代诗人，生平不详，存诗三十二首，多写江上行旅与小城的清晨。", "<a>► 32篇诗文</a>"),
            ),
        ),
        el("div.main3/div.right", el("h2", "猜您喜欢"), el("ul", w.others(5))),
        el("div.foottop", "© 2026 古诗网 | <a>诗文</a> | <a>名句</a> | <a>作者</a>"),
    )


PLATFORMS = (
    Platform("whole paper", "writing", "en", _paper, tuned=True),
    Platform("verdict", "writing", "zh", _verdict, tuned=True),
    Platform("answers that open", "writing", "zh", _faq_zh, tuned=True),
    Platform("code in tabs", "writing", "en", _code_tabs, tuned=True),
    Platform("readings", "writing", "zh", _readings, tuned=True),
)
