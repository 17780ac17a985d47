"""The arguments of `scrapy crawl topic`: text from a command line or from Scrapyd in, checked values out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from focuscrawl.errors import BadInput, close_match, nearest, quoted
from focuscrawl.frontier.partition import parse_part

LONGEST_NAME = 100
"""Characters of a crawl's name."""
_LONGEST_NAME_BYTES = 240
SCRAPYD_ARGUMENTS = frozenset({"_job", "_version"})
"""What Scrapyd adds to a job's arguments for itself."""
_COMMAS = re.compile(r"[,，、]")
_LARGEST = 10**15


def split_list(value: object) -> object:
    """`a, b，c、a` -> ("a", "b", "c"): parts between commas, Chinese ones too, each once."""
    if not isinstance(value, str):
        return value
    parts = (part.strip() for part in _COMMAS.split(value))
    return tuple(dict.fromkeys(part for part in parts if part))


Strategy = Literal[
    "learned", "best-first", "breadth-first", "depth-first", "naive-bayes", "topicalrank", "weight", "hits", "bounded"
]
"""Names of the order strategies; a test holds `models.order.strategies.STRATEGIES` to them."""
Words = Annotated[tuple[str, ...], BeforeValidator(split_list)]
Count = Annotated[int, Field(ge=1, le=_LARGEST)]


class CrawlArguments(BaseModel):
    """What a user may say with `-a`. None and empty mean: not said."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seeds: str = Field(default="", description="plain text file with one address a line, or a TOML topic file")
    keywords: Words = Field(default=(), description="words of the topic, comma-separated; beats the file's")
    examples: Words = Field(default=(), description="example pages, addresses or local files; beats the file's")
    name: str = Field(default="", description="name of the crawl and of its directory")
    strategy: Strategy = Field(default="learned", description="which link is followed next")
    important: Words = Field(default=(), description="hosts or registered domains that count as important (strategy weight)")
    max_pages: Count | None = Field(default=None, description="stop after so many pages stored with status 200")
    max_relevant: Count | None = Field(default=None, description="stop after so many relevant pages")
    max_pages_per_host: Count | None = Field(default=None, description="pages of one host at most")
    max_depth: Annotated[int, Field(ge=0, le=_LARGEST)] | None = Field(
        default=None, description="clicks from a seed at most; 0: the seeds only"
    )
    at_edge: Literal["stop", "go-on", "recrawl"] = Field(
        default="stop", description="when nothing that waits promises a relevant page any more"
    )
    minutes: Annotated[float, Field(gt=0, le=_LARGEST, allow_inf_nan=False)] | None = Field(
        default=None, description="stop after so many minutes"
    )
    mode: Literal["crawl", "recrawl"] = Field(
        default="crawl", description="recrawl: look again at the pages of a crawl that is there, and at what is new since"
    )
    revisit: Literal["due", "all"] = Field(default="due", description="what a recrawl looks at: what is due, or every page")
    budget: Count | None = Field(default=None, description="of a recrawl: requests at most")
    partition: str = Field(default="", description="static allocation: i/n, this worker's part of the hosts")


OF_RECRAWL = ("name", "mode", "revisit", "budget", "minutes")
"""What may be said of a recrawl: it has the rest from the crawl itself."""
ONLY_OF_RECRAWL = ("revisit", "budget")

_WANTED = {
    "at_edge": "stop, go-on or recrawl",
    "mode": "crawl or recrawl",
    "revisit": "due or all",
    "budget": "a whole number of requests, 1 or more (leave it out for no limit)",
    "seeds": "the path of a seed file",
    "max_depth": "a whole number, 0 or more",
    "minutes": "a number above 0",
    "max_pages": "a whole number, 1 or more (leave it out for no limit)",
    "max_relevant": "a whole number, 1 or more (leave it out for no limit)",
    "max_pages_per_host": "a whole number, 1 or more (leave it out for no limit)",
}


def parse_arguments(args: Mapping[str, str]) -> CrawlArguments:
    """The checked arguments. Raises BadInput, one sentence, for the first that cannot be.

    Those of Scrapyd are dropped. `crawl` is another word for `name`, which Scrapyd cannot pass on. Unknown names are
    refused with the nearest valid one.
    """
    said = {key: value for key, value in args.items() if key not in SCRAPYD_ARGUMENTS}
    given = {key: value.strip() if isinstance(value, str) else value for key, value in said.items()}
    if "crawl" in given and "name" in given:
        raise BadInput("name and crawl say the same; give one of them.")
    if "crawl" in given:
        given["name"] = given.pop("crawl")
    for key in given:
        if key not in CrawlArguments.model_fields:
            raise BadInput(f"There is no argument {quoted(key)}{nearest(key, CrawlArguments.model_fields)}")
    _check_mode(given)
    if "name" in given:
        check_name(given["name"], "name")
    if "partition" in given:
        parse_part(given["partition"])
    for key in ("keywords", "examples"):
        if has_control(given.get(key, "")):
            raise BadInput(f"{key}: control characters are not allowed.")
    try:
        return CrawlArguments.model_validate(given)
    except ValidationError as error:
        raise _first_problem(error, given) from None


def _check_mode(given: Mapping[str, str]) -> None:
    """Does all of it belong to this mode? A crawl needs seeds; a recrawl needs the crawl's name, and nothing that it has."""
    mode = given.get("mode", "crawl")
    if mode == "crawl":
        for key in ONLY_OF_RECRAWL:
            if key in given:
                raise BadInput(f"{key} belongs to a recrawl: say -a mode=recrawl too, or leave {key} out.")
        if not given.get("seeds"):
            raise BadInput("No seeds are given: say -a seeds=FILE, a file with one address a line or a TOML topic file.")
    if mode == "recrawl":
        for key in given:
            if key not in OF_RECRAWL:
                raise BadInput(
                    f"mode=recrawl takes no {key}, but what the crawl has; it takes name, revisit, budget and minutes."
                )
        if "name" not in given:
            raise BadInput("mode=recrawl: which crawl? Say -a name=NAME (in Scrapyd crawl=NAME).")


