"""Wikis, notices of offices, laws and papers."""

from __future__ import annotations

from tools.eval.extraction.platforms.writer import Platform, Writer, el, page


def _mediawiki(w: Writer) -> str:
    edit = w.chrome("edit", "编辑")
    cited = f"<sup class='reference'><a>[{w.number}]</a></sup>"
    title = w.titled()
    facts = ((w.chrome("Opened", "开通"), "1901"), (w.chrome("Gauge", "轨距"), "1435 mm"))
    rows = "".join(el("tr", el("th", w.text(name)), el("td", w.text(value))) for name, value in facts)
    box = el("table.infobox/tbody", el("tr/th[colspan=2]", w.text(w.title)), rows)
    lead = w.paragraphs(2)
    sections = "".join(
        el("div.mw-heading", el("h2", w.heading()), f"<span class='mw-editsection'>[<a>{edit}</a>]</span>")
        + w.paragraphs(w.several(1)).replace("</p>", f"{cited}</p>")
        for _ in range(3)
    )
    w.truth += [str(w.number)] * sections.count(cited)
    rows = "".join(
        el("tr", el("td", w.text(f"No. {at}")), el("td", w.text(str(1900 + at))), el("td", w.heading())) for at in range(4)
    )
    around = w.chrome("From Railpedia, the free encyclopedia", "来自铁路百科，自由的百科全书")
    foot = w.chrome(
        "Text is available under a free license; additional terms may apply.", "本站文本以自由许可协议提供，可能有附加条款。"
    )
    kinds = w.chrome("Railways Tramways Funiculars Metros", "铁路 电车 缆车 地铁").split()
    return page(
        w, "{} - Railpedia",
        el("header/nav/ul", w.menu()),
        el("div.mw-page-container",
           el("nav#mw-panel-toc/ul", w.others(4)),
           el("main#content",
              el("header.vector-page-titlebar", el("h1#firstHeading", title),
                 el("div.vector-dropdown/ul", "<li><a>Deutsch</a></li>")),
              el("div.vector-page-toolbar/nav/ul", w.menu()),
              el("div#bodyContent",
                 el("div#siteSub", around),
                 el("div#mw-content-text/div.mw-parser-output", box, lead, sections, el("table.wikitable/tbody", rows),
                    el("div.navbox[role=navigation]/table/tr/td", *(el("a", kind) + " · " for kind in kinds))),
                 el("div.printfooter", w.chrome("Retrieved from", "取自"), " <a>https://wiki.example/x</a>"),
                 el("div.catlinks", f"<a>{kinds[0]}</a>")))),
        el("footer", foot),
    )  # fmt: skip


def _dokuwiki(w: Writer) -> str:
    title = w.titled()
    items = "".join(el("li.level1/div.li", w.line()) for _ in range(w.several(2)))
    table = el("tr", el("th", w.text("Gauge")), el("th", w.text("Width"))) + el(
        "tr", el("td", w.text("Standard")), el("td", w.text("1435"))
    )
    text = (
        el("div.level1", w.paragraphs(1)) + el("h2.sectionedit2", w.heading())
        + el("div.level2", w.paragraphs(1), el("ul", items), el("pre.code", w.text(f"apt install train{w.number}")),
             el("table.inline", table), w.paragraphs(w.several(1)))
    )  # fmt: skip
    free = "Except where otherwise noted, content on this wiki is licensed under the following license: <a>Free License</a>"
    return page(
        w, "start:{} [Rail Wiki]",
        el("div#dokuwiki__header", el("p.title/a", "Rail Wiki"), el("div.tools/ul/li/a", "Log In"),
           el("div.trace", f"Trace: <a>{w.title}</a>")),
        el("div.wrapper",
           el("div#dokuwiki__content",
              el("div.pageId/span", f"start:x{w.number}"),
              el("div.page", el("div#dw__toc", el("h3", "Table of Contents"), el("ul.toc/li/a", w.title)),
                 el("h1.sectionedit1", title), text),
              el("div.docInfo", f"<bdi>start/x{w.number}.txt</bdi> · Last modified: <time>{w.day}</time> by <bdi>admin</bdi>")),
           el("div#dokuwiki__pagetools", el("h3.a11y", "Page Tools"),
              el("ul", "<li><a>Show page</a></li><li><a>Old revisions</a></li>"))),
        el("div#dokuwiki__footer/div.license", free),
        path="body/div#dokuwiki__site",
    )  # fmt: skip


