"""Blogs and letters, as their software writes them."""

from __future__ import annotations

from tools.eval.extraction.platforms.writer import Platform, Writer, el, page


def _wechat(w: Writer) -> str:
    """An article of a WeChat account: sections for paragraphs, hidden until a script shows them; no title in the head."""
    section = "section[style=margin: 0px 8px]/span[style=font-size: 15px]"
    text = w.paragraphs(2, section) + el("section/strong", w.heading()) + w.paragraphs(w.several(3), section)
    profile = el(
        "div.profile_container[style=display:none]",
        el("strong", "铁路那些事"),
        el("p", "功能介绍 讲述铁路的故事，欢迎关注我们。"),
    )
    head = f"<script>var createTime = '{w.day} 18:30';</script>"
    return page(
        w, "",
        el("div.rich_media_wrp#img-content",
           el("h1.rich_media_title#activity-name", "\n", w.titled(), "\n"),
           el("div.rich_media_meta_list#meta_content", "<span>原创</span>", el("span.rich_media_meta", w.name()),
              el("span#profileBt/a#js_name", "铁路那些事"), profile, "<em id='publish_time'></em>"),
           el("div.rich_media_content#js_content[style=visibility: hidden; opacity: 0; ]", text),
           el("div.rich_media_tool", "<a>阅读原文</a><div>阅读 <span></span></div>")),
        el("div#js_pc_qr_code[style=display:none]/p", "微信扫一扫<br>关注该公众号"),
        el("div.wx_stream_article_slide_tip/div", "继续滑动看下一个"),
        el("div.weui-dialog__wrp[style=display:none]", "即将打开小程序 <a>取消</a><a>打开</a>"),
        el("div.weapp_text_link", "微信扫一扫可打开此内容，使用完整服务"),
        el("span[aria-hidden=true]", "视频 小程序 赞 ，轻点两下取消赞 在看 ，轻点两下取消在看 分享 留言 收藏 听过"),
        path="body#activity-detail/div#js_article.rich_media", head=head,
    )  # fmt: skip


def _blocks(w: Writer) -> str:
    """WordPress with a theme of blocks."""
    comments = "".join(
        el("li.comment", el("div.wp-block-comment-author-name", w.name(at)), el("div.wp-block-comment-content/p", w.said()),
           el("div.wp-block-comment-reply-link/a", "Reply"))
        for at in range(9)
    )  # fmt: skip
    more = el("h2.wp-block-heading", w.heading()) + el("figure.wp-block-image/figcaption", w.heading())
    quote = el("blockquote.wp-block-quote", w.paragraphs(1), el("cite", w.heading()))
    listed = el("ul.wp-block-list", el("li", w.line()), el("li", w.line()))
    reply = el("h3", "Leave a Reply") + el(
        "form", el("p", "Your email address will not be published."), "<label>Comment</label>"
    )
    return page(
        w, "{} &#8211; Rail Notes",
        el("header/div.wp-block-group", el("p.wp-block-site-title/a", "Rail Notes"), el("nav/ul", w.menu())),
        el("main.wp-block-group",
           el("h1.wp-block-post-title", w.titled()),
           el("div.wp-block-group", el("time", w.day), "<p>by</p>", el("div.wp-block-post-author-name/a", w.name()),
              el("div.wp-block-post-terms", "in <a>Uncategorized</a>")),
           el("div.entry-content.wp-block-post-content", w.paragraphs(w.several(2)), more, quote, listed, w.paragraphs(1)),
           el("div.wp-block-post-terms", "<a>rail</a> <a>trains</a>"),
           el("nav/div.post-navigation-link-previous", "Previous: ", w.others(1, "a")),
           el("div.wp-block-comments", el("h2", f"9 responses to “{w.title}”"), el("ol", comments), el("div#respond", reply))),
        el("footer/div.wp-block-group", "<p>Designed with <a>WordPress</a></p>", el("h2", "About"), el("ul", w.menu())),
    )  # fmt: skip


