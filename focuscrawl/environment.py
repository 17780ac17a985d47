"""Settings from the environment, for systemd units, containers and Scrapyd: FOCUSCRAWL_CRAWLS_DIR=/srv/crawls."""

from __future__ import annotations

from collections.abc import Collection, Mapping

PREFIX = "FOCUSCRAWL_"


def from_environment(environment: Mapping[str, str], names: Collection[str]) -> dict[str, str]:
    """The settings among `names` that the environment gives, as text; an empty one is not given. `-s` beats them."""
    said = {name.removeprefix(PREFIX): value for name, value in environment.items() if name.startswith(PREFIX)}
    return {name: value for name, value in said.items() if value and name.isupper() and name in names}
