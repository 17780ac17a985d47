"""Scrapy's chain of pipelines, which also notices a page that one of them kept to itself."""

from __future__ import annotations

import logging
from typing import Any

from scrapy.exceptions import DropItem
from scrapy.pipelines import ItemPipelineManager

from focuscrawl.items import Page
from focuscrawl.scrapy_side.crawl_runner import crawl_of, has_crawl

logger = logging.getLogger(__name__)


class PagePipelines(ItemPipelineManager):
    """A Page that went in and was not committed was lost on the way: a user's pipeline returned nothing, or something else in
    its place. It is dropped, which ends its lease; the crawl would wait for it forever."""

    async def process_item_async(self, item: Any) -> Any:
        done = await super().process_item_async(item)
        assert self.crawler is not None
        if isinstance(item, Page) and has_crawl(self.crawler) and crawl_of(self.crawler).leases.holds(item.lease):
            logger.error("not stored, because a pipeline below 400 in ITEM_PIPELINES did not return the page: %s", item.url)
            raise DropItem("a pipeline did not return it")
        return done
