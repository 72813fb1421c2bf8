"""The binary with a fresh SQLite database, and a small client."""

import json
import os
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

MASTER_KEY = "c2l4dGVlbiBieXRlcyBhbmQgc2l4dGVlbiBtb3JlISE="


class Server:
    def __init__(self, binary: Path, folder: Path):
        self.binary, self.folder = binary, folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TIDINGS")}
        limits = {f"TIDINGS__LIMITS__PLANS__{plan}": "1000000" for plan in ("STARTER", "PRO", "BUSINESS")}
        self.environment = kept | limits | {
            "TIDINGS_ENV": "test",
            "TIDINGS__STORAGE__URL": f"sqlite://{folder}/tidings.db",
            "TIDINGS__SECRETS__MASTER_KEY": MASTER_KEY,
            "TIDINGS__HTTP__ADDRESS": "127.0.0.1:0",
            "TIDINGS__EGRESS__ALLOW_LOOPBACK": "true",
            "TIDINGS__LOG__LEVEL": "warn",
        }
        self.command("migrate")
        self.workspace = self.command("workspace", "create", "--name", "Interop", "--plan", "business")["id"]
        self.keys = {scope: self.new_key(scope) for scope in ("read", "write", "full")}
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

    def new_key(self, scope: str) -> str:
        made = self.command("key", "create", "--workspace", self.workspace, "--scope", scope, "--name", scope)
        return made["key"]

    def call(self, method: str, path: str, body=None, token: str | None = None):
        """The body of an answer that must be a success."""
        headers = {"Authorization": f"Bearer {token or self.keys['full']}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{method} {path}: {error.code} {error.read().decode()}") from error
        return json.loads(text) if text else None

    def stop(self):
        self.process.kill()
        self.process.wait()
