#!/usr/bin/env python3
"""Sends and receives messages on a Telegram channel while the program is killed.

    channels.py PROGRAM [--kills 50] [--every 3]

A server plays Telegram: it posts updates of new contacts until they are answered 200, often twice at once, and receives
messages. A flow answers each message of a contact, and other messages are sent by API requests. The program is killed
with -9 at random times, on average every `--every` seconds, and started again. At the end, each update that was answered
200 must be stored once, with one contact and one conversation for each chat, and one answer for each message. Each
acknowledged message must be `sent` or `uncertain`, and the provider must have received it at most once. A message whose
status is `sent` must have arrived. The script exits with 1 otherwise.
"""

import argparse
import itertools
import random
import threading
import time

from providers import PUBLIC_URL, BotApi, Poster, update_of
from service import Service, each_store

# The number of threads that post updates, and of messages in each chat.
CHATS_AT_ONCE, EACH = 6, 4
# The time limit in seconds until all messages have an outcome after the last kill. A channel sends 25 messages a second.
PATIENCE = 600
REPLY = "The reply to a message"
FLOW = {"triggers": [{"type": "keyword", "match": "starts_with", "keywords": ["hello"]}], "start": "reply",
        "settings": {"reentry": "parallel"},
        "nodes": [{"id": "reply", "type": "send_message", "message": {"type": "text", "text": REPLY}, "next": "end"},
                  {"id": "end", "type": "end"}]}


class Load:
    """The messages of all chats, and those that were acknowledged."""

    def __init__(self, service, bot, channel, seed):
        self.service, self.bot, self.channel, self.seed = service, bot, channel, seed
        self.numbers, self.stop, self.lock = itertools.count(1), threading.Event(), threading.Lock()
        self.heard, self.chats, self.sent, self.contacts, self.faults = set(), set(), {}, 0, []
        self.threads = [threading.Thread(target=self.talk, args=(number,)) for number in range(CHATS_AT_ONCE)]
        [thread.start() for thread in self.threads]

    def number(self):
        with self.lock:
            return next(self.numbers)

    def talk(self, thread):
        try:
            self.talk_until_stopped(thread)
        except SystemExit as fault:
            self.faults.append(str(fault))

    def talk_until_stopped(self, thread):
        chance = random.Random(self.seed + thread)
        posters = [Poster(self.service, self.bot) for _ in range(2)]
        turn = 0
        while not self.stop.is_set():
            turn += 1
            chat = 1_000_000 * (thread + 1) + turn
            if turn % 2:
                self.write(chat, posters, chance)
            else:
                self.receive(chat, chance)

    def write(self, chat, posters, chance):
        """A new contact writes. The first two updates come at once, and the first one twice."""
        with self.lock:
            self.chats.add(chat)
        numbers = [self.number() for _ in range(EACH)]
        first, second, *others = [update_of(number, chat, f"Hello {number}") for number in numbers]
        beside = threading.Thread(target=self.post, args=(posters[1], chance.choice([first, second])))
        beside.start()
        self.post(posters[0], first)
        self.post(posters[0], second)
        beside.join()
        for update in others:
            time.sleep(chance.uniform(0.02, 0.2))
            self.post(posters[0], update)

    def post(self, poster, update):
        """Posts an update until it is answered 200, as Telegram does."""
        while (status := poster.post(update)) != 200:
            if status not in (None, 408, 429, 503):
                self.faults.append(f"an update is answered {status}")
                return
            time.sleep(0.1)
        with self.lock:
            self.heard.add(update["update_id"])

    def receive(self, chat, chance):
        """A contact that the API created gets messages."""
        identity = {"channel_id": self.channel, "address": str(chat)}
        contact = self.service.call("POST", "/api/v1/contacts", {"identities": [identity]}, f"contact-{chat}")["id"]
        for turn in range(EACH):
            text = f"{chat}: {turn}"
            message = self.service.call("POST", f"/api/v1/contacts/{contact}/send-message",
                                        {"type": "text", "text": text}, f"send-{chat}-{turn}")["id"]
            with self.lock:
                self.sent[message] = text
            time.sleep(chance.uniform(0.02, 0.2))
        with self.lock:
            self.contacts += 1

    def end(self):
        self.stop.set()
        [thread.join() for thread in self.threads]


