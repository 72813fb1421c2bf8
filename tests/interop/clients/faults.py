"""Checks the Python client under faults.

FAULTS is the proxy, TIDINGS the server, CLOSED an address without a server; KEY and READ_KEY are keys.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable

from tidings import ApiError, AsyncTidings, Cancelled, Tidings, TidingsError, Unreachable, models

FAULTS, URL, KEY = os.environ["FAULTS"], os.environ["TIDINGS"], os.environ["KEY"]
direct = Tidings(URL, KEY)


def behind(script: str) -> Tidings:
    return Tidings(f"{FAULTS}/{script}-py", KEY)


def requests(script: str) -> list[tuple[str, str, str | None]]:
    log = Tidings(FAULTS, KEY).request("GET", "/log")
    return [(one["verb"], one["path"], one["key"]) for one in log if one["script"] == f"{script}-py"]


def raised(call: Callable[[], object]) -> TidingsError:
    try:
        call()
    except TidingsError as error:
        return error
    raise SystemExit("the call succeeded")


def refused(call: Callable[[], object]) -> ApiError:
    error = raised(call)
    assert isinstance(error, ApiError), repr(error)
    return error


def lost_responses() -> None:
    assert behind("cut-get").contacts.list()["data"] == []
    made = behind("cut-post").contacts.create({"external_id": "cut", "tags": ["lost"]})
    (_, _, key), (_, _, again) = requests("cut-post")
    assert key is not None and key == again, "one key for both attempts"

    behind("cut-message").contacts.send_message(made["id"], {"type": "text", "text": "Hello"})
    conversation = next(direct.conversations.each(contact_id=made["id"]))
    assert len(list(direct.conversations.messages.each(conversation["id"]))) == 1, "sent once"

    assert behind("cut-put").contacts.update(made["id"], {"first_name": "Lin"})["first_name"] == "Lin"
    assert behind("cut-patch").contacts.patch(made["id"], {"last_name": "Lee"})["last_name"] == "Lee"
    found = list(behind("cut-search").contacts.search_each({"filter": {"field": "tags", "op": "has", "value": "lost"}}))
    assert [one["id"] for one in found] == [made["id"]]

    version = direct.contacts.get(made["id"])["version"]
    error = refused(lambda: behind("cut-version").contacts.patch(made["id"], {"locale": "de"}, if_version=version))
    assert (error.status, error.code, error.may_have_applied) == (412, "precondition_failed", True), error
    assert direct.contacts.get(made["id"])["locale"] == "de"
    stale = refused(lambda: direct.contacts.patch(made["id"], {"locale": "fr"}, if_version=version))
    assert (stale.status, stale.may_have_applied) == (412, False)
    assert direct.contacts.patch(made["id"], {"locale": "fr"}, if_version=version + 1)["version"] == version + 2

    behind("cut-delete").contacts.delete(made["id"])
    assert [verb for verb, _, _ in requests("cut-delete")] == ["DELETE", "DELETE"]
    assert refused(lambda: direct.contacts.delete(made["id"])).status == 404, "the first 404 is an error"

    gone = direct.contacts.create({"external_id": "gone"})["id"]
    behind("unknown-delete").contacts.delete(gone)
    assert refused(lambda: behind("away-delete").contacts.delete(gone)).status == 404, "503 `unavailable` changed nothing"

    unkeyed = raised(lambda: behind("cut-unkeyed").request("POST", "/api/v1/tags", body={"name": "unkeyed"}))
    assert isinstance(unkeyed, Unreachable) and unkeyed.may_have_applied and unkeyed.idempotency_key is None
    assert len(requests("cut-unkeyed")) == 1, "never repeated"
    assert behind("half-get").tags.list()["data"] != []


def refusals() -> None:
    start = time.monotonic()
    behind("limited-unkeyed").request("POST", "/api/v1/tags", body={"name": "later"})
    assert 1 <= time.monotonic() - start < 5 and len(requests("limited-unkeyed")) == 2
    behind("away-post").tags.create({"name": "away"})
    behind("unknown-post").tags.create({"name": "unknown"})
    for script in ("away-post", "unknown-post"):
        first, second = requests(script)
        assert first == second and first[2] is not None, "the same key"

    once = Tidings(f"{FAULTS}/unknown-once-py", KEY, retries=0)
    error = refused(lambda: once.tags.create({"name": "once"}))
    assert error.code == "outcome_unknown" and error.may_have_applied and error.idempotency_key
    tag = once.tags.create({"name": "once"}, idempotency_key=error.idempotency_key)
    assert direct.tags.get(tag["id"])["name"] == "once"

    start = time.monotonic()
    late = refused(lambda: behind("later-deadline").contacts.list(deadline=5))
    assert late.code == "rate_limited" and late.retry_after == 30
    assert time.monotonic() - start < 1 and len(requests("later-deadline")) == 1
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    assert isinstance(raised(lambda: behind("later-cancel").contacts.list(cancel=cancel)), Cancelled)
    assert time.monotonic() - start < 3
    nobody = raised(lambda: Tidings(os.environ["CLOSED"], KEY, retries=1).tags.create({"name": "nobody"}))
    assert isinstance(nobody, Unreachable) and not nobody.may_have_applied and nobody.idempotency_key


def problems() -> None:
    ada = direct.contacts.create({"email": "ada@example.com"})
    error = refused(lambda: direct.contacts.create({"email": "ada@example.com"}))
    assert (error.code, error.existing_id, error.may_have_applied) == ("contact_exists", ada["id"], False)
    assert error.problem["existing_id"] == ada["id"] and error.request_id and error.title and error.detail
    other = direct.contacts.create({"external_id": "other"})
    direct.contacts.merge(other["id"], {"into": ada["id"]})
    assert refused(lambda: direct.contacts.patch(other["id"], {"locale": "de"})).merged_into == ada["id"]
    reader = Tidings(URL, os.environ["READ_KEY"])
    assert refused(lambda: reader.tags.create({"name": "no"})).required_scope == "write"
    for number in range(3):
        direct.contacts.create({"external_id": f"page-{number}"})
    assert len(list(behind("pass-each").contacts.each(subscribed=True))) == 4
    assert requests("pass-each")[0][1] == "/api/v1/contacts?limit=100&subscribed=true"


async def asynchronous() -> None:
    def other(script: str) -> AsyncTidings:
        return AsyncTidings(f"{FAULTS}/{script}-py", KEY)

    made = await other("cut-async-post").contacts.create({"external_id": "async"})
    listed, patched, put = await asyncio.gather(
        other("cut-async-get").contacts.list(),
        other("cut-async-patch").contacts.patch(made["id"], {"first_name": "Ada"}),
        other("cut-async-put").contacts.tags.replace(made["id"], {"tags": ["async"]}),
    )
    assert listed["data"] and patched["id"] == put["id"] == made["id"]
    condition: models.Condition = {"field": "tags", "op": "has", "value": "async"}
    found = [one["id"] async for one in other("cut-async-search").contacts.search_each({"filter": condition})]
    assert found == [made["id"]]
    await other("cut-async-delete").contacts.delete(made["id"])

    start = time.monotonic()
    try:
        await asyncio.wait_for(other("later-async-timeout").contacts.list(), 0.2)
        raise SystemExit("the call succeeded")
    except asyncio.TimeoutError:
        pass
    task = asyncio.create_task(other("later-async-cancel").tags.create({"name": "cancelled"}))
    await asyncio.sleep(0.2)
    task.cancel()
    try:
        await task
        raise SystemExit("the call succeeded")
    except asyncio.CancelledError:
        pass
    assert time.monotonic() - start < 3
    await raised_late()


async def raised_late() -> None:
    try:
        await AsyncTidings(f"{FAULTS}/later-async-deadline-py", KEY, deadline=5).contacts.list()
        raise SystemExit("the call succeeded")
    except ApiError as error:
        assert error.retry_after == 30


lost_responses()
refusals()
problems()
asyncio.run(asynchronous())
print("the Python client repeats what is safe, and stops when it must")
