"""Forums, and sites of questions and answers: many posts are the text, each with a box of its author."""

from __future__ import annotations

from tools.eval.extraction.platforms.writer import Platform, Writer, el, page


def _breaks(w: Writer, count: int, mark: str) -> str:
    return mark.join(w.paragraph() for _ in range(count))


def _discuz(w: Writer) -> str:
    """Discuz: a table a post, its author on the left, a signature below."""

    def post(at: int) -> str:
        quote = el("div.quote/blockquote", "<font><a>铁道迷 发表于 2024-1-1</a></font><br />", w.said()) * (at == 3)
        numbers = "".join(
            el("td", el("p/a", str(number)), label) for number, label in ((17 + at, "主题"), (203, "帖子"), (10 * at, "积分"))
        )
        author = (
            el("div.authi/a", w.name(at)) + el("div.tns/table/tr", numbers) + el("p/em/a", "高级会员")
            + el("dl.pil", f"<dt>积分</dt><dd><a>10{at}</a></dd>") + el("ul.xl/li/a", "发消息")
        )  # fmt: skip
        said = el(
            "div.pi",
            f"<strong><a><em>{at + 1}</em><sup>#</sup></a></strong>",
            el("div.authi", f"发表于 2024-1-{at + 2} 12:00", _SEE),
        )
        text = _breaks(w, w.several(1), "<br />\n")
        body = el("div.pct/table/tr/td.t_f", "\n", quote, text, "<br />")
        return el(
            f"div#post_{at}/table.plhin",
            el("tr", el("td.pls[rowspan=2]", author), el("td.plc", said, body)),
            el("tr/td.plc.plm/div.sign", f"签名档{at}：火车一响，黄金万两，请勿当真，谢谢大家支持本论坛。"),
            el("tr", "<td class='pls'></td>", el("td.plc/div.po", "<em><a>回复</a></em><p><a>使用道具</a> <a>举报</a></p>")),
        )

    title = w.titled()
    posts = "".join(map(post, range(6)))
    views = el("td.pls", f"<span>查看:</span> <span>12{w.number}4</span><span>|</span><span>回复:</span> <span>5</span>")
    return page(
        w, "{} - 铁路运输 - 铁道论坛 - Powered by Discuz!",
        el("div#toptb", "<a>设为首页</a><a>收藏本站</a>"),
        el("div#hd", "<form><label>用户名</label><a>找回密码</a><em>登录</em><a>立即注册</a></form>",
           el("div#nv/ul", w.menu())),
        el("div#wp.wp",
           el("div#pt", f"<a>铁道论坛</a> <em>›</em> <a>铁路运输</a> <em>›</em> <a>{w.title}</a>"),
           el("div#ct", el("div.pgs", "<strong>1</strong><a>2</a><a>下一页</a><a>返回列表</a>"),
              el("div#postlist.bm",
                 el("table/tr", views, el("td.plc", el("h1.ts", "<a>[讨论]</a>", title), "<a>[复制链接]</a>")), posts),
              el("div#f_pst/form", "您需要登录后才可以回帖 <a>登录</a> | <a>立即注册</a>"))),
        el("div#ft", "<a>手机版</a>|<a>小黑屋</a>|<a>铁道论坛</a>", el("p", "GMT+8, Processed in 0.05 second(s)")),
    )  # fmt: skip


_SEE = "<span>|</span><a>只看该作者</a><span>|</span><a>倒序浏览</a>"


def _phpbb(w: Writer) -> str:
    """phpBB: a list of what is known of the author, the thread's title above each post, a signature below."""

    def post(at: int) -> str:
        rank = el("dd.profile-rank", ("Site Admin", "Driver", "Guard")[at % 3])
        joined = el("dd", f"<strong>Posts:</strong> <a>1{at}2</a>") + el(
            "dd", f"<strong>Joined:</strong> Mon Jan 0{at + 1}, 2018 3:12 pm"
        )
        author = el(
            "p.author", f"<a>Unread post</a>by <strong><a>{w.name(at)}</a></strong> » <time>Mon Mar 0{at + 1}, 2021</time>"
        )
        return el(
            f"div#p{at}.post.bg2/div.inner",
            el("dl.postprofile", el("dt/a.username", w.name(at)), rank, joined),
            el("div.postbody",
               el("h3/a", "Re: " * bool(at) + w.title), el("ul.post-buttons/li/a", "Quote"), author,
               el("div.content", _breaks(w, w.several(1), "<br><br>")),
               el("div.signature", f"Mind the gap between the train and the platform, all {at + 3} of you.")),
            el("div.back2top/a", "Top"),
        )  # fmt: skip

    return page(
        w, "{} - Railway Forum",
        el("div#page-header", el("h1", "Railway Forum"), el("p", "For everybody who loves trains"),
           el("div.navbar/ul", w.menu())),
        el("div#page-body",
           el("h2.topic-title/a", w.titled()),
           el("div.action-bar", "<a>Post Reply</a>",
              el("div.pagination", "6 posts &bull; Page <strong>1</strong> of <strong>1</strong>")),
           *map(post, range(6)),
           el("div.action-bar/p.jumpbox-return/a", "Return to “Trains”"),
           el("div.stat-block", el("h3/a", "Who is online"),
              el("p", "Users browsing this forum: No registered users and 1 guest"))),
        el("div#page-footer/div.copyright", "Powered by <a>phpBB</a>&reg; Forum Software"),
        path="body#phpbb/div#wrap",
    )  # fmt: skip


