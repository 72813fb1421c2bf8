"""Like `http`, for asyncio and trio. A cancelled task or a timeout ends a call at once, also between attempts."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import anyio
import httpx

from .http import PAGE
from .live import LONGEST_SILENCE, StreamMessage, StreamParser
from .policy import Call, Limits, Operation
from .requests import Prepared, client_settings, prepare, split
from .table import OPERATIONS


class AsyncHttp:
    def __init__(self, url: str, key: str, limits: Limits) -> None:
        self._client = httpx.AsyncClient(**client_settings(url, key))
        self._limits = limits

    async def close(self) -> None:
        await self._client.aclose()

    async def call(
        self,
        operation: str | Operation,
        parts: Sequence[str | int] = (),
        *,
        body: Any = None,
        content_type: str | None = None,
        given: Mapping[str, Any] | None = None,
        if_version: int | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Returns the body of a successful response: parsed JSON, bytes, or None. Raises TidingsError."""
        row = OPERATIONS[operation] if isinstance(operation, str) else operation
        query, limits = split(given or {}, self._limits)
        prepared = prepare(
            row, parts, body=body, content_type=content_type, query=query, if_version=if_version,
            idempotency_key=idempotency_key,
        )  # fmt: skip
        return await self._send(prepared, Call(row, limits, prepared.key))

    async def each(self, operation: str, parts: Sequence[str | int], given: Mapping[str, Any]) -> AsyncIterator[Any]:
        """The rows of all pages of a list."""
        asked = {"limit": PAGE, **given}
        while True:
            page = await self.call(operation, parts, given=asked)
            for row in page["data"]:
                yield row
            if page["next_cursor"] is None:
                return
            asked["cursor"] = page["next_cursor"]

    async def search_each(self, operation: str, body: Mapping[str, Any], given: Mapping[str, Any]) -> AsyncIterator[Any]:
        """The rows of all pages of a search."""
        asked = {"limit": PAGE, **body}
        while True:
            page = await self.call(operation, body=asked, given=given)
            for row in page["data"]:
                yield row
            if page["next_cursor"] is None:
                return
            asked["cursor"] = page["next_cursor"]

    async def follow(
        self, after: int, types: Sequence[str] | None, every: float, given: Mapping[str, Any]
    ) -> AsyncIterator[Any]:
        """The events of the feed, endlessly."""
        row = OPERATIONS["list_events"]
        _, limits = split(given, Limits(self._limits.timeout, math.inf, math.inf))
        while True:
            prepared = prepare(row, query={"after": after, "types": ",".join(types) if types else None, "limit": PAGE})
            page = await self._send(prepared, Call(row, limits))
            for event in page["data"]:
                yield event
            after = page["next_after"]
            if not page["has_more"]:
                await anyio.sleep(every)

    async def stream(self, last_event_id: int | None, given: Mapping[str, Any]) -> AsyncIterator[StreamMessage]:
        """The messages of the stream, across reconnects."""
        row = OPERATIONS["stream_workspace"]
        _, limits = split(given, Limits(self._limits.timeout, math.inf, math.inf))
        parser, call = StreamParser(last_event_id), Call(row, limits)
        while True:
            is_open = False
            try:
                timeout = httpx.Timeout(call.timeout(), read=LONGEST_SILENCE)
                async with self._client.stream(row.verb, row.path, headers=parser.headers(), timeout=timeout) as answer:
                    is_open = answer.is_success
                    if not is_open:
                        await answer.aread()
                    seconds = call.after_answer(answer)
                    if is_open:
                        async for part in answer.aiter_bytes():
                            for message in parser.feed(part):
                                yield message
            except httpx.RequestError as error:
                seconds = None if is_open else call.after_loss(error)
            if is_open:
                parser, call = parser.next(), Call(row, limits)
            await anyio.sleep(parser.reopen if seconds is None else seconds)

    async def _send(self, prepared: Prepared, call: Call) -> Any:
        while True:
            try:
                answer = await self._client.send(prepared.build(self._client, call.timeout()))
            except httpx.RequestError as error:
                seconds = call.after_loss(error)
            else:
                repeat = call.after_answer(answer)
                if repeat is None:
                    return call.read(answer)
                seconds = repeat
            await anyio.sleep(seconds)
