"""The wiring diagram: every component, in the order in which data flows through it, and every default.

`focuscrawl/config/options.py` declares what each of our settings may be; docs/settings.md explains them. Every command imports
this module, so it imports no more than it must: no pydantic, and nothing of the crawl.
"""

import os

# The first import of ours: it puts our top-level packages before foreign ones of the same name.
from focuscrawl.config.environment import from_environment

BOT_NAME = "focuscrawl"
SPIDER_MODULES = ["spiders"]
NEWSPIDER_MODULE = "spiders"
COMMANDS_MODULE = "focuscrawl.commands"
TWISTED_REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"

# --- where a crawl lives -------------------------------------------------------------------------------------------
CRAWLS_DIR = "crawls"
STORE_URL = ""
TOPICS_DIR = "topics"
CONTACT = ""
USER_AGENT = "focuscrawl/0.2"

# --- frontier: which URL next? -------------------------------------------------------------------------------------
SCHEDULER = "focuscrawl.scrapy_side.scheduler.FrontierScheduler"
FRONTIER_IDLE_STOP = 60.0
FRONTIER_CACHE_SIZE = 200_000
FRONTIER_RETRY_DELAYS = [60.0, 300.0, 1800.0]
FRONTIER_HOST_SHARE = 0.5
FRONTIER_PATIENCE = 1800.0
FRONTIER_RANDOM_SEED = 0
FRONTIER_WEIGHT_PRIOR = 0.0
FRONTIER_STOP_HARVEST = 0.0
FRONTIER_STOP_WINDOW = 1000
FRONTIER_STOP_YIELD = 0.0
FRONTIER_EDGE = 0.01
FRONTIER_EDGE_WINDOW = 500
FRONTIER_STOP_ON_DRIFT = False
FRONTIER_BARREN_SHARE = 0.2
FRONTIER_SITEMAPS = True
PARTITION_GRAIN = "host"
PARTITION_FOREIGN = "forward"

# --- resolver: addresses are checked and cached where they are made -------------------------------------------------
TWISTED_DNS_RESOLVER = "focuscrawl.scrapy_side.resolver.GuardedResolver"
DNS_SERVERS: list[str] = []
DNS_QUERY_TIMEOUT = 2.0
DNS_CACHE_SIZE = 20_000
GUARD_ALLOW_NETWORKS: list[str] = []
GUARD_ALLOW_PORTS: list[int] = []
TLS_POLICY = "note"

# --- downloader: the request's way out, from top to bottom ----------------------------------------------------------
DOWNLOADER_MIDDLEWARES_BASE = {
    # What comes from `middlewares.foreign_spiders`, here and below, is Scrapy's, and switched off while a topic is crawled.
    "middlewares.foreign_spiders.OffsiteMiddleware": 50,
    "middlewares.guard.GuardMiddleware": 100,
    "middlewares.foreign_spiders.RobotsTxtMiddleware": 150,
    "middlewares.robots.RobotsMiddleware": 200,
    "middlewares.dns.DnsMiddleware": 300,
    "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": 400,
    "focuscrawl.scrapy_side.contact.ContactMiddleware": 410,
    "middlewares.foreign_spiders.HttpAuthMiddleware": 420,
    "middlewares.foreign_spiders.RetryMiddleware": 550,
    "middlewares.foreign_spiders.MetaRefreshMiddleware": 580,
    "middlewares.body.BodyMiddleware": 590,
    "middlewares.operator.OperatorMiddleware": 595,
    "middlewares.politeness.PolitenessMiddleware": 600,  # nearer to the host than 590: it must see broken answers too
    "middlewares.foreign_spiders.RedirectMiddleware": 610,
    "middlewares.conditional.ConditionalMiddleware": 700,
    "middlewares.foreign_spiders.CookiesMiddleware": 710,
    "scrapy.downloadermiddlewares.stats.DownloaderStats": 850,
    "middlewares.foreign_spiders.HttpCacheMiddleware": 900,
}
DOWNLOAD_HANDLERS_BASE = {
    "http": "focuscrawl.scrapy_side.download_handler.BoundedHandler",
    "https": "focuscrawl.scrapy_side.download_handler.BoundedHandler",
}
HTTPPROXY_ENABLED = False  # a proxy would connect for us, where the guard cannot check the IP address
ROBOTSTXT_OBEY = True
ROBOTSTXT_USER_AGENT = "focuscrawl"
POLITENESS_DELAY = 1.0
POLITENESS_CONCURRENCY = 1
POLITENESS_ADDRESS_DELAY = 0.2
POLITENESS_ADDRESS_CONCURRENCY = 4
POLITENESS_LATENCY_FACTOR = 2.0
CONCURRENT_REQUESTS = 16
# These two pace only spiders that are not ours: in a crawl of a topic, the frontier decides when a host may be asked.
CONCURRENT_REQUESTS_PER_DOMAIN = 1
DOWNLOAD_DELAY = 1.0
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 16 * 1024 * 1024
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_FAIL_ON_DATALOSS = False  # a page that was cut off is fetched once more, then kept and marked
ARCHIVE_BODY_BYTES = 8 * 1024 * 1024
COOKIES_ENABLED = False  # nothing is carried from one host to another
DEFAULT_REQUEST_HEADERS = {
    "Accept": "text/html,application/xhtml+xml,text/plain;q=0.5,*/*;q=0.1",
    "Accept-Language": "zh,en;q=0.8,*;q=0.5",
}

