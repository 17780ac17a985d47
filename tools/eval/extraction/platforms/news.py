"""News: portals, papers, broadcasters, wires."""

from __future__ import annotations

from tools.eval.extraction.platforms.writer import Platform, Writer, el, page


def _portal(w: Writer) -> str:
    """A Chinese portal: the text beside a column of rankings, an invitation to follow under it."""
    text = w.paragraphs(2, "p[cms-style=font-L]") + el("div.img_wrapper", "<img>", el("span.img_descr", w.heading()))
    article = el("div.article#artibody", text, w.paragraphs(w.several(3)), el("p.show_author", "责任编辑：方圆 "))
    bottom = el(
        "div.article-bottom", el("div.keywords", "<label>文章关键词：</label><a>车站</a><a>高铁</a>"), "<a>我要反馈</a>"
    )
    follow = el(
        "div.blk-zcapp", el("div.qr", "<img><span>江城新闻公众号</span>"), el("p", "更多猛料！欢迎扫描左方二维码关注江城新闻")
    )
    date = el("div.date-source", el("span.date", f"{w.day} 10:20"), "<a class='source'>铁路日报</a>")
    tools = el("div.page-tools", "<span><span class='num'>0</span>评论</span><a>分享</a>")
    return page(
        w, "{}|铁路|高铁_江城新闻",
        el("div.main-header/div.main-nav/ul", w.menu()),
        el("div.channel-path", "<a>新闻中心</a><span>&gt;</span><a>国内</a><span>&gt; 正文</span>"),
        el("div.main-content",
           el("h1.main-title", w.titled()), el("div.top-bar", date, el("div.second-title", w.title), tools),
           el("div.article-content",
              el("div.article-content-left", article, bottom, follow, el("div.blk-related/ul.feed", w.others(8))),
              el("div.article-content-right", el("h3", "图片故事"), el("ul", w.others(6)), el("h3", "新闻排行"),
                 el("ul", w.others(9))))),
        el("div.footer", el("p", "意见反馈留言板 欢迎批评指正"), el("p", "Copyright © 江城新闻 版权所有")),
    )  # fmt: skip


def _self_media(w: Writer) -> str:
    """A Chinese portal's accounts of its readers, with a disclaimer in two languages."""
    text = w.paragraphs(1) + el("p.f_center", "<img>") + el("p.f_center", w.heading()) + w.paragraphs(w.several(3))
    share = el("div.post_share_wx", el("p", "用微信扫码二维码"), el("p", "分享至好友和朋友圈"))
    claim = "The content above is uploaded and posted by a reader. The platform only provides information storage services."
    statement = el("div", "特别声明：以上内容为自媒体平台用户上传并发布，本平台仅提供信息存储服务。") + el(
        "div", "Notice: " + claim
    )
    card = "li.post_recommend/div.info/h3/a"
    return page(
        w, "{}|铁路|车站_山川订阅",
        el("div.top_nav/ul", w.menu()),
        el("div.container#container",
           el("div.post_crumb", "<a>首页</a> &gt; <a>山川号</a> &gt; 正文"),
           el("div.post_wemedia", "<div><a>铁路人说</a></div><p>增值业务 山川号</p>"),
           el("div.post_main",
              el("h1.post_title", w.titled()), el("div.post_info", f"{w.day} 08:15 来源: <a>铁路人说</a> <a>举报</a>"),
              el("div.post_top_tie", el("p", "分享至"), "<ul><li><a>微信</a></li></ul>", share),
              el("div.post_content#content", el("div.post_body", text), el("div.post_statement", statement)),
              el("div.post_recommends", el("div.title", "相关推荐"), el("ul", w.others(8, card)))),
           el("div.post_side", el("h2", "热点"), el("ul", w.others(8)))),
        el("div.bottom_nav", "<a>公司简介</a> © 山川公司版权所有"),
    )  # fmt: skip


def _paper(w: Writer) -> str:
    """A Chinese newspaper's site."""
    indented = w.paragraphs(w.several(5), "p[style=text-indent: 2em]")
    end = el("p.paper_num", "《 江城日报 》（ 10 版）") + el("div.edit", "(责编：方圆、陈羽)")
    return page(
        w, "{}--社会--江城网 ",
        el("div.rm_nav/ul", w.menu()), el("div.path", "<a>江城网</a> &gt;&gt; <a>社会</a>"),
        el("div.layout",
           el("div.col.col-1",
              el("h1", w.titled()), el("div.author", f"本报记者 {w.name()}"),
              el("div.channel", el("div.fl", f"{w.day}05:22 | 来源：<a>江城日报</a>"), el("div.fr", "小字号")),
              el("div.rm_txt_con", indented, end),
              el("div.share", "<p>分享让更多人看到</p>"), el("div.rm_relevant", el("h2", "相关新闻"), el("ul", w.others(5)))),
           el("div.col.col-2", el("h2", "热门排行"), el("ul", w.others(9)))),
        el("div.footer", el("p", "报社概况 | 报社招聘"), el("p", "江 城 网 版 权 所 有 ，未 经 书 面 授 权 禁 止 使 用")),
    )  # fmt: skip


