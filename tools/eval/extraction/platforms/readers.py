"""What readers and small firms write: reviews, stories, notes, threads, chapters, episodes."""

from __future__ import annotations

from tools.eval.extraction.platforms.writer import Platform, Writer, el, page


def _douban(w: Writer) -> str:
    """A reader's review of a film, in an element whose class is `article`; answers below it."""
    title = w.titled()
    text = w.paragraphs(w.several(4), "p[data-align=x]")
    comments = "".join(
        el(
            f"div.item.comment-item#c{at}",
            el("div.pic/a", ""),
            el(
                "div.content.report-comment",
                el("div.author", f"<span>2021-03-0{at + 1} 10:11</span> <a>{w.name(at + 1)}</a>"),
                el("p.reply", w.said()[:60]),
            ),
        )
        for at in range(4)
    )
    info = "".join(
        el("div.info-item", f"<span class='info-item-key'>{n}:</span><span class='info-item-val'>{v}</span>")
        for n, v in (
            ("导演", "周大路"),
            ("主演", "何田田 / 许知远山"),
            ("类型", "剧情 / 公路"),
            ("地区", "中国大陆"),
            ("上映", "2020-12-04"),
        )
    )
    more = "".join(el("li/div.review-short", el("a", w.headline())) for _ in range(5))
    return page(
        w,
        "{}（慢车）影评",
        el("div#db-global-nav.global-nav/ul", w.menu()),
        el("div#db-nav-movie.nav/div.nav-wrap/ul", w.menu()),
        el(
            "div#wrapper",
            el(
                "div#content/div.grid-16-8.clearfix",
                el(
                    "div.article",
                    el("h1/span[property=v:summary]", title),
                    el(
                        "div.main#123",
                        el(
                            "header.main-hd",
                            el("a.avatar", ""),
                            f"<a><span>{w.name()}</span></a><span>评论</span><a>慢车</a><span class='allstar50"
                            " main-title-rating'></span><span class='main-meta'>2021-03-04 12:33:11"
                            "</span>",
                        ),
                        el(
                            "div.main-bd",
                            el("p.spoiler-tip", "这篇影评可能有剧透"),
                            el(
                                "div#link-report-123",
                                el("div.review-content.clearfix", text),
                                el("div.copyright/p", f"© 本文版权归作者 <a>{w.name()}</a> 所有，任何形式转载请联系作者。"),
                            ),
                            el("div.main-panel-useful", "<button>有用 12</button><button>没用 3</button>"),
                            el("div.action-react", "<a>12 收藏</a><a>分享</a>"),
                        ),
                    ),
                    el("div#comments.comments-wrapper", el("h2", "回应 (4)"), comments),
                ),
                el(
                    "div.aside",
                    el("div.sidebar-info-wrapper", el("div.subject-title/a", "> 慢车"), info),
                    el("div.mod", el("h2", "慢车的更多影评 · · · · · · (1234条)"), el("ul", more)),
                ),
            ),
            el("div#footer", "<span>© 2005－2024 douban, all rights reserved 北京豆网科技有限公司</span>"),
        ),
    )


