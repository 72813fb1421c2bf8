#!/usr/bin/env python3
"""Sends messages to providers that often accept a message without an answer. No message may be accepted twice.

    unclear.py PROGRAM [--messages 1000] [--types telegram,sms] [--silent 0.01]

Half of the calls end without an outcome: the provider closes the connection before or after it has read the message or
in the middle of the answer, or answers 500. `--silent` is the share of calls that the provider answers too late. Each
message must end `sent` or `uncertain`. A message with a complete answer must be `sent`. Messages by SMS are looked up
after one and six minutes: there, a message is `sent` if its text occurs once, and if the provider has it. Two messages
of the same text never settle by the same message of the provider. The script exits with 1 otherwise.
"""

import argparse
import collections
import random
import time

from providers import PUBLIC_URL, UNCLEAR, BotApi, TwilioApi
from service import Service, each_store

# The time limit in seconds for all messages, and for the look-ups after that.
PATIENCE, LOOK_UPS = 300, 420
# Messages to each contact. The texts of the first two are the same on SMS.
EACH = 4


def settled(service, count, wanted, patience):
    """Waits until `count` messages have one of the statuses, as `wanted` says in SQL."""
    ends = time.monotonic() + patience
    query = f"SELECT count(*) FROM messages WHERE direction = 'outbound' AND {wanted}"
    while service.numbers(query)[0] < count and time.monotonic() < ends:
        time.sleep(0.5)


def soak(options, kind, program, name, url):
    chance = random.Random(options.seed)

    def conduct():
        if chance.random() < options.silent:
            return "silent"
        return "answer" if chance.random() < 0.5 else chance.choice(UNCLEAR)

    provider = {"telegram": BotApi, "sms": TwilioApi}[kind](conduct)
    service = Service(program, url, TIDINGS__HTTP__PUBLIC_URL=PUBLIC_URL)
    channel = service.call("POST", "/api/v1/channels", provider.channel())["id"]
    began, sent = time.monotonic(), {}
    for number in range(options.messages // EACH):
        address = f"+4917{610000000 + number}" if kind == "sms" else str(1000 + number)
        contact = service.call("POST", "/api/v1/contacts", {"identities": [{"channel_id": channel, "address": address}]},
                               f"contact-{number}")["id"]
        for turn in range(EACH):
            text = f"{number}: same" if kind == "sms" and turn < 2 else f"{number}: {turn}"
            message = service.call("POST", f"/api/v1/contacts/{contact}/send-message", {"type": "text", "text": text},
                                   f"message-{number}-{turn}")["id"]
            sent[message] = text
    settled(service, len(sent), "status NOT IN ('queued', 'sending')", PATIENCE)
    if kind == "sms":
        settled(service, len(sent), "(status = 'sent' OR error LIKE '%not_found_at_provider%' OR error LIKE '%ambiguous%')",
                LOOK_UPS)
    took = time.monotonic() - began
    found = {message: service.call("GET", f"/api/v1/messages/{message}") for message in sent}
    service.process.terminate()
    service.process.wait()

    name_of = (lambda message: message) if kind == "sms" else sent.get
    statuses = collections.Counter(it["status"] for it in found.values())
    doubled = [called for called, times in provider.taken.items() if times > 1]
    is_sent = {message: found[message]["status"] == "sent" for message in sent}
    lost = [message for message in sent if name_of(message) in provider.answered and not is_sent[message]]
    false = [message for message in sent if is_sent[message] and name_of(message) not in provider.taken]
    unsettled = []
    if kind == "sms":
        texts = collections.Counter(sent.values())
        # Of two messages with one text, either can be settled by the other's.
        false = [message for message in false if texts[sent[message]] == 1]
        unsettled = [it for it in sent if texts[sent[it]] == 1 and it in provider.taken and not is_sent[it]]
        ids = [it["provider_message_id"] for it in found.values() if it["status"] == "sent"]
        doubled += [it for it, times in collections.Counter(ids).items() if times > 1]
    others = set(statuses) - {"sent", "uncertain"}
    behaviours = collections.Counter(provider.conducts.values())
    print(f"{name}, {kind}: {len(sent)} messages, {sum(provider.taken.values())} accepted {dict(behaviours)}, "
          f"{dict(statuses)}, {len(doubled)} twice, {len(lost)} lost, {len(false)} sent but not accepted, "
          f"{len(unsettled)} not settled, seed {options.seed}, in {took:.0f} s", flush=True)
    return not (doubled or lost or false or unsettled or others)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--messages", type=int, default=1000)
    parser.add_argument("--types", default="telegram,sms")
    parser.add_argument("--silent", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    fine = [each_store(options.program, lambda *store: soak(options, kind, *store)) for kind in options.types.split(",")]
    raise SystemExit(0 if all(fine) else 1)


main()
