"""The arguments of a crawl (`-a NAME=VALUE`): text from a command line or from Scrapyd in, checked values out."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from focuscrawl.config.seed_list import typed_url
from focuscrawl.errors import BadInput, close_match, nearest, quoted
from focuscrawl.frontier.partition import parse_part

LONGEST_NAME = 100
"""Characters of a crawl's name."""
LONGEST_NAME_BYTES = 240
"""File systems take 255 bytes, of which a few are needed for the endings of files that are named after a crawl."""
SCRAPYD_ARGUMENTS = frozenset({"_job", "_version"})
"""Arguments that Scrapyd adds to those of a job."""
OF_TOPIC_FILES = {
    "title": "topic", "negative_examples": "topic", "languages": "topic", "threshold": "topic", "synonyms": "topic",
    "negative_terms": "topic", "weights": "topic", "include": "scope", "exclude": "scope", "hosts": "scope",
    "one_site": "scope",
}  # fmt: skip
"""What only a topic file can say, and in which of its tables."""
LARGEST = 10**15
"""Largest value of any count: far above what a crawl can reach, and exact as a float in JSON and in every database."""

Strategy = Literal[
    "learned", "best-first", "breadth-first", "depth-first", "naive-bayes", "topicalrank", "weight", "hits", "bounded"
]
"""Names of the order strategies. A test compares them with `models.order.strategies.STRATEGIES`."""

_SEPARATOR = re.compile("[,，、；]")
"""Not the semicolon of ASCII, which may be part of a URL."""
_PART = re.compile(r"(?:《[^《》]{0,100}》|\\[,，、；]|[^,，、；])+")
_WITHIN = re.compile(r"\\([,，、；])")


def split_list(text: str) -> tuple[str, ...]:
    r"""`a, b，c、d；a` -> ("a", "b", "c", "d"): the parts between commas, Chinese ones too, and Chinese semicolons; each once,
    without empty ones. One behind a backslash, or in the title of a work, belongs to its part: `a\,b，《c，d》` ->
    ("a,b", "《c，d》")."""
    parts = (_WITHIN.sub(r"\1", part).strip() for part in _PART.findall(text))
    return tuple(dict.fromkeys(part for part in parts if part))


def list_of(parts: Iterable[str]) -> str:
    """The text that `split_list` splits into these parts."""
    return ",".join(_SEPARATOR.sub(r"\\\g<0>", part) for part in parts)


def has_control(text: str) -> bool:
    """Whether the text has control characters or lone surrogates, which words and names must not have."""
    return not text.isprintable() and any(unicodedata.category(char) in ("Cc", "Cs") for char in text)


def check_name(name: str, where: str) -> str:
    """The name, if a crawl and its directory may be called so.

    Args:
        where: what the name is or where it stands, for the message.

    Raises:
        BadInput: it is empty, too long, hidden, not a plain file name, or cannot be printed.
    """
    problem = _name_problem(name)
    if problem:
        raise BadInput(f"{where}: {quoted(name)} {problem}; give a plain file name, such as web-crawlers.")
    return name


def _name_problem(name: str) -> str:
    if not name.strip():
        return "is empty"
    if len(name) > LONGEST_NAME:
        return f"is longer than {LONGEST_NAME} characters"
    if len(name.encode("utf-8", "replace")) > LONGEST_NAME_BYTES:
        return f"is longer than {LONGEST_NAME_BYTES} bytes ({LONGEST_NAME_BYTES // 3} Chinese characters)"
    if "/" in name or "\\" in name:
        return "holds a slash"
    if name.startswith((".", "-", "~")):
        return f"begins with {name[0]!r}"
    if has_control(name) or any(unicodedata.category(char) in ("Cf", "Zl", "Zp") for char in name):
        return "holds control characters"
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return f"cannot name a file while the encoding is {sys.getfilesystemencoding()} (set PYTHONUTF8=1)"
    return "begins or ends with a space" if name != name.strip() else ""


# --- the arguments ---------------------------------------------------------------------------------------------------------


def _words(value: object) -> object:
    if not isinstance(value, str):
        return value
    if has_control(value):
        raise ValueError("control characters are not allowed")
    words = split_list(value)
    if value and not words:
        raise ValueError(f"{quoted(value)} names nothing")
    return words