# --- spider: one page read ------------------------------------------------------------------------------------------
SPIDER_MIDDLEWARES_BASE = {  # of Scrapy's none in a crawl: depth and length are rules of the frontier, and errors are pages too
    "focuscrawl.scrapy_side.kept_pages.KeptPagesMiddleware": 0,  # sees last what a user's components let through
    "middlewares.foreign_spiders.StartSpiderMiddleware": 25,
    "middlewares.foreign_spiders.HttpErrorMiddleware": 50,
    "middlewares.foreign_spiders.RefererMiddleware": 700,
    "middlewares.foreign_spiders.UrlLengthMiddleware": 800,
    "middlewares.foreign_spiders.DepthMiddleware": 900,
}
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 1 << 30  # no limit: leases bound what is in memory, and heavy pages must not stop all requests
READING_DOCUMENTS = ["docx", "epub", "odt", "pdf"]
RELEVANCE_MODEL = "calibrated"
RELEVANCE_SEGMENTER = "rjieba"
RELEVANCE_MIN_TERM_WEIGHT = 0.02
RELEVANCE_BEST_TEXT = True
SEARCH_INDEX = True
SEARCH_SEARXNG_URL = ""
SCRAPYD_URL = ""
RELEVANCE_DRIFT_BOUND = 0.5

# --- pipelines: relevance, dedup, links, then the one commit; a user's ITEM_PIPELINES stand beside them ----------------
CONCURRENT_ITEMS = 2  # a third of the cost of Scrapy's 100 for each page, and one response gives one page
ITEM_PIPELINES_BASE = {
    "pipelines.relevance.RelevancePipeline": 100,
    "pipelines.dedup.DedupPipeline": 200,
    "pipelines.link_scorer.LinkScorerPipeline": 300,
    "pipelines.archive.ArchivePipeline": 400,
    "pipelines.archive.ExportPipeline": 100_000,  # behind any pipeline of a user: what feeds export is a row, not a Page
}
ITEM_PROCESSOR = "focuscrawl.scrapy_side.kept_pages.PagePipelines"
DEDUP_METHOD = "simhash"
DEDUP_SIMHASH = "numpy"
LINKSCORE_TUNNELLING = "learned"
LINKSCORE_TUNNEL_DEPTH = 3
LINKSCORE_REPLAY_PAGES = 5000
ARCHIVE_MAX_BYTES = 1 << 30

# --- recrawl: when is a page revisited, and did it change? ------------------------------------------------------------------
RECRAWL_POLICY = "optimal"
RECRAWL_BANDWIDTH = 0.1
RECRAWL_PERIOD = 10.0
RECRAWL_LEAST_PERIOD = 0.04
RECRAWL_MOST_PERIOD = 180.0
RECRAWL_PRIOR = 0.033
RECRAWL_VERSIONS = 3
RECRAWL_GRACE = 30.0
RECRAWL_CHECK_HEADERS = True
RECRAWL_SIGNALS = True
RECRAWL_MOST_ERRORS = 0.5
RECRAWL_MOST_GONE = 0.2

# --- extensions: what a person sees, and what watches the process -----------------------------------------------------
EXTENSIONS_BASE = {
    "scrapy.extensions.corestats.CoreStats": 0,
    "focuscrawl.scrapy_side.summary.LogCountToTheEnd": 0,
    "scrapy.extensions.feedexport.FeedExporter": 100,
    "middlewares.foreign_spiders.CloseSpider": 110,
    "middlewares.foreign_spiders.LogStats": 120,
    "middlewares.foreign_spiders.MemoryUsage": 130,
    "middlewares.foreign_spiders.AutoThrottle": 140,
    "focuscrawl.scrapy_side.signals.StopSignals": 200,
    "focuscrawl.scrapy_side.contact.ContactReminder": 250,
    "focuscrawl.scrapy_side.terminal.LiveTableOnTerminal": 300,
    "focuscrawl.scrapy_side.summary.ClosingSummary": 900,
}
LIVE_ENABLED = True
SUMMARY_ENABLED = True
REPORT_LANGUAGE = "en"
LOG_LEVEL = "INFO"
LOG_FORMATTER = "focuscrawl.scrapy_side.log_format.QuietLogFormatter"
STATS_CLASS = "focuscrawl.scrapy_side.compat.LeanStats"
STATS_DUMP = False
# Telnet console and remote control run code for whoever reaches their port.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
FEED_EXPORT_ENCODING = "utf-8"

# --- what the operator's environment gives instead: FOCUSCRAWL_CRAWLS_DIR=/srv/crawls ---------------------------------
globals().update(from_environment(os.environ, globals().keys()))
