"""Verifies what a webhook delivers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

WebhookRefused = WebhookVerificationError


def verify(body: bytes | str, headers: Mapping[str, str], secret: str) -> dict[str, Any]:
    """The event of a delivery: `type` says which, `data` holds it, and `id` is the same on every attempt.

    `body` is what was received, byte by byte; `secret` is the webhook's, `whsec_…`. Raises WebhookRefused where no
    signature is right, or where the timestamp is more than five minutes off.
    """
    text = body.decode() if isinstance(body, bytes) else body
    return Webhook(secret).verify(text, {name.lower(): value for name, value in headers.items()})