def _jianshu(w: Writer) -> str:
    """A story on a Chinese site for writers: class names that say nothing."""
    title = w.titled()
    text = (
        w.paragraphs(2)
        + el("blockquote/p", w.line())
        + el("h2", w.heading())
        + w.paragraphs(w.several(1))
        + el("div.image-package", el("div.image-container", ""), el("div.image-caption", w.heading()))
        + w.paragraphs(1)
    )
    life = el("div._1pXc22", "总资产12共写了<span>3.4W</span>字获得<span>567</span>个赞共<span>89</span>个粉丝")
    cards = "".join(
        el(
            "li._1iTR78",
            el("a", w.headline()),
            el("p._3Pnjry", w.said()[:60]),
            el("div", f"<a>{w.name(at)}</a><span>阅读 1{at}2</span><span>评论 {at}</span><span>赞 2</span>"),
        )
        for at in range(5)
    )
    return page(
        w,
        "{} - 简书",
        el("header._3tmKZv/div", "<a>登录</a><a>注册</a><a>写文章</a>", el("nav", w.menu("a"))),
        el(
            "div._21bLU4._3kbg6I",
            el(
                "div._3VRLsv[role=main]/div._gp-ck",
                el(
                    "section.ouvJEz",
                    el("h1._1RuRku[title=x]", title),
                    el(
                        "div.rEsl9f",
                        el(
                            "div._2mYfmT",
                            el("a._1qp91i", ""),
                            el("div._3U4Smb/span.FxYr8x/a._1OhGeD", w.name()),
                            el(
                                "div.s-dsoj",
                                f"<span>0.152</span><time>2021.03.0{w.number + 1} 10:11:12</time><span>字数"
                                " 1,234</span><span>阅读 567</span>",
                            ),
                        ),
                    ),
                    el("article._2rhmJa", text),
                    el("div"),
                    el("div._1kCBjS", el("div._18vaTa", "<span>3人点赞</span>"), el("div", "<a>随笔</a>")),
                    el(
                        "div._13lIbp",
                        el("div._191KSt", '"小礼物走一走，来简书关注我"'),
                        "<button>赞赏支持</button><span>还没有人赞赏，支持一下</span>",
                    ),
                    el(
                        "div.d0hShY",
                        el(
                            "div.Cqpr1X",
                            el(
                                "div._3WPY_W",
                                f"<a>{w.name()}</a><span>写点关于火车的字，走走停停，看看风景，记录生活里的每一个小站。</span>",
                            ),
                            life,
                        ),
                        "<button>关注</button>",
                    ),
                ),
                el("div#note-page-comment/div.lazyload-placeholder"),
                el("section.ouvJEz", el("h3.QxT4hD", "<span>相关阅读</span><a>更多精彩内容</a>"), el("ul", cards)),
            ),
            el("aside._2OwGUo", el("section", el("h3", "推荐阅读"), w.others(5, "div._3L5YSq/a"))),
        ),
        path="body/div#__next",
    )


def _juejin(w: Writer) -> str:
    """An article on a Chinese site for programmers."""
    title = w.titled()
    code = el(
        "pre",
        el(
            "div.code-block-extension-header",
            el("div.code-block-extension-headerLeft"),
            el(
                "div.code-block-extension-headerRight",
                "<span class='code-block-extension-lang'>js</span>",
                "<div class='code-block-extension-copyCodeBtn'>复制代码</div>",
            ),
        ),
        el("code.hljs.language-js[lang=js]", w.text(f"const train = new Train({w.number});\ntrain.depart();")),
    )
    text = w.paragraphs(2) + el("h2[data-id=heading-0]", w.heading()) + w.paragraphs(1) + code + w.paragraphs(w.several(1))
    text += el("ul", el("li", w.line()), el("li", w.line()))
    text += el("h2[data-id=heading-1]", w.text("总结")) + w.paragraphs(1)
    comments = "".join(
        el(
            "div.comment-item.item/div.content-box",
            el(
                "div.comment-main",
                el("div.user-popover-box", w.name(at)),
                el("div.content", w.said()[:40]),
                el("div.action-box", "点赞 评论"),
            ),
        )
        for at in range(3)
    )
    rec = "".join(
        el(
            "li.item/div.entry",
            el("div.meta-container", f"<a>{w.name(at)}</a><div>1年前</div><a>前端</a>"),
            el(
                "div.content-wrapper/div.content-main",
                el("div.title-row/a.title", w.headline()),
                el("div.abstract/a", w.said()[:60]),
                el("ul.action-list", "<li>1.2k</li><li>12</li><li>评论</li>"),
            ),
        )
        for at in range(4)
    )
    return page(
        w,
        "{} - 掘金",
        el(
            "div.view-container.container",
            el("header.main-header-box/div.main-header/nav/ul", w.menu()),
            el(
                "main.container.main-container/div.view.column-view",
                el(
                    "div.main-area.article-area",
                    el(
                        "article.article",
                        el("h1.article-title", title),
                        el(
                            "div.author-info-block/div.author-info-box",
                            el("div.author-name/a.username", w.name()),
                            el(
                                "div.meta-box",
                                f"<time class='time'>2023-03-0{w.number + 1}</time><span class='views-count'>1"
                                ",234</span><span class='read-time'>阅读5分钟</span>",
                            ),
                        ),
                        el("div#article-root.article-viewer.markdown-body", text),
                    ),
                    el(
                        "div.article-end",
                        el(
                            "div.tag-list-box/div.tag-list",
                            "<div class='tag-list-title'>标签：</div><div class='tag-list-container'>"
                            "<a>前端</a><a>JavaScript</a></div>",
                        ),
                        el(
                            "div.column-wrapper",
                            "<div>本文收录于以下专栏</div>",
                            el(
                                "div.column",
                                "<a>火车与前端</a><div>用火车讲前端，每周一篇，欢迎订阅。</div><span>48"
                                " 订阅</span><span>·</span><span>23 篇文章</span>",
                            ),
                        ),
                    ),
                    el("div.article-suspended-panel", "<div>12</div><div>收藏</div>"),
                    el("div.comment-box#comment-box", el("div.title", "评论 3"), comments),
                    el("div.recommended-area.entry-list-box", el("header/div", "为你推荐"), el("ul.entry-list", rec)),
                ),
                el(
                    "div.sidebar.article-sidebar#sidebar-container",
                    el(
                        "div.sidebar-block.author-block",
                        f"<a>{w.name()}</a>",
                        "<div>铁路前端工程师</div><div><div>12</div><div>文章</div><div>3.4k</div>"
                        "<div>阅读</div><div>56</div><div>粉丝</div></div>",
                    ),
                    el(
                        "nav.article-catalog",
                        "<div class='catalog-title'>目录</div>",
                        el("ul.catalog-list", el("li.item", "<a>引言</a>")),
                    ),
                    el(
                        "div.sidebar-block.related-entry-block",
                        el("div.block-title", "相关推荐"),
                        *(
                            el("a", el("div.entry-title", w.headline()), el("div.entry-meta-box", "1.2k阅读 · 12点赞"))
                            for _ in range(5)
                        ),
                    ),
                ),
            ),
        ),
        path="body/div#juejin",
    )


