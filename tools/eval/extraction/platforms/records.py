"""Records: what journals, courts, museums, offices, firms and fans keep of a thing."""

from __future__ import annotations

from tools.eval.extraction.platforms.writer import Platform, Writer, el, page


def _magtech(w: Writer) -> str:
    """A paper on the page of a Chinese journal: two abstracts, then references and similar papers."""
    w.truth.append(w.title)
    zh = w.paragraph() + w.paragraph()
    en = w.text(
        "The slow train is studied in detail, with a model of its motion from station"
        " to station. We find that it is on time in most of the cases, and that"
        " the delay grows with the square of the number of stops."
    )
    cite = f"{w.name()}, {w.name(1)}. {w.title}[J]. 铁路学报, 2023, 12({w.number}): 45-60."
    refs = "".join(
        el(
            "tr",
            el("td.J_VM", f"[{at}]"),
            el("td.mainContent", f"{w.name(at)}. {w.headline()}[J]. 铁路, 2019, {at}(2): 11-19."),
        )
        for at in range(1, 9)
    )
    rel = "".join(
        el("tr", el("td", f"[{at}]"), el("td", f"{w.name(at)}. <a>{w.headline()}</a>[J]. 铁路学报, 2022, {at}(2): 11-19."))
        for at in range(1, 6)
    )
    return page(
        w,
        "{}",
        el(
            "div.header",
            el("div.logo/a", "铁路学报"),
            el("ul", "<li><a>首页</a></li><li><a>期刊介绍</a></li><li><a>编委会</a></li><li><a>投稿指南</a></li>"),
        ),
        el(
            "div.container.whitebg/div.main-content/div.row/div.abs-con",
            el(
                "div.abstract-top",
                el(
                    "p",
                    f"铁路学报 ›› 2023, Vol. 12 ›› Issue ({w.number}): 45-60.",
                    el("span", "doi: ", f"<a>10.1000/j.2023.0{w.number}</a>"),
                ),
                el("p", "• 研究论文 •", "<a>上一篇</a>", "<a>下一篇</a>"),
            ),
            el("h3.abs-tit", w.title),
            el("p[data-toggle=collapse]/span", f"{w.name()}<sup>1</sup>, {w.name(1)}<sup>2</sup>(<a></a>)"),
            el(
                "div.panel",
                el("ol", "<li>1. 江城交通大学铁路学院，江城 430000</li><li>2. 江城铁路局</li>"),
                el(
                    "ul",
                    "<li>收稿日期:2022-05-06 出版日期:2023-03-05</li><li>通讯作者: 周大路</li>"
                    "<li>基金资助:江城市自然科学基金(No.1234)</li>",
                ),
            ),
            el("h3.abs-tit", "A study of the slow train"),
            el("p/span", "Xiaoman LIN<sup>1</sup>, Dalu ZHOU<sup>2</sup>"),
            el("ul", "<li>Received:2022-05-06 Published:2023-03-05</li><li>Contact: Dalu ZHOU</li>"),
            el(
                "div.nav-tabs/ul",
                "<li><a>摘要</a></li><li><a>图/表</a></li><li><a>参考文献</a></li><li><a>相关文章"
                "</a></li><li><a>Metrics</a></li>",
            ),
            el(
                "div.tab-content",
                el(
                    "div#abstract.tab-pane.abstract-body",
                    el("p", "<strong>摘要：</strong>", zh),
                    el("p", "<strong>关键词: </strong><a>铁路</a>, <a>慢车</a>, <a>模型</a>"),
                    el("p", "<strong>Abstract: </strong>", en),
                    el("p", "<strong>Key words: </strong><a>railway</a>, <a>slow train</a>"),
                    el("p", "<strong>中图分类号: </strong>U29"),
                    el(
                        "div.cite",
                        el("b", "引用本文"),
                        el("p", cite),
                        el("p", "Lin X, Zhou D. A study of the slow train[J]. Journal of Railways, 2023, 12: 45-60."),
                        el("div", "<a>使用本文</a>"),
                    ),
                ),
                el("div#reference.tab-pane/table", refs),
                el("div#relate.tab-pane/table", rel),
                el("div#metrics.tab-pane", "阅读次数 全文 120 摘要 340"),
            ),
        ),
        el(
            "div.footer",
            el("p", "版权所有 © 《铁路学报》编辑部 地址：江城大道1号 邮编：430000 电话：0101-1234567"),
            el("p", "本系统由北京玛格泰克科技发展有限公司设计开发"),
        ),
        head=f"<meta name='citation_title' content='{w.title}'><meta name='citation_author' content='{w.name()}'>",
    )