def _instance(text: str) -> str:
    url, problem = typed_url(text)
    if problem:
        raise BadInput(f"discover: {problem}")
    return url.partition("?")[0]  # it may hold a secret, and is not sent


def _part(text: str) -> str:
    parse_part(text)
    return text


def _ascii_digits(value: object) -> object:
    """`５０` -> `50`, as keyboards for Chinese may write it; options and settings take it, too."""
    return unicodedata.normalize("NFKC", value) if isinstance(value, str) else value


Words = Annotated[tuple[str, ...], BeforeValidator(_words)]
Whole = Annotated[int, BeforeValidator(_ascii_digits)]
Number = Annotated[float, BeforeValidator(_ascii_digits)]
Count = Annotated[Whole, Field(ge=1, le=LARGEST)]
_COUNT = "a whole number, 1 or more (leave it out for no limit)"


def _argument(meaning: str, wanted: str = "", default: object = None, **limits: Any) -> Any:
    """An argument. `wanted` completes the sentence "NAME: 'value' is not …" where the type alone does not."""
    return Field(default, description=meaning, json_schema_extra={"wanted": wanted}, **limits)


class CrawlArguments(BaseModel):
    """What a user may give with `-a`. None and empty mean: not given."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seeds: str = _argument(
        "seed files (plain text with one URL per line, or TOML topic files), or URLs",
        "the path of a seed file",
        default="",
    )
    keywords: Words = _argument("words of the topic; they replace the file's", "a list of words", default=())
    examples: Words = _argument(
        "example pages, as URLs or local files; they replace the file's", "a list of URLs and files", default=()
    )
    name: Annotated[str, AfterValidator(lambda name: check_name(name, "name"))] = _argument(
        "name of the crawl and of its directory", "text", default=""
    )
    strategy: Strategy = _argument("order strategy: decides which waiting URL is fetched next", default="learned")
    important: Words = _argument(
        "hosts or registered domains that come first, or files with one per line; they replace the file's",
        "a list of names",
        default=(),
    )
    max_pages: Count | None = _argument("stop after this many pages stored with status 200", _COUNT)
    max_relevant: Count | None = _argument("stop after this many relevant pages", _COUNT)
    max_requests: Count | None = _argument("stop after this many requests, including those for robots.txt", _COUNT)
    max_pages_per_host: Count | None = _argument("at most this many pages of one host", _COUNT)
    max_pages_per_site: Count | None = _argument("at most this many pages of one site (registered domain)", _COUNT)
    max_depth: Whole | None = _argument(
        "at most this many clicks from a seed; 0: only the seeds", "a whole number, 0 or more", ge=0, le=LARGEST
    )
    at_edge: Literal["stop", "go-on", "recrawl"] = _argument(
        "what to do when no waiting URL is expected to be relevant any more", default="stop"
    )
    discover: Annotated[str, AfterValidator(_instance)] = _argument(
        "URL of a SearXNG instance, which the crawl searches for the topic's words while it runs",
        "the URL of one",
        default="",
    )
    minutes: Number | None = _argument(
        "stop after this many minutes", "a number above 0", gt=0, le=LARGEST, allow_inf_nan=False
    )
    mode: Literal["crawl", "recrawl"] = _argument(
        "recrawl: revisit the pages of an existing crawl, and fetch new pages", default="crawl"
    )
    revisit: Literal["due", "all"] = _argument("which pages a recrawl revisits: due, or all", default="due")
    budget: Count | None = _argument(
        "of a recrawl: at most this many requests", "a whole number of requests, 1 or more (leave it out for no limit)"
    )
    partition: Annotated[str, AfterValidator(_part)] = _argument(
        "this worker's part of the hosts, i/n (static allocation)", "i/n such as 2/4", default=""
    )

    @property
    def is_recrawl(self) -> bool:
        """Whether the user asked for a recrawl. A crawl that turns to revisiting at its edge is not one."""
        return self.mode == "recrawl"

    @property
    def fetches_all(self) -> bool:
        """Whether everything but mirrors is fetched in the end: nothing ends at the edge, and barren parts only wait."""
        return self.at_edge == "go-on"


OF_RECRAWL = ("name", "mode", "revisit", "budget", "minutes")
"""Arguments that a recrawl takes: everything else it has from the crawl itself."""
ONLY_OF_RECRAWL = ("revisit", "budget")
"""Arguments that a crawl does not take."""


def parse_arguments(arguments: Mapping[str, object], as_options: Collection[str] = ()) -> CrawlArguments:
    """The checked arguments of a crawl or recrawl.

    Args:
        arguments: text as `-a` and Scrapyd give it; from a script, numbers and lists too. What Scrapyd adds is dropped.
            `crawl` is another word for `name`, which Scrapyd's schedule.json cannot pass on.
        as_options: the arguments that were given as options of a command, such as `--budget`: the sentence names them so.

    Raises:
        BadInput: one sentence for the first argument that is unknown (with the nearest name), does not belong to the mode,
            or has a value that cannot be used.
    """
    given = {
        name: value.strip() if isinstance(value, str) else value
        for name, value in arguments.items()
        if name not in SCRAPYD_ARGUMENTS
    }
    if "crawl" in given and "name" in given:
        raise BadInput("name and crawl mean the same; give only one of them.")
    if "crawl" in given:
        given["name"] = given.pop("crawl")
    for name in given:
        if name not in CrawlArguments.model_fields:
            raise BadInput(f"There is no argument {quoted(name)}{_instead(name)}")
    _check_mode(given)
    try:
        return CrawlArguments.model_validate(given)
    except ValidationError as error:
        raise _first_problem(error, given, as_options) from None


def _instead(unknown: str) -> str:
    """The end of a sentence about an unknown argument: what says in a topic file what it is to say, or the nearest argument."""
    key = close_match(unknown, [*CrawlArguments.model_fields, *OF_TOPIC_FILES])
    if key in OF_TOPIC_FILES:
        return f"; a topic file can say it: {key} in its table [{OF_TOPIC_FILES[key]}], see seeds/README.md."
    return nearest(unknown, CrawlArguments.model_fields)


def _check_mode(given: Mapping[str, object]) -> None:
    """Raises BadInput unless the arguments fit the mode: a crawl needs seeds; a recrawl needs the crawl's name, and takes
    nothing that it has from the crawl itself."""
    mode = given.get("mode", "crawl")
    if mode == "crawl":
        for name in ONLY_OF_RECRAWL:
            if name in given:
                raise BadInput(f"{name} is only for a recrawl: also give -a mode=recrawl, or leave out {name}.")
        if not given.get("seeds"):
            raise BadInput(
                "No seeds are given: give -a seeds=FILE, a file with one URL per line or a TOML topic file,"
                " or -a seeds=https://example.org/."
            )
    if mode == "recrawl":
        for name in given:
            if name not in OF_RECRAWL:
                raise BadInput(
                    f"mode=recrawl takes no {name}: it uses that of the crawl. It takes name, revisit, budget and minutes."
                )
        if "name" not in given:
            raise BadInput("mode=recrawl: which crawl? Give -a name=NAME (in Scrapyd crawl=NAME).")


def _first_problem(error: ValidationError, given: Mapping[str, object], as_options: Collection[str]) -> BadInput:
    """The first of pydantic's errors as one sentence. A validator's own BadInput is that sentence already."""
    problem = error.errors(include_url=False)[0]
    name = str(problem["loc"][0])
    shown = f"--{name}" if name in as_options else name
    cause = problem.get("ctx", {}).get("error")
    if isinstance(cause, BadInput):
        return cause
    if problem["type"] == "value_error":
        return BadInput(f"{shown}: {cause}.")
    field = CrawlArguments.model_fields[name]
    if get_origin(field.annotation) is Literal:
        words = get_args(field.annotation)
        close = close_match(str(given[name]), words, cutoff=0.6)
        wanted, hint = f"{', '.join(words[:-1])} or {words[-1]}", f" (did you mean {close}?)" if close else ""
    else:
        extra = field.json_schema_extra
        wanted, hint = str(extra["wanted"]) if isinstance(extra, dict) else "", ""
    return BadInput(f"{shown}: {quoted(str(given[name]))} is not {wanted}{hint}.")