def check_name(name: str, where: str) -> str:
    """The name if a directory may be called so; else BadInput, which says where it stands."""
    problem = _name_problem(name)
    if problem:
        raise BadInput(f"{where}: {quoted(name)} {problem}; a plain file name is wanted, such as web-crawlers.")
    return name


def has_control(text: str) -> bool:
    """Are there control characters or lone surrogates in it? Neither has a place in words and names."""
    return not text.isprintable() and any(unicodedata.category(char) in ("Cc", "Cs") for char in text)


def _first_problem(error: ValidationError, given: Mapping[str, Any]) -> BadInput:
    field = str(error.errors(include_url=False)[0]["loc"][0])
    hint, wanted = "", _WANTED.get(field, "valid")
    if field == "strategy":
        names = get_args(Strategy)
        close = close_match(str(given[field]), names, cutoff=0.6)
        hint, wanted = f" (did you mean {close}?)" if close else "", f"{', '.join(names[:-1])} or {names[-1]}"
    return BadInput(f"{field}: {quoted(str(given[field]))} is not {wanted}{hint}.")


def _name_problem(name: str) -> str:
    if not name.strip():
        return "is empty"
    if len(name) > LONGEST_NAME or len(name.encode("utf-8", "replace")) > _LONGEST_NAME_BYTES:
        return f"is longer than {LONGEST_NAME} characters"
    if "/" in name or "\\" in name:
        return "holds a slash"
    if name.startswith((".", "-", "~")):
        return f"begins with {name[0]!r}"
    if has_control(name) or any(unicodedata.category(char) in ("Cf", "Zl", "Zp") for char in name):
        return "holds control characters"
    return "begins or ends with a space" if name != name.strip() else ""
