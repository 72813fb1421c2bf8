"""Follows the feed twice, and the stream, during a restart of the server. Contact `before` is first, then `after`."""

import asyncio
import os
import threading
from collections.abc import Iterator

from tidings import AsyncTidings, Tidings, models

URL, KEY = os.environ["TIDINGS"], os.environ["KEY"]
PRINTS = threading.Lock()
SEEN_BEFORE = threading.Barrier(3, action=lambda: print("before", flush=True))


class Reader:
    """Checks that every event comes once, in order."""

    def __init__(self, name: str) -> None:
        self.name, self.position = name, 0

    def take(self, event: models.FeedEvent) -> str | None:
        assert event["position"] == self.position + 1, f"{self.name}: {event['position']} after {self.position}"
        self.position = event["position"]
        return event["data"]["object"]["external_id"] if event["type"] == "contact.created" else None


def report(reader: Reader) -> None:
    with PRINTS:
        print(f"{reader.name}: {reader.position} events", flush=True)


def streamed(tidings: Tidings) -> Iterator[models.FeedEvent]:
    for message in tidings.stream(last_event_id=0):
        if message["type"] == "event":
            yield message["event"]


def read(name: str, events: Iterator[models.FeedEvent]) -> None:
    reader = Reader(name)
    for event in events:
        contact = reader.take(event)
        if contact == "before":
            SEEN_BEFORE.wait()
        if contact == "after":
            report(reader)
            return


async def read_async() -> None:
    reader = Reader("follow, async")
    async with AsyncTidings(URL, KEY) as tidings:
        async for event in tidings.events.follow(every=0.1):
            contact = reader.take(event)
            if contact == "before":
                await asyncio.to_thread(SEEN_BEFORE.wait)
            if contact == "after":
                report(reader)
                return


client = Tidings(URL, KEY)
threads = [
    threading.Thread(target=read, args=("follow", client.events.follow(every=0.1))),
    threading.Thread(target=read, args=("stream", streamed(client))),
]
for thread in threads:
    thread.start()
asyncio.run(read_async())
for thread in threads:
    thread.join()
