"""What every command's work is given: its settings and folders, and how it reports a problem or fails.

Like `base`, this is imported whenever any command starts, so it imports only what is needed then.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.settings import BaseSettings

from focuscrawl.command_line.output import note
from focuscrawl.errors import BadInput, quoted

if TYPE_CHECKING:
    from focuscrawl.report.translation import Language


class Failure(Exception):
    """Ends a command with exit code 1. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of a command: where it works and how it was called."""

    settings: BaseSettings
    called: str
    """The command as its user called it: `scrapy frontier ls`."""

    @property
    def crawls_dir(self) -> Path:
        """The folder of all crawls. To ask for it keeps the password in STORE_URL for their stores."""
        from focuscrawl.command_line.option_values import crawls_dir

        return crawls_dir(self.settings)

    @property
    def topics_dir(self) -> Path:
        return Path(str(self.settings.get("TOPICS_DIR") or "topics"))

    @property
    def language(self) -> Language:
        """The language of reports, and of what commands print. Raises BadInput for one that is unknown."""
        from focuscrawl.report.translation import LANGUAGES, Language

        code = str(self.settings.get("REPORT_LANGUAGE"))
        if code not in LANGUAGES:  # `read_options` says the same, and checks all settings, which takes longer
            raise BadInput(f"setting REPORT_LANGUAGE={quoted(code)} is unknown; use one of {', '.join(LANGUAGES)}")
        return Language(code)

    @property
    def min_term_weight(self) -> float:
        """The weight below which terms of a topic are dropped."""
        return self.settings.getfloat("RELEVANCE_MIN_TERM_WEIGHT")

    def note(self, problem: str) -> None:
        """Report a problem on standard error, after which the command continues."""
        note(f"{self.called}: {problem}")
