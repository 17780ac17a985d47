"""Results of `tools.bench.frontier` as Markdown."""

from __future__ import annotations

from typing import Any

Run = dict[str, Any]
PAGE = ("page", "body", "fetches", "band", "verdict")
"""Tables that have rows for each fetched page."""


def tables(results: dict[str, Any]) -> str:
    """The table of operations and that of bytes."""
    runs = sorted(results["runs"].values(), key=lambda run: (run["config"]["urls"], run["config"]["store"] != "sqlite"))
    parts = [f"{results['machine']}.", "", *_operations(runs), "", *_loads(runs), "", *_bytes(runs)]
    return "\n".join(parts)


def _operations(runs: list[Run]) -> list[str]:
    columns = [
        "smallest transaction",
        "links, a page at a time",
        "against bare inserts",
        "leases",
        "commits, no links",
        "cycle: pages",
    ]
    lines = _head(columns)
    for run in runs:
        smallest, discover, lease, commit, cycle = (
            run.get(name, {}) for name in ("smallest", "discover", "lease", "commit", "cycle")
        )
        ratio = _number(discover.get("of_raw"), ".2f")
        cells = [_rate(smallest), _rate(discover), ratio, _rate(lease), _rate(commit), _rate(cycle)]
        lines.append(f"| {_where(run)} | {' | '.join(cells)} |")
    return [*lines, "", "A second (p50, p99 in ms; of a batch of leases, and in the cycle of a commit among as many)."]


def _head(columns: list[str]) -> list[str]:
    return [f"| URLs | store | {' | '.join(columns)} |", "|---|---|" + "---|" * len(columns)]


def _loads(runs: list[Run]) -> list[str]:
    lines = _head(["links of a page", "batch of leases", "answer, commit", "cycle, a page", "MB: client, server", "s to fill"])
    for run in runs:
        cells = [
            _pair(run.get(stage, {}), "client_ms", "server_ms", ".1f") for stage in ("discover", "lease", "commit", "cycle")
        ]
        cells.append(_pair(run.get("cycle", {}), "client_mb", "server_mb", ".0f"))
        cells.append(_number(run.get("fill", {}).get("seconds"), ".0f"))
        lines.append(f"| {_where(run)} | {' | '.join(cells)} |")
    return [*lines, "", "CPU milliseconds: client, server. They tell more than rates on a machine that others use."]


def _bytes(runs: list[Run]) -> list[str]:
    lines = _head(["a URL: row with key, queue index", "a host", "a fetched page", "an in-link", "on disk in all"])
    for run in runs:
        first, end, before, after = (run.get(name, {}) for name in ("sizes", "sizes end", "counts", "counts end"))
        known = run["config"]["known"]
        queue = first.get("url/url_q", 0)
        cells = [f"{(_size(first, 'url') - queue) / known:.0f}, {queue / known:.0f}"]
        cells.append(f"{_size(first, 'host') / run['config']['hosts']:.0f}")
        if end and after:
            grown = sum(_size(end, table) - _size(first, table) for table in PAGE)
            cells += [
                f"{grown / max(1, after['page'] - before['page']):.0f}",
                f"{_size(end, 'inlink') / max(1, after['inlink']):.0f}",
            ]
        else:
            cells += ["-", "-"]
        lines.append(f"| {_where(run)} | {' | '.join(cells)} | {first.get('all', 0) / 1e6:.0f} MB |")
    return [
        *lines,
        "",
        "Bytes; on disk as filled, before pages were fetched. A fetched page: records, texts and links (2 KB of text).",
    ]


def _size(sizes: dict[str, int], table: str) -> int:
    return sum(size for name, size in sizes.items() if name.partition("/")[0] == table)


def _where(run: Run) -> str:
    known = run["config"]["urls"]
    size = f"{known / 1e6:g} million" if known >= 1e6 else f"{known // 1000} 000"
    return f"{size} | {run['config']['store']}"


def _rate(figures: dict[str, float]) -> str:
    if "rate" not in figures:
        return "-"
    return f"{figures['rate']:.0f} ({figures['p50']:.1f}, {figures['p99']:.1f})"


def _pair(figures: dict[str, float], first: str, second: str, form: str) -> str:
    return f"{_number(figures.get(first), form)}, {_number(figures.get(second), form)}"


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)