def _butterfly(w: Writer) -> str:
    """Hexo Butterfly: a post of one or two sentences beside a column."""
    title = w.titled()
    text = el("p", w.line()) + (el("p", w.line()) if w.number % 2 else "")
    author = el(
        "div.card-widget.card-info",
        el(
            "div.is-center",
            el("div.author-info__name", w.name()),
            el("div.author-info__description", "慢慢走，别着急，前面总会有一个小站等着你"),
        ),
        el(
            "div.card-info-data.site-data",
            "<a><div class='headline'>文章</div><div class='length-num'>162</div></a>"
            "<a><div class='headline'>标签</div><div class='length-num'>4</div></a>"
            "<a><div class='headline'>分类</div><div class='length-num'>7</div></a>",
        ),
        "<a id='card-info-btn'><span>Follow Me</span></a>",
    )
    notice = el(
        "div.card-widget.card-announcement",
        el("div.item-headline", "<span>公告</span>"),
        el("div.announcement_content", "欢迎来到我的小站，这里记录火车和旅途，转载请注明出处，谢谢大家的支持。"),
    )
    recent = el(
        "div.card-widget.card-recent-post",
        el("div.item-headline", "<span>最新文章</span>"),
        el(
            "div.aside-list",
            *(
                el("div.aside-list-item/div.content", f"<a class='title'>{w.headline()}</a><time>2024-02-0{at + 1}</time>")
                for at in range(5)
            ),
        ),
    )
    copy = el(
        "div.post-copyright",
        "<div class='post-copyright__author'><span class='post-copyright-meta'>文章作者:"
        " </span><span class='post-copyright-info'><a>林小满</a></span></div><div"
        " class='post-copyright__type'><span class='post-copyright-meta'>文章链接:"
        " </span><span class='post-copyright-info'><a>https://slow.example/1</a>"
        "</span></div><div class='post-copyright__notice'><span class='post-copyright-meta'>版权声明:"
        " </span><span class='post-copyright-info'>本博客所有文章除特别声明外，均采用"
        " <a>CC BY-NC-SA 4.0</a> 许可协议。转载请注明来源 <a>慢车</a>！</span></div>",
    )
    return page(
        w,
        "{} | 慢车",
        el("div#web_bg"),
        el(
            "div#sidebar/div#sidebar-menus",
            el("div.site-data", "<a><div class='headline'>文章</div><div class='length-num'>162</div></a>"),
            el("div.menus_items", w.menu("div.menus_item/a")),
        ),
        el(
            "div#body-wrap.post",
            el(
                "header#page-header.post-bg",
                el("nav#nav", el("span#blog-info/a", "慢车"), el("div#menus", w.menu("div.menus_item/a"))),
                el(
                    "div#post-info",
                    el("h1.post-title", title),
                    el(
                        "div#post-meta",
                        el(
                            "div.meta-firstline",
                            "<span class='post-meta-date'><span class='post-meta-label'>发表于</span>"
                            f"<time class='post-meta-date-created'>{w.day}</time><span class='post-meta-separator'>|"
                            f"</span><span class='post-meta-label'>更新于</span><time>{w.day}</time>"
                            "</span><span class='post-meta-categories'>|<a>旅途</a></span>",
                        ),
                        el(
                            "div.meta-secondline",
                            "<span class='post-meta-wordcount'>字数总计:<span class='word-count'>120"
                            "</span>|阅读时长:<span>1分钟</span></span><span class='post-meta-pv-cv'>阅读量:"
                            "<span></span></span>",
                        ),
                    ),
                ),
            ),
            el(
                "main#content-inner.layout",
                el(
                    "div#post",
                    el("article#article-container.post-content", text),
                    copy,
                    el("div.tag_share", "<div class='post-meta__tag-list'><a>火车</a></div>", "<div class='post_share'></div>"),
                    el(
                        "nav#pagination.pagination-post",
                        el(
                            "div.prev-post/a",
                            el("div.pagination-info", el("div.label", "上一篇"), el("div.prev_info", w.headline())),
                        ),
                    ),
                    el("div.relatedPosts", el("div.headline/span", "相关推荐"), *(el("div/a", w.headline()) for _ in range(3))),
                ),
                el("div#aside-content.aside-content", author, notice, el("div.sticky_layout", recent)),
            ),
            el(
                "footer#footer/div#footer-wrap",
                el("div.copyright", "©2020 - 2024 By 林小满"),
                el("div.framework-info", "<span>框架 </span><a>Hexo</a><span>|</span><span>主题 </span><a>Butterfly</a>"),
            ),
        ),
    )


