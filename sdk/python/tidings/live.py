"""The messages of the stream (`GET /api/v1/stream`), read from server-sent events (HTML standard, section 9.2)."""

from __future__ import annotations

import codecs
import json
from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from .models import FeedEvent

# The maximum silence in seconds. The server sends a comment every 15 seconds, so a silent connection is dead.
LONGEST_SILENCE = 45.0
# The delay in seconds before a reconnect, if the server did not send `retry`.
REOPEN = 3.0


class StreamedEvent(TypedDict):
    """An event of the feed. `id` is its position."""

    type: Literal["event"]
    id: int
    event: FeedEvent


class StreamReady(TypedDict):
    """All missed events have arrived. `id` is the last position."""

    type: Literal["ready"]
    id: int


class ChangedObject(TypedDict):
    type: str
    id: str | None
    version: int | None


class StreamChanged(TypedDict):
    """A hint that this object changed without an event. Read it again."""

    type: Literal["changed"]
    changed: ChangedObject


class StreamEnd(TypedDict):
    """The server ended the stream. The client reconnects."""

    type: Literal["end"]
    reason: str
    detail: str


StreamMessage: TypeAlias = StreamedEvent | StreamReady | StreamChanged | StreamEnd


class StreamParser:
    """Parses the bytes of one connection into messages."""

    def __init__(self, last_id: int | None) -> None:
        self.last_id = last_id
        self.reopen = REOPEN
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""

    def headers(self) -> dict[str, str]:
        return {} if self.last_id is None else {"Last-Event-ID": str(self.last_id)}

    def next(self) -> StreamParser:
        """The parser of the next connection."""
        following = StreamParser(self.last_id)
        following.reopen = self.reopen
        return following

    def feed(self, part: bytes) -> list[StreamMessage]:
        self._text = (self._text + self._decoder.decode(part)).replace("\r\n", "\n")
        *blocks, self._text = self._text.split("\n\n")
        messages = [self._message(block) for block in blocks]
        return [message for message in messages if message is not None]

    def _message(self, block: str) -> StreamMessage | None:
        fields: dict[str, str] = {}
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            fields[name] = f"{fields[name]}\n{value}" if name in fields else value
        if fields.get("retry", "").isdigit():
            self.reopen = int(fields["retry"]) / 1000
        position = int(fields["id"]) if fields.get("id", "").isdigit() else None
        if position is not None:
            self.last_id = position
        name = fields.get("event", "")
        if not name or "data" not in fields:
            return None
        data = json.loads(fields["data"])
        if name == "changed":
            return {"type": "changed", "changed": data["changed"]}
        if name == "end":
            # The positions start again, so the next connection begins at the present.
            if data["reason"] == "reset":
                self.last_id = None
            return {"type": "end", "reason": data["reason"], "detail": data["detail"]}
        if position is None:
            return None
        return {"type": "ready", "id": position} if name == "ready" else {"type": "event", "id": position, "event": data}
