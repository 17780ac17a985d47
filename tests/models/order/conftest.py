from __future__ import annotations

import pytest

from focuscrawl.text.segment import Segmenter
from models.link.link_score import LinkScorer
from models.order.protocol import OrderContext
from models.topic.vsm import TopicModel
from tests.models.order.pages import url_of


@pytest.fixture
def context(topic: TopicModel, segmenter: Segmenter) -> OrderContext:
    return OrderContext(topic, LinkScorer(topic, segmenter), segmenter, seeds=[url_of(0)])
