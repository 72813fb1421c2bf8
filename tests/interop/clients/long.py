"""Runs 2,000 upserts and 1,000 PATCHes above the limit of the plan, with the Python clients.

KEY belongs to a workspace with the plan Business, SLOW_KEY to one with Starter.
"""

import asyncio
import os
import time

from tidings import AsyncTidings, Tidings

URL = os.environ["TIDINGS"]


async def upsert() -> None:
    start = time.monotonic()
    async with AsyncTidings(URL, os.environ["KEY"]) as tidings:
        places = asyncio.Semaphore(8)

        async def one(number: int) -> None:
            async with places:
                await tidings.contacts.create(
                    {"external_id": f"c-{number % 1500}", "first_name": f"N{number}"}, on_conflict="update", key="external_id"
                )

        await asyncio.gather(*(one(number) for number in range(2000)))
        found = [one async for one in tidings.contacts.each()]
    assert len(found) == 1500, len(found)
    print(f"Python: 2,000 upserts of 1,500 contacts in {time.monotonic() - start:.0f} s", flush=True)


def patch() -> None:
    start = time.monotonic()
    with Tidings(URL, os.environ["SLOW_KEY"]) as tidings:
        made = tidings.contacts.create({"external_id": "slow"})
        for number in range(1000):
            tidings.contacts.patch(made["id"], {"first_name": f"N{number}"}, if_version=made["version"] + number)
        found = tidings.contacts.get(made["id"])
    assert (found["first_name"], found["version"]) == ("N999", made["version"] + 1000), found
    took = time.monotonic() - start
    assert took > 55, "the limit was not reached"
    print(f"Python: 1,000 PATCHes beyond 600 a minute in {took:.0f} s", flush=True)


asyncio.run(upsert())
patch()
