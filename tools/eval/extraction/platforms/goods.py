"""Shops and recipes; poems and songs, whose lines are short."""

from __future__ import annotations

from tools.eval.extraction.platforms.writer import Platform, Writer, el, page


def _woocommerce(w: Writer) -> str:
    """WooCommerce: what the product is stands in two places, with buyers' reviews beside the second."""
    reviews = "".join(
        el("li.review/div.comment-text", el("p.meta/strong", w.name(at)), el("div.description/p", w.said())) for at in range(4)
    )
    buy = el("form.cart", "<label>Quantity</label><button>Add to cart</button>")
    meta = el("div.product_meta", f"<span>SKU: <span>TR{w.number}</span></span> <span>Category: <a>Engines</a></span>")
    summary = (
        el("h1.product_title", w.titled())
        + el("p.price", f"$4{w.number}.00")
        + el("div.woocommerce-product-details__short-description", w.paragraphs(1))
    )
    related = "".join(
        el("li.product", el("a", el("h2", w.headline()), "<span>$12</span>"), "<a>Add to cart</a>") for _ in range(4)
    )
    panel = "woocommerce-Tabs-panel.panel.entry-content"
    return page(
        w, "{} – Model Shop",
        el("header/nav/ul", w.menu()),
        el("div#content",
           el("div.woocommerce-breadcrumb", f"<a>Home</a> / {w.title}"),
           el("main/div.product",
              el("div.summary.entry-summary", summary, buy, meta),
              el("div.woocommerce-tabs",
                 el("ul.tabs", "<li><a>Description</a></li><li><a>Reviews (4)</a></li>"),
                 el(f"div#tab-description.{panel}", el("h2", w.text("Description")), w.paragraphs(w.several(2))),
                 el(f"div#tab-reviews.{panel}/div#reviews.woocommerce-Reviews/div#comments",
                    el("h2", f"4 reviews for {w.title}"),
                    el("ol.commentlist", reviews))),
              el("section.related.products", el("h2", "Related products"), el("ul", related)))),
        el("footer", "© Model Shop"),
    )  # fmt: skip


def _shop(w: Writer) -> str:
    """A shop of another make, in Chinese: a panel of the product's measures, buyers' reviews below."""
    measures = (("品牌", "江城模型"), ("比例", "1:87"), ("重量", f"{w.number + 2}00 克"), ("产地", "江城"))
    params = "".join(el("li", f"{name}：{value}") for name, value in measures)
    reviews = "".join(
        el("div.review-item", el("div.user", w.name(at)), el("div.review-body", w.said()), el("div", "2024-03-01"))
        for at in range(4)
    )
    return page(
        w, "{}-模型商城",
        el("div.site-nav/ul", w.menu()),
        el("div.product-page",
           el("div.product-intro", el("h1.sku-name", w.titled()), el("div.price", "￥<b>129.00</b>"),
              "<a>加入购物车</a><a>立即购买</a>",
              el("div.service", "由江城模型发货，并提供售后服务")),
           el("div.product-detail",
              el("ul.tabs", "<li>商品介绍</li><li>商品评价</li>"), el("ul.parameter", params),
              el("div.detail-content", w.paragraphs(w.several(3)))),
           el("div.reviews#reviews", el("h3", "商品评价"), reviews),
           el("div.recommend", el("h3", "猜你喜欢"), el("ul", w.others(6)))),
        el("div.footer", el("p", "版权所有 模型商城 客服电话 0101-1234567")),
    )  # fmt: skip


def _recipe(w: Writer) -> str:
    """A recipe at the end of a story, readers' comments below."""
    title, story = w.titled(), w.paragraphs(w.several(3))
    parts = ("flour", "sugar", "butter", "milk")
    amounts = "".join(el("li.wprm-recipe-ingredient", w.text(f"{at} cups {part}")) for at, part in enumerate(parts, 1))
    steps = "".join(el("li.wprm-recipe-instruction/span", w.line()) for _ in range(5))
    card = (
        el("h2.wprm-recipe-name", w.title) + el("div.wprm-recipe-rating/span", "4.9 from 23 votes")
        + el("div.wprm-recipe-times", "<span>Prep Time</span> <span>20 minutes</span>")
        + el("h3", w.text("Ingredients")) + el("ul", amounts) + el("h3", w.text("Instructions")) + el("ol", steps)
        + el("div.wprm-call-to-action", "<span>Tried this recipe?</span><span>Let us know how it was!</span>")
    )  # fmt: skip
    comments = "".join(
        el("li.comment/article", el("p.comment-author", w.name(at)), el("div.comment-content/p", w.said())) for at in range(7)
    )
    meta = el("p.entry-meta", f"By <a>{w.name()}</a> · <time>{w.day}</time> · This post may contain affiliate links.")
    return page(
        w, "{} - Sweet Trains Kitchen",
        el("header/nav/ul", w.menu()),
        el("div.site-inner",
           el("main.content",
              el("article.post.entry", el("header", el("h1.entry-title", title), meta),
                 el("div.entry-content", el("div", "<a>Jump to Recipe</a> · <a>Print Recipe</a>"), story,
                    el("div.wprm-recipe", card)),
                 el("footer.entry-footer", "Filed Under: <a>Cakes</a>")),
              el("div.after-entry", el("h3", "About May"),
                 el("p", "Hi, I bake cakes for people who travel by train, in a former station.")),
              el("div.entry-comments#comments", el("h3", "Reader Interactions"), el("ol.comment-list", comments))),
           el("aside.sidebar", el("h2", "Popular"), el("ul", w.others(6)))),
        el("footer", "Copyright © 2024"),
    )  # fmt: skip


