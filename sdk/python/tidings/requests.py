"""The parts of a request: path, query, headers and body."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast
from urllib.parse import quote
from uuid import uuid4

import httpx
from typing_extensions import TypedDict

from .policy import Limits, Operation


Parameter: TypeAlias = tuple[str, str | int | float | bool | None]


class Options(TypedDict, total=False):
    """`timeout` is for one attempt, `deadline` for the whole call with its retries. Both are in seconds."""

    timeout: float
    deadline: float


@dataclass(frozen=True)
class Prepared:
    """A request that can be retried."""

    verb: str
    path: str
    params: httpx.QueryParams
    headers: dict[str, str]
    content: bytes | str | None
    key: str | None

    def build(self, client: httpx.Client | httpx.AsyncClient, timeout: float) -> httpx.Request:
        return client.build_request(
            self.verb, self.path, params=self.params, headers=self.headers, content=self.content, timeout=timeout
        )


def client_settings(url: str, key: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {key}", "User-Agent": "tidings-python"}
    return {"base_url": url.rstrip("/"), "headers": headers}


def prepare(
    operation: Operation,
    parts: Sequence[str | int] = (),
    *,
    body: Any = None,
    content_type: str | None = None,
    query: Mapping[str, Any] | None = None,
    if_version: int | None = None,
    idempotency_key: str | None = None,
) -> Prepared:
    headers = {"Accept": "application/json, */*;q=0.1"}
    if if_version is not None:
        headers["If-Match"] = f'"{if_version}"'
    key = (idempotency_key or str(uuid4())) if operation.keyed else None
    if key is not None:
        headers["Idempotency-Key"] = key
    content: bytes | str | None = None
    if body is not None:
        headers["Content-Type"] = content_type or "application/json"
        content = body if content_type else json.dumps(body).encode()
    params = httpx.QueryParams(flatten(query or {}))
    return Prepared(operation.verb, fill(operation.path, parts), params, headers, content, key)


def split(given: Mapping[str, Any], limits: Limits) -> tuple[dict[str, Any], Limits]:
    """Splits the given options into query parameters and the limits of this call."""
    query = dict(given)
    timeout = query.pop("timeout", None)
    deadline = query.pop("deadline", None)
    return query, Limits(
        limits.timeout if timeout is None else timeout,
        limits.deadline if deadline is None else deadline,
        limits.retries,
    )


def fill(path: str, parts: Sequence[str | int]) -> str:
    """Replaces the `{…}` of a path in order."""
    left = list(parts)
    segments = [quote(str(left.pop(0)), safe=":") if one.startswith("{") else one for one in path.split("/")]
    return "/".join(segments)


def flatten(query: Mapping[str, Any]) -> list[Parameter]:
    """Converts `{"tag": ["a", "b"], "custom_fields": {"plan": "gold"}, "from_": …}` to query parameters."""
    found: list[Parameter] = []
    for name, value in query.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            inner = cast("Mapping[str, Any]", value)
            found += flatten({f"{name}.{key}": one for key, one in inner.items()})
        elif isinstance(value, (list, tuple, set, frozenset)):
            found += [(name.rstrip("_"), text(one)) for one in cast("Sequence[Any]", value)]
        else:
            found.append((name.rstrip("_"), text(value)))
    return found


def text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