def _confluence(w: Writer) -> str:
    """A company's wiki: who wrote it above, labels and likes below."""
    panel = el("div.panel.confluence-information-macro/div.confluence-information-macro-body/p", w.paragraph())
    rows = "".join(el("tr", el("td.confluenceTd", w.heading()), el("td.confluenceTd", w.line())) for _ in range(3))
    title = w.titled()
    return page(
        w, "{} - Depot - Confluence",
        el("div#header/nav/ul", w.menu()), el("div.ia-fixed-sidebar/ul", w.others(9)),
        el("div#content",
           el("div#navigation/ul", "<li><a>Pages</a></li>"), el("ol#breadcrumbs", "<li><a>Depot</a></li><li><a>Rules</a></li>"),
           el("h1#title-text/a", title),
           el("div.page-metadata/ul/li", f"Created by <a>{w.name()}</a>, last modified on <a>{w.day}</a>"),
           el("div#main-content.wiki-content", w.paragraphs(2), panel, el("h2", w.heading()),
              el("table.confluenceTable/tbody", rows),
              w.paragraphs(w.several(1))),
           el("div#likes-and-labels-container", "<span>Be the first to like this</span>",
              el("ul.label-list", "<li>No labels</li>")),
           el("div#comments-section", el("p", "Write a comment…"))),
        el("div#footer/p", "Powered by Confluence, team collaboration software"),
    )  # fmt: skip


def _law(w: Writer) -> str:
    """A Chinese law: articles with numbers, items with shorter ones."""
    text = ""
    for at, number in enumerate("一二三四五六七八"):
        if at % 4 == 0:
            text += el("p[align=center]/b", w.text(f"第{number}章　{w.headline()}"))
        article = w.said()
        w.truth.append(f"第{number}条　{article}")
        text += el("p", f"　　<strong>第{number}条</strong>　{article}")
        if at % 3 == 2:
            text += "".join(el("p", w.text(f"（{item}）{w.headline()}；")) for item in "一二三")
    passed = el("p[style=text-align:center]", "（2013年7月24日常务会议通过）")
    title = w.titled()
    return page(
        w, "{}_法规_江城政府网",
        el("div.header/ul", w.menu()), el("div.BreadcrumbNav", "<a>首页</a> &gt; <a>政策</a> &gt; 行政法规"),
        el("div.content/div.article",
           el("h1", title),
           el("div.pages-date", f"{w.day} 10:00<span>来源：江城政府网</span>", el("div.share", "字号：默认 大 <a>打印</a>")),
           el("div.pages_content", passed, text), el("div.editor/span", "责任编辑：张维"),
           el("div.related", el("h3", "相关稿件"), el("ul", w.others(4)))),
        el("div.footer", el("p", "主办单位：江城市人民政府办公室　运行维护单位：江城网")),
    )  # fmt: skip


def _notice(w: Writer) -> str:
    """A Chinese office's notice: a table of its metadata above, a table of figures inside, the seal's date below."""
    title = w.titled()
    card = (("索引号：", f"0142{w.number}/2024"), ("发布机构：", "江城市交通局"), ("发文日期：", w.day), ("主题分类：", "交通"))
    metadata = "".join(el("tr", el("td", name), el("td", value)) for name, value in card)
    text = el("p", w.text("各县（区）交通局，各有关单位：")) + w.paragraphs(
        3, "p[style=text-indent:2em]/span[style=font-size: 21px]"
    )
    heads = el("tr", *(el("td/p", w.text(name)) for name in ("序号", "项目名称", "金额", "时间")))
    rows = "".join(
        el("tr", *(el("td", w.text(cell)) for cell in (str(at), w.headline(), f"{at * 37 + 100}万元", f"2024-0{at}")))
        for at in range(1, 7)
    )
    end = el("p", w.text("附件：1.项目清单.xls")) + el("p[style=text-align:right]", w.text("江城市交通局"))
    tools = f"<span>发布时间：{w.day} 16:30</span><span>浏览次数：12 次</span><span>字体：【<a>大</a>】</span>"
    return page(
        w, "{}",
        el("div.nav-box/ul", w.menu()), el("div.wz", "当前位置：<a>首页</a>&gt;<a>通知公告</a>"),
        el("div.xl-box",
           el("table.xxgk_table", metadata), el("div.xl-tit/h1", title), el("div.xl-sub", tools),
           el("div.xl-con", el("div.view.TRS_UEDITOR", text, el("table[border=1]/tbody", heads, rows), w.paragraphs(1), end),
              el("div.fj", el("p", "相关附件："), "<p><a>项目清单.xls</a></p>"))),
        el("div.xl-share", "分享到：<a>【打印本页】</a> <a>【关闭窗口】</a>"),
        el("div.foot", el("p", "主办：江城市交通局 地址：江城大道1号"), el("p", "网站标识码：4201000001 备案序号：05000001号")),
    )  # fmt: skip


