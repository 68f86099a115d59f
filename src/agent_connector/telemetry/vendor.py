"""Anthropic's own token counter, `POST /v1/messages/count_tokens`, by the standard library's HTTP client.

The measuring process has a limit of memory that a fuller client would break.
"""

import json
import urllib.request
from typing import Any

VERSION = "2023-06-01"  # of the API
TIMEOUT = 10.0  # seconds
_LARGEST = 1 << 16  # bytes of an answer that are read


def count(address: str, key: str, model: str, text: str) -> int:
    """The vendor's number for a message of `text`. OSError or ValueError when it gives none."""
    if not address.startswith(("https://", "http://127.0.0.1", "http://localhost", "http://[::1]")):
        raise ValueError("a key is only sent over https")
    body = json.dumps({"model": model, "messages": [{"role": "user", "content": text}]}).encode()
    headers = {"x-api-key": key, "anthropic-version": VERSION, "content-type": "application/json"}
    request = urllib.request.Request(address, body, headers)  # noqa: S310  # the scheme was looked at above
    with _opener().open(request, timeout=TIMEOUT) as answer:
        return int(json.loads(answer.read(_LARGEST))["input_tokens"])


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A key and a text go to the vendor and to nobody it points at."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_NoRedirect)