def _xenforo(w: Writer) -> str:
    """XenForo: an article a post, pairs of labels and numbers beside it."""

    def post(at: int) -> str:
        pairs = "".join(el("dl.pairs", f"<dt>{name}</dt><dd>{value}</dd>") for name, value in _pairs(at))
        user = el("h4.message-name/a", w.name(at)) + el("h5.userTitle", ("Well-known member", "Active member")[at % 2])
        return el(
            f"article.message#js-post-{at}/div.message-inner",
            el("div.message-cell--user/section.message-user", user, el("div.message-userExtras", pairs)),
            el("div.message-cell--main",
               el("header.message-attribution/ul", f"<li><a><time>Mar {at + 1}, 2022</time></a></li><li><a>#{at + 1}</a></li>"),
               el("div.message-content/article.message-body/div.bbWrapper", _breaks(w, w.several(1), "<br>\n<br>\n")),
               el("aside.message-signature/div", f"Member {at} of the society for slow trains and long platforms."),
               el("footer", "<a>Reply</a>", el("div.reactionsBar/a", "FastGuard and 3 others"))),
        )  # fmt: skip

    return page(
        w, "{} | Rail Talk",
        el("header.p-header/nav/ul", w.menu()),
        el("div.p-body/div.p-body-inner",
           el("div.p-body-header", el("h1.p-title-value", w.titled()),
              el("div.p-description/ul", f"<li>Thread starter<a>{w.name()}</a></li><li>Start date<a>Mar 1, 2022</a></li>")),
           el("div.p-body-main/div.p-body-content",
              el("div.block-outer", "<a>1</a><a>2</a><a>Next</a>"), el("div.js-replyNewMessageContainer", *map(post, range(5))),
              el("div.blockMessage", "You must log in or register to reply here."),
              el("div.block", el("h3", "Similar threads"), w.others(5, "div.structItem/a")))),
        el("footer.p-footer", "Community platform by XenForo"),
    )  # fmt: skip


def _pairs(at: int) -> tuple[tuple[str, str], ...]:
    return (
        ("Joined", f"Jun {at + 3}, 2011"),
        ("Messages", f"1,{at}87"),
        ("Reaction score", f"42{at}"),
        ("Location", "Near a junction"),
    )


def _discourse(w: Writer) -> str:
    """Discourse as it is given to crawlers."""
    likes, general = w.chrome("2 Likes", "2 个赞"), w.chrome("General", "常规")
    title = w.titled()
    posts = "".join(
        el("div.topic-body.crawler-post",
           el("div.crawler-post-meta", el("span.creator/a", w.name(at)), el("time.post-time", f"2023-03-0{at + 1} 10:00"),
              f"<span>{at + 1}</span>"),
           el("div.post[itemprop=text]", w.paragraphs(w.several(1))), el("div/span.post-likes", likes))
        for at in range(6)
    )  # fmt: skip
    rows = "".join(el("tr", el("td/a", w.headline()), el("td", "3"), el("td", "120"), el("td", "2022-03-03")) for _ in range(5))
    heads = "".join(el("th", name) for name in w.chrome("Topic Replies Views Activity", "话题 回复 浏览量 活动").split())
    related = el("h3", w.chrome("Related topics", "相关话题")) + el("table", el("tr", heads), rows)
    return page(
        w, "{} - Rail Community",
        el("header/a", "Rail Community"),
        el("div#main-outlet[role=main]", el("div#topic-title", el("h1/a", title), el("a/span", general)), posts,
           el("div#related-topics", related)),
        el("footer", el("nav/ul", w.menu()), el("p", "Powered by <a>Discourse</a>, best viewed with JavaScript enabled")),
    )  # fmt: skip