def _preprint(w: Writer) -> str:
    """The page of a preprint: its abstract among panels of services, a table and a history."""
    w.truth += [w.title, abstract := f"{w.said()} {w.said()} We bound it by $O(n^2)$ for all $n$."]
    labels = (
        ("Comments:", "12 pages"),
        ("Subjects:", "Data Structures (cs.DS)"),
        ("Cite as:", f"<a>preprint:2310.0000{w.number}</a>"),
    )
    rows = "".join(el("tr", el("td.tablecell.label", name), el("td.tablecell", value)) for name, value in labels)
    services = (
        el("label", "Bibliographic Tools") + el("div.tab", el("h1", "Bibliographic and Citation Tools"),
                                                "Explorer (<a>What is it?</a>)")
        + el("label", "About") + el("div.tab", el("h1", "Experimental projects with collaborators"),
                                    *(el("p", words) for words in _SERVICES))
    )  # fmt: skip
    return page(
        w, f"[2310.0000{w.number}] {{}}",
        el("header", el("p", "We gratefully acknowledge support from member institutions and all contributors. <a>Donate</a>"),
           el("div.header-breadcrumbs", f"<a>cs</a> &gt; preprint:2310.0000{w.number}"),
           "<p><a>Help</a> | <a>Advanced Search</a></p>"),
        el("main/div#content/div#abs-outer",
           el("div.leftcolumn",
              el("div.subheader/h1", "Computer Science &gt; Data Structures"),
              el("div#content-abs/div#abs",
                 el("div.dateline", f"[Submitted on 1{w.number} Oct 2023]"),
                 el("h1.title", el("span.descriptor", "Title:"), w.title),
                 el("div.authors", "<span>Authors:</span><a>Ada Birch</a>, <a>Tom Reed</a>"),
                 el("blockquote.abstract", el("span.descriptor", "Abstract:"), abstract), el("div.metatable/table", rows)),
              el("div.submission-history",
                 "<h2>Submission history</h2> From: Ada Birch [<a>view email</a>]<br/><b>[v1]</b> Sat, 1 Oct (120 KB)")),
           el("div.extra-services", el("div.full-text", el("h2", "Access Paper:"), "<ul><li><a>View PDF</a></li></ul>"),
              el("div.browse", el("h3", "Current browse context:"), "cs.DS")),
           el("div#labstabs", services)),
        el("footer/ul", w.menu()),
        head=_cited(w),
    )  # fmt: skip


_SERVICES = (
    "This is a framework that allows collaborators to develop and share new features directly on our website.",
    "Both individuals and organizations that work with us have accepted our values of openness, community and privacy. We are "
    "committed to these values and only work with partners that adhere to them.",
)


def _citation(w: Writer) -> str:
    """The page of a medical paper in a database."""
    parts = "".join(
        el("p", el("strong.sub-title", w.text(name + ": ")), w.paragraph()) for name in ("Background", "Results", "Conclusions")
    )
    similar = "".join(
        el(
            "li.full-docsum",
            el("a.docsum-title", w.headline()),
            el("div.docsum-citation", "Pike L, Lowe M. <span>J Rail. 2019;1(2):1-9.</span>"),
        )
        for _ in range(5)
    )
    interest = "The authors declare that they have no competing interests of any kind in this work."
    return page(
        w, "{} - Citations",
        el("header[role=banner]/p", "An official website"),
        el("main#article-details",
           el("header#heading",
              el("div.article-citation", el("div.publication-type", "Review"), el("span.cit", "2020 Mar 1;12(3):45-60.")),
              el("h1.heading-title", w.titled()),
              el("div.authors-list", "<a>Ada Birch</a><sup>1</sup>, <a>Tom Reed</a>"),
              el("ul.identifiers/li", f"<span>ID: </span><strong>3200000{w.number}</strong>")),
           el("div#abstract.abstract", el("h2.title", w.text("Abstract")), el("div.abstract-content", parts),
              el("p", "<strong>Keywords: </strong>railway; health.")),
           el("div.copyright", "© 2020. Published by Press Ltd."),
           el("div.conflict-of-interest", el("h2.title", "Conflict of interest statement"), el("p", interest)),
           el("div#similar", el("h2.title", "Similar articles"), el("ul.articles-list", similar)),
           el("div#references", el("h2", "References"), el("ol", w.others(4)))),
        el("footer/p", "Literature Resources"),
        head=_cited(w),
    )  # fmt: skip