def _judgement(w: Writer) -> str:
    """A judgment in an archive of courts."""
    t = w.text
    head = el("div.judgment-header__neutral-citation", t(f"Neutral Citation Number: [2022] EWCA Civ 1{w.number}3")) + el(
        "div.judgment-header__case-number", t(f"Case No: CA-2021-00{w.number}")
    )
    head += el("div.judgment-header__court", t("IN THE COURT OF APPEAL (CIVIL DIVISION)")) + el(
        "p.judgment-header__date", t("Date: 14/03/2022")
    )
    head += el("div.judgment-header__line-separator") + el(
        "p.judgment-header__before", t("Before: LORD JUSTICE BIRCH and LADY JUSTICE REED")
    )
    head += el(
        "table.pr-two-column",
        el("tr", "<td></td>", el("td/p", t("RIVERTON RAILWAY LTD")), el("td/p", t("Appellant"))),
        el("tr", "<td></td>", el("td/p", t("- and -")), "<td></td>"),
        el("tr", "<td></td>", el("td/p", t("MAY LOWE")), el("td/p", t("Respondent"))),
    )
    head += el(
        "p.judgment-header__pr-names",
        t("Mr John Pike KC and Ms Anna Lowe (instructed by Depot Solicitors LLP) for the Appellant"),
    )

    def numbered(at: int) -> str:
        return el(
            "section.judgment-body__section/section.judgment-body__nested/div.judgment-body__number-wrap",
            el("span.judgment-body__number", t(f"{at}.")),
            el("div/p.judgment-body__text", w.paragraph()),
        )

    body = (
        el("h2.judgment-body__heading", t("Lord Justice Birch:"))
        + "".join(map(numbered, range(1, 4)))
        + el("h3", t("The facts"))
        + "".join(map(numbered, range(4, 5 + w.several(1))))
    )
    body += el("blockquote/p", w.paragraph()) + el("p", t("I would dismiss the appeal."))
    w.truth.insert(0, w.title)
    return page(
        w,
        "{} - Find Case Law - The Archives",
        el(
            "div#js-cookie-banner.cookie-banner",
            el("h2", "This site uses cookies"),
            el(
                "p",
                "We place some essential cookies on your device to make this website work"
                ", and would like to use more to remember settings.",
            ),
        ),
        el("header.page-header", el("a", "Find Case Law"), el("nav/ul", w.menu())),
        el("nav.breadcrumb/ol/li/a", "Home"),
        el(
            "main#main-content",
            el(
                "div.judgment-toolbar/div.judgment-toolbar__container",
                el("h1.judgment-toolbar__title", w.title),
                el("p.judgment-toolbar__reference", f"[2022] EWCA Civ 1{w.number}3"),
                el("div.judgment-toolbar__buttons", "<a>Download PDF</a><a>Download XML</a>"),
            ),
            el("article.judgment", el("header.judgment-header", head), el("div.judgment-body", body)),
            el(
                "div.judgment-download-options",
                el("h2", "Download options"),
                el(
                    "div",
                    el("h3/a", "Download this judgment as a PDF (120 KB)"),
                    el("p", "The original format of the judgment as handed down by the court, for printing and downloading."),
                ),
            ),
        ),
        el(
            "footer.footer",
            el("p", "All content is available under the Open Justice Licence except where otherwise stated"),
            el("ul", w.menu()),
        ),
    )


