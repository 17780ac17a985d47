"""Writes a graph for other programs: GraphML, GEXF (both for Gephi, networkx and others), JSON (networkx's node-link form).

The file is written as a stream, with one node or edge in memory at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

import orjson

Value = str | int | float | bool
Node = tuple[int, Mapping[str, Value]]
"""A node's number and its attributes, of those that were declared."""
Edges = Iterable[tuple[int, int]]
Fields = Mapping[str, type]
"""The attributes of nodes: by name their type, `str`, `int`, `float` or `bool`."""

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, even escaped."""
_TYPES = {str: "string", int: "long", float: "double", bool: "boolean"}
"""Names of types that GraphML and GEXF share."""


def write_graph(out: BinaryIO, kind: str, fields: Fields, nodes: Iterable[Node], edges: Edges) -> None:
    """Write a directed graph. `kind`: one of `KINDS`."""
    for line in KINDS[kind](fields, nodes, edges):
        out.write(line.encode("utf-8", "replace") + b"\n")


def _graphml(fields: Fields, nodes: Iterable[Node], edges: Edges) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for name, kind in fields.items():
        yield f'<key id="{name}" for="node" attr.name="{name}" attr.type="{_TYPES[kind]}"/>'
    yield '<graph edgedefault="directed">'
    for number, values in nodes:
        data = "".join(f'<data key="{name}">{escape(_text(values[name]))}</data>' for name in fields)
        yield f'<node id="{number}">{data}</node>'
    for source, target in edges:
        yield f'<edge source="{source}" target="{target}"/>'
    yield "</graph></graphml>"


def _gexf(fields: Fields, nodes: Iterable[Node], edges: Edges) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph defaultedgetype="directed" mode="static">'
    yield '<attributes class="node">'
    for name, kind in fields.items():
        yield f'<attribute id="{name}" title="{name}" type="{_TYPES[kind]}"/>'
    yield "</attributes><nodes>"
    for number, values in nodes:
        data = "".join(f'<attvalue for="{name}" value={_quoted(values[name])}/>' for name in fields)
        yield f'<node id="{number}" label={_quoted(values.get("url", number))}><attvalues>{data}</attvalues></node>'
    yield "</nodes><edges>"
    for number, (source, target) in enumerate(edges):
        yield f'<edge id="{number}" source="{source}" target="{target}"/>'
    yield "</edges></graph></gexf>"


def _json(fields: Fields, nodes: Iterable[Node], edges: Edges) -> Iterator[str]:
    yield '{"directed": true, "multigraph": false, "graph": {}, "nodes": ['
    yield from _list({"id": number, **{name: _sound(values[name]) for name in fields}} for number, values in nodes)
    yield '], "edges": ['
    yield from _list({"source": source, "target": target} for source, target in edges)
    yield "]}"


KINDS: dict[str, Callable[[Fields, Iterable[Node], Edges], Iterator[str]]] = {"graphml": _graphml, "gexf": _gexf, "json": _json}
"""The writers by the name of their format."""


def _list(values: Iterable[dict[str, Value]]) -> Iterator[str]:
    before = ""
    for value in values:
        yield before + orjson.dumps(value).decode()
        before = ","


def _sound(value: Value) -> Value:
    """The value without lone surrogates, which UTF-8 cannot encode."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else _NOT_XML.sub("", str(value))


def _quoted(value: Value) -> str:
    return quoteattr(_text(value))
