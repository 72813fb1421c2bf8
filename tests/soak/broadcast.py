#!/usr/bin/env python3
"""Sends a broadcast to all contacts while the program is killed. Each contact must get one message.

    broadcast.py PROGRAM [--contacts 100000] [--kills 5]

Contacts are imported from tables. The first half of the kills happens during the imports, the second half during the
broadcast, each after a random share of the work. Exits with 1 if a contact got no message or two.
"""

import argparse
import random
import time

from service import Service, each_store

ROWS = 50_000
PATIENCE, PATIENCE_PER_THOUSAND = 120, 5


def tables(contacts):
    for first in range(0, contacts, ROWS):
        rows = range(first, min(first + ROWS, contacts))
        yield "external_id,first_name\n" + "".join(f"p{number},Person {number % 977}\n" for number in rows)


def fill(service, contacts, kills):
    """Imports all contacts, one table after another. Kills the program after the shares of contacts in `kills`."""
    for number, table in enumerate(tables(contacts)):
        path = "/api/v1/contacts/import"
        taken = service.send("POST", path, table.encode(), "text/csv", f"table-{number}")
        followed(service, f"/api/v1/contacts/imports/{taken['id']}", lambda it: number * ROWS + sum(
            it["counts"][done] for done in ("created", "updated", "kept")), contacts, kills, ("completed",))


def followed(service, path, done, contacts, kills, ends):
    """Polls a job until it ends. Kills the program after the shares of work in `kills`."""
    patience = time.monotonic() + PATIENCE + PATIENCE_PER_THOUSAND * contacts / 1000
    while time.monotonic() < patience:
        it = service.call("GET", path)
        if it["status"] in ends:
            return it
        if kills and done(it) / contacts >= kills[0]:
            del kills[0]
            service.kill()
            service.serve()
        time.sleep(0.1)
    raise SystemExit(f"it takes too long: {it}")


def soak(options, program, name, url):
    service = Service(program, url)
    chance = random.Random(options.seed)
    kills = sorted(chance.random() for _ in range(options.kills // 2))
    began = time.monotonic()
    fill(service, options.contacts, kills)
    filled = time.monotonic()
    made = service.call("POST", "/api/v1/broadcasts", {
        "name": "Soak", "audience": {"all": []},
        "message": {"type": "text", "text": "Broadcast {{ contact.first_name }}"}}, "broadcast")
    path = f"/api/v1/broadcasts/{made['id']}"
    service.call("POST", f"{path}/send", {}, "send")
    kills += sorted(chance.random() for _ in range(options.kills - options.kills // 2))
    ended = followed(service, path, lambda it: it["stats"]["sent"], options.contacts, kills, ("completed", "cancelled"))
    sent = time.monotonic()
    messages = "FROM messages WHERE text LIKE 'Broadcast %'"
    all_of_them, = service.numbers(f"SELECT count(*) {messages} AND status NOT IN ('queued', 'sending', 'failed')")
    people, = service.numbers(f"SELECT count(DISTINCT contact_id) {messages}")
    contacts, = service.numbers("SELECT count(*) FROM contacts")
    # The counts are updated a second or two later.
    counted = time.monotonic() + 10
    while ended["stats"]["sent"] != all_of_them and time.monotonic() < counted:
        time.sleep(0.2)
        ended = service.call("GET", path)
    service.process.terminate()
    service.process.wait()
    print(f"{name}: {contacts} contacts in {filled - began:.0f} s, a broadcast in {sent - filled:.0f} s, {service.kills} kills, "
          f"seed {options.seed}: {all_of_them} messages, {options.contacts - people} without, {all_of_them - people} twice, "
          f"counted {ended['stats']}", flush=True)
    return contacts == all_of_them == people == options.contacts == ended["stats"]["sent"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--contacts", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    raise SystemExit(0 if each_store(options.program, lambda *store: soak(options, *store)) else 1)


main()
