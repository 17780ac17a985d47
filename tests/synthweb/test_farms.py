"""A trapped web: doors lead from good pages into the trap, and the trap has no end."""

from __future__ import annotations

import re
from collections import deque
from urllib.parse import urljoin

import pytest

from synthweb.farms import FIFTH, FIRST, FOURTH, SECOND, THIRD, TRAPS, Dress, Trap, good_web, trapped

MANY = 60


def links(url: str, body: bytes) -> list[str]:
    return [urljoin(url, href.replace("&amp;", "&")) for href in re.findall(r'href="([^"]+)"', body.decode("latin-1"))]


@pytest.mark.parametrize("dress", [FIRST, SECOND, THIRD, FOURTH, FIFTH], ids=["first", "second", "third", "fourth", "fifth"])
@pytest.mark.parametrize("name", sorted(TRAPS))
def test_doors_lead_into_a_trap_without_end(name: str, dress: Dress) -> None:
    web = trapped(name, good_web(), dress)
    trap = web.trap
    assert isinstance(trap, Trap)
    home = web.web.facts.url(trap.home, "/")
    opened = [web.web.facts.url(trap.home, web.web.facts.path(trap.home, number)) for number in range(40)]
    doors = [link for url in opened if (answer := web.answer(url)) for link in links(url, answer.body) if web.is_trap(link)]
    assert doors
    assert not web.is_trap(home)
    known, waiting = set(doors), deque(doors)
    for _ in range(MANY):
        url = waiting.popleft()
        answer = web.answer(url)
        assert answer is not None
        assert answer == web.answer(url)
        further = [dict(answer.headers)["Location"]] if answer.status == 302 else links(url, answer.body)
        new = [link for link in further if web.is_trap(link) and link not in known]
        known.update(new)
        waiting.extend(new)
    assert len(known) >= MANY


def test_the_good_web_is_as_it_was_but_for_doors() -> None:
    web, plain = trapped("link-farm", good_web()), trapped("", good_web())
    url = plain.web.facts.url(plain.web.hosts[0], "/missing/1.html")
    assert web.answer(url) == plain.answer(url)
    assert plain.answer("http://www.starfarm.test/") is None
    assert not plain.is_trap("http://www.starfarm.test/p/1.html")
    assert web.is_trap("http://www.starfarm.test/robots.txt")
