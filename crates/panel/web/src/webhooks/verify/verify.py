import base64
import binascii
import hashlib
import hmac
import time


def verify(secret: str, headers, body: bytes, now: float | None = None) -> bool:
    """Return whether the service signed the delivery. The body must be unchanged."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not message_id or not timestamp.isdigit():
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    # During the rotation of a secret there are two signatures. One valid signature is enough.
    for each in headers.get("webhook-signature", "").split(" "):
        version, _, signature = each.partition(",")
        try:
            if version == "v1" and hmac.compare_digest(base64.b64decode(signature), expected):
                return True
        except binascii.Error:
            continue
    return False