def _novel(w: Writer) -> str:
    """A chapter of a Chinese novel: lines between breaks."""
    w.truth.append(f"第{w.number + 11}章 {w.title}")
    name = w.truth[0]
    sp = "&nbsp;&nbsp;&nbsp;&nbsp;"
    text = "<br />\r\n<br />\r\n".join(sp + (w.line() if at % 2 else w.paragraph()) for at in range(w.several(8)))
    pager = "<a>上一章</a> &larr; <a>章节目录</a> &rarr; <a>下一章</a> <a>加入书签</a>"
    return page(
        w,
        f"第{w.number + 11}章 {{}}_慢车_铁轨上的人_笔趣阁",
        el("div.ywtop/div.ywtop_con", "<a>将本站设为首页</a><a>收藏本站</a>"),
        el("div.header", el("div.header_logo/a", "笔趣阁")),
        el("div.nav/ul", w.menu()),
        el(
            "div.content_read/div.box_con",
            el("div.con_top", "<a>笔趣阁</a> &gt; <a>都市小说</a> &gt; <a>慢车</a> &gt; ", name),
            el(
                "div.bookname",
                el("h1", name),
                el("div.bottem1", pager),
                el("div.lm", "推荐阅读：", *(f"<a>{w.headline()}</a>、" for _ in range(6))),
            ),
            el(
                "div#content",
                text,
                "<br /><br />",
                el("p", "请记住本书首发域名：www.biquge.example。笔趣阁手机版阅读网址：m.biquge.example"),
            ),
            el("div.bottem2", pager),
            el("div.lm", "新书推荐：", *(f"<a>{w.headline()}</a>、" for _ in range(6))),
        ),
        el(
            "div.footer",
            el("p", "本站所有小说为转载作品，所有章节均由网友上传，转载至本站只是为了宣传本书让更多读者欣赏。"),
            el("p", "Copyright © 2024 笔趣阁 All Rights Reserved."),
        ),
        path="body/div#wrapper",
    )