def _classic(w: Writer) -> str:
    """WordPress with an older theme: sharing, likes and the author's life inside the entry."""
    says = w.chrome("says:", "说道：")
    comments = "".join(
        el("li.comment.depth-1/article.comment-body",
           el("footer.comment-meta", el("b.fn", w.name(at)), el("span.says", says), el("time", "July 1, 9:00 am")),
           el("div.comment-content", el("p", w.said()), el("p", w.said())), el("div.reply/a", w.chrome("Reply", "回复")))
        for at in range(7)
    )  # fmt: skip
    life = w.chrome(
        "has been writing about trains since he was a boy, lives near a junction, and sells his photographs of engines.",
        "从小喜欢火车，住在一个编组站旁边，出售自己拍摄的机车照片，欢迎各地的车迷来信交流。",
    )
    share = el("h3.sd-title", w.chrome("Share this:", "分享到：")) + el("ul", "<li><a>Twitter</a></li><li><a>Facebook</a></li>")
    author = el(
        "div.author-info/div.author-description", el("h2", w.chrome("Author: ", "作者：") + w.name()), el("p.author-bio", life)
    )
    like = el("div.sharedaddy.sd-like", el("h3", w.chrome("Like this:", "赞过：")), "<span>Loading...</span>")
    about = w.chrome("This blog is about trains in all their forms, and about the people who run them every day.",
                     "这个博客讲述各种各样的火车，以及每天驾驶和养护它们的人们。")  # fmt: skip
    return page(
        w, "{} | The Rail Blog",
        el("header#masthead", el("p.site-title/a", "The Rail Blog"), el("nav/ul", w.menu())),
        el("div.site-content#content",
           el("div#primary/main#main",
              el("article.post.hentry",
                 el("header.entry-header/h1.entry-title", w.titled()),
                 el("div.entry-content", w.paragraphs(w.several(4)), el("div.sharedaddy.sd-sharing", share), like, author),
                 el("footer.entry-footer", el("span.byline/a", w.name()), el("time", w.day), "<a>News</a>")),
              el("div.comments-area#comments", el("h2", f"7 thoughts on “{w.title}”"), el("ol.comment-list", comments)),
              el("nav.post-navigation/a", w.chrome("Previous", "上一篇"))),
           el("aside#secondary", el("section.widget/ul", w.others(6)), el("section.widget/p", about))),
        el("footer#colophon", "Proudly powered by WordPress"),
        path="body.single/div#page/div.site-inner",
    )  # fmt: skip


def _blogger(w: Writer) -> str:
    """Blogger's old theme: paragraphs are line breaks, and the only main heading is the blog's name."""
    comments = "".join(el("dt.comment-author/a", w.name(at)) + el("dd.comment-body/p", w.said()) for at in range(3))
    text = "<br /><br />".join(w.paragraph() for _ in range(w.several(4)))
    post = (
        el("h3.post-title.entry-title", "\n", w.titled(), "\n")
        + el("div.post-body.entry-content", text)
        + el("div.post-footer", f"Posted by <span>{w.name()}</span> at <a>7:51 AM</a>", el("div", "Labels: <a>signals</a>"))
        + el("div.comments#comments", el("h4", "3 comments:"), el("dl", comments), el("p.comment-footer/a", "Post a Comment"))
    )
    return page(
        w, "The Signal Box: {}",
        el("header/div.Header", el("h1.title/a", "The Signal Box"),
           el("p.description", "Signals and the boxes that work them")),
        el("div.main-outer/div.columns",
           el("div.main#main/div.Blog",
              el("div.blog-posts/div.date-outer", el("h2.date-header", w.day), el("div.post.hentry", post)),
              el("div.blog-pager", "<a>Newer Post</a><a>Older Post</a>"),
              el("div.post-feeds", "Subscribe to: <a>Posts (Atom)</a>")),
           el("aside/div.BlogArchive", el("h2", "Blog Archive"), el("ul", w.others(8)))),
        el("footer", "Simple theme. Powered by <a>Blogger</a>."),
    )  # fmt: skip


