"""Crawls as jobs of a Scrapyd (https://scrapyd.readthedocs.io/en/latest/api.html): scheduled, listed, cancelled over HTTP.

Asked with the standard library: four small calls, each with a limit of time. The address may hold user and password, which
nothing shows.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Mapping
from datetime import datetime
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import unquote, urlencode, urljoin, urlsplit, urlunsplit
from urllib.request import ProxyHandler, Request, build_opener

import orjson

from focuscrawl.dashboard.job_list import ENDED, RUNNING, SCRAPYD, WAITING, ListedJob
from focuscrawl.errors import BadInput

PROJECT, SPIDER = "focuscrawl", "topic"
"""As `scrapyd-deploy` sends it: see scrapy.cfg."""
SECONDS = 10.0
MOST_BYTES = 4_000_000


class Scrapyd:
    """One server. `url`: the setting SCRAPYD_URL."""

    def __init__(self, url: str) -> None:
        """Raises BadInput for what is no address."""
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput("SCRAPYD_URL is to be the address of a Scrapyd, such as http://127.0.0.1:6800/")
        login, _, place = parts.netloc.rpartition("@")
        self.url = urlunsplit((parts.scheme, place, parts.path.rstrip("/") + "/", "", ""))
        """Without user and password."""
        token = base64.b64encode(unquote(login).encode()).decode()
        self._headers = {"Authorization": f"Basic {token}"} if login else {}
        self._opener = build_opener(ProxyHandler({}))  # the dashboard asks this server, and no proxy with its password

    def schedule(self, arguments: Mapping[str, str]) -> str:
        """Have a crawl or recrawl run. Returns the job's number. Raises BadInput with what Scrapyd says against it.

        `arguments`: as of `scrapy crawl topic`, with a name, which Scrapyd takes as `crawl`."""
        given = {"crawl" if name == "name" else name: value for name, value in arguments.items()}
        number = f"{arguments['name']}-{time.time_ns() // 1_000_000}"
        answer = self._ask("schedule.json", {"project": PROJECT, "spider": SPIDER, "jobid": number, **given})
        return str(answer.get("jobid", number))

    def jobs(self) -> list[ListedJob]:
        """Those that wait, run, and have ended. Raises BadInput."""
        answer = self._ask(f"listjobs.json?{urlencode({'project': PROJECT})}")
        return [
            self._job(job, state)
            for name, state in (("pending", WAITING), ("running", RUNNING), ("finished", ENDED))
            for job in answer.get(name, [])
            if job.get("spider") == SPIDER
        ]

    def cancel(self, number: str) -> None:
        """Ask a job to end, as `scrapy stop` does to one crawl: what is in flight is finished. Raises BadInput."""
        self._ask("cancel.json", {"project": PROJECT, "job": number, "signal": "TERM"})

    def _job(self, job: Mapping[str, Any], state: str) -> ListedJob:
        number = str(job.get("id", ""))
        crawl, _, made = number.rpartition("-")
        given = job.get("args") or {}
        log = str(job.get("log_url") or "")
        name = str(given.get("crawl") or (crawl if made.isdecimal() else ""))
        return ListedJob(
            number, SCRAPYD, name, str(given.get("mode") or ""), state,
            _seconds(job.get("start_time")), _seconds(job.get("end_time")), log=urljoin(self.url, log) if log else "",
        )  # fmt: skip

    def _ask(self, path: str, fields: Mapping[str, str] | None = None) -> dict[str, Any]:
        """What a service answers; sent as a form if there are fields."""
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
            told = str(found.get("message", "")) if isinstance(found, dict) else ""
            raise BadInput(f"the Scrapyd at {self.url} refuses: {told[:300] or 'it does not say why'}")
        return found


def _seconds(text: object) -> float | None:
    """Scrapyd tells times by its machine's clock on the wall, without a zone: it is taken for ours."""
    try:
        return datetime.fromisoformat(str(text)).timestamp() if text else None
    except ValueError:
        return None
