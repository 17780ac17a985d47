"""Portals that are built of `div` elements, with many boxes around the text, whose names say little."""

from __future__ import annotations

from tools.eval.extraction.platforms.writer import Platform, Writer, el, page

_SAYS_ARTICLE = '<meta property="og:type" content="article">'


def _link_boxes(w: Writer, count: int, path: str) -> str:
    """Boxes of links to other pages of the site, each with a name that announces nothing."""
    names = w.chrome(
        "Business News/Hot Leads/Partners/First Look/Your Money", "财经频道/本地之窗/合作媒体/图说天下/理财"
    ).split("/")
    return "".join(el(path, el("h3", names[at % 5]), el("ul", w.others(5)), el("div.ftr/a", "More »")) for at in range(count))


def _slogan(w: Writer) -> str:
    """A sentence about the site among the links of its last box."""
    return w.chrome(
        "Latest news, weather, health, business, sports, science, money, entertainment and opinion from all over the country.",
        "本网站提供最新新闻、天气、健康、财经、体育、科技、理财、娱乐与评论，每天二十四小时为全国各地的读者不间断更新。",
    )


def _boxes_below(w: Writer) -> str:
    """A portal that calls its page an article: boxes of links below the text, and a slogan among the last ones."""
    tools = el("div.artUtils", el("div.utilsLt", "Text Size"), el("div.utilsRt/a", "Email This"))
    article = el("div.article", el("div.smallText", tools, el("div.entry-content", w.paragraphs(w.several(4)))))
    return page(
        w, "{}",
        el("div.top/ul", w.menu()),
        el("div.main/div.clrFx",
           el("div.postTop/div.artHeadline/h1", w.titled()), el("div/div", article),
           el("div.wwwfullmodule", _link_boxes(w, 5, "div.catgryNws")),
           el("div", el("ul.ftrLnk", w.others(8)), el("div.ftrTxt/p.ftrTxtDesc", _slogan(w)))),
        head=_SAYS_ARTICLE,
    )  # fmt: skip


def _columns(w: Writer) -> str:
    """A broadcaster that does not say what its page is: title and text in one of two columns."""
    picture = el("div.module/div.image", "<img>", el("p.caption", w.heading()))
    aside = el("div.g-w11", "".join(el("div.g-container", _link_boxes(w, 1, "div.list")) for _ in range(4)))
    return page(
        w, "{} - 山川台 - 两岸",
        el("div#blq-main/div#blq-content/div.g-group",
           el("div.g-w20",
              el("div.g-container/h1", w.titled()),
              el("div.g-container/div.datestamp", f"更新时间 {w.day}, 格林尼治标准时间13:06"),
              el("div.g-container.story-body/div.bodytext", picture, w.paragraphs(w.several(5))),
              el("div.g-block", _link_boxes(w, 2, "div.list"))),
           aside),
        el("div#blq-foot", el("ul", w.others(5)), el("p", _slogan(w))),
    )  # fmt: skip


def _unnamed_article(w: Writer) -> str:
    """A blog whose posts have no name, but the readers' comments on them have one; it calls its page an article."""
    comments = "".join(
        el(
            "div.comment.clear-block",
            el("div.submitted", f"{w.name(at)} | {w.day}"),
            el("div.comment-content/div.field-comment-body", el("p", w.said()), el("p", w.said())),
        )
        for at in range(5)
    )
    return page(
        w, "{} | Union of Railways",
        el("div.region/ul", w.menu()),
        el("div.panel-display/div.panel-panel/div.inner",
           el("div.panel-pane/h1", w.titled()),
           el("div.panel-pane", w.paragraphs(w.several(5), "p.MsoBodyText")),
           el("div.panel-pane/div.comments", el("h2", "View comments (5)"), comments)),
        el("div.panel-col-last", _link_boxes(w, 3, "div.panel-pane")),
        head=_SAYS_ARTICLE,
    )  # fmt: skip


def _parts(w: Writer) -> str:
    """Text in several parts that the markup calls the same, of which the first holds the title."""
    parts = "".join(el("div.n.p/div.ab", w.paragraphs(w.several(2))) for _ in range(3))
    return page(
        w, "{}",
        el("div.root/ul", w.menu()),
        el("div.b.c",
           el("div.ef/section.cy", el("div.n.p/div.ab", el("div/h1", w.titled()), w.paragraphs(w.several(3))), parts),
           el("div.mz/div.hr", _link_boxes(w, 2, "div.ph"))),
        head=_SAYS_ARTICLE,
    )  # fmt: skip


def _site_name_above(w: Writer) -> str:
    """The site's name is the main heading of each page, and the end of its title; that of the text is a lesser one."""
    meta = el("div.post_meta", f"by {w.name()} posted {w.day}", el("ul", w.others(2)))
    post = el("div.post_content", el("h4.post_title", w.titled()), meta, el("div.post_body", w.paragraphs(w.several(2))))
    return page(
        w, "{} -- Gadgetry",
        el("div.engine_hdr/div.inner", el("h1/a", "Gadgetry"), el("ul", w.menu())),
        el("div.content_holder/div.inner-padding",
           el("div.col1/div.blogroll", post), el("div.col2", _link_boxes(w, 4, "div.col2_module"))),
        el("div.linkarea", el("h3", "Sites we like"), el("ul", w.others(9)), el("div.popup/p", _slogan(w))),
        head=_SAYS_ARTICLE,
    )  # fmt: skip


PLATFORMS = (
    Platform("boxes below", "divs", "en", _boxes_below, tuned=True),
    Platform("columns", "divs", "zh", _columns, tuned=True),
    Platform("unnamed article", "divs", "en", _unnamed_article, tuned=True),
    Platform("parts", "divs", "en", _parts, tuned=True),
    Platform("site's name above", "divs", "en", _site_name_above, tuned=True),
)
