"""The strategies by name: what `-a strategy=` and `scrapy topic replay` choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from models.order.bounded import BoundedOrder
from models.order.hits import HitsOrder
from models.order.naive_bayes import NaiveBayesOrder
from models.order.plain import PlainOrder, best_first, breadth_first, depth_first
from models.order.protocol import Order, OrderContext
from models.order.topical_rank import TopicalRankOrder
from models.order.weight import WeightOrder
from models.order.weighted import WeightedOrder


@dataclass(frozen=True, slots=True)
class Strategy:
    """How to make one of the orders, and what is known of it before."""

    make: Callable[[OrderContext], Order]
    summary: str
    """One line for help texts and documentation."""
    focused: bool = True
    """The same as `Order.focused`, for use before there is a topic to make the order with."""
    learns: bool = True
    """Whether the priorities of the next links depend on the fetches seen before. If they do not, the order need not be shown
    earlier fetches."""


def learned(context: OrderContext, *, without: frozenset[str] = frozenset()) -> Order:
    """The default order, or that order without some of `models.order.learned.GROUPS`."""
    from models.order.learned import LearnedOrder  # imports numpy, which nothing else needs at the start

    return LearnedOrder(context, without)


STRATEGIES: dict[str, Strategy] = {
    "learned": Strategy(learned, "what this crawl's own record lets expect most of, with a share for what is new"),
    "best-first": Strategy(
        partial(PlainOrder, priority=best_first, focused=True),
        "always the waiting URL with the highest LinkScore",
        learns=False,
    ),
    "breadth-first": Strategy(
        partial(PlainOrder, priority=breadth_first, focused=False),
        "every link in scope, nearest to the seeds first, in the order found",
        focused=False,
        learns=False,
    ),
    "depth-first": Strategy(
        partial(PlainOrder, priority=depth_first, focused=False),
        "every link in scope, farthest from the seeds first, in the order found",
        focused=False,
        learns=False,
    ),
    "naive-bayes": Strategy(NaiveBayesOrder, "LinkScore, then naive Bayes trained on the crawl's own links"),
    "topicalrank": Strategy(TopicalRankOrder, "relevance that flows along links, kept up page by page"),
    "weight": Strategy(
        WeightOrder,
        "every link in scope by in-degree, parents, mirrors and depth; important sites first",
        focused=False,
    ),
    "hits": Strategy(HitsOrder, "authorities that relevant hubs link to"),
    "bounded": Strategy(BoundedOrder, "best LinkScore among the first 200 of a queue, in bounded memory"),
}


def make_order(name: str, context: OrderContext) -> Order:
    """A new order for one crawl, with page weights as a prior if the context asks for it. Raises KeyError for a name that is
    not in `STRATEGIES`."""
    order = STRATEGIES[name].make(context)
    if name == "weight" or not (context.weight_prior or context.important):
        return order
    return WeightedOrder(order, context.weight_prior, tuple(context.important))


def learns(name: str, weight_prior: float, important: Sequence[str]) -> bool:
    """Whether the priorities that the order of this name sets depend on the fetches it has seen. Raises KeyError for a name
    that is not in `STRATEGIES`."""
    return STRATEGIES[name].learns or bool(weight_prior or important)