def _museum(w: Writer) -> str:
    """An object in a museum: a text, and a table that is text, too."""
    title = w.titled()
    about = w.paragraphs(2)
    rows = ""
    for name, n in (
        ("Categories", 0),
        ("Object type", 0),
        ("Materials and techniques", 0),
        ("Brief description", 1),
        ("Physical description", 2),
        ("Dimensions", 3),
        ("Credit line", 4),
        ("Object history", 2),
        ("Accession number", 5),
    ):
        label = el("td.etc-details__cell-title", w.text(name))
        value = {
            0: lambda: el("ul", el("li/a", w.text(("Models", "Engineering")[w.number % 2]))),
            1: lambda: w.line(),
            2: lambda: el("p", w.paragraph()),
            3: lambda: el("ul", el("li", w.text(f"Height: {w.number + 12}cm")), el("li", w.text("Width: 40cm"))),
            4: lambda: w.text("Given by Miss Lowe"),
            5: lambda: w.text(f"E.1{w.number}3-1952"),
        }[n]()
        rows += el("tr", label, el("td.etc-details__cell-free", value))
    like = "".join(el("div.b-object-card/a", el("div.title", w.headline()), el("div.date", "ca. 1850")) for _ in range(6))
    return page(
        w,
        "{} | V&amp;B Explore The Collections",
        el("header.b-header/nav/ul", w.menu()),
        el(
            "main/div.object-page",
            el("div.etc-hdr", el("a", "← Back to results")),
            el(
                "header.object-page__hdr",
                el("h1.object-page__title", title),
                el("div.object-page__type", "Model"),
                el("div.object-page__date", "ca. 1830 (made)"),
                el("ul.etc-images", "<li>View 1</li><li>View 2</li>"),
            ),
            el(
                "div.object-page__main",
                el("div.b-physical-object", "On display at the Depot Museum, Gallery 12"),
                el("div.object-page__description", about),
                el("div.etc-details-wrap", el("h2", w.text("Object details")), el("table.etc-details", rows)),
                el(
                    "div.record",
                    el("h3", "About this object record"),
                    el(
                        "p",
                        "Explore the Collections contains over a million catalogue records, and"
                        " over half a million images. It is a working database that includes information"
                        " compiled over the life of the museum. Some of our records may contain"
                        " offensive and discriminatory language.",
                    ),
                    el("a", "Suggest feedback"),
                ),
                el(
                    "div.record",
                    el("h3", "Record created"),
                    "<div>June 24, 2009</div>",
                    el("h3", "Record URL"),
                    el("input"),
                    el("div", "Download as: <a>JSON</a> <a>IIIF Manifest</a>"),
                ),
            ),
            el("div.b-like", el("h2", "You may also like"), like),
        ),
        el("footer.b-footer", el("p", "© 2024 Depot Museum"), el("ul", w.menu())),
    )