def _television(w: Writer) -> str:
    """A Chinese broadcaster."""
    picture = el("p[style=text-align:center]", "<img>") + el("p[style=text-align:center]", w.heading())
    return page(
        w, "{}_新闻频道_江城网络电视",
        el("div.nav/ul", w.menu()),
        el("div.column_wrapper/div.main",
           el("div.left_zw",
              el("div.title_area", el("h1", w.titled()),
                 el("div.info", f"来源：江城台<span>|</span><span>{w.day} 19:22</span>"),
                 el("div.function", "<a>分享</a>")),
              el("div.content_area#content_area", w.paragraphs(2), picture, w.paragraphs(w.several(2))),
              el("div.zebian", "<span>编辑：王文</span><span>责任编辑：刘亮</span>"),
              el("div.nopic", el("h3", "相关新闻"), el("ul", w.others(5)))),
           el("div.right", el("h2", "精彩推荐"), el("ul", w.others(6)))),
        el("div.page_wrap/p", "江城网络电视 版权所有"),
    )  # fmt: skip


def _feed(w: Writer) -> str:
    """An article in a Chinese app's feed, with readers' comments."""
    comments = "".join(
        el(
            "li/div.ttp-comment-item",
            el("div.user-info/a.name", w.name(at)),
            el("p.content", w.said()),
            el("div", f"2{at}赞 · 回复"),
        )
        for at in range(6)
    )
    return page(
        w, "{} - 今日江城",
        el("div.header/ul.left-menu", w.menu()),
        el("div.main",
           el("div.left-sidebar/div.detail-interaction", "<button>赞</button><span>评论</span>"),
           el("div.right-sidebar", el("div.user-info/a", "铁路专家"),
              el("div.rank", el("h2", "热点榜"), el("ol", w.others(8)))),
           el("div.article-content-wrapper/div.article-content",
              el("h1", w.titled()), el("div.article-meta", f"<span>{w.day}</span><span>·</span><a>铁路专家</a>"),
              el("article.tt-article-content", w.paragraphs(w.several(4), "p[data-track=3]"))),
           el("div.ttp-comment-wrapper", el("div.title", "评论 6"), el("ul.comment-list", comments)),
           el("div.detail-feed", el("h3", "推荐阅读"), w.others(6, "div.feed-card/a"))),
    )  # fmt: skip


def _broadcaster(w: Writer) -> str:
    """An English broadcaster: class names of a style compiler, cards with teasers below the text."""
    block = "div[data-component=text-block].sc-18f-0/p.sc-eb7-0"
    cards = "".join(
        el("div[data-testid=card]/a", el("h2", w.headline()), el("p", f"{w.said()[:120]} in the next years."))
        + "<span>3 hrs ago</span>"
        for _ in range(6)
    )
    return page(
        w, "{}",
        el("div.sc-f1a-0/nav/ul", w.menu()),
        el("main#main-content",
           el("article.sc-3b6-0",
              el("div[data-component=headline-block]/h1.sc-518-0", w.titled()),
              el("div[data-component=byline-block]", el("time", "3 days ago"), "<button>Share</button>",
                 el("div", el("span", w.name()), el("div", "Transport correspondent"))),
              w.paragraphs(3, block), el("figure/figcaption", w.heading()), w.paragraphs(w.several(2), block),
              el("div[data-component=subheadline-block]/h2", w.heading()),
              el("div[data-component=links-block]/ul", w.others(3)), w.paragraphs(2, block),
              el("div[data-component=tags]/div", "<a>Rail travel</a><a>Trains</a>")),
           el("div[data-testid=grid]", el("h2", "Related"), cards)),
        el("footer", el("p", "Copyright 2024. We are not responsible for the content of external sites.")),
    )  # fmt: skip


def _wire(w: Writer) -> str:
    """An English news agency: a box of other news inside the text."""
    box = el("div.Enhancement/div.HubPeek", el("h3", "Other news"), w.others(3, "div.PagePromo/div.PagePromo-title/a/span"))
    about = "The agency is an independent news organization. Founded in 1846, it is trusted for accurate news."
    return page(
        w, "{} | Wire News",
        el("div.Page-header/nav/ul", w.menu()),
        el("div.Page-content/main.Page-main",
           el("div.Page-lead/h1.Page-headline", w.titled()),
           el("div.Page-twoColumn",
              el("div.Page-contentColumn",
                 el("div.Page-byline", el("div.Page-authors", f"By <a>{w.name()}</a>"),
                    el("div.Page-dateModified", f"Updated {w.day}")),
                 el("div.Page-actions/div.ActionBar/a", "Share"),
                 el("div.Page-storyBody/div.RichTextBody", w.paragraphs(3), box, w.paragraphs(w.several(2)), "<p>___</p>",
                    w.paragraphs(1))),
              el("div.Page-rightRail", el("h2", "Most read"), el("ol", w.others(5)))),
           el("div.Page-below", el("h2", "More to read"), w.others(6, "div.PagePromo/h3/a"))),
        el("footer.Page-footer", el("p", about), el("p", "Copyright. All Rights Reserved.")),
    )  # fmt: skip


