"""Creates the dumps in this folder: databases of a program that was killed while it was working.

    tests/bin/with-postgres python3 tests/dumps/make.py PROGRAM NAME

PROGRAM is a build of `tidings` with the schema to dump. NAME is the name of the files: NAME.db.gz, NAME.sql.gz, and
NAME.json with the facts that the test needs. Each dump contains contacts, a sent message, a run that waits for a
minute, a failed delivery before its retry, and a claimed delivery to a receiver that does not answer. The program was
killed during a burst, so there are also contacts with events that are not relayed yet, and queued messages of one
conversation.
"""

import gzip
import http.client
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

# The kinds of jobs that the burst must leave in flight.
IN_FLIGHT = ("relay_event", "send_message")
MASTER_KEY = "c2l4dGVlbiBieXRlcyBhbmQgc2l4dGVlbiBtb3JlISE="
HERE = os.path.dirname(os.path.abspath(__file__))
FLOW = {"start": "wait", "nodes": [
    {"id": "wait", "type": "delay", "for": "PT1M", "next": "hi"},
    {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "After a minute"}, "next": "end"},
    {"id": "end", "type": "end"}]}


class Service:
    """The program with its database."""

    def __init__(self, program, url):
        self.program, self.folder = program, tempfile.mkdtemp()
        self.environment = {
            "PATH": os.environ["PATH"], "TIDINGS_ENV": "test", "TIDINGS__STORAGE__URL": url,
            "TIDINGS__SECRETS__MASTER_KEY": MASTER_KEY, "TIDINGS__HTTP__ADDRESS": "127.0.0.1:0",
            "TIDINGS__EGRESS__ALLOW_LOOPBACK": "true", "TIDINGS__LOG__LEVEL": "error",
            "TIDINGS__WEBHOOKS__RETRY_SCHEDULE": "PT0S,PT2M,PT2M"}

    def command(self, *arguments):
        out = subprocess.run([self.program, *arguments, "--json"], cwd=self.folder, env=self.environment, check=True,
                             capture_output=True).stdout
        return json.loads(out)

    def serve(self):
        self.process = subprocess.Popen([self.program, "serve", "--json"], cwd=self.folder, env=self.environment,
                                        stdout=subprocess.PIPE, text=True)
        self.address = json.loads(self.process.stdout.readline())["address"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, data=data, method=method, headers=headers)
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read() or "null")

    def until(self, path, wanted):
        for _ in range(300):
            answer = self.call("GET", path)
            if wanted(answer):
                return answer
            time.sleep(0.1)
        raise SystemExit(f"waited in vain at {path}: {answer}")


def silent():
    """Opens a port that accepts connections and never answers. Returns the port and the list of connections."""
    listener = socket.create_server(("127.0.0.1", 0))
    kept = []

    def take():
        while True:
            kept.append(listener.accept())
    threading.Thread(target=take, daemon=True).start()
    return listener.getsockname()[1], kept


def story(service):
    """Fills the database and kills the program."""
    service.command("migrate")
    workspace = service.command("workspace", "create", "--name", "Dump", "--plan", "business")["id"]
    service.key = service.command("key", "create", "--workspace", workspace, "--scope", "full", "--name", "dump")["key"]
    service.serve()
    with socket.create_server(("127.0.0.1", 0)) as free:
        nobody = free.getsockname()[1]
    port, kept = silent()
    refused = service.call("POST", "/api/v1/webhooks", {
        "url": f"http://127.0.0.1:{nobody}/", "events": ["contact.created"]})["id"]
    contacts = [service.call("POST", "/api/v1/contacts", {"external_id": f"old-{n}", "first_name": f"Old {n}"})["id"]
                for n in range(10)]
    service.until(f"/api/v1/webhooks/{refused}/deliveries?limit=100",
                  lambda page: sum(it["attempt_count"] == 1 for it in page["data"]) == 10)
    sent = service.call("POST", f"/api/v1/contacts/{contacts[0]}/send-message", {"type": "text", "text": "Hello"})
    messages = f"/api/v1/conversations/{sent['conversation_id']}/messages"
    service.until(messages, lambda page: page["data"][0]["status"] == "sent")
    flow = service.call("POST", "/api/v1/flows", {"name": "Later", "definition": FLOW})["id"]
    service.call("POST", f"/api/v1/flows/{flow}/publish", {})
    service.call("POST", f"/api/v1/contacts/{contacts[0]}/start-flow", {"flow_id": flow})
    hanging = service.call("POST", "/api/v1/webhooks", {
        "url": f"http://127.0.0.1:{port}/", "events": ["contact.updated"]})["id"]
    service.call("PATCH", f"/api/v1/contacts/{contacts[1]}", {"first_name": "Changed"})
    while not kept:
        time.sleep(0.05)
    said = burst(service, contacts[2])
    return {"burst_messages": said, "workspace": workspace, "key": service.key, "contacts": contacts, "messages": messages,
            "refused_webhook": refused, "hanging_webhook": hanging}


