"""A small topic in both languages."""

from __future__ import annotations

import pytest

from focuscrawl.text.segment import Segmenter
from models.topic.vsm import TopicModel

KEYWORDS = ["数据库", "database", "SQL", "索引"]
EXAMPLES = [
    ("a", "MySQL 数据库的索引是一种数据结构，数据库用它快速查询表里的记录。SQL 语句由优化器执行。"),
    ("b", "A database index speeds up SQL queries. PostgreSQL stores tables and indexes on disk."),
    ("c", "事务保证数据库的一致性。隔离级别、锁和日志都是数据库系统的内容，SQL 标准规定了它们。"),
    ("d", "Transactions in a database are atomic; the write-ahead log of PostgreSQL makes SQL commits durable."),
]
OFF_TOPIC = "春天我们去公园看花，孩子们在草地上跑，晚上回家做饭。Flowers bloom in spring and children play in the park."


@pytest.fixture(scope="session")
def segmenter() -> Segmenter:
    return Segmenter(KEYWORDS)


@pytest.fixture
def topic(segmenter: Segmenter) -> TopicModel:
    return TopicModel.fit(segmenter, EXAMPLES, KEYWORDS, made="2026-01-02")


@pytest.fixture(scope="session")
def examples() -> list[tuple[str, str]]:
    return EXAMPLES


@pytest.fixture(scope="session")
def off_topic() -> str:
    return OFF_TOPIC
