"""Verifies webhook deliveries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from standardwebhooks import Webhook, WebhookVerificationError

from .errors import WebhookRefused
from .events import Event


def verify(body: bytes | str, headers: Mapping[str, str], secret: str) -> Event:
    """Return the event of a delivery. Its `type` is the event type, and its `id` is the same for every attempt.

    `body` is the received body, byte for byte. `secret` is the secret of the webhook, `whsec_…`. Raises WebhookRefused
    if no signature is valid, or if the timestamp differs by more than five minutes from the clock.
    """
    webhook = Webhook(secret)
    try:
        return cast(Event, webhook.verify(body, dict(headers.items())))
    except (WebhookVerificationError, ValueError) as cause:
        raise WebhookRefused(str(cause)) from cause
