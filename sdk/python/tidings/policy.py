"""Decides after each attempt whether to return, retry or raise. `typescript/src/policy.ts` has the same rules."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, cast

import httpx

from .errors import ApiError, TidingsError, Unreachable

LOST = (502, 503, 504)
LONGEST_BACKOFF = 8.0
# Errors before the request was sent. The server cannot have received it.
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError, httpx.UnsupportedProtocol)


@dataclass(frozen=True)
class Operation:
    """A row of the table of operations. `keyed`: accepts an Idempotency-Key. `reads`: a POST that changes nothing."""

    verb: str
    path: str
    keyed: bool = False
    reads: bool = False

    @property
    def changes(self) -> bool:
        return self.verb != "GET" and not self.reads

    @property
    def repeats(self) -> bool:
        """Whether a retry is safe after a lost response. After 429, every operation is retried."""
        return self.verb != "POST" or self.keyed or self.reads


@dataclass(frozen=True)
class Limits:
    """`timeout` of one attempt and `deadline` of the call, in seconds. `retries` after lost responses and 503."""

    timeout: float
    deadline: float
    retries: float


def parse_retry_after(headers: Mapping[str, str]) -> float | None:
    """Returns the seconds in a number or an HTTP date (RFC 9110, section 10.2.3)."""
    value = headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None


def backoff(attempt: int) -> float:
    """Returns a delay in seconds that doubles with each attempt. Its jitter spreads the retries of many clients."""
    return min(0.25 * 2.0 ** min(attempt, 16), LONGEST_BACKOFF) * random.uniform(0.5, 1.0)


def api_error(answer: httpx.Response) -> ApiError:
    try:
        problem: Any = answer.json()
    except ValueError:
        problem = {}
    if not isinstance(problem, dict):
        problem = {}
    return ApiError(
        answer.status_code,
        cast("dict[str, Any]", problem),
        request_id=answer.headers.get("X-Request-Id"),
        retry_after=parse_retry_after(answer.headers),
    )


class Call:
    """One call of an operation, over all its attempts."""

    def __init__(self, operation: Operation, limits: Limits, idempotency_key: str | None = None) -> None:
        self._operation = operation
        self._limits = limits
        self._key = idempotency_key
        self._ends = time.monotonic() + limits.deadline
        self._losses = 0
        self._refusals = 0
        self._may_have_arrived = False

    def timeout(self) -> float:
        """The timeout of the next attempt, in seconds."""
        return max(0.001, min(self._limits.timeout, self._remaining()))

    def after_answer(self, answer: httpx.Response) -> float | None:
        """Returns the seconds until the next attempt, or None if the response ends the call. Raises ApiError."""
        if answer.is_success:
            return None
        error = api_error(answer)
        if error.status == 429:
            self._refusals += 1
            return self._wait(error, error.retry_after, self._refusals)
        deleted = self._operation.verb == "DELETE" and error.status == 404 and error.code == "not_found"
        if deleted and self._may_have_arrived:
            return None
        # `unavailable` guarantees that nothing changed.
        if error.status >= 500 and error.code != "unavailable":
            self._may_have_arrived = True
        if error.status not in LOST or not self._may_repeat():
            raise self._marked(error)
        return self._wait(error, error.retry_after, self._losses)

    def after_loss(self, cause: httpx.RequestError) -> float:
        """Returns the seconds until the next attempt. Raises Unreachable."""
        if not isinstance(cause, NOT_SENT):
            self._may_have_arrived = True
        error = Unreachable(f"{self._operation.verb} {self._operation.path}: {cause or type(cause).__name__}")
        error.__cause__ = cause
        if isinstance(cause, httpx.UnsupportedProtocol) or not self._may_repeat():
            raise self._marked(error)
        return self._wait(error, None, self._losses)

    def read(self, answer: httpx.Response) -> Any:
        """Returns the body of the response that ended the call: JSON, bytes, or None."""
        if not answer.is_success or answer.status_code == 204:
            return None
        if answer.headers.get("Content-Type", "").split(";")[0] != "application/json":
            return answer.content
        try:
            return json.loads(answer.content)
        except ValueError as cause:
            self._may_have_arrived = True
            error = Unreachable(f"{self._operation.verb} {self._operation.path}: the answer is not JSON")
            raise self._marked(error) from cause

    def _remaining(self) -> float:
        return self._ends - time.monotonic()

    def _may_repeat(self) -> bool:
        if not self._operation.repeats or self._losses >= self._limits.retries:
            return False
        self._losses += 1
        return True

    def _wait(self, error: TidingsError, seconds: float | None, count: int) -> float:
        remaining = self._remaining()
        wait = seconds * random.uniform(1.0, 1.1) if seconds else backoff(count - 1)
        if remaining < (seconds or wait):
            raise self._marked(error)
        return min(wait, remaining)

    def _marked(self, error: TidingsError) -> TidingsError:
        error.may_have_applied = self._may_have_arrived and self._operation.changes
        error.idempotency_key = self._key
        return error
