"""A client for Scrapyd (https://scrapyd.readthedocs.io/en/latest/api.html): schedules, lists and cancels jobs over HTTP.

It uses the standard library, because it needs only three small calls, each with a time limit. The URL may contain a user and a
password, which are never shown.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import datetime
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import unquote, urlencode, urljoin, urlsplit, urlunsplit
from urllib.request import ProxyHandler, Request, build_opener

import orjson

from focuscrawl.dashboard.job_list import ENDED, RUNNING, SCRAPYD, WAITING, ListedJob, crawl_of, new_id
from focuscrawl.errors import BadInput

PROJECT, SPIDER = "focuscrawl", "topic"
"""The project name that `scrapyd-deploy` uses (see scrapy.cfg), and the spider."""
SECONDS = 10.0
MOST_BYTES = 4_000_000


class Scrapyd:
    """One Scrapyd server."""

    def __init__(self, url: str) -> None:
        """`url`: the setting SCRAPYD_URL. Raises BadInput if it is not an HTTP URL."""
        try:
            parts = urlsplit(url if "://" in url else f"http://{url}")
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput("SCRAPYD_URL must be the URL of a Scrapyd, such as http://127.0.0.1:6800/")
        login, _, place = parts.netloc.rpartition("@")
        self.url = urlunsplit((parts.scheme, place, parts.path.rstrip("/") + "/", "", ""))
        """The URL without user and password."""
        token = base64.b64encode(unquote(login).encode()).decode()
        self._headers = {"Authorization": f"Basic {token}"} if login else {}
        self._opener = build_opener(ProxyHandler({}))  # the dashboard asks this server, and no proxy with its password

    def schedule(self, arguments: Mapping[str, str]) -> str:
        """Schedule a crawl or recrawl. Returns the job's id. Raises BadInput with Scrapyd's message if it refuses.

        `arguments`: those of `scrapy crawl topic`. They must contain `name`, which is sent to Scrapyd as `crawl`."""
        given = {"crawl" if name == "name" else name: value for name, value in arguments.items()}
        number = new_id(arguments["name"])
        answer = self._ask("schedule.json", {"project": PROJECT, "spider": SPIDER, "jobid": number, **given})
        return str(answer.get("jobid", number))

    def jobs(self) -> list[ListedJob]:
        """Pending, running and finished jobs. Raises BadInput if Scrapyd does not answer."""
        answer = self._ask(f"listjobs.json?{urlencode({'project': PROJECT})}")
        return [
            self._job(job, state)
            for name, state in (("pending", WAITING), ("running", RUNNING), ("finished", ENDED))
            for job in answer.get(name, [])
            if job.get("spider") == SPIDER
        ]

    def cancel(self, number: str) -> None:
        """Ask a job to end after what is in flight. Raises BadInput if Scrapyd refuses or does not answer."""
        self._ask("cancel.json", {"project": PROJECT, "job": number, "signal": "TERM"})

    def _job(self, job: Mapping[str, Any], state: str) -> ListedJob:
        number = str(job.get("id", ""))
        given = job.get("args") or {}
        log = str(job.get("log_url") or "")
        name = str(given.get("crawl") or crawl_of(number))
        return ListedJob(
            number, SCRAPYD, name, str(given.get("mode") or ""), state,
            _seconds(job.get("start_time")), _seconds(job.get("end_time")), log=urljoin(self.url, log) if log else "",
        )  # fmt: skip

    def _ask(self, path: str, fields: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The JSON answer of an API endpoint; a POST request if there are fields. Raises BadInput if it reports no success."""
        data = urlencode(fields).encode() if fields is not None else None
        try:
            with self._opener.open(Request(urljoin(self.url, path), data, self._headers), timeout=SECONDS) as answer:
                found = orjson.loads(answer.read(MOST_BYTES))
        except HTTPError as error:
            why = "its user and password are to stand in SCRAPYD_URL" if error.code == 401 else f"status {error.code}"
            raise BadInput(f"the Scrapyd at {self.url} refuses: {why}") from None
        except (OSError, HTTPException, orjson.JSONDecodeError) as error:
            raise BadInput(f"the Scrapyd at {self.url} does not answer: {getattr(error, 'reason', error)}") from None
        if not isinstance(found, dict) or found.get("status") != "ok":
            message = str(found.get("message", "")) if isinstance(found, dict) else ""
            raise BadInput(f"the Scrapyd at {self.url} refuses: {message[:300] or 'it does not say why'}")
        return found


def _seconds(text: object) -> float | None:
    """Seconds since the epoch. Scrapyd reports its local time without a time zone; it is assumed to be ours."""
    try:
        return datetime.fromisoformat(str(text)).timestamp() if text else None
    except ValueError:
        return None
