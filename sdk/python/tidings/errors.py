"""What goes wrong: the server's problem document (RFC 9457), or nobody there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class TidingsError(Exception):
    """The server refused. `code` is the word to decide by, `errors` names each place that was wrong."""

    def __init__(self, status: int, problem: Mapping[str, Any], request_id: str | None) -> None:
        self.status = status
        self.code: str = problem.get("code", "unknown")
        self.detail: str = problem.get("detail") or problem.get("title") or f"HTTP status {status}"
        self.errors: list[dict[str, Any]] = problem.get("errors", [])
        self.request_id = request_id
        places = "; ".join(f"{one.get('pointer') or one.get('parameter')}: {one.get('message')}" for one in self.errors)
        super().__init__(f"{status} {self.code}: {self.detail}" + (f" ({places})" if places else ""))


class Unreachable(Exception):
    """No answer came. What was asked may have been done, unless it was asked with an idempotency key: repeat it."""