def _stack_exchange(w: Writer) -> str:
    """A question, its answers, and short comments on both, which are not the text."""

    def signature(at: int) -> str:
        return el("div.mt24", el("div.js-post-menu", "<a>Share</a><a>Improve this</a><button>Follow</button>"),
                  el("div.user-info", el("div.user-action-time", f"answered Mar {at + 1}, 2019"),
                     f"<a>{w.name(at)}</a><span>12.{at}k</span>"))  # fmt: skip

    def answer(at: int) -> str:
        comment = el(
            "li.comment/div.comment-text",
            el("span.comment-copy", w.said()[:150]),
            f"<a>{w.name(at + 5)}</a><span>Mar 5, 2019</span>",
        )
        listed = el("ul", el("li", w.line()), el("li", w.line()))
        return el(
            f"div#answer-{at}.answer",
            el("div.post-layout", el("div.votecell", f"<button>Up</button><div>1{at}</div>"),
               el("div.answercell", el("div.s-prose.js-post-body", w.paragraphs(2), listed), signature(at))),
            el("div.comments/ul.comments-list", comment), el("a.comments-link", "Add a comment"),
        )  # fmt: skip

    code = el("pre/code", w.text(f"for train in station.trains():\n    train.depart(platform={w.number})"))
    question = el("div.s-prose.js-post-body", w.paragraphs(2), code, w.paragraphs(1))
    offer = "Thanks for contributing an answer! Please be sure to answer the question. Provide details and share your research!"
    return page(
        w, "python - {} - Questions",
        el("header/ol", w.menu()), el("div#left-sidebar/nav/ol", w.menu()),
        el("div#content",
           el("div#question-header", el("h1/a", w.titled()), "<a>Ask Question</a>"),
           el("div", "<span>Asked</span> <time>5 years ago</time>", el("div", "Viewed 12k times")),
           el("div#mainbar",
              el("div#question/div.post-layout", el("div.votecell/div", "42"),
                 el("div.postcell", question, el("div.post-taglist/a", "python"), signature(0))),
              el("div#answers", el("h2", "3 Answers"), el("div", "Sorted by: "), *map(answer, range(3)),
                 el("form#post-form", el("h2", "Your Answer"), offer))),
           el("div#sidebar", el("h4", "Hot Network Questions"), el("ul", w.others(9)))),
        el("footer", el("ul", w.menu()), "Site design / logo © 2024"),
    )  # fmt: skip