def _wix(w: Writer) -> str:
    """A firm's blog made with Wix: class names that say nothing."""

    def para() -> str:
        return el("div[data-breakout=normal]/p#viewer-a[dir=auto].-XJ8k/span.HRYTv", w.paragraph())

    title = w.titled()
    text = (
        para()
        + para()
        + el("div[data-breakout=normal]/h2[dir=auto].xx/span", w.heading())
        + "".join(para() for _ in range(w.several(1)))
    )
    text += el("div[data-breakout=normal]/figure", el("figcaption.PHuwK", w.heading()))
    text += el("ul.aujbK", *(el("li.zMbQt/p.-XJ8k/span", w.line()) for _ in range(3))) + para()
    recent = "".join(
        el(
            "div.gallery-item/article",
            el("a/div.blog-post-title-font/h2", w.headline()),
            el("div", "<span>12</span><span>0 comments</span>"),
        )
        for _ in range(3)
    )
    return page(
        w,
        "{}",
        el("header#SITE_HEADER/div", el("h1/a", "Branch Line Bakery"), el("nav/ul", w.menu())),
        el(
            "main#PAGES_CONTAINER/div#SITE_PAGES/div#pxyz/section/div#TPASection/div[data-hook=post-page]",
            el("div.category-bar/nav/ul", "<li><a>All Posts</a></li><li><a>Trains</a></li>"),
            el(
                "article.post/div[data-hook=post]",
                el(
                    "div.meta-wrap/ul.post-metadata",
                    f"<li><span>{w.name()}</span></li><li><span>Mar {w.number + 2}</span></li><li><span>3 min read</span></li>",
                ),
                el("div.post-title/h1[data-hook=post-title].H3vOVf/span.post-title__text", title),
                el("div.update/p", "Updated: Mar 12"),
                el("div[data-hook=post-description]/article.blog-post-page-font/div.moHCnT/div.fTEXDR", text),
                el(
                    "div[data-hook=post-footer].footer-wrap",
                    "<ul><li><a>Trains</a></li></ul>",
                    el(
                        "div.stats",
                        "<span>123 views</span><span>0 comments</span><button>1 like. Post not marked as liked</button>",
                    ),
                ),
            ),
            el(
                "section[data-hook=related-posts]",
                el("div.head", el("h2.blog-post-page-title-font", "Recent Posts"), "<a>See All</a>"),
                recent,
            ),
            el("div#comments-wrapper/div[data-hook=comments]", el("h2", "Comments"), el("div", "Write a comment...")),
        ),
        el("footer#SITE_FOOTER", el("p", "©2023 by Branch Line Bakery. Proudly created with Wix.com")),
        path="body/div#SITE_CONTAINER/div#main_MF/div#masterPage",
    )


def _notion(w: Writer) -> str:
    """A page published from a notebook: a block of divs for each paragraph."""

    def para() -> str:
        return el(
            "div[data-block-id=a].notion-selectable.notion-text-block/div[style=color:"
            " inherit;]/div/div.content-editable-leaf-rtl[style=max-width: 100%;]",
            w.paragraph(),
        )

    def item() -> str:
        return el(
            "div.notion-selectable.notion-bulleted_list-block/div[style=display: flex;]",
            el("div.notion-list-item-box-left/div.pseudoBefore", ""),
            el("div/div/div.content-editable-leaf-rtl", w.line()),
        )

    title = w.titled()
    text = para() + el(
        "div.notion-selectable.notion-callout-block/div/div[role=note]",
        el("div/div.notion-record-icon/div", "💡"),
        el("div/div.content-editable-leaf-rtl", w.paragraph()),
    )
    text += el("div.notion-selectable.notion-sub_header-block/div/h3.content-editable-leaf-rtl", w.heading()) + "".join(
        para() for _ in range(w.several(1))
    )
    text += (
        item()
        + item()
        + el("div.notion-selectable.notion-quote-block/div/blockquote/div/div.content-editable-leaf-rtl", w.line())
    )
    text += el(
        "div.notion-selectable.notion-table-block/div/div.notion-scroller/div/table.notion-simple-table/tbody",
        *(
            el(
                "tr.notion-table-row",
                *(el("td/div.notion-table-cell/div.notion-table-cell-text", w.text(c)) for c in (str(at), w.headline())),
            )
            for at in range(1, 5)
        ),
    )
    text += para()
    return page(
        w,
        "{}",
        el(
            "div.notion-app-inner/div.notion-cursor-listener",
            el(
                "div/header/div.notion-topbar/div",
                el("div.shadow-cursor-breadcrumb", "<a>Slow trains</a>", "<span>/</span>", f"<div>{w.title}</div>"),
                el(
                    "div.notion-topbar-action-buttons",
                    "<div role='button'>Search</div><div role='button'>Duplicate</div><div role='button'>Get Notion free</div>",
                ),
            ),
            el(
                "main.notion-frame/div.notion-scroller.vertical/div.whenContentEditable/div.layout",
                el(
                    "div.layout-content/div/div",
                    el("div.notion-record-icon", "🚂"),
                    el("div.pseudoSelection/h1.content-editable-leaf-rtl", title),
                ),
                el("div.notion-page-content.layout-content", text),
                el("div.layout-margin-right"),
            ),
        ),
        path="body.notion-body/div#notion-app",
    )


