"""The errors of this package. `TidingsError` is the base class of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from .models import FieldError


class TidingsError(Exception):
    """A call failed. `code` names the reason, and `errors` lists the invalid members of the request, if there are any.

    `may_have_applied` is true if the server may have applied the change. `idempotency_key` is the key of the request,
    if it had one. A call with the same key applies the change at most once.
    """

    code: str = "unknown"
    errors: list[FieldError]
    may_have_applied: bool = False
    idempotency_key: str | None = None

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.errors = []


class ApiError(TidingsError):
    """The server returned an error, usually a problem document (RFC 9457). `problem` is the whole document."""

    def __init__(
        self, status: int, problem: Mapping[str, Any], *, request_id: str | None = None, retry_after: float | None = None
    ) -> None:
        def text(name: str) -> str | None:
            value = problem.get(name)
            return value if isinstance(value, str) else None

        listed = problem.get("errors")
        # A proxy may have written the body, so only the members of a problem document are used.
        members = cast("list[object]", listed) if isinstance(listed, list) else []
        errors = [cast(FieldError, one) for one in members if isinstance(one, dict)]
        code = text("code") or "unknown"
        detail = text("detail") or text("title") or f"HTTP status {status}"
        places = "; ".join(f"{one.get('pointer') or one.get('parameter')}: {one.get('message')}" for one in errors)
        super().__init__(f"{status} {code}: {detail}" + (f" ({places})" if places else ""))
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = errors
        self.problem = problem
        self.title = text("title")
        self.type = text("type")
        self.instance = text("instance")
        self.request_id = text("request_id") or request_id
        self.existing_id = text("existing_id")
        """The object that already has the name, the key or the address (409)."""
        self.merged_into = text("merged_into")
        """The contact that remains after a merge (409 `contact_merged`)."""
        self.required_scope = text("required_scope")
        """The scope that the key needs (403 `insufficient_scope`)."""
        self.required_role = text("required_role")
        """The role that the user needs (403 `insufficient_role`)."""
        self.missing = text("missing")
        """The kind of the missing object, if the path names several (404)."""
        self.retry_after = retry_after
        """Seconds after which a repeat may succeed, from `Retry-After`."""


class Unreachable(TidingsError):
    """No usable response arrived. `may_have_applied` is false if the request was never sent."""

    code = "unreachable"


class Cancelled(TidingsError):
    """The event in `cancel` was set before the call ended."""

    code = "cancelled"


class WebhookRefused(TidingsError):
    """The signature or the timestamp of a webhook delivery is not valid."""

    code = "webhook_refused"