def _journal(w: Writer) -> str:
    """The page of a paper in an Open Journal Systems journal: details in a column of their own."""
    item = "div.item"
    cite = f"Birch, A., & Reed, T. (2023). {w.title}. <i>Journal of Railways</i>, 12(3), 45–60. https://doi.example/10.1000/{w.number}"
    return page(
        w, "{} | Journal of Railways",
        el("header#headerNavigationContainer/nav/ul", w.menu()),
        el("div.pkp_structure_content",
           el("main/div.page_article",
              el("nav.cmp_breadcrumbs/ol", "<li><a>Home</a></li><li><a>Vol. 12</a></li>"),
              el("article.obj_article_details",
                 el("h1.page_title", w.titled()),
                 el("div.row",
                    el("div.main_entry",
                       el("section.item.authors", "<h2 class='pkp_screen_reader'>Authors</h2>",
                          el("ul.authors/li", "<span>Ada Birch</span><span>Depot University</span>")),
                       el("section.item.doi", "<h2 class='label'>DOI:</h2><span><a>https://doi.example/10.1000</a></span>"),
                       el("section.item.keywords",
                          "<h2 class='label'>Keywords:</h2><span class='value'>railways, queues</span>"),
                       el("section.item.abstract", el("h2.label", w.text("Abstract")), w.paragraphs(w.several(2)))),
                    el("div.entry_details",
                       el(f"{item}.galleys", "<h2>Downloads</h2><ul><li><a>PDF</a></li></ul>"),
                       el(f"{item}.published", "<h2 class='label'>Published</h2><div class='value'>2023-11-01</div>"),
                       el(f"{item}.citation", "<h2 class='label'>How to Cite</h2>", el("div.value", cite),
                          "<ul><li><a>ACM</a></li></ul>"),
                       el(f"{item}.issue", "<h2 class='label'>Issue</h2><div class='value'><a>Vol. 12 No. 3 (2023)</a></div>"),
                       el(f"{item}.copyright", "<h2>License</h2><p>This work is licensed under a <a>Free License</a>.</p>"))))),
           el("div.pkp_structure_sidebar", el("span.title", "Information"),
              el("ul", "<li><a>For Readers</a></li><li><a>For Authors</a></li>"))),
        el("div.pkp_structure_footer_wrapper", "<a>Open Journal Systems</a>"),
        head=_cited(w),
    )  # fmt: skip


def _abstract(w: Writer) -> str:
    """The page of a Chinese paper in a database: its abstract among rows of details."""
    row = "div.row"
    rows = (
        ("关键词：", "<a>铁路</a>；<a>队列</a>"),
        ("基金资助：", "江城市自然科学基金"),
        ("DOI：", f"10.1000/j.{w.number}"),
        ("分类号：", "U29"),
    )
    counts = "<span>下载：132</span><span>页码：45-60</span><span>页数：16</span><span>大小：1120K</span>"
    return page(
        w, "{} - 江城知识库",
        el("div.header/ul", w.menu()),
        el("div.container",
           el("div.doc-top",
              el("div.top-tip/span", f"<a>铁路学报</a> . <a>2023,12(0{w.number + 1})</a> 查看该刊数据库收录来源"),
              el("h1", w.titled()),
              el("h3.author", f"<span>{w.name()}</span><span>{w.name(1)}</span>"), el("h3", "<a>江城交通大学</a>"),
              el(row, "<span class='rowtit'>摘要：</span>", el("span.abstract-text", f"{w.paragraph()}", w.paragraph())),
              *(el(row, f"<span class='rowtit'>{name}</span>", el("p", value)) for name, value in rows),
              el("div.total-inform", counts)),
           el("div.operate-btn/ul", "<li><a>HTML阅读</a></li><li><a>CAJ下载</a></li><li><a>PDF下载</a></li>"),
           el("div.module-tab", el("h2", "相似文献"), el("ul", w.others(6))),
           el("div.module-tab", el("h2", "引文网络"), el("ul", w.others(4)))),
        el("div.footer", el("p", "江城知识库 版权所有 客服热线 0101-1234567")),
    )  # fmt: skip


def _cited(w: Writer) -> str:
    """What search engines for papers read in the head."""
    return f"<meta name='citation_title' content='{w.title}'><meta name='citation_author' content='Birch, Ada'>"


PLATFORMS = (
    Platform("MediaWiki", "reference", "en", _mediawiki, tuned=True),
    Platform("MediaWiki", "reference", "zh", _mediawiki),
    Platform("DokuWiki", "reference", "en", _dokuwiki, tuned=True),
    Platform("Confluence", "reference", "en", _confluence),
    Platform("law", "reference", "zh", _law, tuned=True),
    Platform("notice", "reference", "zh", _notice, tuned=True),
    Platform("preprint", "papers", "en", _preprint, tuned=True),
    Platform("citation", "papers", "en", _citation, tuned=True),
    Platform("abstract", "papers", "zh", _abstract),
    Platform("Open Journal Systems", "papers", "en", _journal),
)
