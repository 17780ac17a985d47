"""Topics made of a recorded web itself, without labels: cheap, so that there are hundreds of them.

- `prefix`: pages whose URLs begin alike (a directory, a manual, a family of file names);
- `section`: pages listed under one heading of one page, or below one page in the manual's tree (`rel=up`);
- `cluster`: pages of like words, on whatever hosts: TF-IDF without the words that a host's pages share, latent dimensions
  (truncated SVD), k-means;
- `neighbourhood`: pages within three links of a page drawn at random that are most like it;
- `kind`: pages of one kind (source code, tutorials, lists of names …) on many hosts, whatever they are about (kinds.py).

Each has twelve random examples, keywords (the strongest words of its pages against the web's) and seeds that reach nearly all
of it: a few home pages of other hosts and the front page of a portal; for half of the topics the home page of its first host,
too (`near`), for a quarter a page elsewhere that links to one of its hosts (`listed`), for a quarter nothing more (`far`).
"""

from __future__ import annotations

import random
import re
import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.cluster import MiniBatchKMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer
from sklearn.preprocessing import normalize

from tools.eval.webs.kinds import kinds_of
from tools.eval.webs.recorded import meta, set_topics
from tools.eval.webs.words import Glance, glances

LEAST, MOST = 42, 400
"""Pages of a topic, its examples among them: 30 to be found at least."""
LEAST_OF_KIND, MOST_OF_KIND = 30, 1000
"""The same for kinds of page: rarer ones are on many hosts all the same, and common ones on all of some."""
EXAMPLES = 12
KEYWORDS = 6
SAME = 0.5
"""Two topics that share more of their pages (Jaccard) are one."""
SHARED_BY_HOST = 0.4
"""A word on more of a host's pages is the host's boilerplate."""
PAGES_A_CLUSTER = 130
LATENT = 100
STEPS = 3
LIKE = 0.12
"""Cosine of a neighbour's text to the page drawn, at least."""
DRAWS = 400
"""Neighbourhoods that are looked at."""
REACHED = 0.8
"""Of a topic's pages, from its seeds, at least."""
OTHERS = (2, 6)
"""Home pages of hosts without pages of the topic, among the seeds."""
NEAR, LISTED, FAR = "near", "listed", "far"
SPREAD = "spread"
"""Of a kind of page: seeds are home pages of any hosts, which may have some of it."""


@dataclass(frozen=True)
class Made:
    """Pages that make a topic, by number."""

    kind: str
    title: str
    pages: frozenset[int]