def _drupal(w: Writer) -> str:
    comments = "".join(
        el(
            "article.comment",
            el("footer", el("p", w.name(at)), el("p", "2 years ago")),
            el("div.comment__content/div.field/p", w.said()),
        )
        for at in range(6)
    )
    text = (
        w.paragraphs(3) + el("h2", w.heading()) + el("ul", el("li", w.line()), el("li", w.line())) + w.paragraphs(w.several(1))
    )
    return page(
        w, "{} | Transit Authority",
        el("header.site-header", el("div.site-branding/a", "Transit Authority"), el("nav/ul", w.menu())),
        el("nav.breadcrumb/ol/li/a", "Home"),
        el("main/div.region--content",
           el("article.node",
              el("header", el("h1/span.field--name-title", w.titled()),
                 el("div.node__meta", f"By <span>editor</span>, {w.day}")),
              el("div.node__content", el("div.text-content.field--name-body", text),
                 el("div.field--name-field-tags/ul/li/a", "rail")),
              el("div.node__links/ul/li", "<a>Log in</a> to post comments")),
           el("section.comments", el("h2", "Comments"), comments)),
        el("footer.site-footer/p", "Powered by Drupal"),
    )  # fmt: skip


def _ghost(w: Writer) -> str:
    """Ghost: a card that shows another page, a call to subscribe, and teasers below."""
    bookmark = el(
        "figure.kg-bookmark-card/a", el("div.kg-bookmark-title", w.headline()), el("div.kg-bookmark-description", w.said()[:60])
    )
    teasers = "".join(
        el("article.post-card/a", el("h2", w.headline()), el("div.post-card-excerpt", w.said())) for _ in range(3)
    )
    return page(
        w, "{}",
        el("header#gh-head/nav/ul", w.menu()),
        el("main#site-main",
           el("article.article.post",
              el("header.article-header", el("div.article-tag/a", "News"), el("h1.article-title", w.titled()),
                 el("p.article-excerpt", w.paragraph()), el("h4.author-name/a", w.name()), el("time", w.day),
                 "<span>4 min read</span>"),
              el("section.gh-content", w.paragraphs(w.several(2)), el("div.kg-callout-card/div", w.paragraph()), bookmark,
                 w.paragraphs(2))),
           el("section.footer-cta", el("h2", "Sign up for more like this."),
              "<a><div>Enter your email</div><span>Subscribe</span></a>"),
           el("aside.read-more-wrap", teasers)),
        el("footer.site-footer", "Track Letters &copy; 2024"),
        path="body/div.viewport",
    )  # fmt: skip


def _medium(w: Writer) -> str:
    """Medium: class names of one letter; the writer's life and long lists of other stories below."""
    paragraphs = "p.pw-post-body-paragraph.ns.nt"
    stories = "".join(
        el("article/a", el("h2", w.headline()), el("h3", f"{w.headline()} for everyone")) + "<span>203</span>" for _ in range(9)
    )
    life = "I write about railways and the people who build, run and love them, mostly from the window seat of a slow train."
    byline = f"<a>{w.name()}</a><span>·</span><button>Follow</button><span>6 min read</span><span>{w.day}</span>"
    return page(
        w, "{} | by AdaBirch | Rails Weekly | Medium",
        el("div.d.e.f/div.h.k", "<a>Open in app</a><a>Sign up</a><a>Sign in</a>"),
        el("div.l/article/section/div.ab.ca",
           el("h1.pw-post-title", w.titled()), el("div.gy", byline, el("div.hx", "<span>--</span><span>12</span>")),
           w.paragraphs(w.several(2), paragraphs), el("h2.oq", w.heading()), w.paragraphs(2, paragraphs),
           el("pre.pk/span.qm", w.text(f'print("train {w.number}")'))),
        el("div.ab.ca",
           el("div.rb", "<a><div>Railways</div></a><a><div>Trains</div></a>"),
           el("div.tt", el("h2.be", "Written by AdaBirch"), el("div/span", "2.1K Followers"), el("p.be", life)),
           el("div.vv", el("h2", "Responses (12)"), "<a>See all responses</a>"),
           el("div.ww", el("h2", "More from AdaBirch and Rails Weekly"), stories)),
        el("div.zz", "<a>Help</a><a>Status</a><a>About</a>"),
        path="body/div#root/div.a.b.c",
    )  # fmt: skip


