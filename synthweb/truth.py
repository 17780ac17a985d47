"""The truth about a small web for one topic, by walking all of it as an obedient crawler without limits would."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from synthweb.document import Label
from synthweb.faults import ALWAYS, fault_of
from synthweb.traps import PREFIXES
from synthweb.web import SyntheticWeb

HUBS = ("home", "section", "list")
MOST_PAGES = 50_000


@dataclass(frozen=True)
class Truth:
    """What a crawl for a topic should find, and what it must not touch. All addresses are canonical."""

    topic: str
    seeds: tuple[str, ...]
    labels: dict[str, Label]
    """Every address that a link, redirect or seed names, traps only by their doors."""
    graph: dict[str, tuple[str, ...]]
    """Links (and redirect targets) that may be followed from an address."""
    relevant: frozenset[str]
    """Articles on the topic that may be kept: reachable, allowed, indexable, no duplicates, never failing."""
    failing: frozenset[str]
    """The same, but the server fails on the first request or always: no crawl is blamed for missing these."""
    hubs: frozenset[str]
    """Index pages on the topic."""
    duplicates: dict[str, str]
    """Reachable duplicates on the topic and their originals. Which one of a set a crawl keeps is its own choice."""
    forbidden: frozenset[str]
    """Linked addresses that robots.txt forbids."""
    noindex: frozenset[str]
    """Reachable pages that must not be kept."""
    disallowed: dict[str, tuple[str, ...]]
    """Forbidden prefixes by origin; `/` for a host whose robots.txt answers 503."""
    traps: dict[str, tuple[str, ...]]
    """Prefixes of the traps by origin."""

    def within(self, depth: int) -> frozenset[str]:
        """Relevant articles that a crawl reaches if it passes at most `depth` irrelevant pages in a row."""
        best = dict.fromkeys(self.seeds, 0)
        queue = deque(self.seeds)
        while queue:
            url = queue.popleft()
            on_topic = url in self.seeds or self.labels[url].topic == self.topic
            redirect = bool(self.labels[url].redirect)
            run = best[url] if redirect else 0 if on_topic else best[url] + 1
            if run > depth:
                continue
            for target in self.graph.get(url, ()):
                if run < best.get(target, depth + 1):
                    best[target] = run
                    queue.append(target)
        return self.relevant.intersection(best)


def canonical(web: SyntheticWeb, url: str) -> str:
    """The canonical form of an address in any variant."""
    return web.label(url).url


def walk(web: SyntheticWeb, seeds: tuple[str, ...]) -> tuple[dict[str, Label], dict[str, tuple[str, ...]]]:
    """Labels of all addresses that are named, and the links of those that may be fetched and followed."""
    labels: dict[str, Label] = {}
    graph: dict[str, tuple[str, ...]] = {}
    queue = deque(canonical(web, seed) for seed in seeds)
    known: dict[str, Label] = {}
    while queue:
        url = queue.popleft()
        if url in labels:
            continue
        label = labels[url] = known.pop(url) if url in known else web.label(url)
        if not expands(web, label):
            continue
        targets = [label.redirect] if label.redirect else [link for link, rel in web.links(url) if "nofollow" not in rel]
        found = [web.label(target) for target in targets]
        graph[url] = tuple(dict.fromkeys(item.url for item in found if item.kind != "unknown"))
        known.update((item.url, item) for item in found if item.url not in labels)
        queue.extend(graph[url])
    return labels, graph


def expands(web: SyntheticWeb, label: Label) -> bool:
    """Whether the links of an address are ever seen and followed."""
    host = web.host_of(label.url)
    if host is None or not label.allowed or label.nofollow or label.trap:
        return False
    fault = fault_of(web.plan.seed, host, label.url.split(host.name + web.facts.suffix, 1)[1])
    return fault.times < ALWAYS or fault.kind == "cut"


def truth(web: SyntheticWeb, topic: str, seeds: tuple[str, ...]) -> Truth:
    """Walk the web from the seeds. ValueError for a web that is too large to walk."""
    if web.plan.pages > MOST_PAGES:
        raise ValueError(f"a web of {web.plan.pages} pages is not walked; ask for single labels")
    labels, graph = walk(web, seeds)
    on_topic = {url: label for url, label in labels.items() if label.topic == topic and label.allowed}
    articles = {url: label for url, label in on_topic.items() if label.kind == "article" and not label.noindex}
    origins = {web.facts.url(host, ""): host for host in web.hosts}
    rules = {origin: web.facts.rules[host.index] for origin, host in origins.items()}
    return Truth(
        topic=topic,
        seeds=tuple(canonical(web, seed) for seed in seeds),
        labels=labels,
        graph=graph,
        relevant=frozenset(url for url, label in articles.items() if not label.duplicate and not label.fault),
        failing=frozenset(url for url, label in articles.items() if not label.duplicate and label.fault),
        hubs=frozenset(url for url, label in on_topic.items() if label.kind in HUBS and not label.duplicate),
        duplicates={url: label.duplicate_of for url, label in on_topic.items() if label.duplicate},
        forbidden=frozenset(url for url, label in labels.items() if not label.allowed),
        noindex=frozenset(url for url, label in labels.items() if label.noindex and label.allowed),
        disallowed={origin: ("/",) if rule.status >= 500 else rule.disallow for origin, rule in rules.items()},
        traps={origin: tuple(PREFIXES) for origin, host in origins.items() if host.role.traps},
    )