def _gov(w: Writer) -> str:
    """A Chinese order: a table with paragraphs in its cells, attachments."""
    meta = "".join(
        el("tr", el("td/b", n), el("td", v), el("td/b", n2), el("td", v2))
        for n, v, n2, v2 in (
            ("索 引 号：", f"000014349/2024-000{w.number}", "主题分类：", "交通、铁路"),
            ("发文机关：", "江城市人民政府办公厅", "成文日期：", "2024年03月05日"),
            ("发文字号：", f"江政办发〔2024〕{w.number}号", "发布日期：", "2024年03月11日"),
        )
    )
    title = w.titled()
    p = "p[style=text-indent: 2em; font-family: 宋体;]"
    text = (
        el("p[style=text-align: center;]", w.text(f"江政办发〔2024〕{w.number}号"))
        + el("p", w.text("各区人民政府，市政府各委、办、局："))
        + w.paragraphs(2, p)
    )
    text += (
        el("p/strong", w.text("一、总体要求"))
        + w.paragraphs(w.several(1), p)
        + el("p/strong", w.text("二、主要任务"))
        + w.paragraphs(1, p)
    )
    table = el(
        "table[border=1]/tbody",
        el("tr", *(el("td/p/span", w.text(n)) for n in ("序号", "任务", "责任单位", "完成时限"))),
        *(
            el(
                "tr",
                el("td/p", w.text(str(at))),
                el("td", el("p", w.line()), el("p", w.line())),
                el("td/p", w.text("市交通局")),
                el("td/p", w.text(f"2024年{at + 5}月")),
            )
            for at in range(1, 5)
        ),
    )
    text += (
        table
        + el("p[style=text-align: right;]", w.text("江城市人民政府办公厅"))
        + el("p[style=text-align: right;]", w.text("2024年3月5日"))
        + el("p", w.text("（此件公开发布）"))
    )
    text += el("p", w.text("附件："), f"<a>{w.text('1. 重点任务清单.docx')}</a>") + el("p/a", w.text("2. 项目申报表.xlsx"))
    return page(
        w,
        "{}_铁路_江城市人民政府门户网站",
        el("div.header/div.nav/ul", w.menu()),
        el("div.BreadcrumbNav", "首页 &gt; 政务公开 &gt; 政策 &gt; 江城市人民政府文件"),
        el(
            "div.main/div.wrap",
            el("table.bd1.policyLibraryOverview", meta),
            el(
                "div.article.oneColumn.pub_border",
                el("h1", title),
                el(
                    "div.pages-date",
                    f"{w.day} 16:30",
                    "<span class='font'>来源：市政府办公厅</span>",
                    "<div class='pages_print'>字号：<span>默认</span> <span>大</span> <span>超大"
                    "</span> | <span>打印</span></div>",
                ),
                el("div#UCAP-CONTENT.pages_content", text),
                el("div.editor", "责任编辑：林小满"),
                el("div.ewm", "扫一扫在手机打开当前页"),
            ),
        ),
        el("div.related", el("h3", "相关解读"), el("ul", w.others(2))),
        el("div.xglj", "相关链接：", "<a>省政府网站</a>"),
        el(
            "div.footer",
            el("p", "主办单位：江城市人民政府办公厅 承办单位：江城市大数据局"),
            el("p", "网站标识码：4201000001 鄂ICP备05000001号 鄂公网安备42010202000001号"),
        ),
    )


def _govuk(w: Writer) -> str:
    """An office's guidance."""
    title = w.titled()
    lead = el("p.gem-c-lead-paragraph", w.line())
    text = (
        w.paragraphs(2)
        + el("h2#a", w.heading())
        + w.paragraphs(w.several(1))
        + el("ul", *(el("li", w.line()) for _ in range(3)))
        + el("div.application-notice.info-notice[role=note]", el("p", w.line()))
        + el("h2", w.heading())
        + el(
            "table",
            el("thead/tr", *(el("th[scope=col]", w.text(n)) for n in ("Licence", "Fee"))),
            el("tbody", *(el("tr", el("td", w.text(w.headline())), el("td", w.text(f"£{at}20"))) for at in range(1, 5))),
        )
        + w.paragraphs(1)
        + el("div.call-to-action", el("p", w.line()))
    )
    return page(
        w,
        "{} - GOV.UK",
        el(
            "div#global-cookie-message.gem-c-cookie-banner[role=region]",
            el("h2", "Cookies on GOV.UK"),
            el(
                "p",
                "We use some essential cookies to make this website work. We’d like to set"
                " additional cookies to understand how you use GOV.UK, remember your settings"
                " and improve government services.",
            ),
        ),
        el("header.gem-c-layout-super-navigation-header/nav/ul", w.menu()),
        el(
            "div#wrapper.govuk-width-container",
            el("nav.gem-c-contextual-breadcrumbs/ol", "<li><a>Home</a></li><li><a>Rail</a></li>"),
            el(
                "main#content.govuk-main-wrapper[role=main]",
                el(
                    "div.govuk-grid-row",
                    el(
                        "div.gem-c-heading__wrapper",
                        el("span.govuk-caption-xl", "Guidance"),
                        el("h1.gem-c-heading__text", title),
                    ),
                    lead,
                ),
                el(
                    "div.metadata-logo-wrapper/div.gem-c-metadata/dl",
                    "<dt>From:</dt><dd><a>Department for Slow Trains</a></dd><dt>Published</dt>"
                    "<dd>3 March 2020</dd><dt>Last updated</dt><dd>4 March 2024 — <a>See all"
                    " updates</a></dd>",
                ),
                el("div.gem-c-single-page-notification-button-wrapper/button", "Get emails about this page"),
                el(
                    "div.gem-c-contents-list-with-body",
                    el("nav.gem-c-contents-list", el("h2", "Contents"), el("ol", "<li><a>One</a></li><li><a>Two</a></li>")),
                    el("div.gem-c-govspeak.govuk-govspeak/div", text),
                ),
                el(
                    "div.gem-c-published-dates",
                    "Published 3 March 2020<br>Last updated 4 March 2024 <a>+ show all updates</a>",
                    el(
                        "div#full-history/ol",
                        el(
                            "li",
                            el("time", "4 March 2024"),
                            el("p", "Updated the fees for the year that starts in April and added a link to the new form."),
                        ),
                        el("li", el("time", "3 March 2020"), el("p", "First published.")),
                    ),
                ),
                el("div.gem-c-print-link/button", "Print this page"),
            ),
            el("div.gem-c-contextual-sidebar", el("h2", "Related content"), el("nav/ul", w.others(4))),
            el(
                "div.gem-c-feedback",
                el("h2", "Is this page useful?"),
                el("button", "Yes"),
                el(
                    "p",
                    "Help us improve GOV.UK. Don’t include personal or financial information"
                    " like your National Insurance number or credit card details.",
                ),
            ),
        ),
        el(
            "footer.gem-c-layout-footer[role=contentinfo]",
            el("h2", "Services and information"),
            el("ul", w.menu()),
            el("span", "All content is available under the Open Government Licence v3.0, except where otherwise stated"),
        ),
    )