def soak(options, program, name, url):
    chance = random.Random(options.seed)
    bot = BotApi(lambda: "answer", lambda: chance.uniform(0, 0.15))
    service = Service(program, url, TIDINGS__HTTP__PUBLIC_URL=PUBLIC_URL, TIDINGS__ENGINE__LEASE="PT3S")
    channel = service.call("POST", "/api/v1/channels", bot.channel())["id"]
    flow = service.call("POST", "/api/v1/flows", {"name": "Replies", "definition": FLOW})["id"]
    service.call("POST", f"/api/v1/flows/{flow}/publish", {})
    began, load = time.monotonic(), Load(service, bot, channel, options.seed)
    for _ in range(options.kills):
        time.sleep(chance.uniform(0.5, 1.5) * options.every)
        service.kill()
        service.serve()
    load.end()

    outbound = "FROM messages WHERE direction = 'outbound'"
    wanted, ends = len(load.heard) + len(load.sent), time.monotonic() + PATIENCE
    count = f"SELECT count(*) {outbound} AND status NOT IN ('queued', 'sending')"
    while service.numbers(count)[0] < wanted and time.monotonic() < ends:
        time.sleep(0.5)
    took = time.monotonic() - began

    contacts, conversations, heard, once, replies, uncertain, others = service.numbers(
        "SELECT (SELECT count(*) FROM contacts), (SELECT count(*) FROM conversations),"
        " (SELECT count(*) FROM messages WHERE direction = 'inbound'),"
        " (SELECT count(DISTINCT provider_message_id) FROM messages WHERE direction = 'inbound'),"
        f" (SELECT count(*) {outbound} AND text = '{REPLY}'),"
        f" (SELECT count(*) {outbound} AND status = 'uncertain'),"
        f" (SELECT count(*) {outbound} AND status NOT IN ('sent', 'uncertain'))")
    replied, = service.numbers(f"SELECT count(*) {outbound} AND text = '{REPLY}' AND status = 'sent'")
    statuses = {message: service.call("GET", f"/api/v1/messages/{message}")["status"] for message in load.sent}
    service.process.terminate()
    service.process.wait()
    arrived = bot.taken.pop(REPLY, 0)
    doubled = [text for text, times in bot.taken.items() if times > 1]
    doubled += [chat for (chat, text), times in bot.by_chat.items() if text == REPLY and times > EACH]
    missing = [message for message, text in load.sent.items() if statuses[message] == "sent" and not bot.taken[text]]
    wrong = [
        (what, found, expected) for what, found, expected in [
            ("contacts", contacts, len(load.chats) + load.contacts),
            ("conversations", conversations, len(load.chats) + load.contacts),
            ("stored updates", heard, len(load.heard)),
            ("distinct updates", once, len(load.heard)),
            ("replies", replies, len(load.heard)),
            ("messages without an outcome", others, 0),
            ("messages sent twice", len(doubled), 0),
            ("sent messages that did not arrive", len(missing), 0),
            ("faults", load.faults, []),
        ] if found != expected]
    # A reply that arrived is stored as sent or uncertain, and one that is sent arrived.
    if not replied <= arrived <= replies:
        wrong.append(("replies that arrived", arrived, (replied, replies)))
    print(f"{name}: {service.kills} kills, {len(load.heard)} updates of {len(load.chats)} chats, {replies} replies, "
          f"{len(load.sent)} messages by API, {uncertain} uncertain, seed {options.seed}, in {took:.0f} s: "
          f"{wrong or 'nothing lost, nothing twice'}", flush=True)
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--every", type=float, default=3)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    raise SystemExit(0 if each_store(options.program, lambda *store: soak(options, *store)) else 1)


main()
