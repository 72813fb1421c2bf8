"""Receives the deliveries of a webhook, verifies them and prints each event once. Needs only Python 3.

    python3 receiver.py webhook.secret [PORT]
"""

import base64
import hashlib
import hmac
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

SECRET = Path(sys.argv[1]).read_text().strip()
PORT = int(sys.argv[2]) if len(sys.argv) > 2 else 9000
TOLERANCE = 300  # seconds
processed = set()  # IDs of events; a real receiver stores them in its database


def is_authentic(headers, body: bytes) -> bool:
    """Verifies the signature by Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`."""
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE:
        return False
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    content = f"{event_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    # After a rotation of the secret, the header contains several signatures.
    signatures = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(expected.encode(), signature.encode()) for signature in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if not is_authentic(self.headers, body):
            print("rejected: invalid signature", flush=True)
            return self.respond(401)
        event = json.loads(body)
        attempt = self.headers.get("X-Service-Attempt")
        if event["id"] in processed:
            print(f"duplicate {event['type']} {event['id']} attempt {attempt}", flush=True)
        else:
            print(f"verified {event['type']} {event['id']} attempt {attempt}", flush=True)
            processed.add(event["id"])
        self.respond(204)

    def respond(self, status: int):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


print(f"Receiving webhooks at http://127.0.0.1:{PORT}/; press Ctrl-C to stop.", file=sys.stderr, flush=True)
try:
    HTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
except KeyboardInterrupt:
    pass