def _podcast(w: Writer) -> str:
    """An episode: what it is about, and every word that was said."""
    title = w.titled()
    notes = (
        w.paragraphs(2)
        + el("h3", w.text("In this episode"))
        + el("ul", *(el("li", w.text(f"0{at}:1{at} – " + w.headline())) for at in range(1, 6)))
    )
    said = ""
    for at in range(w.several(5)):
        said += el("cite", w.text(("Ada Birch:", "Tom Reed:")[at % 2])) + el("time", f"{at}:0{at}") + w.paragraphs(1)
    script = el("h2", w.text("Transcript")) + el("div.transcript", said)
    links = el(
        "ul.podcast-links", "<li><a>Apple Podcasts</a></li><li><a>Spotify</a></li><li><a>Overcast</a></li><li><a>RSS</a></li>"
    )
    teasers = "".join(
        el("article.episode-card", el("h3/a", w.headline()), el("p.episode-date", "March 1, 2024"), el("p", w.said()[:60]))
        for _ in range(3)
    )
    hosts = el(
        "section.hosts",
        el("h2", "Your hosts"),
        el(
            "div.host",
            el("h3", "Ada Birch"),
            el("p", "Ada has driven trains for twenty years and tells stories about all of them to whoever listens."),
        ),
        el(
            "div.host",
            el("h3", "Tom Reed"),
            el("p", "Tom repairs signals by day and edits this show by night, usually on a train."),
        ),
    )
    return page(
        w,
        f"Ep. 1{w.number}: {{}} - The Slow Train Podcast",
        el(
            "header.site-header",
            el("a.logo", "The Slow Train Podcast"),
            el("nav/ul", "<li><a>Episodes</a></li><li><a>About</a></li><li><a>Support</a></li>"),
        ),
        el(
            "main.episode",
            el(
                "header.episode-header",
                el("p.episode-number", f"Episode 1{w.number}"),
                el("h1.episode-title", title),
                el("p.episode-meta", "<time>March 4, 2024</time> <span>48 min</span> <span>Season 2</span>"),
            ),
            el(
                "div.player[role=region]",
                el("button", "Play"),
                el("span.time", "00:00 / 48:12"),
                el("a", "Download"),
                el("label", "Speed 1x"),
                el("p.player-note", "Your browser does not support the audio element."),
            ),
            links,
            el("div.show-notes", notes),
            script,
            el(
                "div.support",
                el("h3", "Support the show"),
                el("p", "If you enjoy the show, leave us a review or become a member on our page."),
            ),
            hosts,
            el("section.more-episodes", el("h2", "More episodes"), teasers),
        ),
        el("footer.site-footer", el("p", "© 2024 The Slow Train Podcast"), el("ul", w.menu())),
    )


