"""Parts that the checks of all channel types share: a local server that plays a provider, and a connected channel."""

import json
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

# The server knows itself by this URL. Providers call the local address instead.
PUBLIC_URL = "https://tidings.example"


class Objection(Exception):
    """A difference between Tidings and an outside program."""


def same(name: str, found, expected):
    if found != expected:
        raise Objection(f"{name}:\n  found    {found!r}\n  expected {expected!r}")


def until(name: str, ask, seconds: float = 30):
    """Asks until the answer is true, and returns it."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if found := ask():
            return found
        time.sleep(0.05)
    raise Objection(f"not within {seconds} s: {name}")


def shown(message: dict) -> str:
    """The text of a message, with a line for each of its files."""
    files = [f"[file] {it['name']}" for it in message["attachments"] if it.get("name")]
    return "\n".join(it for it in [message["text"], *files] if it)


class Call:
    """A call of a provider's API. The names of headers are in lower case."""

    def __init__(self, method: str, target: str, headers: dict, body: bytes):
        self.method, self.headers, self.body = method, headers, body
        self.path, _, self.query = target.partition("?")

    def json(self):
        return json.loads(self.body)

    def form(self) -> list[tuple[str, str]]:
        return parse_qsl(self.body.decode(), keep_blank_values=True, strict_parsing=True)


class Provider:
    """An HTTP server. `respond` returns the status and the JSON for a call. Its objections fail the check."""

    # Of all providers. A check that waits in vain for a call fails first, so the objections are printed with it.
    objections: list[str] = []

    def __init__(self, respond):

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                call = Call(self.command, self.path, headers, body)
                try:
                    status, found = respond(call)
                except Exception as error:
                    Provider.objections.append(f"{call.method} {call.path}: {type(error).__name__}: {error}")
                    status, found = 400, {"ok": False, "error_code": 400, "description": "Bad Request: objection"}
                text = json.dumps(found).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self):
        self.server.shutdown()


class Line:
    """A connected channel in its own workspace."""

    def __init__(self, server, channel: dict):
        self.server = server
        self.workspace = server.new_workspace(f"channel {channel['kind']}")
        self.key = server.new_key(self.workspace, "full")
        made = self.call("POST", "channels", {"name": channel["kind"], "is_default": True} | channel)
        self.id, self.inbound, self.secrets = made["id"], made["inbound_path"], made.get("secrets") or {}
        if made["status"] != "connected":
            made = self.call("POST", f"channels/{self.id}/connect", {})
        same("status of the channel", made["status"], "connected")
        self.public = PUBLIC_URL + self.inbound

    def call(self, method: str, path: str, body=None):
        return self.server.call(method, f"/api/v1/{path}", body, self.key)

    def post(self, body: bytes, headers: dict, query: str = "") -> tuple[int, bytes]:
        """Posts to the inbound address, as the provider does. Returns the status and the body of the response."""
        request = urllib.request.Request(self.server.base + self.inbound + query, body, headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def all(self, path: str) -> list[dict]:
        """All objects of a list."""
        rows, cursor = [], ""
        while cursor is not None:
            page = self.call("GET", f"{path}{'&' if '?' in path else '?'}limit=100{cursor}")
            rows += page["data"]
            following = page.get("next_cursor")
            cursor = f"&cursor={following}" if following else None
        return rows

    def unparsed(self) -> list[dict]:
        return self.call("GET", f"channels/{self.id}/unparsed")["data"]

    def contacts(self) -> dict[str, dict]:
        """The contacts by their address on the channel."""
        pairs = [(own, contact) for contact in self.all("contacts") for own in contact["identities"]]
        return {own["address"]: contact for own, contact in pairs if own["channel_id"] == self.id}

    def messages(self, direction: str) -> list[dict]:
        """All messages in one direction."""
        rows = []
        for conversation in self.all("conversations"):
            rows += self.all(f"conversations/{conversation['id']}/messages")
        return [row for row in rows if row["direction"] == direction]

    def say(self, contact: str, message: dict) -> str:
        """Sends a message to a contact. Returns its ID."""
        return self.call("POST", f"contacts/{contact}/send-message", message)["id"]

    def ends(self, message: str, status: str = "sent") -> dict:
        """Waits until a message has a final status."""
        def found():
            now = self.call("GET", f"messages/{message}")
            return now if now["status"] not in ("queued", "sending", "scheduled") else None

        now = until(f"{message} ends", found)
        same(f"status of {message} ({now.get('error')})", now["status"], status)
        return now
