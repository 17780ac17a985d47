"""`scrapy dashboard`: shows and steers crawls in a browser."""

from __future__ import annotations

import argparse

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from focuscrawl.command_line.base import ProjectCommand
from focuscrawl.command_line.option_values import whole_number
from focuscrawl.errors import BadInput

OWN = frozenset({"CRAWLS_DIR", "SCRAPYD_URL"})
"""Settings that are not passed on to its crawls: CRAWLS_DIR is passed in any case, and SCRAPYD_URL is not theirs and may
contain a password."""
SHORTEST_TOKEN = 8
"""Characters; a shorter token could be guessed over the network."""


class Command(ProjectCommand):
    """Exit codes: 0 ended by a signal, 1 the port is in use, 2 bad input."""

    summary = "Watch and control crawls in a browser"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--port",
            type=whole_number(0, 65_535),
            default=6810,
            metavar="N",
            help="port to listen on (default: %(default)s); 0: a free one",
        )
        parser.add_argument(
            "--host",
            default="127.0.0.1",
            metavar="ADDRESS",
            help="address to listen on (default: %(default)s, this machine only)",
        )
        parser.add_argument("--token", default="", metavar="T", help="token that users need (default: a new one at each start)")
        parser.add_argument("--read-only", action="store_true", help="show everything, change nothing")

    def prepare(self, options: argparse.Namespace) -> None:
        if options.token and (
            len(options.token) < SHORTEST_TOKEN or not options.token.isascii() or not options.token.isalnum()
        ):
            raise BadInput(f"--token must be {SHORTEST_TOKEN} letters and digits or more; if you leave it out, one is made")

    def execute(self, options: argparse.Namespace) -> int:
        import secrets

        from focuscrawl.command_line.topic.named_pages import fetch_of
        from focuscrawl.config.options import read_options
        from focuscrawl.dashboard.app import make_app
        from focuscrawl.dashboard.jobs import Jobs
        from focuscrawl.dashboard.scrapyd import Scrapyd
        from focuscrawl.dashboard.security import Access
        from focuscrawl.dashboard.server import listen, serve, url_of
        from focuscrawl.dashboard.state import Dashboard
        from focuscrawl.dashboard.stores import Stores
        from focuscrawl.dashboard.training import Training

        settings = self.context.settings
        given = read_options(settings)
        scrapyd = Scrapyd(given.scrapyd_url) if given.scrapyd_url else None
        token = options.token or secrets.token_hex(16)
        listening = listen(options.host, options.port)
        stores = Stores(self.context.crawls_dir, given.store_url)
        dashboard = Dashboard(
            stores,
            Access(token, options.host, options.read_only),
            Jobs(self.context.crawls_dir.resolve(), given_settings(settings), scrapyd),
            Training(self.context.topics_dir, stores, given, fetch_of(settings), given.search_searxng_url),
            user_agent=str(settings.get("ROBOTSTXT_USER_AGENT") or "focuscrawl"),
            recrawl_policy=given.recrawl_policy,
        )
        url = url_of(listening, options.host, token)
        serve(make_app(dashboard), listening, lambda: print(f"dashboard: {url}", flush=True))
        return 0


def given_settings(settings: BaseSettings) -> list[str]:
    """The settings that were given by `-s`, as `NAME=VALUE`."""
    by_hand = SETTINGS_PRIORITIES["cmdline"]
    names = [name for name in settings if settings.getpriority(name) == by_hand and name not in OWN]
    return [f"{name}={settings[name]}" for name in sorted(names)]
