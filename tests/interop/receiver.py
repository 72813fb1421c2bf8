"""Receives deliveries and verifies each with the published `standardwebhooks` and `stripe` libraries.

Prints its port, then a line of JSON for each delivery: the event's ID and type, the libraries that
verified it, and whether both rejected it with one byte changed.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import stripe
from standardwebhooks.webhooks import Webhook

secret = None


def verified(body: bytes, headers) -> list[str]:
    libraries = []
    try:
        Webhook(secret).verify(body, dict(headers.items()))
        libraries.append("standardwebhooks")
    except Exception as error:  # each library has its own exceptions
        sys.stderr.write(f"standardwebhooks: {error}\n")
    try:
        stripe.WebhookSignature.verify_header(body.decode(), headers["X-Service-Signature"], secret, 300)
        libraries.append("stripe")
    except Exception as error:
        sys.stderr.write(f"stripe: {error}\n")
    return libraries


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        global secret
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/secret":
            secret = body.decode()
            return self.answer()
        event = json.loads(body)
        line = {"id": event["id"], "type": event["type"], "verified_by": verified(body, self.headers)}
        line["refused_when_changed"] = refused(body, self.headers)
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
        self.answer()

    def answer(self):
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def refused(body: bytes, headers) -> bool:
    changed = body.replace(b'"type"', b'"typo"', 1)
    try:
        Webhook(secret).verify(changed, dict(headers.items()))
        return False
    except Exception:
        pass
    try:
        stripe.WebhookSignature.verify_header(changed.decode(), headers["X-Service-Signature"], secret, 300)
        return False
    except Exception:
        return True


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
