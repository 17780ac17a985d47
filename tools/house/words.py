"""How many things carry one name: what a reader who searches for it has to tell apart."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from tools.house.source import Function, Module

WORDS = ("place", "address", "pid", "found", "outcome", "change", "look", "state", "kind", "own")
"""The names that meant the most different things before there was a glossary."""
SCRAPYS = frozenset({"Command"})
"""Class names that Scrapy wants of everybody."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """One thing that carries a name."""

    what: str
    """module, class, function, column or value"""
    where: str
    """The module that defines it; of a column its SQL type, of a value (parameter, variable, field) its annotation: wherever it
    stands, `now: float` means one thing."""


def meanings(word: str, modules: Iterable[Module]) -> set[Meaning]:
    """The things called `word`, in any case, in the plural, or with `_of`.

    Counted are modules, classes and functions at the top of a module (methods have the name of their class beside them), the
    SQL types of columns, and the types of annotated parameters, variables and fields; containers of a type say nothing new.
    """
    found: set[Meaning] = set()
    for module in modules:
        if _is(PurePosixPath(module.folder if module.is_package else module.path).stem, word):
            found.add(Meaning("module", module.name))
        for top in module.tree.body:
            if isinstance(top, ast.ClassDef | Function) and _is(top.name, word):
                found.add(Meaning("class" if isinstance(top, ast.ClassDef) else "function", module.name))
        for node in ast.walk(module.tree):
            found |= set(_named(node, word))
    return found


def _is(name: str, word: str) -> bool:
    return name.lower().strip("_") in (word, f"{word}s", f"{word}es", f"{word}_of")


def _named(node: ast.AST, word: str) -> Iterator[Meaning]:
    match node:
        case ast.arg(arg=name, annotation=ast.expr() as annotation) if _is(name, word):
            yield from (Meaning("value", kind) for kind in _plain(annotation))
        case ast.AnnAssign(target=ast.Name(id=name) | ast.Attribute(attr=name), annotation=annotation) if _is(name, word):
            yield from (Meaning("value", kind) for kind in _plain(annotation))
        case ast.Call(func=ast.Name(id="Column"), args=[ast.Constant(value=str(name)), kind, *_]) if _is(name, word):
            yield Meaning("column", ast.unparse(kind))


def _plain(annotation: ast.expr) -> Iterator[str]:
    match annotation:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from _plain(left)
            yield from _plain(right)
        case ast.Constant(value=str(text)):
            yield from _plain(ast.parse(text, mode="eval").body)


def repeated_classes(modules: Iterable[Module]) -> Counter[str]:
    """Class names that more than one module defines at its top, with the number of these modules."""
    counted = Counter(
        node.name
        for module in modules
        for node in module.tree.body
        if isinstance(node, ast.ClassDef) and node.name not in SCRAPYS
    )
    return Counter({name: number for name, number in counted.items() if number > 1})


def repeated_modules(modules: Iterable[Module]) -> Counter[str]:
    """File names that stand in more than one folder, with the number of these folders."""
    counted = Counter(PurePosixPath(module.path).name for module in modules if not module.is_package)
    return Counter({name: number for name, number in counted.items() if number > 1})
