"""`scrapy graph NAME`: shows the shape of the crawled web, or writes the graph as a file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from focuscrawl.command_line.base import ProjectCommand
from focuscrawl.errors import BadInput

if TYPE_CHECKING:
    from focuscrawl.report.translation import Language
    from focuscrawl.store.engines.database import Database

FORMATS = ("graphml", "gexf", "json")


class Command(ProjectCommand):
    """Exit codes: 0, also for a crawl without pages; 1 the file cannot be written; 2 bad input."""

    summary = "Show the shape of the crawled web (degrees, bow tie, distances, hubs), or write its graph to a file"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("name", metavar="NAME", help="the crawl")
        add("--json", action="store_true", help="one JSON object instead of tables")
        add("--format", default="", metavar="|".join(FORMATS), help="format of the file (default: by the extension of FILE)")
        add("--structure", action="store_true", help="write only links of index pages within their site")
        add("-o", "--output", default="", metavar="FILE", help="write pages and links to FILE instead; - is standard output")

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.output import check_target
        from focuscrawl.store.crawls import crawl_named

        kind = _format(options.format, options.output, options.json)
        if options.structure and not kind:
            raise BadInput("--structure needs a file; name it with -o FILE")
        if options.output:
            check_target(options.output)
        crawl = crawl_named(self.context.crawls_dir, options.name)
        with crawl.at_one_moment() as db:
            if kind:
                _write(db, kind, options.output, options.structure)
            else:
                _show(db, crawl.name, None if options.json else self.context.language)
        return 0


def _format(given: str, output: str, as_json: bool) -> str:
    """The format of the file; empty if no file is written. Raises BadInput for options that do not fit together."""
    if not output and not given:
        return ""
    if not output:
        raise BadInput("--format needs a file; name it with -o FILE")
    if as_json:
        raise BadInput("--json shows figures, -o FILE writes the graph; use --format json for a graph as JSON")
    kind = given or output.rpartition(".")[2].lower()
    if kind not in FORMATS:
        raise BadInput(f"{kind!r} is not a format of a graph; use --format {'|'.join(FORMATS)}")
    return kind


def _show(db: Database, name: str, language: Language | None) -> None:
    """`language`: None prints JSON."""
    from focuscrawl.command_line.output import print_json, print_parts
    from focuscrawl.report.charts import web_shape
    from focuscrawl.store.pages.link_graph import shape_of_store

    shape = shape_of_store(db)
    if language is None:
        print_json(web_shape.as_json(shape, name))
    else:
        print_parts(web_shape.shape_parts(shape, name), language)


def _write(db: Database, kind: str, output: str, structure: bool) -> None:
    from focuscrawl.command_line.output import target
    from focuscrawl.graph.files import write_graph
    from focuscrawl.store.pages.link_graph import FIELDS, nodes_and_edges

    nodes, edges = nodes_and_edges(db, structure=structure)
    with target(output) as out:
        write_graph(out, kind, FIELDS, nodes, edges)
