#!/usr/bin/env python3
"""Measures channels under load, and checks bounds.

    channel_load.py PROGRAM [--seconds 600] [--quick]

1. Outbound: a broadcast by an `http` channel whose provider answers after 100 ms. At least 200 messages each second on
   PostgreSQL.
2. Neighbours: two channels of one workspace. In turn, the second one has a provider that works, or one that answers
   503, refuses connections, or does not answer. The 95th percentile of the time until a message of the first channel
   arrives must not grow by more than half.
3. Inbound: 200 updates each second to a Telegram channel for `--seconds`. All are answered 200 and stored, 99 of 100
   within 250 ms after they are due, and the memory of the program does not grow.

The script prints all figures with the processor time for each message. `--quick` runs for half a minute on any machine:
it checks that each message arrives once, and that the times of neighbours differ by less than a factor of three.
"""

import argparse
import asyncio
import json
import socket
import statistics
import threading
import time

from providers import PUBLIC_URL, BotApi, Poster, update_of
from service import Service, each_store

WORKERS = 16
BATCH = 100
PATIENCE = 300


class HttpProvider:
    """The provider of an `http` channel, on its own thread. `arrivals` has the time and the text of each message. While
    `is_silent` is set, it answers no message."""

    def __init__(self, latency, status=202):
        self.latency, self.status, self.arrivals, self.is_silent = latency, status, [], False
        started = threading.Event()

        async def serve():
            server = await asyncio.start_server(self.converse, "127.0.0.1", 0, backlog=512)
            self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/messages"
            started.set()
            await server.serve_forever()

        threading.Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
        started.wait()

    async def converse(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                length = next(line for line in head.split("\r\n") if line.startswith("content-length:"))
                body = json.loads(await reader.readexactly(int(length.partition(":")[2])))
                self.arrivals.append((time.monotonic(), body["message"]["text"]))
                await asyncio.sleep(self.latency)
                while self.is_silent:
                    await asyncio.sleep(0.05)
                writer.write(f"HTTP/1.1 {self.status} Status\r\nContent-Length: 0\r\n\r\n".encode())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


def refused_url():
    """The address of a port that refuses connections."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/messages"


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def connected(service, name, url, **more):
    made = service.call("POST", "/api/v1/channels", {"kind": "http", "name": name, "config": {"url": url}, **more})
    service.call("POST", f"/api/v1/channels/{made['id']}/connect", {})
    return made["id"]


def contacts_of(service, channel, count, name):
    """Creates contacts with an address on the channel; returns their external IDs."""
    names = [f"{name}-{number}" for number in range(count)]
    for first in range(0, count, BATCH):
        made = [{"action": "create", "contact": {
            "external_id": it, "identities": [{"channel_id": channel, "address": it}]}} for it in names[first:first + BATCH]]
        service.call("POST", "/api/v1/contacts/batch", {"operations": made}, f"{name}-{first}")
    return names


def until(condition, patience=PATIENCE):
    ends = time.monotonic() + patience
    while not condition() and time.monotonic() < ends:
        time.sleep(0.05)
    return condition()


def measure_outbound(service, messages):
    """Returns the messages each second, the processor time of each, and whether each arrived once."""
    provider = HttpProvider(latency=0.1)
    channel = connected(service, "Mass", provider.url, is_default=True)
    contacts_of(service, channel, messages, "mass")
    broadcast = service.call("POST", "/api/v1/broadcasts", {
        "name": "Load", "audience": {"all": []},
        "message": {"type": "text", "text": "{{ contact.external_id }}"}}, "broadcast")["id"]
    before = service.processor_seconds()
    service.call("POST", f"/api/v1/broadcasts/{broadcast}/send", {}, "send")
    until(lambda: len(provider.arrivals) >= messages)
    spent = service.processor_seconds() - before
    # The answers to the last messages are on their way.
    settled = "SELECT count(*) FROM messages WHERE direction = 'outbound' AND status = 'sent'"
    until(lambda: service.numbers(settled)[0] >= messages)
    times = sorted(at for at, _ in provider.arrivals)
    middle = times[len(times) // 20:len(times) - len(times) // 20]
    rate = (len(middle) - 1) / max(middle[-1] - middle[0], 0.001)
    is_once = len(provider.arrivals) == len({text for _, text in provider.arrivals}) == messages
    return rate, spent / messages, is_once


def send_at(service, rate, seconds, targets, label, dues):
    """Sends messages at a rate to all targets in turn: lists of contacts with their channel."""
    start, count = time.monotonic(), int(rate * seconds)

    def work(worker):
        for number in range(worker, count, WORKERS):
            due = start + number / rate
            time.sleep(max(0, due - time.monotonic()))
            for channel, contacts in targets:
                text = f"{label}-{number}-{channel}"
                dues[text] = due
                contact = contacts[number % len(contacts)]
                service.call("POST", f"/api/v1/contacts/external_id:{contact}/send-message",
                             {"type": "text", "text": text, "channel_id": channel}, text)

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(WORKERS)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]


def measure_neighbours(service, rate, seconds, windows):
    """Returns the 95th percentiles beside a channel that works and beside channels that do not."""
    ours, other, failing = HttpProvider(latency=0.02), HttpProvider(latency=0.02), HttpProvider(latency=0, status=503)
    silent = HttpProvider(latency=0.02)
    names = {"ours": ours.url, "other": other.url, "refused": refused_url(), "failing": failing.url,
             "silent": silent.url}
    targets = {}
    for name, url in names.items():
        channel = connected(service, name, url)
        # More contacts than messages in a window: messages to one contact wait for each other.
        targets[name] = (channel, contacts_of(service, channel, int(rate * seconds) + 1, name))
    dues, times, to_silent = {}, {"works": [], "down": []}, 0
    for window in range(windows):
        beside = "other" if window % 2 == 0 else ["failing", "refused", "silent"][window // 2 % 3]
        silent.is_silent = beside == "silent"
        send_at(service, rate, seconds, [targets["ours"], targets[beside]], f"w{window}", dues)
        until(lambda: len(ours.arrivals) >= int(rate * seconds) * (window + 1))
        if silent.is_silent:
            # Its waiting messages must not be on their way in the next window.
            silent.is_silent, to_silent = False, to_silent + int(rate * seconds)
            until(lambda: len(silent.arrivals) >= to_silent)
    for at, text in ours.arrivals:
        window = int(text.split("-")[0].removeprefix("w"))
        times["works" if window % 2 == 0 else "down"].append(at - dues[text])
    wanted = int(rate * seconds) * windows
    is_once = len(ours.arrivals) == len({text for _, text in ours.arrivals}) == wanted
    is_once = is_once and len(silent.arrivals) == len({text for _, text in silent.arrivals}) == to_silent
    return percentile(times["works"], 0.95), percentile(times["down"], 0.95), is_once


def measure_inbound(service, rate, seconds):
    """Returns the times, the processor time of an update, samples of the memory, and whether each update is stored."""
    bot = BotApi()
    service.call("POST", "/api/v1/channels", bot.channel() | {"is_default": False})
    count, times, refused, memory = int(rate * seconds), [], [], []
    before, start = service.processor_seconds(), time.monotonic()

    def work(worker):
        poster = Poster(service, bot)
        for number in range(worker, count, WORKERS):
            due = start + number / rate
            time.sleep(max(0, due - time.monotonic()))
            status = poster.post(update_of(number + 1, 1 + number % 2_000, f"Update {number}"))
            (times if status == 200 else refused).append(time.monotonic() - due)
        poster.close()

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(WORKERS)]
    [thread.start() for thread in threads]
    while any(thread.is_alive() for thread in threads):
        memory.append(service.measured()["memory_kb"])
        time.sleep(1)
    spent = service.processor_seconds() - before
    stored, = service.numbers("SELECT count(*) FROM messages WHERE direction = 'inbound'")
    return times, spent / count, memory, not refused and len(times) == stored == count


def soak(options, program, name, url):
    quick = options.quick
    service = Service(program, url, TIDINGS__HTTP__PUBLIC_URL=PUBLIC_URL)
    wrong = []
    rate, spent, is_once = measure_outbound(service, 300 if quick else 20_000)
    print(f"{name}: outbound {rate:.0f} messages/s, {spent * 1000:.2f} ms of processor time each", flush=True)
    if not is_once:
        wrong.append("an outbound message is missing, or arrived twice")
    if not quick and name == "PostgreSQL" and rate < 200:
        wrong.append("fewer than 200 outbound messages each second")
    works, down, is_once = measure_neighbours(service, *((10, 2, 6) if quick else (20, 10, 12)))
    print(f"{name}: 95 % of messages arrive within {works * 1000:.0f} ms beside a channel that works, within "
          f"{down * 1000:.0f} ms beside one that does not", flush=True)
    if not is_once:
        wrong.append("a message beside a channel that does not work is missing, or arrived twice")
    # Times of a few milliseconds differ by chance.
    if down > (3 * works + 0.2 if quick else 1.5 * works + 0.01):
        wrong.append("a channel whose provider is down delays another channel")
    times, spent, memory, is_stored = measure_inbound(service, *((30, 6) if quick else (200, options.seconds)))
    late = percentile(times, 0.99) if times else 0
    quarter = max(1, len(memory) // 4)
    first, last = statistics.median(memory[quarter:2 * quarter] or memory), statistics.median(memory[-quarter:])
    print(f"{name}: inbound {len(times)} updates, 99 % within {late * 1000:.0f} ms, {spent * 1000:.2f} ms of processor "
          f"time each, memory from {first / 1024:.0f} to {last / 1024:.0f} MiB", flush=True)
    if not is_stored:
        wrong.append("an update was refused or not stored")
    if not quick and late > 0.25:
        wrong.append("an update in a hundred takes longer than 250 ms")
    if not quick and last > 1.15 * first:
        wrong.append("the memory grows")
    service.process.terminate()
    service.process.wait()
    for what in wrong:
        print(f"{name}: {what}", flush=True)
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    raise SystemExit(0 if each_store(options.program, lambda *store: soak(options, *store)) else 1)


main()
