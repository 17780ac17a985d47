"""A small search engine on the loopback, as strict about what it is sent as those that it stands for.

OpenSearch and Elasticsearch: `PUT /INDEX` with a mapping of known field types, `POST /INDEX/_bulk` by the rules of the bulk API
(lines of JSON, the last ended too; `index` and `delete` with `_id` of 512 bytes at most; values that fit the mapping).
Meilisearch: `POST /indexes/INDEX/documents?primaryKey=` with documents whose key is of the characters that it allows.
"""

from __future__ import annotations

import json
import re
import threading
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

NDJSON = "application/x-ndjson"
TYPES = {"keyword", "text", "date", "long", "double", "boolean"}
VALUES: dict[str, tuple[type, ...]] = {"long": (int,), "double": (int, float), "boolean": (bool,)}
ANALYZERS = {"cjk", "english", "standard"}
KEY = re.compile(r"[a-zA-Z0-9_-]{1,511}")


class Refused(Exception):
    """The sentence of a 400."""


class SearchEngine:
    """`documents` and `mappings` by index; `keys` by index of Meilisearch."""

    def __init__(self) -> None:
        self.documents: dict[str, dict[str, Any]] = {}
        self.mappings: dict[str, dict[str, Any]] = {}
        engine = self

        class Handler(BaseHTTPRequestHandler):
            def do_PUT(self) -> None:
                self._answer(lambda body: engine.make(self.path.strip("/"), body), "application/json")

            def do_POST(self) -> None:
                self._answer(lambda body: engine.take(self.path, body), NDJSON)

            def _answer(self, act: Any, content_type: str) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                try:
                    if self.headers.get("Content-Type") != content_type:
                        raise Refused(f"Content-Type header [{self.headers.get('Content-Type')}] is not supported")
                    status, said = act(body)
                except (Refused, ValueError, KeyError) as error:
                    status, said = 400, {"error": repr(error)}
                data = json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                """Quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def make(self, index: str, body: bytes) -> tuple[int, Any]:
        """A new index."""
        if index in self.mappings:
            raise Refused("resource_already_exists_exception")
        mapping = json.loads(body)["mappings"]
        for name, field in mapping["properties"].items():
            _check_field(name, field)
        self.mappings[index], self.documents[index] = mapping, {}
        return 200, {"acknowledged": True, "index": index}

    def take(self, path: str, body: bytes) -> tuple[int, Any]:
        parts = urlsplit(path)
        if parts.path.endswith("/_bulk"):
            return self._bulk(parts.path.split("/")[1], body)
        _, indexes, index, documents = parts.path.split("/")
        if (indexes, documents) != ("indexes", "documents"):
            raise Refused(path)
        return self._add(index, parse_qs(parts.query)["primaryKey"][0], body)

    def _bulk(self, index: str, body: bytes) -> tuple[int, Any]:
        if not body.endswith(b"\n"):
            raise Refused("The bulk request must be terminated by a newline [\\n]")
        lines, items = iter(body.split(b"\n")[:-1]), []
        for line in lines:
            ((action, target),) = json.loads(line).items()
            if not 0 < len(target["_id"].encode()) <= 512:
                raise Refused("_id is too long")
            if action == "delete":
                self.documents[index].pop(target["_id"], None)
            elif action == "index":
                document = json.loads(next(lines))
                for name, value in document.items():
                    _check_value(name, value, self.mappings[index]["properties"][name])
                self.documents[index][target["_id"]] = document
            else:
                raise Refused(f"Malformed action/metadata line, found [{action}]")
            items.append({action: {"_id": target["_id"], "status": 200}})
        return 200, {"errors": False, "items": items}

    def _add(self, index: str, key: str, body: bytes) -> tuple[int, Any]:
        for line in body.splitlines():
            document = json.loads(line)
            if not KEY.fullmatch(document[key]):
                raise Refused("invalid_document_id")
            self.documents.setdefault(index, {})[document[key]] = document
        return 202, {"taskUid": 1, "status": "enqueued"}


def _check_field(name: str, field: dict[str, Any]) -> None:
    if "properties" in field:
        for part, own in field["properties"].items():
            _check_field(f"{name}.{part}", own)
        return
    if field["type"] not in TYPES or field.get("analyzer", "standard") not in ANALYZERS:
        raise Refused(f"mapper_parsing_exception: [{name}] {field}")
    for part, own in field.get("fields", {}).items():
        _check_field(f"{name}.{part}", own)


def _check_value(name: str, value: Any, field: dict[str, Any]) -> None:
    """Raises Refused or ValueError for what `dynamic: false` engines do not take either."""
    if isinstance(value, list):
        for each in value:
            _check_value(name, each, field)
    elif "properties" in field:
        for part, own in value.items():
            _check_value(f"{name}.{part}", own, field["properties"][part])
    elif field["type"] == "date":
        datetime.fromisoformat(value)
    else:
        if type(value) not in VALUES.get(field["type"], (str,)):
            raise Refused(f"failed to parse field [{name}] of type [{field['type']}]")