def _github(w: Writer) -> str:
    """The first page of a repository: what its readme says, below its files."""
    title = w.title
    rows = "".join(
        el(
            "tr.react-directory-row",
            el("td/div.react-directory-filename-column/a", n),
            el("td.react-directory-row-commit-cell/div/a", w.headline()),
            el("td/relative-time", "Mar 3, 2024"),
        )
        for n in (".github", "src", "tests", "LICENSE", "README.md", "setup.py")
    )
    readme = (
        el("div.markdown-heading", el("h1.heading-element", w.text(title)), "<a class='anchor'><svg></svg></a>")
        + w.paragraphs(2)
        + el("div.markdown-heading/h2.heading-element", w.text("Installation"))
        + el("div.highlight.highlight-source-shell/pre", w.text(f"pip install train{w.number}"))
        + el("div.markdown-heading/h2.heading-element", w.text("Usage"))
        + w.paragraphs(w.several(1))
        + el("ul", *(el("li", w.line()) for _ in range(3)))
    )
    side = el(
        "div.BorderGrid-row/div.BorderGrid-cell",
        el("h2", "About"),
        el("p.f4.my-3", "Trains that run on time, mostly, written for the fun of it and for nobody else"),
        el("h3.sr-only", "Topics"),
        "<a>python</a><a>trains</a>",
        el("h3.sr-only", "Resources"),
        el("div/a", "Readme"),
        el("div/a", "MIT license"),
        el("div/a", "<strong>1.2k</strong> stars"),
    )
    side += (
        el("div.BorderGrid-row/div", el("h2/a", "Releases <span>12</span>"), el("a", "<span>v1.2.3</span><span>Latest</span>"))
        + el("div.BorderGrid-row/div", el("h2/a", "Contributors <span>9</span>"))
        + el("div.BorderGrid-row/div", el("h2", "Languages"), el("ul", "<li><a><span>Python</span><span>98.1%</span></a></li>"))
    )
    return page(
        w,
        f"GitHub - ada/train{w.number}: Trains that run on time",
        el("a.p-3", "Skip to content"),
        el("header.AppHeader[role=banner]", el("nav/ul", w.menu())),
        el(
            "main#js-repo-pjax-container",
            el(
                "div#repository-container-header",
                el("div/strong/a", f"train{w.number}"),
                "<span>Public</span>",
                el("ul.pagehead-actions", "<li><a>Notifications</a></li><li><a>Fork 12</a></li><li><a>Star 1.2k</a></li>"),
                el("nav/ul", "<li><a>Code</a></li><li><a>Issues 3</a></li>"),
            ),
            el(
                "turbo-frame/div#repo-content-pjax-container/div.clearfix.container-xl",
                el("h1.sr-only", f"ada/train{w.number}"),
                el(
                    "div.Layout",
                    el(
                        "div.Layout-main",
                        el("div.file-navigation", "<a>main</a><a>2 Branches</a><a>12 Tags</a><button>Code</button>"),
                        el(
                            "table[aria-labelledby=folders-and-files]",
                            el("thead/tr", "<th>Name</th><th>Last commit message</th><th>Last commit date</th>"),
                            el("tbody", el("tr/td", "<a>Latest commit</a>", "<h2>History</h2><a>123 Commits</a>"), rows),
                        ),
                        el(
                            "div.repo-readme",
                            el("nav/ul", "<li><a>README</a></li><li><a>MIT license</a></li>"),
                            el("div/article.markdown-body.entry-content.container-lg[itemprop=text]", readme),
                        ),
                    ),
                    el("div.Layout-sidebar/div.BorderGrid", side),
                ),
            ),
        ),
        el("footer.footer[role=contentinfo]", el("h2.sr-only", "Footer"), "© 2024 GitHub, Inc."),
        path="body.logged-out/div.logged-out",
    )