def _song(w: Writer) -> str:
    """A song in two stanzas, between its name and other songs."""
    stanzas = ["<br>".join(w.heading() for _ in range(8)) for _ in range(2)]
    return page(
        w, "The Engine - {} Lyrics | AZ",
        el("nav/ul", w.menu()),
        el("div.container.main-page/div.row",
           el("div.leftcol"),
           el("div.text-center",
              el("div.div-share/h1", f'"{w.titled()}" lyrics'), el("h2/b", "The Engine Lyrics"), f'<b>"{w.title}"</b><br><br>',
              el("div", "<!-- -->", "<br><br>".join(stanzas)), el("div.noprint/a", "Submit Corrections"),
              el("div.songlist-panel", el("h3", "You May Also Like"), w.others(6, "div/a")))),
        el("footer", "All lyrics are property of their owners."),
    )  # fmt: skip


def _poem(w: Writer) -> str:
    """A Chinese poem with its translation and notes."""
    title = w.titled()
    lines = "<br />".join(w.text(f"{w.headline()[:5]}，") for _ in range(8))
    notes = el("h2", w.text("译文及注释")) + el("p", el("strong", w.text("译文")), "<br />", w.paragraph())
    notes += el("p", el("strong", w.text("注释")), "<br />", w.paragraph(), "<br />", w.paragraph())
    return page(
        w, "{}原文、翻译及赏析_江城诗文",
        el("div.maintop/ul", w.menu()),
        el("div.main3",
           el("div.left",
              el("div.sons/div.cont", el("h1", title), el("p.source", "<a>林小满</a><a>〔近代〕</a>"),
                 el("div.contson", lines)),
              el("div.sons/div.contyishang", notes),
              el("div.sons/div.contyishang", el("h2", w.text("创作背景")), w.paragraphs(1))),
           el("div.right", el("div.title/a", "猜您喜欢"), w.others(8, "a"))),
        el("div.mainbottom/p", "© 江城诗文 | 诗文 | 名句 | 作者"),
    )  # fmt: skip


def _model(w: Writer) -> str:
    """A shop in English whose description stands under tabs, beside delivery and payment."""
    points = "".join(el("li", w.line()) for _ in range(3))
    policy = "Orders placed before noon are sent on the same day. Returns are free within thirty days of delivery."
    form = el(
        "div.product-form",
        "<label>Size</label><label>Colour</label>",
        "<button>Add to cart</button>",
        el("p", "Pickup available"),
    )
    cards = "".join(
        el("li/div.card", el("h3/a", w.headline()), el("div.price", "<span>Regular price</span> <span>$12.00</span>"))
        for _ in range(4)
    )
    return page(
        w, "{} – Depot Store",
        el("div.announcement-bar/p", "Free shipping on orders over $50"), el("header/nav/ul", w.menu()),
        el("main#MainContent",
           el("section.shopify-section/product-info/div.product",
              el("div.product__media-list/ul", "<li><img></li><li><img></li>"),
              el("div.product__info",
                 el("p.product__text", "DEPOT"), el("div.product__title/h1", w.titled()),
                 el("div.price", f"<span>Regular price</span> <span>${w.number + 20}.00 USD</span>"),
                 el("div.product__tax", "Taxes included."),
                 form, el("div.product__description.rte", w.paragraphs(w.several(2)), el("ul", points)),
                 el("div.product__accordion/details", el("summary/h2", "Shipping &amp; Returns"), el("p", policy)))),
           el("section.related", el("h2", "You may also like"), el("ul", cards))),
        el("footer", el("p", "Subscribe to our emails"), el("small", "© 2024, Depot Store")),
    )  # fmt: skip


def _stanzas(w: Writer) -> str:
    """An English poem, a paragraph a stanza, with a note on the poet."""
    stanzas = "".join(el("p", "<br />\n".join(w.heading() for _ in range(4))) for _ in range(w.several(3)))
    life = (
        "AdaBirch was born beside the line and worked in a signal box for thirty years. She is the author of four collections."
    )
    return page(
        w, "{} by AdaBirch | Poems of the Line",
        el("header/nav/ul", w.menu()),
        el("main",
           el("article",
              el("h1", w.titled()), el("div.byline", "By <a>AdaBirch</a>"), el("div.poem-body", stanzas),
              el("div.copyright-info/p", "Copyright Credit: AdaBirch, from <i>Signals</i>. All rights reserved.")),
           el("section.about-poet", el("h2", "About this Poet"), el("p", life)),
           el("section.more", el("h2", "More Poems by AdaBirch"), w.others(6, "div.card/h3/a"))),
        el("footer/p", "Poems of the Line"),
    )  # fmt: skip


PLATFORMS = (
    Platform("WooCommerce", "goods", "en", _woocommerce, tuned=True),
    Platform("shop", "goods", "zh", _shop, tuned=True),
    Platform("product", "goods", "en", _model),
    Platform("recipe", "goods", "en", _recipe, tuned=True),
    Platform("song", "verse", "en", _song),
    Platform("stanzas", "verse", "en", _stanzas),
    Platform("poem", "verse", "zh", _poem, tuned=True),
)