def _substack(w: Writer) -> str:
    """A letter by mail: a form to subscribe inside the text."""
    form = el("div.subscription-widget-wrap/div.subscription-widget",
              el("p", "Thanks for reading! Subscribe for free to receive new posts "
              "and support this work."), "<input><button>Subscribe</button>")  # fmt: skip
    comments = "".join(
        el("div.comment", el("a", w.name(at)), el("div.comment-body/p", w.said()), "<a>Reply</a>") for at in range(4)
    )
    return page(
        w, "{} - by AdaBirch",
        el("div.main-menu", el("h1.pencraft/a", "Slow Trains"), "<button>Subscribe</button><button>Sign in</button>"),
        el("div#main",
           el("div.single-post/article.newsletter-post",
              el("div.post-header", el("h1.post-title", w.titled()), el("h3.subtitle", w.line()),
                 el("div.byline-wrapper", f"<a>{w.name()}</a>", el("div", w.day), "<a>12</a><a>3</a><a>Share</a>")),
              el("div.available-content/div.body.markup", w.paragraphs(2), form, w.paragraphs(w.several(2)),
                 el("h2", w.heading()), w.paragraphs(1)),
              el("div.post-footer", "<a>12</a><a>Share</a>")),
           el("div.comments-section#discussion", el("h4", "Discussion about this post"), comments),
           el("div.portable-archive", "<button>Top</button><button>Latest</button>", w.others(5, "div.post-preview/a"))),
        el("div.footer-wrap", "© 2024 AdaBirch <a>Privacy</a> ∙ <a>Terms</a>"),
    )  # fmt: skip


def _formulas(w: Writer) -> str:
    """A physicist's notes: formulas of KaTeX and MathJax."""
    tex = f"E=mc^{w.number}"
    drawn = el("span.katex-html[aria-hidden=true]", f"<span>E</span><span>=</span><span>mc</span><span>{w.number}</span>")
    mathml = f'<math><semantics><mi>E</mi><annotation encoding="application/x-tex">{tex}</annotation></semantics></math>'
    first = w.said()
    w.truth.append(f"{first} ${tex}$ holds.")
    display = f"x_{w.number} = \\frac{{a}}{{b}}"
    text = el("p", first, " ", el("span.katex", el("span.katex-mathml", mathml), drawn), " holds.") + w.paragraphs(w.several(2))
    w.truth.append(display)
    text += f'<script type="math/tex; mode=display">{display}</script>' + w.paragraphs(1)
    text += el("p", w.text(f"$$\\sum_{{i=0}}^{w.number} i$$"))
    return page(
        w, "{} | Physics notes",
        el("div.masthead", el("h3/a", "Physics notes"), el("ul", w.menu())),
        el("div.content",
           el("div.post", el("h1.post-title", w.titled()), el("span.post-date", "01 Jan 2020"), text),
           el("div.related", el("h2", "Related Posts"), el("ul", w.others(3, "li/h3/a")))),
        path="body/div.container",
    )  # fmt: skip


PLATFORMS = (
    Platform("WeChat", "blogs", "zh", _wechat, tuned=True),
    Platform("WordPress blocks", "blogs", "en", _blocks, tuned=True),
    Platform("WordPress classic", "blogs", "en", _classic, tuned=True),
    Platform("WordPress classic", "blogs", "zh", _classic),
    Platform("Blogger", "blogs", "en", _blogger, tuned=True),
    Platform("Drupal", "blogs", "en", _drupal),
    Platform("Ghost", "blogs", "en", _ghost),
    Platform("Medium", "blogs", "en", _medium),
    Platform("Substack", "blogs", "en", _substack),
    Platform("formulas", "blogs", "en", _formulas, tuned=True),
)
