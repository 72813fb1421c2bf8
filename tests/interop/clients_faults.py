"""Faults for the clients in sdk/: a proxy that loses responses or refuses requests, and a server that restarts."""

import http.client
import json
import socket
import subprocess
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from server import UNLIMITED, Server

HEADERS = ["Authorization", "Content-Type", "Accept", "If-Match", "Idempotency-Key", "Last-Event-ID"]


class FaultProxy:
    """Forwards `/<fault>-<name>/api/v1/…` to the server. The first request of each verb and path gets the fault.

    cut: the server handles the request, and the response is lost. half: half of the response arrives. unknown: the server
    handles the request, and 503 `outcome_unknown` arrives. away: 503 `unavailable`, and the server gets nothing. limited: 429
    with `Retry-After: 1`. later: 429 with `Retry-After: 30`, for every request. `GET /log` lists the requests.
    """

    def __init__(self, server: str):
        upstream, log, met, lock = urlsplit(server), [], Counter(), threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def handle_one(self):
                length = int(self.headers["Content-Length"] or 0)
                body = self.rfile.read(length)
                if self.path == "/log":
                    return self.answer(200, log)
                _, script, path = self.path.split("/", 2)
                place = (script, self.command, path.split("?")[0])
                with lock:
                    met[place] += 1
                    is_first = met[place] == 1
                    key = self.headers["Idempotency-Key"]
                    log.append({"script": script, "verb": self.command, "path": f"/{path}", "key": key})
                fault = script.split("-")[0]
                if fault == "later":
                    return self.problem(429, "rate_limited", "30")
                if is_first and fault == "limited":
                    return self.problem(429, "rate_limited", "1")
                if is_first and fault == "away":
                    return self.problem(503, "unavailable", "0")
                status, headers, content = self.forward(f"/{path}", body)
                if is_first and fault == "unknown":
                    return self.problem(503, "outcome_unknown", "0")
                if is_first and fault == "cut":
                    return self.connection.shutdown(socket.SHUT_RDWR)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content[: len(content) // 2] if is_first and fault == "half" else content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_one

            def forward(self, path, body):
                asked = {name: self.headers[name] for name in HEADERS if self.headers[name]}
                connection = http.client.HTTPConnection(upstream.hostname, upstream.port, timeout=30)
                connection.request(self.command, path, body or None, asked)
                found = connection.getresponse()
                kept = {name: found.headers[name] for name in ("Content-Type", "Retry-After") if found.headers[name]}
                content = found.read()
                connection.close()
                return found.status, kept, content

            def problem(self, status, code, retry_after):
                told = {"type": f"/problems/{code}", "title": code, "status": status, "code": code, "detail": code}
                self.answer(status, told | {"request_id": "req_test"}, retry_after)

            def answer(self, status, told, retry_after=None):
                content = json.dumps(told).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json" if status < 400 else "application/problem+json")
                self.send_header("Content-Length", str(len(content)))
                if retry_after:
                    self.send_header("Retry-After", retry_after)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # A client that stops waiting closes its connection.
        self.server.handle_error = lambda *_: None
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class RestartingServer(Server):
    """A server that can restart with the same address and data."""

    def __init__(self, binary: Path, folder: Path):
        folder.mkdir()
        super().__init__(binary, folder)
        self.environment["TIDINGS__HTTP__ADDRESS"] = urlsplit(self.base).netloc

    def restart(self, with_limits: bool = False):
        self.stop()
        if with_limits:
            self.environment = {
                name: value for name, value in self.environment.items()
                if name.removeprefix("TIDINGS__") not in UNLIMITED
            }
        log = open(self.folder / "server.log", "a")
        self.process = subprocess.Popen(
            [self.binary, "serve", "--json"], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
            stderr=log, text=True,
        )
        if json.loads(self.process.stdout.readline())["address"] != self.base:
            raise SystemExit("interop: the server did not keep its address")
