"""Sends requests, retries them if that is safe, and reads lists, the feed and the stream."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx

from .errors import Cancelled
from .live import LONGEST_SILENCE, StreamMessage, StreamParser
from .policy import Call, Limits, Operation
from .requests import Prepared, client_settings, prepare, split
from .table import OPERATIONS

PAGE = 100


class Http:
    def __init__(self, url: str, key: str, limits: Limits) -> None:
        self._client = httpx.Client(**client_settings(url, key))
        self._limits = limits

    def close(self) -> None:
        self._client.close()

    def call(
        self,
        operation: str | Operation,
        parts: Sequence[str | int] = (),
        *,
        body: Any = None,
        content_type: str | None = None,
        given: Mapping[str, Any] | None = None,
        if_version: int | None = None,
        idempotency_key: str | None = None,
        cancel: threading.Event | None = None,
    ) -> Any:
        """Returns the body of a successful response: parsed JSON, bytes, or None. Raises TidingsError."""
        row = OPERATIONS[operation] if isinstance(operation, str) else operation
        query, limits = split(given or {}, self._limits)
        prepared = prepare(
            row, parts, body=body, content_type=content_type, query=query, if_version=if_version,
            idempotency_key=idempotency_key,
        )  # fmt: skip
        return self._send(prepared, Call(row, limits, prepared.key), cancel)

    def each(
        self, operation: str, parts: Sequence[str | int], given: Mapping[str, Any], cancel: threading.Event | None
    ) -> Iterator[Any]:
        """The rows of all pages of a list."""
        asked = {"limit": PAGE, **given}
        while True:
            page = self.call(operation, parts, given=asked, cancel=cancel)
            yield from page["data"]
            if page["next_cursor"] is None:
                return
            asked["cursor"] = page["next_cursor"]

    def search_each(
        self, operation: str, body: Mapping[str, Any], given: Mapping[str, Any], cancel: threading.Event | None
    ) -> Iterator[Any]:
        """The rows of all pages of a search."""
        asked = {"limit": PAGE, **body}
        while True:
            page = self.call(operation, body=asked, given=given, cancel=cancel)
            yield from page["data"]
            if page["next_cursor"] is None:
                return
            asked["cursor"] = page["next_cursor"]

    def follow(
        self, after: int, types: Sequence[str] | None, every: float, given: Mapping[str, Any],
        cancel: threading.Event | None,
    ) -> Iterator[Any]:  # fmt: skip
        """The events of the feed, endlessly."""
        row = OPERATIONS["list_events"]
        _, limits = split(given, Limits(self._limits.timeout, math.inf, math.inf))
        while True:
            prepared = prepare(row, query={"after": after, "types": ",".join(types) if types else None, "limit": PAGE})
            page = self._send(prepared, Call(row, limits), cancel)
            for event in page["data"]:
                yield event
            after = page["next_after"]
            if not page["has_more"]:
                wait(every, cancel)

    def stream(
        self, last_event_id: int | None, given: Mapping[str, Any], cancel: threading.Event | None
    ) -> Iterator[StreamMessage]:
        """The messages of the stream, across reconnects."""
        row = OPERATIONS["stream_workspace"]
        _, limits = split(given, Limits(self._limits.timeout, math.inf, math.inf))
        parser, call = StreamParser(last_event_id), Call(row, limits)
        while True:
            check(cancel)
            is_open = False
            try:
                timeout = httpx.Timeout(call.timeout(), read=LONGEST_SILENCE)
                with self._client.stream(row.verb, row.path, headers=parser.headers(), timeout=timeout) as answer:
                    is_open = answer.is_success
                    if not is_open:
                        answer.read()
                    seconds = call.after_answer(answer)
                    for part in answer.iter_bytes() if is_open else ():
                        check(cancel)
                        yield from parser.feed(part)
            except httpx.RequestError as error:
                seconds = None if is_open else call.after_loss(error)
            if is_open:
                parser, call = parser.next(), Call(row, limits)
            wait(parser.reopen if seconds is None else seconds, cancel)

    def _send(self, prepared: Prepared, call: Call, cancel: threading.Event | None) -> Any:
        while True:
            check(cancel)
            try:
                answer = self._client.send(prepared.build(self._client, call.timeout()))
            except httpx.RequestError as error:
                seconds = call.after_loss(error)
            else:
                repeat = call.after_answer(answer)
                if repeat is None:
                    return call.read(answer)
                seconds = repeat
            wait(seconds, cancel)


def check(cancel: threading.Event | None) -> None:
    if cancel is not None and cancel.is_set():
        raise Cancelled("the call was cancelled")


def wait(seconds: float, cancel: threading.Event | None) -> None:
    if cancel is None:
        time.sleep(seconds)
    elif cancel.wait(seconds):
        check(cancel)
