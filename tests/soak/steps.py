#!/usr/bin/env python3
"""Sends a sequence of five messages to contacts while the program is killed. Each must be sent once and not early.

    steps.py PROGRAM [--contacts 100000] [--kills 20] [--delay 60]

A flow enrolls each new contact, and each step follows the previous one after `--delay` seconds. The program is killed
with -9 at random times and started again, from the first contact on. At the end the script prints the number of
messages, and how many were duplicate or early. It exits with 1 if there is a duplicate, early or missing message.
"""

import argparse
import random
import threading
import time

from service import Service, each_store

STEPS, BATCH = 5, 100
# The time limit in seconds after the last step is due: a base, and an addition for each thousand contacts.
PATIENCE, PATIENCE_PER_THOUSAND = 120, 20
MESSAGES = "FROM messages WHERE text LIKE 'Step %'"


def begin(service, delay):
    steps = [
        {"id": f"step-{number}", "delay": f"PT{delay}S",
         "action": {"type": "send_message", "message": {"type": "text", "text": f"Step {number}"}}}
        for number in range(1, STEPS + 1)
    ]
    sequence = service.call("POST", "/api/v1/sequences", {"name": "Soak", "status": "active", "steps": steps})["id"]
    flow = service.call("POST", "/api/v1/flows", {"name": "Soak", "definition": {
        "triggers": [{"type": "event", "event": "contact.created"}], "start": "enroll",
        "nodes": [
            {"id": "enroll", "type": "enroll_sequence", "sequence": sequence, "next": "end"},
            {"id": "end", "type": "end"},
        ]}})["id"]
    service.call("POST", f"/api/v1/flows/{flow}/publish", {})


def fill(service, contacts):
    for first in range(0, contacts, BATCH):
        numbers = range(first, min(first + BATCH, contacts))
        made = [{"action": "create", "contact": {"external_id": f"soak-{number}"}} for number in numbers]
        service.call("POST", "/api/v1/contacts/batch", {"operations": made}, f"batch-{first}")


def early(service, delay):
    """The number of messages that were created before their step was due."""
    due = f"CAST(substr(m.text, 6) AS integer) * {delay}"
    due = f"{due} * 1000000" if service.is_sqlite else f"{due} * interval '1 second'"
    # Joined only by contact: with the workspace, SQLite would scan all enrollments for each message.
    return service.numbers(
        "SELECT count(*) FROM messages m JOIN enrollments e ON e.contact_id = m.contact_id"
        f" WHERE m.text LIKE 'Step %' AND m.created_at < e.started_at + {due}")[0]


def soak(options, program, name, url):
    service = Service(program, url)
    began = time.monotonic()
    begin(service, options.delay)
    filling = threading.Thread(target=fill, args=(service, options.contacts))
    filling.start()
    chance, wanted = random.Random(options.seed), STEPS * options.contacts
    # Expect the rate of a slow machine, because the kills must be spread over the whole run.
    lasts = max(STEPS * options.delay, options.contacts / 150)
    kills = sorted(chance.uniform(0, lasts) for _ in range(options.kills))
    patience = STEPS * options.delay + PATIENCE + PATIENCE_PER_THOUSAND * options.contacts / 1000
    sent = 0
    while (sent < wanted or kills) and time.monotonic() - began < patience:
        time.sleep(min(5, options.delay / 4))
        sent = service.numbers(f"SELECT count(*) {MESSAGES} AND status NOT IN ('queued', 'sending')")[0]
        # A faster run is killed earlier.
        if kills and (time.monotonic() - began >= kills[0] or sent / wanted >= kills[0] / lasts):
            del kills[0]
            service.kill()
            service.serve()
    filling.join()
    took = time.monotonic() - began
    made = service.numbers(f"SELECT count(*) {MESSAGES}")[0]
    once = service.numbers(f"SELECT count(*) FROM (SELECT DISTINCT contact_id, text {MESSAGES}) t")[0]
    failed = service.numbers(f"SELECT count(*) {MESSAGES} AND status = 'failed'")[0]
    too_early = early(service, options.delay)
    waiting = service.numbers("SELECT count(*) FROM enrollments WHERE status = 'active'")[0]
    service.process.terminate()
    service.process.wait()
    print(f"{name}: {options.contacts} contacts, {STEPS} steps {options.delay} s apart, {service.kills} kills, seed "
          f"{options.seed}: {made} messages of {wanted}, {made - once} twice, {too_early} early, {failed} failed, "
          f"{waiting} contacts still enrolled, in {took:.0f} s", flush=True)
    return made == once == sent == wanted and not (too_early or failed or waiting)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--contacts", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--delay", type=int, default=60, help="seconds between two steps")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    fine = each_store(options.program, lambda *store: soak(options, *store))
    raise SystemExit(0 if fine else 1)


main()