def _elementor(w: Writer) -> str:
    """A firm's page of WordPress with a page builder: nested sections, no article."""
    sec = (
        "section.elementor-section.elementor-top-section/div.elementor-container/div.elementor-column/div.elementor-widget-wrap"
    )
    text = "div.elementor-element.elementor-widget.elementor-widget-text-editor/div.elementor-widget-container"
    head = "div.elementor-widget.elementor-widget-heading/div.elementor-widget-container/h2.elementor-heading-title"
    hero = el(
        sec,
        el(head.replace("/h2", "/h1"), w.titled()),
        el(text + "/p", w.line()),
        el("div.elementor-widget-button/div/a.elementor-button/span", "Get a quote"),
    )
    a = el(
        sec,
        el(head, w.heading()),
        el(text, w.paragraphs(w.several(1))),
        el(
            "div.elementor-widget-icon-list/div/ul.elementor-icon-list-items",
            *(el("li.elementor-icon-list-item/span.elementor-icon-list-text", w.line()) for _ in range(3)),
        ),
    )
    b = el(
        sec,
        el(head, w.heading()),
        el(text, w.paragraphs(2)),
        *(
            el(
                "div.elementor-widget-icon-box/div/div.elementor-icon-box-content",
                el("h3.elementor-icon-box-title/span", w.heading()),
                el("p.elementor-icon-box-description", w.line()),
            )
            for _ in range(3)
        ),
    )
    faq = el(
        sec,
        el(head, w.text("Questions")),
        *(
            el(
                "div.elementor-accordion-item",
                el("div.elementor-tab-title[role=button]/a", w.text(w.headline() + "?")),
                el("div.elementor-tab-content[role=region]/p", w.paragraph()),
            )
            for _ in range(3)
        ),
    )
    quote = el(
        sec,
        el(
            "div.elementor-testimonial",
            el("div.elementor-testimonial-content", w.said()),
            el("div.elementor-testimonial-name", "Tom Reed"),
        ),
    )
    news = el(
        sec,
        el("h2.elementor-heading-title", "Latest News"),
        *(
            el(
                "article.elementor-post/div",
                el("h3.elementor-post__title/a", w.headline()),
                el("div.elementor-post__excerpt/p", w.said()[:60]),
                el("a", "Read More »"),
            )
            for _ in range(3)
        ),
    )
    return page(
        w,
        "{} - Depot Engineering Ltd",
        el("header.elementor.elementor-location-header[data-elementor-type=header]/section/div/nav/ul", w.menu()),
        el(
            "div.elementor.elementor-32[data-elementor-type=wp-page]",
            hero,
            a,
            b,
            quote,
            faq,
            news,
            el(sec, el("h2", "Contact us"), el("form", "<label>Name</label><label>Email</label><button>Send</button>")),
        ),
        el(
            "footer.elementor.elementor-location-footer/section/div",
            el("p", "© 2024 Depot Engineering Ltd. Registered in England 01234567"),
            el("ul", w.menu()),
        ),
        path="body.page-template-default.elementor-page",
    )


