"""Starts the program with an empty SQLite database, and a small API client."""

import json
import os
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from uuid import uuid4

MASTER_KEY = "c2l4dGVlbiBieXRlcyBhbmQgc2l4dGVlbiBtb3JlISE="
# There are many generated requests. They test the document and not the rate limits.
UNLIMITED = [
    "LIMITS__PLANS__STARTER", "LIMITS__PLANS__PRO", "LIMITS__PLANS__BUSINESS", "LIMITS__PERSON",
    "LIMITS__PAGES", "AUTH__ATTEMPTS_PER_MINUTE",
]


class Server:
    def __init__(self, binary: Path, folder: Path, settings: dict[str, str] | None = None):
        """`settings` are additional environment variables."""
        self.binary, self.folder = binary, folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TIDINGS")}
        self.environment = kept | {f"TIDINGS__{name}": "1000000" for name in UNLIMITED} | {
            "TIDINGS_ENV": "test",
            "TIDINGS__STORAGE__URL": f"sqlite://{folder}/tidings.db",
            "TIDINGS__SECRETS__MASTER_KEY": MASTER_KEY,
            "TIDINGS__HTTP__ADDRESS": "127.0.0.1:0",
            "TIDINGS__EGRESS__ALLOW_LOOPBACK": "true",
            "TIDINGS__LOG__LEVEL": "warn",
        } | (settings or {})
        self.command("migrate")
        log = open(folder / "server.log", "w")
        self.process = subprocess.Popen(
            [binary, "serve", "--json"], cwd=folder, env=self.environment, stdout=subprocess.PIPE, stderr=log, text=True
        )
        self.base = json.loads(self.process.stdout.readline())["address"]

    def command(self, *arguments: str, stdin: str | None = None):
        done = subprocess.run(
            [self.binary, *arguments, "--json"],
            cwd=self.folder, env=self.environment, capture_output=True, text=True, input=stdin,
        )
        if done.returncode != 0:
            raise SystemExit(f"tidings {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout) if done.stdout.strip() else None

    def new_workspace(self, name: str) -> str:
        return self.command("workspace", "create", "--name", name, "--plan", "business")["id"]

    def new_key(self, workspace: str, scope: str) -> str:
        return self.command("key", "create", "--workspace", workspace, "--scope", scope, "--name", scope)["key"]

    def new_person(self, workspace: str, role: str, *more: str) -> dict:
        """Creates a member of the workspace. Returns `email` and `password`."""
        email = f"{role}-{uuid4().hex}@example.com"
        made = self.command("user", "create", "--email", email, "--workspace", workspace, "--role", role, *more)
        return {"email": email, "password": made["password"]}

    def sign_in(self, person: dict) -> str:
        """Returns an access token."""
        return self.call("POST", "/auth/login", person)["access_token"]

    def call(self, method: str, path: str, body=None, token: str | None = None):
        """The body of an answer that must be a success."""
        return call(self.base, method, path, body, token)

    def stop(self):
        self.process.kill()
        self.process.wait()


def call(base: str, method: str, path: str, body=None, token: str | None = None):
    """The body of an answer that must be a success."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{method} {path}: {error.code} {error.read().decode()}") from error
    return json.loads(text) if text else None
