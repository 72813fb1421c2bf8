"""Sends a request, again where that is safe, and reads pages."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote as percent_encoded
from uuid import uuid4

import httpx

from .errors import TidingsError, Unreachable

Parameter = tuple[str, str | int | float | bool | None]
LATER = (429, 502, 503, 504)
LONGEST_WAIT = 60.0


def quote(part: str | int) -> str:
    """A part of a path."""
    return percent_encoded(str(part), safe=":")


def flat(query: Mapping[str, Any]) -> list[Parameter]:
    """`{"tag": ["a", "b"], "custom_fields": {"plan": "gold"}, "from_": …}` as parameters of a URL."""
    found: list[Parameter] = []
    for name, value in query.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            found += flat({f"{name}.{key}": inner for key, inner in value.items()})
        elif isinstance(value, (list, tuple)):
            found += [(name, str(inner)) for inner in value]
        else:
            told = str(value).lower() if isinstance(value, bool) else str(value)
            found.append((name.rstrip("_"), told))
    return found


def wait(attempt: int, answer: httpx.Response | None) -> float:
    """Seconds until the next attempt: what the server says, else twice as long each time, and not all at once."""
    said = answer.headers.get("Retry-After", "") if answer is not None else ""
    if said.isdigit():
        return min(float(said), LONGEST_WAIT)
    return min(0.25 * 2**attempt, LONGEST_WAIT) * random.uniform(0.5, 1.0)


class Http:
    def __init__(self, url: str, key: str, *, timeout: float, retries: int) -> None:
        headers = {"Authorization": f"Bearer {key}", "Accept": "application/json", "User-Agent": "tidings-python"}
        self._client = httpx.Client(base_url=url.rstrip("/"), headers=headers, timeout=timeout)
        self._retries = retries

    def close(self) -> None:
        self._client.close()

    def send(
        self,
        verb: str,
        path: str,
        *,
        body: Any = None,
        content_type: str | None = None,
        query: Mapping[str, Any] | None = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        repeatable: bool = False,
    ) -> Any:
        """The body of a successful answer: read from JSON, else its bytes, or None. Raises TidingsError, Unreachable."""
        headers = {}
        if if_match is not None:
            headers["If-Match"] = if_match
        if verb == "POST" and repeatable:
            headers["Idempotency-Key"] = idempotency_key or str(uuid4())
        content = None
        if body is not None:
            headers["Content-Type"] = content_type or "application/json"
            content = body if content_type else json.dumps(body).encode()
        request = self._client.build_request(verb, path, params=httpx.QueryParams(flat(query or {})), headers=headers, content=content)
        return read(self._answered(request, self._retries if repeatable else 0))

    def _answered(self, request: httpx.Request, retries: int) -> httpx.Response:
        for attempt in range(retries + 1):
            answer = None
            try:
                answer = self._client.send(request)
                if answer.status_code not in LATER or attempt == retries:
                    return answer
            except httpx.TransportError as error:
                if attempt == retries:
                    raise Unreachable(f"{request.method} {request.url}: {error}") from error
            time.sleep(wait(attempt, answer))
        raise AssertionError("the last attempt returns or raises")

    def each(self, path: str, query: Mapping[str, Any]) -> Iterator[Any]:
        """All that a list has, page by page."""
        asked = dict(query)
        while True:
            page = self.send("GET", path, query=asked, repeatable=True)
            yield from page["data"]
            if page["next_cursor"] is None:
                return
            asked["cursor"] = page["next_cursor"]


def read(answer: httpx.Response) -> Any:
    told = answer.headers.get("Content-Type", "").split(";")[0]
    if answer.is_success:
        if told == "application/json":
            return answer.json()
        return answer.content or None
    problem = answer.json() if told in ("application/problem+json", "application/json") else {}
    raise TidingsError(answer.status_code, problem, answer.headers.get("X-Request-Id"))
