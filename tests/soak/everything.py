#!/usr/bin/env python3
"""Runs a mixed load for an hour, with kills, and checks that nothing grows without bounds.

    make soak                       an hour, on SQLite and on PostgreSQL
    SOAK_SECONDS=300 make soak      five minutes

The load creates contacts, sends messages, starts flows that wait for a second, and receives webhooks. In the first half
the program is killed with -9 every 30 seconds and started again. In the second half it keeps running, and its memory,
files and tables are measured every five seconds. At the end the script prints the acknowledged and the received events,
and the slope of each measure over the last two thirds of the samples, relative to its size per hour. It exits with 1
after a lost event, after two events of one contact, or if 100 jobs or more are left. It also exits with 1 if too many
facts of the analytics were not folded into their counters, or if memory grew by more than 20 % per hour in a run of at
least half an hour.
"""

import http.server
import json
import os
import random
import sys
import threading
import time

from service import Service, each_store

SECONDS = float(os.environ.get("SOAK_SECONDS", "3600"))
KILL_EVERY = float(os.environ.get("SOAK_KILL_EVERY", "30"))
SEED = int(os.environ.get("SOAK_SEED", str(int(time.time()))))
# The maximum growth of memory per hour, relative to its size.
MOST_GROWTH = 0.2
# The most facts that may wait to be folded into the counters of the analytics, at any time.
MOST_FACTS = 10_000
FLOW = {"start": "wait", "nodes": [
    {"id": "wait", "type": "delay", "for": "PT1S", "next": "hi"},
    {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": "end"},
    {"id": "end", "type": "end"}]}


class Receiver(http.server.ThreadingHTTPServer):
    """Stores the IDs of the received events by contact."""
    daemon_threads = True

    def __init__(self):
        self.came, self.lock = {}, threading.Lock()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            self.server.came.setdefault(body["data"]["object"]["id"], set()).add(body["id"])
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def slope(samples):
    """The slope of a line through the samples (least squares) per hour, relative to their mean."""
    count = len(samples)
    mean_x, mean_y = sum(x for x, _ in samples) / count, sum(y for _, y in samples) / count
    spread = sum((x - mean_x) ** 2 for x, _ in samples)
    if not spread or not mean_y:
        return 0.0
    return sum((x - mean_x) * (y - mean_y) for x, y in samples) / spread / mean_y * 3600


def load(service, flow, told, stop, number):
    chance, turn = random.Random(SEED + number), 0
    while not stop.is_set():
        turn += 1
        name = f"{number}-{turn}"
        contact = service.call("POST", "/api/v1/contacts", {"external_id": name}, f"c-{name}")["id"]
        told.append(contact)
        choice = chance.random()
        if choice < 0.3:
            service.call("POST", f"/api/v1/contacts/{contact}/send-message", {"type": "text", "text": "Hello"}, f"m-{name}")
        elif choice < 0.5:
            service.call("POST", f"/api/v1/contacts/{contact}/start-flow", {"flow_id": flow}, f"f-{name}")
        time.sleep(chance.uniform(0.01, 0.05))


def soak(program, name, url):
    service, receiver = Service(program, url), Receiver()
    hook = {"url": f"http://127.0.0.1:{receiver.server_port}/", "events": ["contact.created"]}
    service.call("POST", "/api/v1/webhooks", hook)
    flow = service.call("POST", "/api/v1/flows", {"name": "Soak", "definition": FLOW})["id"]
    service.call("POST", f"/api/v1/flows/{flow}/publish", {})
    told, stop = [], threading.Event()
    loads = [threading.Thread(target=load, args=(service, flow, told, stop, number)) for number in range(4)]
    [thread.start() for thread in loads]
    began, killed, samples = time.monotonic(), time.monotonic(), []
    while time.monotonic() - began < SECONDS:
        time.sleep(5)
        at = time.monotonic() - began
        if at >= SECONDS / 2:
            samples.append((at, service.measured() | service.tables()))
        elif time.monotonic() - killed >= KILL_EVERY:
            service.kill()
            service.serve()
            killed = time.monotonic()
    stop.set()
    [thread.join() for thread in loads]
    deadline = time.monotonic() + 120
    while len(receiver.came) < len(told) and time.monotonic() < deadline:
        time.sleep(0.5)
    lost = [contact for contact in told if contact not in receiver.came]
    doubled = [contact for contact, events in receiver.came.items() if len(events) > 1]
    time.sleep(3)
    waiting = service.tables()["jobs"]
    service.process.terminate()
    service.process.wait()
    print(f"\n{name}: {SECONDS:.0f} s, {service.kills} kills, seed {SEED}; {len(told)} contacts acknowledged, "
          f"{len(receiver.came)} told of, {len(lost)} lost, {len(doubled)} told of by two events; jobs left {waiting}")
    last = samples[len(samples) // 3:] if len(samples) >= 6 else samples
    slopes = {}
    print(f"  {'measure':<18}{'first':>12}{'last':>12}{'slope /h':>12}")
    for measure in samples[0][1] if samples else []:
        slopes[measure] = slope([(at, sample[measure]) for at, sample in last])
        first, now = samples[0][1][measure], samples[-1][1][measure]
        print(f"  {measure:<18}{first:>12}{now:>12}{slopes[measure]:>+12.2f}", flush=True)
    is_flat = SECONDS < 1800 or slopes["memory_kb"] <= MOST_GROWTH
    is_folded = all(sample["analytics_facts"] <= MOST_FACTS for _, sample in samples)
    return not lost and not doubled and waiting < 100 and is_flat and is_folded


sys.exit(0 if each_store(sys.argv[1], soak) else 1)