def burst(service, contact):
    """Sends more requests than the program can process, and kills it. Returns the path of the burst's messages."""
    send = f"/api/v1/contacts/{contact}/send-message"
    sent = service.call("POST", send, {"type": "text", "text": "Burst 0"})

    def create(thread):
        for number in range(200):
            service.call("POST", "/api/v1/contacts", {"external_id": f"burst-{thread}-{number}"})

    def say():
        for number in range(1, 90):
            service.call("POST", send, {"type": "text", "text": f"Burst {number}"})

    def until_killed(work, *arguments):
        try:
            work(*arguments)
        except (OSError, http.client.HTTPException):
            pass

    threads = [threading.Thread(target=until_killed, args=(create, thread)) for thread in range(6)]
    threads.append(threading.Thread(target=until_killed, args=(say,)))
    for thread in threads:
        thread.start()
    time.sleep(0.15)
    service.process.kill()
    service.process.wait()
    for thread in threads:
        thread.join()
    return f"/api/v1/conversations/{sent['conversation_id']}/messages"


# The committed rows of the burst, acknowledged or not.
BURST_CONTACTS = "SELECT external_id FROM contacts WHERE external_id LIKE 'burst-%' ORDER BY 1"
BURST_TEXTS = "SELECT text FROM messages WHERE text LIKE 'Burst %' ORDER BY 1"
KINDS = "SELECT kind, count(*) FROM jobs GROUP BY kind"


def with_burst(facts, rows):
    """Adds the rows of the burst to the facts. Returns None if jobs of a required kind are missing."""
    kinds = {kind: int(count) for kind, count in rows(KINDS)}
    if not all(kinds.get(kind, 0) > 1 for kind in IN_FLIGHT):
        return None
    contacts = [name for name, in rows(BURST_CONTACTS)]
    return facts | {"burst_contacts": contacts, "burst_count": len(rows(BURST_TEXTS)), "jobs": kinds}


def again(make):
    """Tries again if the program finished its jobs before it was killed."""
    for _ in range(20):
        facts = make()
        if facts:
            return facts
    raise SystemExit(f"nothing was in flight of one of {IN_FLIGHT}")


def of_sqlite(program, target):
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "tidings.db")
    facts = story(Service(program, f"sqlite://{path}"))
    whole = os.path.join(folder, "whole.db")
    with sqlite3.connect(path) as connection:
        facts = with_burst(facts, lambda query: connection.execute(query).fetchall())
        if not facts:
            return None
        claimed = connection.execute("SELECT count(*) FROM jobs WHERE claimed").fetchone()[0]
        waiting = connection.execute("SELECT count(*) FROM jobs WHERE NOT claimed").fetchone()[0]
        connection.execute("VACUUM INTO ?", (whole,))
    with open(whole, "rb") as source, gzip.GzipFile(target + ".db.gz", "wb", mtime=0) as out:
        shutil.copyfileobj(source, out)
    return facts | {"claimed": claimed, "waiting": waiting}


def of_postgres(program, target):
    server = os.environ["TEST_DATABASE_URL"]
    name = f"dump_{os.getpid()}"
    base = re.sub(r"/[^/]*$", "", server)
    subprocess.run(["psql", "--quiet", server, "-c", f"CREATE DATABASE {name}"], check=True)
    url = f"{base}/{name}"
    try:
        facts = story(Service(program, url))
        counts = "SELECT count(*) FILTER (WHERE claimed), count(*) FILTER (WHERE NOT claimed) FROM jobs"
        found = subprocess.run(["psql", "-At", url, "-c", counts], check=True, capture_output=True, text=True).stdout
        claimed, waiting = (int(part) for part in found.strip().split("|"))

        def rows(query):
            told = subprocess.run(["psql", "-At", url, "-c", query], check=True, capture_output=True, text=True).stdout
            return [tuple(line.split("|")) for line in told.splitlines()]

        facts = with_burst(facts, rows)
        if not facts:
            return None
        text = subprocess.run(["pg_dump", "--no-owner", "--no-privileges", "--inserts", url], check=True,
                              capture_output=True, text=True).stdout
        # A plain client reads the dump, so psql commands and settings of single PostgreSQL versions are removed.
        lines = [line for line in text.splitlines() if not line.startswith(("\\", "SET ", "--"))]
        with gzip.GzipFile(target + ".sql.gz", "wb", mtime=0) as out:
            out.write("\n".join(lines).encode())
        return facts | {"claimed": claimed, "waiting": waiting}
    finally:
        subprocess.run(["psql", "--quiet", server, "-c", f"DROP DATABASE {name} WITH (FORCE)"], check=True)


def main():
    program, name = os.path.abspath(sys.argv[1]), sys.argv[2]
    target = os.path.join(HERE, name)
    facts = {"sqlite": again(lambda: of_sqlite(program, target)), "postgres": again(lambda: of_postgres(program, target))}
    with open(target + ".json", "w", encoding="utf-8") as out:
        json.dump(facts, out, indent=2)
        out.write("\n")


main()
