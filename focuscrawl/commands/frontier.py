"""`scrapy frontier`: lists, adds and removes waiting URLs, and holds hosts, whether the crawl runs or not."""

from __future__ import annotations

from focuscrawl.command_line.base import Action, CommandGroup

MOST_LISTED = 100_000
SEED_SCORE = 1.0
"""Score of a seed, which comes before all links."""


class Command(CommandGroup):
    """Exit codes: 0 done, 1 the store cannot be read or written now, 2 bad input, 130 a copy was stopped by Ctrl-C."""

    summary = "Show the waiting URLs, add and remove URLs, hold hosts"

    def add_subcommands(self) -> None:
        self._declare_listing()
        self._declare_changes()
        self._declare_holds()
        self._declare_copy()

    def _declare_listing(self) -> None:
        from focuscrawl.command_line.option_values import whole_number
        from focuscrawl.store.frontier.waiting import Kind

        ls = self.subcommand("ls", "List waiting URLs in the order in which they would be fetched, with what each waits for.")
        ls.add_argument("name", nargs="?", default="", metavar="NAME", help="the crawl (default: the latest)")
        ls.add_argument("--host", default="", metavar="HOST", help="only URLs of this host")
        ls.add_argument("--state", default="", metavar="|".join(Kind), help="only URLs in this state")
        listed = whole_number(1, MOST_LISTED)
        ls.add_argument("--limit", type=listed, default=20, metavar="N", help="at most N URLs (default: %(default)s)")
        ls.add_argument("--json", action="store_true", help="one JSON object per line instead of a table")

        stats = self.subcommand(
            "stats",
            "Count URLs by state. Also show the hosts with the most waiting URLs, held hosts, what is due next, and whether to"
            " continue.",
        )
        stats.add_argument("name", nargs="?", default="", metavar="NAME", help="the crawl (default: the latest)")
        stats.add_argument(
            "--limit", type=whole_number(1), default=10, metavar="N", help="at most N hosts (default: %(default)s)"
        )
        stats.add_argument("--json", action="store_true", help="one JSON object instead of tables")

    def _declare_changes(self) -> None:
        from focuscrawl.command_line.option_values import share

        added = self.subcommand(
            "add",
            "Queue URLs, given singly or in files with one URL per line. Like seeds, they are fetched even outside the scope,"
            " and again if they failed or were removed before. Stored pages are due at once: the next recrawl revisits them.",
        )
        added.add_argument("name", metavar="NAME", help="the crawl")
        added.add_argument("urls", nargs="+", metavar="URL|FILE|-", help="URLs, files of URLs, or - for standard input")
        added.add_argument(
            "--score", type=share, default=SEED_SCORE, metavar="X", help="0 to 1; 1, the default, puts them before all links"
        )

        rm = self.subcommand(
            "rm",
            "Remove waiting URLs: single ones, all of a host, or all that begin with a prefix. They are never fetched, even if"
            " links lead there again; `add` takes them back. URLs of the host or prefix that are found later are not removed:"
            " to keep a host out, use `hold`.",
        )
        rm.add_argument("name", metavar="NAME", help="the crawl")
        rm.add_argument("urls", nargs="*", metavar="URL|FILE|-", help="URLs, files of URLs, or - for standard input")
        rm.add_argument("--host", action="append", default=[], metavar="HOST", help="remove all waiting URLs of this host")
        rm.add_argument(
            "--prefix", action="append", default=[], metavar="URL", help="remove all waiting URLs that begin with URL"
        )
        rm.add_argument(
            "--pages",
            action="store_true",
            help="also take the stored pages out of the collection: searches, exports and totals leave them out",
        )
        rm.add_argument("--dry-run", action="store_true", help="only count what --host and --prefix would remove")

    def _declare_holds(self) -> None:
        held = self.subcommand(
            "hold",
            "Send no requests to a host until it is released, on any port or scheme. Its waiting URLs are kept.",
        )
        released = self.subcommand("release", "End the hold of a host: requests go on at its own pace.")
        for each in (held, released):
            each.add_argument("name", metavar="NAME", help="the crawl")
            each.add_argument("hosts", nargs="+", metavar="HOST", help="host names, or URLs of the hosts")

    def _declare_copy(self) -> None:
        copy = self.subcommand(
            "copy",
            "Move a crawl's store to another database and check the copy. With --name NEW, make a second crawl instead.",
        )
        copy.add_argument("name", metavar="NAME", help="the crawl")
        copy.add_argument(
            "--to",
            required=True,
            metavar="sqlite|postgresql://USER@HOST:PORT/DATABASE",
            help="the new store (pass a password by PGPASSWORD)",
        )
        copy.add_argument("--name", dest="new", default="", metavar="NEW", help="make a second crawl of this name")
        copy.add_argument("--json", action="store_true", help="one JSON object instead of text")

    def action(self, name: str) -> Action:
        if name == "copy":
            from focuscrawl.command_line.frontier_copy import copy_store

            return copy_store
        from focuscrawl.command_line import frontier

        return {
            "ls": frontier.list_waiting, "stats": frontier.show_stats, "add": frontier.add_urls, "rm": frontier.remove,
            "hold": frontier.hold_hosts, "release": frontier.release_hosts,
        }[name]  # fmt: skip