class MadeWeb:
    """What topics are made from."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.pages: list[Glance] = glances(db)
        self.hosts = [page.url.split("/")[2] for page in self.pages]
        self.size = Counter(self.hosts)
        labels = db.execute("select labels from page where status = 200 order by url")
        self.portals = {number for number, (mine,) in enumerate(labels) if '"portal"' in (mine or "")}
        self.matrix, self.vocabulary = _tfidf([page.words for page in self.pages], self.hosts)
        numbers = {page.url: number for number, page in enumerate(self.pages)}
        self.homes = [numbers[url] for url in meta(db, "homes") or [] if url in numbers] or self._likely_homes()

    def _likely_homes(self) -> list[int]:
        """The page with the shortest URL of each host, for a web that names no home pages."""
        first: dict[str, int] = {}
        for number in sorted(range(len(self.pages)), key=lambda number: (len(self.pages[number].url), number)):
            first.setdefault(self.hosts[number], number)
        return sorted(first.values())


def _tfidf(texts: Sequence[Sequence[str]], hosts: Sequence[str]) -> tuple[csr_matrix, np.ndarray]:
    """Rows of length 1, a page each; words that most pages of a host have count nothing on that host."""
    vectorizer = TfidfVectorizer(
        analyzer=lambda words: words, min_df=5, max_df=0.2, sublinear_tf=True, dtype=np.float32, norm=None
    )  # fmt: skip
    matrix = vectorizer.fit_transform(texts).tocsr()
    vocabulary = vectorizer.get_feature_names_out()
    matrix = matrix[:, (kept := np.array([word not in ENGLISH_STOP_WORDS for word in vocabulary]))].tocsr()
    names = np.array(hosts)
    for host, size in Counter(hosts).items():
        rows = np.flatnonzero(names == host)
        if size < 10:
            continue
        shared = np.flatnonzero(np.asarray((matrix[rows] > 0).sum(axis=0)).ravel() > SHARED_BY_HOST * size)
        for row in rows:
            part = slice(matrix.indptr[row], matrix.indptr[row + 1])
            matrix.data[part][np.isin(matrix.indices[part], shared)] = 0
    matrix.eliminate_zeros()
    return normalize(matrix).tocsr(), vocabulary[kept]


# ---------------------------------------------------------------- the makers
def prefixes(web: MadeWeb, rng: random.Random) -> Iterator[Made]:
    """Pages of one host whose URLs begin alike up to a `/`, `-`, `_`, `.` or a capital letter."""
    groups: dict[str, set[int]] = {}
    for number, page in enumerate(web.pages):
        host, path = page.url.split("/", 3)[2:]
        for end in re.finditer(r"[/._-]|(?<=[a-z])(?=[A-Z])", path):
            groups.setdefault(f"{host}/{path[: end.end()]}", set()).add(number)
        groups.setdefault(f"{host}/", set()).add(number)
    for prefix, pages in sorted(groups.items()):
        yield Made("prefix", prefix, frozenset(pages))


def sections(web: MadeWeb, rng: random.Random) -> Iterator[Made]:
    """What a page lists under a heading, and the pages below a page."""
    below: dict[int, list[int]] = {}
    for number, page in enumerate(web.pages):
        if page.up is not None and page.up != number:
            below.setdefault(page.up, []).append(number)
        for heading, listed in page.listed:
            if LEAST <= len(set(listed)) <= MOST:
                yield Made("section", f"{heading or page.title} ({page.url})", frozenset(listed))
    for number in below:
        found, queue = {number}, deque([number])
        while queue:
            for child in below.get(queue.popleft(), ()):
                if child not in found:
                    found.add(child)
                    queue.append(child)
        yield Made("section", web.pages[number].title, frozenset(found))


def clusters(web: MadeWeb, rng: random.Random) -> Iterator[Made]:
    """Pages of like words."""
    dimensions = min(LATENT, web.matrix.shape[1] - 1)
    latent = normalize(TruncatedSVD(dimensions, random_state=rng.randrange(1 << 30)).fit_transform(web.matrix))
    centres = max(2, len(web.pages) // PAGES_A_CLUSTER)
    means = MiniBatchKMeans(centres, random_state=rng.randrange(1 << 30), batch_size=2048, n_init=3).fit(latent)
    for centre in range(centres):
        members = np.flatnonzero(means.labels_ == centre)
        near = latent[members] @ normalize(means.cluster_centers_[[centre]]).ravel()
        pages = frozenset(int(page) for page in members[near > 0.5])
        yield Made("cluster", " ".join(strongest(web, pages)[:3]) if pages else "", pages)


def neighbourhoods(web: MadeWeb, rng: random.Random) -> Iterator[Made]:
    """Pages near a page by links and by words, of DRAWS pages drawn."""
    for _ in range(DRAWS):
        start = rng.randrange(len(web.pages))
        near = [number for number, depth in depths(web.pages, [start], STEPS).items() if depth <= STEPS]
        like = (web.matrix[near] @ web.matrix[start].T).toarray().ravel()
        ranked = sorted(zip(like, near, strict=True), reverse=True)
        wanted = rng.randint(LEAST, 2 * PAGES_A_CLUSTER)
        pages = frozenset(number for cosine, number in ranked[:wanted] if cosine > LIKE)
        yield Made("neighbourhood", web.pages[start].title, pages)


def kinds(web: MadeWeb, rng: random.Random) -> Iterator[Made]:
    """Pages of one kind on many hosts."""
    for name, pages in kinds_of(web.pages, web.hosts):
        yield Made(KIND, name, pages)


Maker = Callable[[MadeWeb, random.Random], Iterator[Made]]
MAKERS: dict[str, Maker] = {
    "prefix": prefixes,
    "section": sections,
    "cluster": clusters,
    "neighbourhood": neighbourhoods,
}
KIND = "kind"


def depths(pages: Sequence[Glance], starts: Sequence[int], most: int = 1 << 30) -> dict[int, int]:
    """Links from the nearest of `starts` to each page that is reached within `most`."""
    found = dict.fromkeys(starts, 0)
    queue = deque(found)
    while queue:
        page = queue.popleft()
        if found[page] == most:
            continue
        for target in pages[page].links:
            if target not in found:
                found[target] = found[page] + 1
                queue.append(target)
    return found


def strongest(web: MadeWeb, pages: frozenset[int]) -> list[str]:
    """The words by which the pages stand out, the strongest first."""
    rows = sorted(pages)
    weights = np.asarray(web.matrix[rows].mean(axis=0) - web.matrix.mean(axis=0)).ravel()
    return [str(web.vocabulary[place]) for place in np.argsort(-weights)[:KEYWORDS] if weights[place] > 0]


# ---------------------------------------------------------------- whole topics
def make_topics(db: sqlite3.Connection, count: int) -> list[dict[str, Any]]:
    """Put `count` made topics of each kind, or as many as there are, into a web, instead of those it has. Kinds take turns,
    so that the first topics are a mixture; topics by kind of page come last."""
    web = MadeWeb(db)
    by_kind = []
    for kind, maker in (*MAKERS.items(), (KIND, kinds)):
        rng = random.Random(f"{kind}0")
        topics = (
            (_topic(web, made, f"{kind}-{number:03}", rng), made) for number, made in enumerate(chosen(web, maker, count, rng))
        )
        by_kind.append([(topic, made) for topic, made in topics if topic])
    kept = [pair for turn in zip_longest(*by_kind[:-1]) for pair in turn if pair] + by_kind[-1]
    members: dict[str, Sequence[str]] = {
        topic["id"]: [web.pages[number].url for number in sorted(made.pages)] for topic, made in kept
    }
    set_topics(db, [topic for topic, _ in kept], members)
    return [topic for topic, _ in kept]


def chosen(web: MadeWeb, maker: Maker, count: int, rng: random.Random) -> list[Made]:
    """At most `count` topics of the right size, from as many hosts as possible, no two of them nearly the same."""
    found = list(dict.fromkeys(_fitting(web, maker(web, rng))))
    rng.shuffle(found)
    kept: list[Made] = []
    by_host: Counter[str] = Counter()
    for limit in (1, 2, 4, len(found)):
        for made in found:
            main = Counter(web.hosts[number] for number in made.pages).most_common(1)[0][0]
            if len(kept) == count or by_host[main] >= limit:
                continue
            if all(len(made.pages & other.pages) <= SAME * len(made.pages | other.pages) for other in kept):
                kept.append(made)
                by_host[main] += 1
    return kept


def _fitting(web: MadeWeb, found: Iterator[Made]) -> Iterator[Made]:
    for made in found:
        pages = made.pages - web.portals
        least, most = (LEAST_OF_KIND, MOST_OF_KIND) if made.kind == KIND else (LEAST, MOST)
        if least <= len(pages) <= most:
            yield Made(made.kind, made.title, pages)


def _topic(web: MadeWeb, made: Made, name: str, rng: random.Random) -> dict[str, Any] | None:
    examples = rng.sample(sorted(made.pages), EXAMPLES)
    distance, seeds = (SPREAD, spread_seeds(web, made.pages, rng)) if made.kind == KIND else seeds_for(web, made.pages, rng)
    if not seeds:
        return None
    return {
        "id": name,
        "name": made.title,
        "kind": made.kind,
        "keywords": {"made": strongest(web, made.pages)},
        "rule": {},
        "distance": distance,
        "hosts": len({web.hosts[number] for number in made.pages}),
        "notes": "",
        "seeds": [web.pages[number].url for number in seeds],
        "count": len(made.pages),
        "share": round(len(made.pages) / len(web.pages), 5),
        "examples": [web.pages[number].url for number in examples],
    }


def seeds_for(web: MadeWeb, pages: frozenset[int], rng: random.Random) -> tuple[str, list[int]]:
    """How far the seeds are (NEAR, LISTED or FAR), and the seeds: a few home pages of other hosts and a portal's front page;
    when NEAR the home page of the topic's first host, when LISTED a page elsewhere that links to one of its hosts. More home
    pages are added only while these reach less than REACHED of the topic; no seeds if all together do not."""
    of_topic = Counter(web.hosts[number] for number in pages)
    portals = [home for home in web.homes if home in web.portals]
    others = [home for home in web.homes if home not in web.portals and web.hosts[home] not in of_topic]
    seeds = rng.sample(others, min(len(others), rng.randint(*OTHERS))) + rng.sample(portals, min(1, len(portals)))
    distance = rng.choice((NEAR, NEAR, LISTED, FAR))
    if distance == LISTED:
        if listing := _listing(web, of_topic):
            seeds.append(rng.choice(listing))
        else:
            distance = NEAR
    mine = [home for home in web.homes if web.hosts[home] == of_topic.most_common(1)[0][0]]
    if distance == NEAR:
        seeds += mine[:1]
    rest = rng.sample(portals, len(portals)) + rng.sample(others, len(others)) + mine
    rest = [home for home in rest if home not in seeds]
    reached = _reached(web, seeds, pages)
    while rest and reached < REACHED * len(pages):
        now = _reached(web, [*seeds, home := rest.pop(0)], pages)
        if now > reached:
            seeds, reached = [*seeds, home], now
            distance = NEAR if home in mine else distance
    return distance, sorted(set(seeds)) if reached >= REACHED * len(pages) else []


def spread_seeds(web: MadeWeb, pages: frozenset[int], rng: random.Random) -> list[int]:
    """A few home pages of any hosts and a portal's front page; more only while these reach less than REACHED of the topic."""
    homes = [home for home in web.homes if home not in pages]
    portals = [home for home in homes if home in web.portals]
    others = [home for home in homes if home not in web.portals]
    seeds = rng.sample(others, min(len(others), OTHERS[0])) + rng.sample(portals, min(1, len(portals)))
    rest = [home for home in rng.sample(portals, len(portals)) + rng.sample(others, len(others)) if home not in seeds]
    while rest and _reached(web, seeds, pages) < REACHED * len(pages):
        seeds.append(rest.pop(0))
    return sorted(seeds) if _reached(web, seeds, pages) >= REACHED * len(pages) else []


def _listing(web: MadeWeb, hosts: Container[str]) -> list[int]:
    """Pages of other hosts that link to one of these."""
    return [
        number
        for number, page in enumerate(web.pages)
        if web.hosts[number] not in hosts and any(web.hosts[target] in hosts for target in page.links)
    ]


def _reached(web: MadeWeb, seeds: Sequence[int], pages: frozenset[int]) -> int:
    found = depths(web.pages, seeds)
    return sum(number in found for number in pages)
