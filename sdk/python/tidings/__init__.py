"""The client of a Tidings server."""

from __future__ import annotations

from . import models
from .errors import TidingsError, Unreachable
from .http import Http
from .operations import Operations
from .webhooks import WebhookRefused, verify

__all__ = ["Tidings", "TidingsError", "Unreachable", "WebhookRefused", "models", "verify"]


class Tidings(Operations):
    """All operations under /api/v1, by subject: `Tidings(url, key).contacts.get("external_id:ada")`.

    `key` is an API key, `tdg_live_…` or `tdg_test_…`. What may be repeated is asked again up to `retries` times, where
    nobody answered, or who answered said later. `timeout` is in seconds, for each attempt.
    """

    def __init__(self, url: str, key: str, *, timeout: float = 70.0, retries: int = 3) -> None:
        self._http = Http(url, key, timeout=timeout, retries=retries)
        super().__init__(self._http)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Tidings:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
