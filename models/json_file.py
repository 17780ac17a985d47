"""The JSON that models are kept in: read with one sentence for whatever is wrong, and told apart from changed ones."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from focuscrawl.errors import BadInput

MAX_BYTES = 64 << 20


def parse(path: Path, what: str) -> Any:
    """The content of a file that should be a `what`. Raises BadInput if it is missing, too large, or no JSON."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadInput(f"{path} is too large for a {what} ({MAX_BYTES >> 20} MiB at most).")
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadInput(f"The {what} {path} cannot be read: {error.strerror or error}.") from error
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise BadInput(f"{path} is not a {what}: it is no valid JSON.") from error


def sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content with its digest."""
    return {**content, "digest": digest(content)}


def unsealed(content: object, source: str, what: str, form: str, version: int) -> dict[str, Any]:
    """The content without its digest. Raises BadInput if it is no `what`: not of this format and version, or changed since
    it was sealed. `source`: where it was read, for people."""
    if not isinstance(content, dict) or content.get("format") != form:
        raise BadInput(f"{source} is not a {what} of this program.")
    if content.get("version") != version:
        raise BadInput(f"{source} has version {content.get('version')!r} of the {what} format, this program reads {version}.")
    inner = {key: value for key, value in content.items() if key != "digest"}
    if content.get("digest") != digest(inner):
        raise BadInput(f"{source} was changed after it was written (its digest is wrong); delete it to make it anew.")
    return inner


def digest(content: Mapping[str, Any]) -> str:
    """Of everything but the digest itself, whatever the order of names and the spacing."""
    plain = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
