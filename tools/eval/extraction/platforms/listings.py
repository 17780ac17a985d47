"""Listings: what is offered, announced or shown one by one, between what the market says around all of them."""

from __future__ import annotations

from tools.eval.extraction.platforms.writer import Platform, Writer, el, page


def _job(w: Writer) -> str:
    """A job on the board of an American service for applicants."""
    title = w.titled()
    about = el("h2/strong", w.text("What you'll do")) + el("ul", *(el("li", w.line()) for _ in range(w.several(4))))
    needs = el("h2/strong", w.text("What we're looking for")) + el("ul", *(el("li", w.line()) for _ in range(w.several(4))))
    pay = el(
        "div.content-pay-transparency/div.pay-input",
        el("div.title", w.text("US Salary Range")),
        el(
            "div.pay-range",
            el("span", w.text(f"${w.number + 110},000")),
            el("span.divider", "—"),
            el("span", w.text("$180,000 USD")),
        ),
    )
    body = w.paragraphs(2)
    form = "".join(
        el("div.field-wrapper/div.text-input-wrapper", el("label.label", f"{name}<span aria-hidden='true'>*</span>"), "<input>")
        for name in ("First Name", "Last Name", "Email", "Phone", "LinkedIn Profile", "How did you hear about this job?")
    )
    return page(
        w,
        "Job Application for {} at Depot Labs",
        el("header.header/div.logo/a", "Depot Labs"),
        el(
            "main.main.font-secondary.job-post-container/div.job-post",
            el(
                "div.job__header",
                el("a.back-link", "Back to jobs"),
                el("div.job__title", el("h1.section-header", title), el("div.job__location/div", "Riverton, Remote")),
                el("button.btn", "Apply"),
            ),
            el("div.job__description.body", body, about, needs, pay),
            el(
                "div.application--container",
                el("h2", "Apply for this job"),
                el("p", "<span>*</span> indicates a required field"),
                el(
                    "form#application-form.application--form",
                    form,
                    el("div.file-upload/div.label", "Resume/CV"),
                    el("p.allowed-file-types", "Accepted file types: pdf, doc, docx, txt, rtf"),
                    el(
                        "div.demographic",
                        el("h3", "Voluntary Self-Identification"),
                        el(
                            "p",
                            "For government reporting purposes, we ask candidates to respond to the survey below."
                            " Completion of the form is voluntary. Your answers will not be considered in the"
                            " hiring process or thereafter.",
                        ),
                        el(
                            "p",
                            "As set forth in our policy on equal opportunity, we do not discriminate on the basis of any"
                            " protected group status under any applicable law.",
                        ),
                    ),
                    "<button>Submit application</button>",
                ),
            ),
        ),
        el("footer.footer", el("p", "Powered by <a>Timberhouse</a>"), el("p", "Read our <a>Privacy Policy</a>")),
    )


def _home_zh(w: Writer) -> str:
    """A flat for sale, on a Chinese portal: rows of labels, then what the agent says of it."""
    title = w.titled()
    base = "".join(
        el("li", el("span.label", w.text(a)), w.text(b))
        for a, b in (
            ("房屋户型", f"{w.number % 3 + 1}室2厅1厨1卫"),
            ("所在楼层", f"中楼层 (共{w.number + 18}层)"),
            ("建筑面积", f"{w.number + 89}㎡"),
            ("建筑结构", "钢混结构"),
            ("配备电梯", "有"),
        )
    )
    said = "".join(
        el("div.baseattribute.clear", el("div.name", w.text(name)), el("div.content", w.paragraph()))
        for name in ("核心卖点", "小区介绍", "周边配套")
    )
    like = "".join(el("li/a", el("div.title", w.headline()), el("div.price", "435万")) for _ in range(4))
    return page(
        w,
        "{}_江城二手房",
        el("div.header/div.wrapper/ul", w.menu()),
        el("div.intro.clear/div.container/div.fl.l-txt", "<a>江城房产</a>&gt;<a>江城二手房</a>&gt;<a>江岸二手房</a>"),
        el(
            "div.sellDetailHeader/div.title-wrapper/div.content",
            el("div.title", el("h1.main", title), el("div.sub", "满五唯一 采光好")),
            el("div.btnContainer", "<span>12</span>人关注", "<a>关注房源</a>"),
        ),
        el(
            "div.overview/div.content",
            el("div.price", "<span class='total'>435</span><span>万</span>", el("div.text", "48,876元/平米")),
            el("div.houseInfo", el("div.room", "3室2厅"), el("div.area", "89平米")),
            el(
                "div.aroundInfo",
                el("div.communityName", "<span class='label'>小区名称</span><a>铁路花园</a>"),
                el("div.visitTime", "<span class='label'>看房时间</span><span>提前预约随时可看</span>"),
            ),
        ),
        el(
            "div.m-content/div.box-l",
            el(
                "div#introduction.newwrap.baseinform",
                el("div/h2", w.text("基本信息")),
                el("div.introContent", el("div.base", el("div.name", w.text("基本属性")), el("div.content/ul", base))),
            ),
            el(
                "div.newwrap.baseinform",
                el("div/h2", w.text("房源特色")),
                el(
                    "div.introContent.showbasemore",
                    said,
                    el(
                        "div.disclaimer",
                        "注：1.房源所示“满二满五”“税费”“楼龄”等信息仅供参考，购房时请以房本信息、政府部门登记信息为准。",
                    ),
                ),
            ),
            el("div#calculator", el("h2", "税费计算"), el("p", "计算结果仅供参考")),
            el("div.newwrap", el("div/h2", "看了又看"), el("ul", like)),
            el(
                "div#record.newwrap.daikan",
                el("div/h2", "看房记录"),
                el("div.row", "<div>2026-10-11</div><div>周大路</div><div>咨询电话 4008896039</div>"),
            ),
        ),
        el(
            "div.footer/div.wrapper",
            el("p", "江城链接房地产经纪有限公司 | 电话：400-123-4567"),
            el("p", "违法和不良信息举报电话 京ICP备11024601号"),
        ),
    )


