"""`scrapy topic`: makes a topic from words and pages, shows it, changes it, trains it and tests it."""

from __future__ import annotations

from pathlib import Path

from focuscrawl.command_line.base import Action, CommandGroup


class Command(CommandGroup):
    """Exit codes: 0 done, 1 failure, 2 bad input, 75 a worker of the crawl is running, 130 stopped by Ctrl-C, which keeps the
    answers so far."""

    summary = "Make a topic from words and pages, change it, train it and test it"

    def add_subcommands(self) -> None:
        self._declare_editing()
        self._declare_suggesting()
        self._declare_labelling()
        self._declare_replaying()

    def _declare_editing(self) -> None:
        from focuscrawl.command_line.option_values import whole_number

        new = self.subcommand("new", "Make topics/NAME.toml from keywords, from example pages, or from both.")
        new.add_argument("name", metavar="NAME", help="the topic")
        new.add_argument("--keywords", default="", metavar="A,B", help="words of the topic")
        new.add_argument(
            "--pages", default="", metavar="URL|FILE,...",
            help=r"example pages: URLs, files, lists of URLs; a comma in one is written \,",
        )  # fmt: skip
        new.add_argument("--seeds", default="", metavar="URL|FILE,...", help="where a crawl starts, besides the example pages")
        new.add_argument("--title", default="", metavar="TEXT", help="the topic's name in reports")
        new.add_argument("--fetch", action="store_true", help="fetch the pages' texts now")
        new.add_argument("--force", action="store_true", help="replace a topic file of this name")
        new.add_argument("--json", action="store_true", help="one JSON object instead of text")

        show = self.subcommand(
            "show",
            "Show a topic: its terms and threshold, labels and training. With --crawl, show what a crawl made of its topic and"
            " has learned. Without NAME and --crawl, list all topics.",
        )
        show.add_argument("name", nargs="?", default="", metavar="NAME", help="the topic")
        show.add_argument("--crawl", default="", metavar="NAME", help="show the topic as this crawl has it")
        show.add_argument("--json", action="store_true", help="JSON instead of text")

        terms = self.subcommand(
            "terms",
            "List the topic's terms with their weights, or change them. Each option that changes them may be given more than"
            " once.",
        )
        terms.add_argument("name", metavar="NAME", help="the topic")
        for option, value, meaning in (
            ("--keyword", "WORD", "add a keyword"),
            ("--negative", "WORD", "add a word that speaks against the topic"),
            ("--weight", "WORD=0.4", "give a word a weight between -1 and 1"),
            ("--synonym", "WORD=OTHER", "count words as one"),
            ("--remove", "WORD", "take a word away"),
        ):
            terms.add_argument(option, action="append", default=[], metavar=value, help=meaning)
        terms.add_argument(
            "--most", type=whole_number(0), default=40, metavar="N", help="show at most N terms (default: %(default)s)"
        )
        terms.add_argument("--json", action="store_true", help="one JSON object instead of text")

    def _declare_suggesting(self) -> None:
        from focuscrawl.command_line.option_values import whole_number

        suggest = self.subcommand(
            "suggest",
            "Find pages in your crawls, with a SearXNG instance or from a list. Pick pages, pick some of their ranked terms,"
            " and repeat. On a terminal, answer by single keys; --pick, --reject, --terms, --negative or --json do one round"
            " without questions.",
        )
        suggest.add_argument("name", metavar="NAME", help="the topic")
        suggest.add_argument(
            "--crawl", default="", metavar="NAME", help="search this crawl (default: that of the topic's name, else the latest)"
        )
        suggest.add_argument("--searx", default="", metavar="URL", help="search with this SearXNG instance")
        suggest.add_argument("--list", default="", metavar="FILE", help="take the pages of this list")
        for option, value, meaning in (
            ("--query", "A,B", "search for these words instead of the topic's"),
            ("--pick", "URL|N,...", "example pages; N: a number in the list of pages"),
            ("--reject", "URL|N,...", "pages that do not belong to the topic"),
            ("--terms", "A,B", "new keywords"),
            ("--negative", "A,B", "words that speak against the topic"),
        ):
            suggest.add_argument(option, action="append", default=[], metavar=value, help=meaning)
        suggest.add_argument(
            "--most", type=whole_number(1), default=20, metavar="N", help="at most N pages (default: %(default)s)"
        )
        suggest.add_argument("--json", action="store_true", help="one JSON object instead of tables")

    def _declare_labelling(self) -> None:
        from focuscrawl.command_line.option_values import whole_number

        label = self.subcommand(
            "label",
            "Label a page, or a sample of a crawl's pages by single keys. Four in five pages of the sample are the least"
            " certain ones, the others are random. Without URL and --sample, count the labels. `none` removes a label.",
        )
        label.add_argument("name", metavar="NAME", help="the topic")
        label.add_argument("url", nargs="?", default="", metavar="URL", help="the page")
        label.add_argument("answer", nargs="?", default="", metavar="yes|no|none", help="does it belong to the topic?")
        label.add_argument("--sample", type=whole_number(0), default=0, metavar="N", help="ask about N pages of a crawl")
        label.add_argument(
            "--crawl", default="", metavar="NAME", help="the crawl of the sample (default: the topic's, else the latest)"
        )
        label.add_argument("--fetch", action="store_true", help="fetch the page now if no crawl has stored it")

        train = self.subcommand(
            "train",
            "Learn the topic from its words, examples and labels. The next crawl of the topic uses the result.",
        )
        train.add_argument("name", metavar="NAME", help="the topic")
        train.add_argument("--fetch", action="store_true", help="fetch pages whose text is not stored")

        test = self.subcommand(
            "test", "Measure precision and recall on labels held back from training. Each has its 95 % interval."
        )
        test.add_argument("name", metavar="NAME", help="the topic")
        test.add_argument(
            "--folds",
            type=whole_number(0),
            default=0,
            metavar="N",
            help="cross-validation in N parts: every label is tested once",
        )

        for each in (train, test):
            each.add_argument(
                "--model", default="", metavar="MODEL", help="page model, a value of RELEVANCE_MODEL (default: calibrated)"
            )
        for each in (label, train, test):
            each.add_argument("--json", action="store_true", help="one JSON object instead of text")

    def _declare_replaying(self) -> None:
        from focuscrawl.command_line.option_values import whole_number

        rescore = self.subcommand(
            "rescore",
            "Give a crawl its topic as it was last trained, and score its waiting URLs again. Nobody may work on it. Nothing is"
            " fetched.",
        )
        rescore.add_argument("crawl", metavar="CRAWL", help="the crawl, which was started with the topic's file")
        rescore.add_argument("--json", action="store_true", help="one JSON object instead of text")

        replay = self.subcommand(
            "replay",
            "Crawl the stored pages of a crawl again without the network, under other strategies or page models.",
        )
        replay.add_argument("crawl", metavar="CRAWL", help="the crawl")
        replay.add_argument("--strategy", default="", metavar="A,B", help="order strategies to compare (default: all)")
        replay.add_argument("--model", default="", metavar="A,B", help="page models that judge (default: the crawl's verdicts)")
        replay.add_argument(
            "--topic", default="", metavar="NAME", help="one of the crawl's topics, or another topic or its file"
        )
        replay.add_argument(
            "--budget", type=whole_number(0), default=0, metavar="N", help="at most N fetches (default: all pages)"
        )
        replay.add_argument(
            "--in-flight",
            type=whole_number(1),
            default=1,
            metavar="N",
            help="at most N fetches in flight (default: %(default)s)",
        )
        replay.add_argument("--json", action="store_true", help="one JSON object with the curves instead of a table")
        replay.add_argument("--png", type=Path, metavar="FILE", help="draw the harvest curves into FILE")

    def action(self, name: str) -> Action:
        match name:
            case "new":
                from focuscrawl.command_line.topic.editing import make_topic

                return make_topic
            case "show":
                from focuscrawl.command_line.topic.showing import show_topic

                return show_topic
            case "terms":
                from focuscrawl.command_line.topic.editing import change_terms

                return change_terms
            case "suggest":
                from focuscrawl.command_line.topic.suggesting import suggest_pages

                return suggest_pages
            case "replay":
                from focuscrawl.command_line.topic.replaying import replay_crawl

                return replay_crawl
            case "rescore":
                from focuscrawl.command_line.topic.replaying import rescore_waiting

                return rescore_waiting
            case _:
                from focuscrawl.command_line.topic import labelling

                return {"label": labelling.label_pages, "train": labelling.train_topic, "test": labelling.test_topic}[name]