def _lonely(w: Writer) -> str:
    """phpBB: a thread of one post."""
    author = el(
        "p.author",
        f"<a>Unread post</a>by <strong><a>{w.name()}</a></strong> » <time>Mon Mar 0{w.number + 1}, 2021 3:12 pm</time>",
    )
    title = w.titled()
    post = el(
        "div#p77.post.has-profile.bg2/div.inner",
        el(
            "dl#profile77.postprofile",
            el("dt.has-profile-rank.no-avatar", el("div.avatar-container"), el("a.username", w.name())),
            el("dd.profile-rank", "Site Admin"),
            el("dd.profile-posts", "<strong>Posts:</strong> <a>112</a>"),
            el("dd.profile-joined", f"<strong>Joined:</strong> Mon Jan 0{w.number + 1}, 2018 3:12 pm"),
        ),
        el(
            "div.postbody/div#post_content77",
            el("h3.first/a", w.title),
            el("ul.post-buttons/li/a", "Quote"),
            author,
            el("div.content", "<br><br>".join(w.paragraph() for _ in range(w.several(1)))),
            el("div.signature", "Mind the gap between the train and the platform, all of you."),
        ),
        el("div.back2top/a", "Top"),
    )
    return page(
        w,
        "{} - Railway Forum",
        el(
            "div#page-header",
            el("div.headerbar", el("h1", "Railway Forum"), el("p", "For everybody who loves trains")),
            el("div.navbar/ul", w.menu()),
        ),
        el(
            "div#page-body.page-body",
            el("h2.topic-title/a", title),
            el(
                "div.action-bar",
                "<a>Post Reply</a>",
                el("div.pagination", "1 post &bull; Page <strong>1</strong> of <strong>1</strong>"),
            ),
            post,
            el("div.action-bar/p.jumpbox-return/a", "Return to “Trains”"),
            el(
                "div.stat-block",
                el("h3/a", "Who is online"),
                el("p", "Users browsing this forum: No registered users and 1 guest"),
            ),
        ),
        el("div#page-footer/div.copyright", "Powered by <a>phpBB</a>&reg; Forum Software"),
        path="body#phpbb/div#wrap",
    )


def _div_posts(w: Writer) -> str:
    """A forum whose posts have divs for paragraphs, tables, captions."""
    title = w.titled()

    def post(at: int) -> str:
        inner = el("div", w.paragraph()) + el("div", w.paragraph())
        if at % 3 == 0:
            inner += _table(w)
        if at % 3 == 1:
            inner += el("div.attachment/div.caption", w.line())
        return el(
            f"div.comment.message#msg-{at}",
            el(
                "div.author-box",
                el("div.nick/a", w.name(at)),
                el("div.rank", "Driver"),
                el("div.joined", f"Joined 0{at + 1}.03.2011"),
            ),
            el(
                "div.msg-main",
                el("div.msg-head", f"0{at + 1}.03.2022, 10:1{at}"),
                el("div.msg-text", inner),
                el("div.msg-foot", "<a>Quote</a>"),
            ),
        )

    posts = "".join(map(post, range(6)))
    return page(
        w,
        "{} - Signal Forum",
        el("div.top/ul", w.menu()),
        el("div.thread", el("h1", title), posts),
        el("div.foot", "Software by nobody"),
    )


def _table(w: Writer) -> str:
    """A table that is part of the text."""
    heads = el("tr", *(el("th", w.text(name)) for name in ("Loco", "Built", "Shed")))
    body = "".join(
        el("tr", *(el("td", w.text(c)) for c in (f"No. {at}4{at}", f"18{at}{at}", w.headline()))) for at in range(1, 5)
    )
    return el("table", el("thead", heads), el("tbody", body))


PLATFORMS = (
    Platform("review", "readers", "zh", _douban, tuned=True),
    Platform("Jianshu", "readers", "zh", _jianshu, tuned=True),
    Platform("Juejin", "readers", "zh", _juejin),
    Platform("short posts", "readers", "zh", _butterfly, tuned=True),
    Platform("chapter", "readers", "zh", _novel),
    Platform("Wix", "readers", "en", _wix),
    Platform("Notion", "readers", "en", _notion),
    Platform("episode", "readers", "en", _podcast, tuned=True),
    Platform("thread of one post", "readers", "en", _lonely, tuned=True),
    Platform("posts with tables", "readers", "en", _div_posts, tuned=True),
)