def _fandom(w: Writer) -> str:
    """A fan's wiki: a box of facts, contents, a box of links."""
    title = w.titled()
    data = "".join(
        el("div.pi-item.pi-data", el("h3.pi-data-label", n), el("div.pi-data-value", v))
        for n, v in (("Number", str(w.number)), ("Built", "1923"), ("Livery", "Green"))
    )
    infobox = el(
        "aside.portable-infobox.pi-background[role=region]",
        el("h2.pi-item.pi-title", w.title),
        el("figure.pi-item.pi-image", el("figcaption.pi-caption", "In the yard")),
        el("section.pi-item.pi-group", el("h2.pi-header", "Technical"), data),
    )
    hat = el("blockquote.quote", el("p/i", w.line()), el("p", w.text("—May Lowe, The Slow Line")))
    lead = w.paragraphs(2)
    contents = el(
        "div#toc.toc",
        el("div.toctitle/h2", "Contents"),
        el(
            "ul",
            *(
                el("li.toclevel-1/a", f"<span class='tocnumber'>{at}</span> <span class='toctext'>{n}</span>")
                for at, n in ((1, "History"), (2, "Trivia"), (3, "References"))
            ),
        ),
    )
    edit = "<span class='mw-editsection'><span>[</span><a>edit</a><span>]</span></span>"

    def section(name: str) -> str:
        return el("h2", el("span.mw-headline", w.text(name)), edit)

    body = (
        section("History")
        + w.paragraphs(w.several(1))
        + el("figure.thumb.tright/figcaption/p.caption", w.line())
        + w.paragraphs(1)
    )
    body += section("Appearances") + el(
        "table.fandom-table", *(el("tr", *(el("td", w.text(c)) for c in (str(at), w.headline()))) for at in range(1, 5))
    )
    body += section("Trivia") + el("ul", *(el("li", w.line()) for _ in range(3)))
    nav = el("table.navbox", el("tr/th", "Engines"), el("tr/td", *(f"<a>Engine {at}</a> • " for at in range(14))))
    rail = el(
        "aside.page__right-rail/div.right-rail-wrapper",
        el("section.rail-module.popular-pages-module", el("h2", "Popular pages"), el("ol", w.others(4))),
        el("section.rail-module", el("h2", "Recent Images")),
    )
    return page(
        w,
        "{} | Slow Line Wiki | Fandom",
        el("div.global-navigation", "<a>Fandom</a>", w.menu("div/a")),
        el(
            "div.main-container/div.resizable-container",
            el(
                "div.community-header-wrapper/header.fandom-community-header", el("a", "Slow Line Wiki"), el("nav/ul", w.menu())
            ),
            el(
                "div.page.has-right-rail",
                el(
                    "main.page__main[lang=en]",
                    el(
                        "div.page-header",
                        el(
                            "div.page-header__meta/div.page-header__categories",
                            "<span>in:</span> <a>Engines</a>, <a>Green engines</a>",
                        ),
                        el("h1#firstHeading.page-header__title/span.mw-page-title-main", title),
                        el("div.page-header__actions", "<a>Edit</a><a>History</a><a>Talk (3)</a>"),
                    ),
                    el(
                        "div#content.page-content/div#mw-content-text.mw-body-content/div.mw-parser-output",
                        hat,
                        infobox,
                        lead,
                        contents,
                        body,
                        nav,
                    ),
                    el(
                        "div.page-footer",
                        el(
                            "div.page-footer__categories",
                            el("div/span", "Categories"),
                            el("ul.categories", "<li><a>Engines</a></li>"),
                        ),
                        el("div", "Community content is available under <a>CC-BY-SA</a> unless otherwise noted."),
                    ),
                ),
                rail,
            ),
        ),
        el("footer.global-footer", el("h2", "Explore properties"), el("ul", w.menu())),
        path="body.mediawiki",
    )


PLATFORMS = (
    Platform("journal", "records", "zh", _magtech, tuned=True),
    Platform("judgment", "records", "en", _judgement, tuned=True),
    Platform("museum", "records", "en", _museum),
    Platform("order", "records", "zh", _gov, tuned=True),
    Platform("guidance", "records", "en", _govuk),
    Platform("repository", "records", "en", _github),
    Platform("page builder", "records", "en", _elementor, tuned=True),
    Platform("Fandom", "records", "en", _fandom, tuned=True),
)
