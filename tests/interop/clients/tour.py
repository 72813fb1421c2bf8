"""Runs the tour of docs/tutorials/first-hour.md with the installed Python client. TIDINGS is the server, KEY a key of scope full."""

import os
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

from tidings import ApiError, Tidings, Unreachable, WebhookRefused, models, verify

URL, KEY = os.environ["TIDINGS"], os.environ["KEY"]
DEFINITION: models.FlowDefinition = {
    "start": "greet",
    "nodes": [
        {"id": "greet", "type": "send_message", "next": "wait",
         "message": {"type": "text", "text": "Hi {{ contact.first_name }}, you are on {{ custom_fields.plan }}."}},
        {"id": "wait", "type": "delay", "for": "PT1S", "next": "tag"},
        {"id": "tag", "type": "add_tag", "tag": "welcomed", "next": "done"},
        {"id": "done", "type": "end"},
    ],
}
SECRET = ""
RECEIVED: "queue.Queue[tuple[bytes, dict[str, str]]]" = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        RECEIVED.put((body, dict(self.headers.items())))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


class Busy(BaseHTTPRequestHandler):
    """Returns 503 once, then 201. Records the idempotency keys."""

    keys: "list[str | None]" = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.keys.append(self.headers["Idempotency-Key"])
        later = len(self.keys) == 1
        self.send_response(503 if later else 201)
        self.send_header("Retry-After", "0")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        pass


def serve(handler: type[BaseHTTPRequestHandler]) -> str:
    server = HTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def completed(tidings: Tidings, run: str) -> models.FlowRun:
    ends, status = time.monotonic() + 30, "unknown"
    while time.monotonic() < ends:
        found = tidings.flow_runs.get(run)
        status = found["status"]
        if status == "completed":
            return found
        time.sleep(0.1)
    raise SystemExit(f"the run is {status} after 30 s")


def main() -> None:
    with Tidings(URL, KEY) as tidings:
        assert tidings.me.get()["scope"] == "full"
        hook = tidings.webhooks.create({"url": serve(Receiver), "events": ["*"]})
        tidings.custom_fields.create({"name": "Plan", "type": "select", "options": ["silver", "gold"]})
        made = tidings.contacts.create({
            "external_id": "ada", "first_name": "Ada", "email": "Ada@Example.com", "tags": ["lead"],
            "custom_fields": {"plan": "gold"},
        })
        assert made["email"] == "ada@example.com"
        assert tidings.contacts.get("external_id:ada")["id"] == made["id"]
        tidings.contacts.send_message("external_id:ada", {"type": "text", "text": "Welcome, Ada!"})
        tidings.tags.create({"name": "welcomed"})
        flow = tidings.flows.create({"name": "Welcome", "definition": DEFINITION})
        assert tidings.flows.publish(flow["id"], {})["status"] == "active"
        run = tidings.contacts.start_flow("external_id:ada", {"flow_id": flow["id"]})
        steps = [step["node_id"] for step in completed(tidings, run["id"])["trace"]]
        assert steps == ["greet", "wait", "wait", "tag", "done"], steps
        conversation = next(iter(tidings.conversations.each()))
        said = [message["text"] for message in tidings.conversations.messages.each(conversation["id"])]
        assert said == ["Hi Ada, you are on gold.", "Welcome, Ada!"], said

        assert "secret" in hook
        secret, kinds = hook["secret"], set[str]()
        while "flow.completed" not in kinds:
            body, headers = RECEIVED.get(timeout=30)
            kinds.add(verify(body, headers, secret)["type"])
            try:
                verify(body + b" ", headers, secret)
                raise SystemExit("what was changed is verified")
            except WebhookRefused:
                pass

        try:
            tidings.contacts.create({"email": "nobody", "custom_fields": {"plan": "brass"}})
            raise SystemExit("a wrong contact was taken")
        except ApiError as error:
            assert error.code == "validation_failed" and error.status == 422, error
            assert "/email" in [place.get("pointer") for place in error.errors], error.errors
        once = [tidings.contacts.create({"external_id": "grace"}, idempotency_key="import-42") for _ in range(2)]
        assert once[0] == once[1]

        for number in range(5):
            tidings.contacts.create({"external_id": f"page-{number}", "custom_fields": {"plan": "silver"}})
        found = list(tidings.contacts.each(custom_fields={"plan": "silver"}, limit=2))
        assert len(found) == 5, found
        assert tidings.contacts.export(format="csv").count(b"\n") > 5
        tidings.contacts.delete(found[0]["id"])
        assert len(list(tidings.contacts.each(custom_fields={"plan": "silver"}))) == 4

    with Tidings(serve(Busy), KEY) as busy:
        busy.tags.create({"name": "again"})
        assert len(Busy.keys) == 2 and Busy.keys[0] == Busy.keys[1] is not None, Busy.keys
    with Tidings("http://127.0.0.1:9", KEY, retries=1) as nobody:
        try:
            nobody.me.get()
            raise SystemExit("somebody answered at port 9")
        except Unreachable:
            pass
    print(f"the Python client played the tour: {len(kinds)} kinds of event verified")


main()
