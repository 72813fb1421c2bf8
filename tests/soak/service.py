"""The program, which can be killed and restarted, with one database."""

import http.client
import json
import os
import re
import sqlite3
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

MASTER_KEY = "c2l4dGVlbiBieXRlcyBhbmQgc2l4dGVlbiBtb3JlISE="
TABLES = ["jobs", "events", "contacts", "messages", "flow_runs", "deliveries", "idempotency_keys", "leases",
          "analytics_facts"]


class Service:
    """The program with a new database, a workspace, and a key of scope `full`. `settings` are more variables."""

    def __init__(self, program, url, **settings):
        self.program, self.url, self.folder = program, url, tempfile.mkdtemp()
        with_port = {"PATH": os.environ["PATH"], "TIDINGS_ENV": "soak", "TIDINGS__STORAGE__URL": url,
                     "TIDINGS__SECRETS__MASTER_KEY": MASTER_KEY, "TIDINGS__HTTP__ADDRESS": "127.0.0.1:0",
                     "TIDINGS__EGRESS__ALLOW_LOOPBACK": "true", "TIDINGS__LOG__LEVEL": "error",
                     "TIDINGS__LIMITS__PLANS__BUSINESS": "1000000",
                     "TIDINGS__WEBHOOKS__RETRY_SCHEDULE": "PT0S,PT1S,PT2S,PT5S,PT10S,PT10S,PT30S,PT60S",
                     **settings}
        self.environment, self.address, self.process, self.kills = with_port, None, None, 0
        self.command("migrate")
        workspace = self.command("workspace", "create", "--name", "Soak", "--plan", "business")["id"]
        self.key = self.command("key", "create", "--workspace", workspace, "--scope", "full", "--name", "soak")["key"]
        self.serve()

    def command(self, *arguments):
        run = subprocess.run([self.program, *arguments, "--json"], cwd=self.folder, env=self.environment, check=True,
                             capture_output=True)
        return json.loads(run.stdout)

    def serve(self):
        self.process = subprocess.Popen([self.program, "serve", "--json"], cwd=self.folder, env=self.environment,
                                        stdout=subprocess.PIPE, text=True)
        self.address = json.loads(self.process.stdout.readline())["address"]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.kills += 1

    def call(self, method, path, body=None, key=None):
        """Sends a request until it is answered. The idempotency key makes retries safe."""
        return self.send(method, path, None if body is None else json.dumps(body).encode(), "application/json", key)

    def send(self, method, path, data, kind, key=None):
        """Like `call`, with any media type."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": kind}
        if key:
            headers["Idempotency-Key"] = key
        while True:
            try:
                request = urllib.request.Request(self.address + path, data=data, method=method, headers=headers)
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return json.loads(answer.read() or "null")
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503):
                    raise SystemExit(f"{method} {path}: {error.code} {error.read().decode()}") from error
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.05)

    @property
    def is_sqlite(self):
        return self.url.startswith("sqlite://")

    def numbers(self, query):
        """Runs a query that returns one row of integers."""
        if self.is_sqlite:
            connection = sqlite3.connect(self.url.removeprefix("sqlite://"), timeout=60)
            try:
                return connection.execute(query).fetchone()
            finally:
                connection.close()
        found = subprocess.run(["psql", "-At", self.url, "-c", query], check=True, capture_output=True, text=True)
        return tuple(map(int, found.stdout.strip().split("|")))

    def processor_seconds(self):
        """The processor time of the running process."""
        fields = open(f"/proc/{self.process.pid}/stat", encoding="ascii").read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def tables(self):
        return dict(zip(TABLES, self.numbers("SELECT " + ", ".join(f"(SELECT count(*) FROM {name})" for name in TABLES))))

    def measured(self):
        """The memory, threads and files of the running process."""
        status = open(f"/proc/{self.process.pid}/status", encoding="ascii").read()
        return {"memory_kb": int(re.search(r"VmRSS:\s+(\d+)", status)[1]),
                "threads": int(re.search(r"Threads:\s+(\d+)", status)[1]),
                "files": len(os.listdir(f"/proc/{self.process.pid}/fd"))}


def each_store(program, soak):
    """Runs the soak on SQLite, and on PostgreSQL if TEST_DATABASE_URL is set. Returns whether all succeeded."""
    program = os.path.abspath(program)
    fine = soak(program, "SQLite", f"sqlite://{tempfile.mkdtemp()}/tidings.db")
    server = os.environ.get("TEST_DATABASE_URL")
    if server:
        name = f"soak_{os.getpid()}"
        subprocess.run(["psql", "--quiet", server, "-c", f"CREATE DATABASE {name}"], check=True)
        try:
            fine = soak(program, "PostgreSQL", re.sub(r"/[^/]*$", "", server) + f"/{name}") and fine
        finally:
            subprocess.run(["psql", "--quiet", server, "-c", f"DROP DATABASE {name} WITH (FORCE)"], check=True)
    return fine
