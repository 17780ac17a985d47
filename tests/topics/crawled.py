"""A crawl of ten pages in two languages about two things, for tests of the topic loop."""

from __future__ import annotations

from pathlib import Path

from focuscrawl.store.engines.database import Database
from tests.report.sample import add_host, add_page, empty_crawl, insert

HOST = "http://sky.example.com"
AT = 1_790_000_000.0
SKY = "The telescope shows a nebula and a distant galaxy, and the astronomer at the observatory notes the orbit of a comet."
天文 = "望远镜里的星云和遥远的星系，天文台的天文学家记下了彗星的轨道。"
COOKING = "Peel the potatoes, heat the oil in a pan, add onions and salt, and let the soup simmer for twenty minutes."
做饭 = "把土豆去皮，锅里放油，加入洋葱和盐，让汤煮二十分钟。"
PAGES = (
    ("/sky/1.html", "A telescope for beginners", SKY, "en"),
    ("/sky/2.html", "The galaxy at night", SKY + " Supernova remnants glow.", "en"),
    ("/sky/3.html", "望远镜入门", 天文, "zh"),
    ("/sky/4.html", "望遠鏡與星雲", "望遠鏡裡的星雲和遙遠的星系，彗星的軌道。", "zh"),
    ("/sky/5.html", "Comets", "A comet on its orbit, seen by telescope and by eye.", "en"),
    ("/food/1.html", "Potato soup", COOKING, "en"),
    ("/food/2.html", "Onion soup", COOKING + " Serve with bread.", "en"),
    ("/food/3.html", "土豆汤", 做饭, "zh"),
    ("/food/4.html", "洋葱汤", 做饭 + "趁热吃。", "zh"),
    ("/food/5.html", "A copy", COOKING, "en"),
)
URLS = tuple(HOST + path for path, *_ in PAGES)


def sky_crawl(crawls_dir: Path, name: str = "web", url: str = "") -> None:
    """The store of a finished crawl. `url`: the setting STORE_URL."""
    db = empty_crawl(crawls_dir / name, url)
    insert(db, "run", id=1, started_at=AT, ended_at=AT + 9, reason="empty", arguments="{}", stats="{}")
    add_host(db, HOST, len(PAGES), 5)
    for page_id, (path, title, text, language) in enumerate(PAGES, 1):
        add_sky_page(db, page_id, path, title, text, language)
    db.close()


def add_sky_page(db: Database, page_id: int, path: str, title: str, text: str, language: str) -> None:
    """One page more; its fingerprint is far from those of the others."""
    original = 6 if title == "A copy" else None
    add_page(db, page_id, HOST + path, title, 0.1, 1, 0, original, language, at=AT + page_id, text=text)
    fingerprint = (page_id * 0x9E3779B97F4A7C15) % (1 << 63)
    db.execute("update page set simhash=? where page_id=?", (fingerprint, page_id))