def _threads(w: Writer) -> str:
    """Replies as a tree, the rules of the board beside it."""
    title = w.titled()
    post = el("div.usertext-body/div.md", w.paragraphs(2))
    replies = "".join(
        el("div.thing.comment",
           el("p.tagline", f"<a>[–]</a><a>{w.name(at)}</a> <span>1{at} points</span> <time>2 years ago</time>"),
           el("div.usertext-body/div.md", w.paragraphs(w.several(1) // 2 + 1)),
           el("ul.buttons", "<li><a>permalink</a></li><li><a>save</a></li>"))
        for at in range(8)
    )  # fmt: skip
    rules = "A place for everything about trains. Please read the rules before posting, be kind and do not trespass on tracks."
    points = "<span class='number'>240</span> points (95% upvoted)"
    return page(
        w, "{} : trains",
        el("div#header/ul", w.menu()),
        el("div.side", el("div.linkinfo", "submitted on <time>01 May 2022</time>", el("div.score", points)),
           el("div.titlebox", el("h1/a", "trains"), el("div.md", el("p", rules), el("ul/li", "No memes outside of Mondays")))),
        el("div.content[role=main]",
           el("div.thing.link/div.entry", el("p.title", f"<a>{title}</a> <span>(<a>self.trains</a>)</span>"),
              el("p.tagline", f"submitted 2 years ago by <a>{w.name()}</a>"), post, el("ul.buttons/li/a", "8 comments")),
           el("div.commentarea", el("div.panestack-title", "all 8 comments"), el("div.menuarea", "sorted by: best"), replies)),
        el("div.footer-parent", el("ul", w.menu()), el("p", "Use of this site constitutes acceptance of our User Agreement.")),
    )  # fmt: skip


def _zhihu(w: Writer) -> str:
    """A Chinese question with long answers."""
    title = w.titled()
    asked = el("div.QuestionRichText", el("span.RichText", w.paragraph()), "<button>显示全部</button>")
    answers = "".join(
        el("div.List-item/div.AnswerItem",
           el("div.AuthorInfo", el("span.UserLink/a", w.name(at)), el("div.AuthorInfo-badgeText", "铁路工程师")),
           el("div.LabelContainer/span", f"{at + 2}2 人赞同了该回答"),
           el("div.RichContent", el("span.RichText.ztext", w.paragraphs(w.several(2), "p[data-pid=x]")),
              el("div.ContentItem-time", "<a><span>发布于 2023-05-01</span></a>・北京"),
              el("div.ContentItem-actions", "<button>赞同 12</button><button>3 条评论</button>")))
        for at in range(3)
    )  # fmt: skip
    board = f"<div>关注者</div><strong>1,203</strong><div>被浏览</div><strong>{w.number}00,123</strong>"
    return page(
        w, "{} - 知山",
        el("header[role=banner]/ul", w.menu()),
        el("main/div.QuestionPage",
           el("div.QuestionHeader", el("div.QuestionHeader-main", el("div.topics/a", "铁路"), el("h1", title), asked),
              el("div.QuestionHeader-side/div.NumberBoard", board)),
           el("div.Question-main",
              el("div.Question-mainColumn/div.Card/div.List", el("div.List-header", "<h4>3 个回答</h4><div>默认排序</div>"),
                 answers),
              el("div.Question-sideColumn", el("h2", "相关问题"), w.others(6, "div.SimilarQuestions-item/a")))),
        path="body/div#root/div.App",
    )  # fmt: skip


def _floors(w: Writer) -> str:
    """A Chinese forum whose posts are floors of a building: the author's level beside each, its number and hour below."""

    def floor(at: int) -> str:
        badge = el("div.d_badge/a", f"<div class='d_badge_title'>老司机</div><div class='d_badge_lv'>1{at}</div>")
        author = el("ul.p_author", el("li.d_name/a", w.name(at)), el("li.l_badge", badge))
        tail = "".join(
            f"<span class='tail-info'>{words}</span>" for words in ("来自手机客户端", f"{at + 1}楼", f"2023-02-0{at + 1} 08:15")
        )
        return el(
            f"div#floor{at}.l_post",
            el("div.d_author", author),
            el("div.d_post_content_main", el("div.p_content/div.d_post_content", _breaks(w, w.several(1), "<br>")),
               el("div.core_reply", el("div.core_reply_tail", tail), el("a", f"回复({at})"))),
        )  # fmt: skip

    return page(
        w, "{}【铁路吧】_江城贴吧",
        el("div.head/ul", w.menu()),
        el("div.card_banner", el("a.card_title_fname", "铁路吧"),
           "<span>关注：<b>12,345</b></span><span>帖子：<b>678,901</b></span>"),
        el("div.content",
           el("div.pb_content",
              el("div.core_title/h3.core_title_txt", w.titled()),
              el("div.p_thread", "<span>36</span>回复贴，共<span>2</span>页"),
              el("div#j_p_postlist", *map(floor, range(7)))),
           el("div.right_section", el("h4", "贴吧热议榜"), el("ul", w.others(9)))),
        el("div.footer", "发贴红色标题 游戏推荐 贴吧协议 隐私政策"),
    )  # fmt: skip


def _bulletin(w: Writer) -> str:
    """An old board of tables: a row for the date, one for the author, one for the text, a line before the signature."""

    def post(at: int) -> str:
        facts = el(
            "div.smallfont",
            el("div", f"Join Date: Jun 200{at}"),
            el("div", "Location: Platform 9"),
            el("div", f"Posts: {at}34"),
        )
        author = el("div#menu/a.bigusername", w.name(at)) + el("div.smallfont", "Senior Member") + facts
        signature = f"__________________<br>Keep calm and take the slow train number {at}."
        return el(
            f"table#post{at}.tborder",
            el("tr", el("td.thead", f"03-0{at + 1}-2009, 10:00 AM"), el("td.thead[align=right]", f"#<a>{at + 1}</a>")),
            el("tr/td.alt2[colspan=2]", author),
            el("tr/td.alt1[colspan=2]", el("div.smallfont/strong", f"Re: {w.title}"), "<hr>",
               el(f"div#post_message_{at}", _breaks(w, w.several(1), "<br>\n<br>\n")), el("div", signature),
               el("div[align=right]", "<a>Quote</a>")),
        )  # fmt: skip

    return page(
        w, "{} - Slow Trains Forum",
        el("table.top/tr", el("td", "<a>Slow Trains Forum</a> &gt; <a>Lines</a>"),
           el("td", "User Name <input> Password <input>")),
        el("table.menu/tr", w.menu("td/a")),
        el("table.title/tr/td/strong/h1", w.titled()),
        *map(post, range(5)),
        el("div.smallfont[align=center]", "All times are GMT. The time now is 11:00 AM."),
        el("div.smallfont[align=center]", "Powered by bulletin software. Copyright 2009"),
    )  # fmt: skip


PLATFORMS = (
    Platform("Discuz", "forums", "zh", _discuz, tuned=True),
    Platform("phpBB", "forums", "en", _phpbb, tuned=True),
    Platform("XenForo", "forums", "en", _xenforo, tuned=True),
    Platform("Discourse", "forums", "en", _discourse),
    Platform("Discourse", "forums", "zh", _discourse, tuned=True),
    Platform("board of tables", "forums", "en", _bulletin, tuned=True),
    Platform("floors", "forums", "zh", _floors),
    Platform("Stack Exchange", "forums", "en", _stack_exchange, tuned=True),
    Platform("tree of replies", "forums", "en", _threads),
    Platform("questions", "forums", "zh", _zhihu),
)
