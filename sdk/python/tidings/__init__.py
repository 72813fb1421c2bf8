"""The client of a Tidings server: `Tidings`, and `AsyncTidings` for asyncio and trio."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from typing_extensions import Unpack

from . import models
from .async_http import AsyncHttp
from .async_operations import AsyncOperations
from .errors import ApiError, Cancelled, TidingsError, Unreachable, WebhookRefused
from .events import Event
from .http import Http
from .live import ChangedObject, StreamChanged, StreamedEvent, StreamEnd, StreamMessage, StreamReady
from .operations import Operations
from .policy import Limits, Operation
from .requests import Options
from .webhooks import verify

__all__ = [
    "ApiError",
    "AsyncTidings",
    "Cancelled",
    "ChangedObject",
    "Event",
    "Options",
    "StreamChanged",
    "StreamEnd",
    "StreamMessage",
    "StreamReady",
    "StreamedEvent",
    "Tidings",
    "TidingsError",
    "Unreachable",
    "WebhookRefused",
    "models",
    "verify",
]


class Tidings(Operations):
    """All operations under /api/v1, grouped by path: `Tidings(url, key).contacts.get("external_id:ada")`.

    `key` is an API key, `tdg_live_…` or `tdg_test_…`. `timeout` is the time limit of one attempt, `deadline` of a whole
    call with its retries and delays, both in seconds. After lost responses and 503, a call is retried up to `retries`
    times if that is safe. After 429 it is retried until the deadline. Each call accepts `timeout`, `deadline` and
    `cancel`, an event that ends the call.
    """

    def __init__(
        self, url: str, key: str, *, timeout: float = 70.0, deadline: float = 120.0, retries: int = 4
    ) -> None:
        self._http = Http(url, key, Limits(timeout, deadline, retries))
        super().__init__(self._http)

    def stream(
        self, last_event_id: int | None = None, *, cancel: threading.Event | None = None, **options: Unpack[Options]
    ) -> Iterator[StreamMessage]:
        """Yield events and changes of the workspace as they happen. The client reconnects after an interruption.

        Pass the last `id` as `last_event_id` to continue after it. Raises ApiError 410 `events_gone` if events after it
        were removed. Then call again without it, and reload your data. `deadline` limits the time without a connection.
        """
        return self._http.stream(last_event_id, options, cancel)

    def request(
        self, verb: str, path: str, *, body: Any = None, query: Mapping[str, Any] | None = None,
        cancel: threading.Event | None = None, **options: Unpack[Options],
    ) -> Any:  # fmt: skip
        """Send a request that has no method. A POST has no Idempotency-Key, so it is only retried after 429."""
        operation = Operation(verb.upper(), path)
        return self._http.call(operation, body=body, given={**(query or {}), **options}, cancel=cancel)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Tidings:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncTidings(AsyncOperations):
    """Like `Tidings`, for asyncio and trio. A cancelled task ends its call at once, also between attempts."""

    def __init__(
        self, url: str, key: str, *, timeout: float = 70.0, deadline: float = 120.0, retries: int = 4
    ) -> None:
        self._http = AsyncHttp(url, key, Limits(timeout, deadline, retries))
        super().__init__(self._http)

    def stream(self, last_event_id: int | None = None, **options: Unpack[Options]) -> AsyncIterator[StreamMessage]:
        """See `Tidings.stream`."""
        return self._http.stream(last_event_id, options)

    async def request(
        self, verb: str, path: str, *, body: Any = None, query: Mapping[str, Any] | None = None, **options: Unpack[Options]
    ) -> Any:
        """See `Tidings.request`."""
        return await self._http.call(Operation(verb.upper(), path), body=body, given={**(query or {}), **options})

    async def close(self) -> None:
        await self._http.close()

    async def __aenter__(self) -> AsyncTidings:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
