"""What a user's input can cause, and what ends a command in one sentence."""

from __future__ import annotations


class BadInput(ValueError):
    """Input that cannot be used. The message is one sentence that names the input and what would be right."""


class Unreachable(BadInput):
    """A server that is not there now: the same command may work later, so that it ends with 1 and not with 2."""


class AlreadyRunning(BadInput):
    """Another process works on the crawl and cannot be joined: the command ends with 75 (EX_TEMPFAIL), it may work later."""