def _event_zh(w: Writer) -> str:
    """An event on a Chinese market of tickets: what it is about, and what one has to know to go there."""
    title = w.titled()
    text = (
        w.paragraphs(2)
        + el("p/strong", w.text("活动流程"))
        + el("p", "<br/>".join(w.text(f"{at + 13}:00-{at + 14}:00 ") + w.line() for at in range(4)))
        + el("p/strong", w.text("嘉宾介绍"))
        + w.paragraphs(1)
    )
    like = "".join(
        el("li", el("a", el("p.tit", w.headline())), el("p.time", "11月28日 周六"), el("p", "¥99起")) for _ in range(4)
    )
    return page(
        w,
        "{}-江城活动-活动行",
        el("div.header/div.wrap/ul.nav", w.menu()),
        el(
            "div.jumbotron.media/div.media-body",
            el("h2", title),
            el("div.address", "江城市江城大道1号"),
            el("div.time", f"2026年11月{w.number + 11}日 13:00 ～ 17:00"),
            el("div.price", "¥99 - ¥199"),
            el("div", "<a>立即报名</a><a>收藏</a>"),
        ),
        el(
            "div.wrap.clearfix",
            el(
                "div.left",
                el("ul.tabs", "<li>活动内容</li><li>活动标签</li><li>参与人(32)</li><li>评论(3)</li>"),
                el("div#event_desc_page.event_desc", el("h3", w.text("活动内容")), text),
                el(
                    "div.ticket-notice",
                    el("h3", "购票须知"),
                    el("p", "退款说明：活动开始前24小时可以申请退款，收取票面价格的百分之十作为手续费，逾期不予办理。"),
                    el("p", "发票说明：请在活动结束后七天内联系主办方索取。"),
                ),
                el("div.event-tags", el("h3", "活动标签"), "<a>讲座</a><a>铁路</a>"),
                el("div.comment-list", el("h3", "评论"), el("div.comment-item", el("p", w.said()), "<span>3天前</span>")),
            ),
            el(
                "div.right",
                el(
                    "div.organizer",
                    el("h3", "主办方"),
                    el("a", "江城铁路爱好者协会"),
                    el("p", "协会成立于1998年，每月举办一次讲座。"),
                ),
                el("div.like", el("h3", "您可能还喜欢"), el("ul", like)),
            ),
        ),
        el(
            "div.footer/div.wrap",
            el("p", "© 2026 活动行 沪ICP备10012345号"),
            el("p", "客服电话：400-888-1234（工作日9:00-18:00）"),
        ),
    )


def _object_zh(w: Writer) -> str:
    """An object of a Chinese museum: rows of labels before its description."""
    title = w.titled()
    rows = "".join(
        el("div.item", el("span.label", w.text(a + "：")), el("span.value", w.text(b)))
        for a, b in (
            ("时代", ("北宋", "南宋", "元")[w.number % 3]),
            ("质地", "瓷器"),
            ("尺寸", f"高{w.number + 14}.7厘米，口径23厘米"),
            ("来源", "征集"),
            ("编号", f"D{w.number + 1200}"),
        )
    )
    text = w.paragraphs(w.several(2))
    return page(
        w,
        "{}-江城博物馆",
        el("div.header", el("div.logo/a", "江城博物馆"), el("ul.nav", w.menu()), el("div.lang", "<a>English</a><a>日本語</a>")),
        el("div.position", "您现在的位置：<a>首页</a> &gt; <a>典藏</a> &gt; <a>陶瓷</a>"),
        el(
            "div.collection-detail",
            el("div.pics", el("div.tip", "点击图片查看大图"), "<a>高清影像</a><a>三维展示</a>"),
            el("div.info", el("h1.title", title), el("div.attrs", rows), el("div.desc", text)),
            el("div.tools", "<a>收藏</a><a>点赞 23</a><span>浏览次数：1203</span>"),
            el(
                "div.apply",
                el("p", "如需使用本馆藏品图像，请填写申请表并发送至邮箱 image@museum.example，本馆将在十五个工作日内答复。"),
            ),
        ),
        el("div.recommend", el("h3", "相关藏品"), el("ul", *(el("li/a", w.headline()) for _ in range(6)))),
        el(
            "div.footer",
            el("p", "地址：江城市博物馆路1号 开放时间：9:00-17:00（周一闭馆）"),
            el("p", "版权所有 江城博物馆 江ICP备05012345号"),
        ),
    )


PLATFORMS = (
    Platform("jobs", "listings", "en", _job, tuned=True),
    Platform("homes", "listings", "zh", _home_zh, tuned=True),
    Platform("events", "listings", "zh", _event_zh, tuned=True),
    Platform("collection", "listings", "zh", _object_zh, tuned=True),
)