def _live(w: Writer) -> str:
    """A live blog: entries with their hours, key events beside them."""
    entries = "".join(
        el(
            "article.dcr-block",
            el("header", el("time", f"1{at}.00 BST"), el("h2", w.heading())),
            w.paragraphs(2),
            el("div.share/a", "Share"),
        )
        for at in range(w.several(3))
    )
    return page(
        w, "{} – as it happened | Rail | The Daily",
        el("div#bannerandheader/header/nav/ul", w.menu()),
        el("main",
           el("div.dcr-head", el("h1", w.titled()), el("div[data-name=standfirst]", w.paragraphs(1)),
              el("address/a", w.name())),
           el("div.dcr-body", el("div", el("h2", "Key events"), el("ul", w.others(5))), el("div#liveblog-body", entries),
              el("div", "<span>Explore more on these topics</span>",
                 el("ul", "<li><a>Rail</a></li><li><a>Transport</a></li>"))),
           el("section", el("h2", "Most viewed"), el("ol", w.others(10)))),
        el("footer/p", "© 2024 The Daily. All rights reserved."),
    )  # fmt: skip


def _gallery(w: Writer) -> str:
    """Pictures with long captions and no other text."""
    slides = "".join(
        el("figure.slide", "<img>", el("figcaption", w.paragraphs(1), el("span.credit", "Photo: A. Nyone")))
        for _ in range(w.several(5))
    )
    return page(
        w, "In pictures: {}",
        el("header/ul", w.menu()),
        el("div#wrap", el("h1", w.titled()), el("div.gallery", slides),
           el("div.promo", el("h3", "Popular"), el("ul", w.others(8)))),
        el("footer", "Imprint"),
    )  # fmt: skip


def _transcript(w: Writer) -> str:
    """A broadcast in writing: who speaks, and when."""
    cues = "".join(
        el(
            "div.cue",
            el("button.time", f"0{at}:10"),
            el("p", el("strong", w.text(("HOST", "GUEST")[at % 2]) + ":"), " ", w.paragraph()),
        )
        for at in range(w.several(6))
    )
    end = el("p.disclaimer", "Copyright. Visit our terms of use and permissions pages for further information.")
    return page(
        w, "{} : Planet Rail : Public Radio",
        el("header/nav/ul", w.menu()),
        el("main/section",
           el("article.story", el("div.storytitle/h1", w.titled()), el("div.story-tools/ul", "<li><a>Download</a></li>"),
              el("div.storytext.transcript#storytext", cues, end), el("div.tags/ul/li/a", "rail")),
           el("aside.recommended-stories", el("h2", "More Stories"), el("ul", w.others(5)))),
        el("footer", "© 2024"),
    )  # fmt: skip


def _consent(w: Writer) -> str:
    """A short text under a long dialogue about cookies, which comes first on some pages and last on others."""
    dialog = el(
        "div.fc-consent-root#cmp-layer/div.fc-dialog",
        el("h1", "We value your privacy"),
        el("p",
           "We and our 846 partners store information on a device, such as cookies and unique identifiers, for personalised "
           "advertising and content, measurement of both, research on audiences and development of services."),
        el("p", "With your permission we may use precise geolocation data and identification through device scanning. You may "
           "consent to our and our partners’ processing as described above, or refuse."),
        el("ul", el("li", "Store information on a device"),
           el("li", "Personalised advertising, measurement, development of services")),
    )  # fmt: skip
    story = el("div#page", el("header/ul", w.menu()), el("div.story", el("h1", w.titled()), el("div.body", w.paragraphs(3))))
    return page(w, "{} - Daily Rail", *((dialog, story) if w.number % 2 else (story, dialog)))


PLATFORMS = (
    Platform("portal", "news", "zh", _portal, tuned=True),
    Platform("accounts of readers", "news", "zh", _self_media, tuned=True),
    Platform("newspaper", "news", "zh", _paper, tuned=True),
    Platform("television", "news", "zh", _television),
    Platform("app's feed", "news", "zh", _feed),
    Platform("broadcaster", "news", "en", _broadcaster, tuned=True),
    Platform("wire", "news", "en", _wire),
    Platform("live blog", "news", "en", _live, tuned=True),
    Platform("gallery", "news", "en", _gallery),
    Platform("transcript", "news", "en", _transcript),
    Platform("consent", "news", "en", _consent),
)
