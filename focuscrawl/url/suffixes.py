"""The public suffix list (publicsuffix.org): where a host's name ends that its owner could register.

It is the list that tldextract brings, with its private part (`github.io`), never fetched. Only the file is taken: the
package would load requests and two trees of the list, 11 MB in each process, to give the same answers.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import idna


@cache
def _names() -> dict[str, bool]:
    """Every rule of the list, and what follows a dot in one; whether that is a rule itself. A rule may begin with `*.`, and an
    exception from such a rule with `!`."""
    spec = find_spec("tldextract")
    if spec is None or spec.origin is None:
        raise ImportError("tldextract is not installed: its list of public suffixes is needed")
    names: dict[str, bool] = {}
    for line in Path(spec.origin).with_name(".tld_set_snapshot").read_text("utf-8").splitlines():
        if line[:1].isspace() or not line or line.startswith("//"):
            continue
        rule = name = line.split()[0]
        while name := name.partition(".")[2]:
            names.setdefault(name, False)
        names[rule] = True
    return names


def suffix_labels(labels: list[str]) -> int:
    """How many of a host's labels are its public suffix; 0 for an unknown one.

    >>> suffix_labels(["www", "pku", "edu", "cn"]), suffix_labels(["a", "github", "io"]), suffix_labels(["a", "nowhere"])
    (2, 2, 0)
    """
    names, name, found = _names(), "", 0
    for count, label in enumerate(map(_decoded, reversed(labels)), 1):
        longer = f"{label}.{name}" if name else label
        if longer in names:
            name = longer
            found = count if names[longer] else found
        elif name and f"*.{name}" in names:
            return count - 1 if f"!{longer}" in names else count
        else:
            break
    return found


def _decoded(label: str) -> str:
    """In the characters of the list."""
    lower = label.lower()
    if lower.startswith("xn--"):
        try:
            return idna.decode(lower)
        except (UnicodeError, IndexError):
            return lower
    return lower
