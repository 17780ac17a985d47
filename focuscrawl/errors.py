"""The one error that a user's input can cause."""

from __future__ import annotations


class BadInput(ValueError):
    """Input that cannot be used. The message is one sentence that names the input and what would be right."""
