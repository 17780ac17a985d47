"""The figures of a source tree that need nothing but parsing: files, lines, functions, comments, importers, settings."""

from __future__ import annotations

import ast
import io
import re
import statistics
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

BESIDE = ("tests", "tools")
"""Top folders that are not the product."""
SYNTHETIC = "synthweb"
"""The name of the folder with the synthetic web, wherever it stands: it is counted by itself."""
IGNORED = ("build", "docs", "crawls", "topics")
SMALL = 60
"""Lines below which a module is suspected of holding no idea of its own."""
DIRECTIVE = re.compile(r"#\s*(noqa|type:|fmt:|pragma|pyright:|mypy:|!|-\*-)")
"""Comments for a tool and not for a reader."""
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One file of a tree."""

    path: str
    """Relative to the tree's root, with slashes."""
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    @property
    def name(self) -> str:
        """Dotted, as it is imported; a package is named without `__init__`."""
        parts = PurePosixPath(self.path).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def folder(self) -> str:
        return str(PurePosixPath(self.path).parent)

    @property
    def is_package(self) -> bool:
        return PurePosixPath(self.path).name == "__init__.py"

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @property
    def functions(self) -> Iterator[int]:
        """The lines of every function and method, nested ones too, from `def` to its last line."""
        for node in ast.walk(self.tree):
            if isinstance(node, Function):
                yield (node.end_lineno or node.lineno) - node.lineno + 1


@dataclass(frozen=True, slots=True)
class Text:
    """How the lines of a module are used. A line with code and a comment counts as both."""

    code: int
    comments: int
    docstrings: int


def text_of(module: Module) -> Text:
    """Count lines by token. Docstrings are all strings that stand by themselves, below attributes too; they are not code.

    Comments that speak to a tool (`# noqa`, `# type:`) do not count.
    """
    strings: set[int] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            strings.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    code: set[int] = set()
    comments = 0
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type == tokenize.COMMENT:
            comments += not DIRECTIVE.match(token.string)
        elif token.type not in NO_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    return Text(len(code - strings), comments, len(strings))


def read(root: Path, skipped: Iterable[str] = ()) -> list[Module]:
    """Every Python file below `root`, but hidden folders and `skipped` top folders."""
    out = {*IGNORED, *skipped}
    modules = []
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).parts
        if parts[0] not in out and not any(part.startswith(".") or part.endswith(".egg-info") for part in parts):
            modules.append(Module("/".join(parts), path.read_text(encoding="utf-8")))
    return modules


def is_synthetic(module: Module) -> bool:
    return SYNTHETIC in PurePosixPath(module.path).parts


def imported(module: Module, known: set[str]) -> set[str]:
    """The modules among `known` that a module imports, anywhere in it: by name, or as the home of what it imports."""
    found: set[str] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(module, node)
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return (found & known) - {module.name}


def _absolute(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = module.name.split(".")
    package = package[: len(package) - node.level + module.is_package]
    return ".".join([*package, *([node.module] if node.module else [])])


def importers(modules: Iterable[Module]) -> Counter[str]:
    """How many of the modules import each of them."""
    modules = list(modules)
    known = {module.name for module in modules}
    counted: Counter[str] = Counter(dict.fromkeys(known, 0))
    for module in modules:
        counted.update(imported(module, known))
    return counted


def settings(module: Module, foreign: Iterable[str]) -> set[str]:
    """The settings that a module assigns at its top and that are not `foreign` (Scrapy's own)."""
    names: set[str] = set()
    for node in module.tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        names |= {target.id for target in targets if isinstance(target, ast.Name) and target.id.isupper()}
    return names - set(foreign)


def percentile(values: Iterable[int], share: float) -> int:
    """The value that `share` of the values do not exceed (0.5: the median); 0 without values."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))] if ranked else 0


@dataclass(frozen=True)
class Tree:
    """A checkout, parsed."""

    root: Path

    @cached_property
    def everything(self) -> list[Module]:
        return read(self.root)

    @cached_property
    def product(self) -> list[Module]:
        """What a user runs, without the synthetic web."""
        return [
            module
            for module in self.everything
            if module.path != "setup.py" and module.path.split("/")[0] not in BESIDE and not is_synthetic(module)
        ]

    @cached_property
    def synthetic(self) -> list[Module]:
        return [module for module in self.everything if is_synthetic(module) and module.path.split("/")[0] != "tests"]

    def beside(self, folder: str) -> list[Module]:
        """The modules of the tests, or of the tools."""
        return [module for module in self.everything if module.path.split("/")[0] == folder and module not in self.synthetic]

    @cached_property
    def small(self) -> list[Module]:
        """Modules under 60 lines; the `__init__.py` of a package is none."""
        return [module for module in self.product if module.lines < SMALL and not module.is_package]

    @cached_property
    def small_with_one_importer(self) -> list[Module]:
        counted = importers(self.product)
        return [module for module in self.small if counted[module.name] == 1]

    @cached_property
    def fullest_folder(self) -> tuple[str, int]:
        """The folder with the most modules in it, sub-folders and `__init__.py` apart."""
        counted = Counter(module.folder for module in self.product if not module.is_package)
        return counted.most_common(1)[0] if counted else ("", 0)

    @cached_property
    def text(self) -> Text:
        parts = [text_of(module) for module in self.product]
        return Text(*(sum(getattr(part, name) for part in parts) for name in ("code", "comments", "docstrings")))

    def settings(self, foreign: Iterable[str]) -> set[str]:
        wanted = "focuscrawl/settings.py"
        return {name for module in self.product if module.path == wanted for name in settings(module, foreign)}


def lines(modules: Iterable[Module]) -> int:
    return sum(module.lines for module in modules)


def median(values: Iterable[float]) -> float:
    """0 without values."""
    ranked = list(values)
    return statistics.median(ranked) if ranked else 0
