"""Made by sdk/generate.py from docs/openapi.json: change the handlers, and make it anew (`make sdk`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from typing_extensions import TypedDict, Unpack

from . import models
from .http import Http, quote


class Access:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get_me(self) -> models.Me:
        """Shows the workspace, plan and scope of the key, or of the person, who asks."""
        return self._http.send("GET", "/api/v1/me", repeatable=True)


class AnalyticsOverviewQuery(TypedDict, total=False):
    interval: str
    """How much a point of the series spans; a day where absent. At most 31 days by hour, 400 by day,
800 by week."""
    time_zone: str
    """By whose clock days and hours begin: an IANA name, `UTC` where absent."""
    to: str
    """Up to before this time, rounded up to a quarter of an hour; now where absent."""
    from_: str
    """From this time on, rounded down to a quarter of an hour; 30 days before `to` where absent."""


class Analytics:
    def __init__(self, http: Http) -> None:
        self._http = http

    def overview(self, **query: Unpack[AnalyticsOverviewQuery]) -> models.AnalyticsOverview:
        """Shows how often things happened in a span of time, in total and point by point."""
        return self._http.send("GET", "/api/v1/analytics/overview", repeatable=True, query=query)


class ListBotFieldsQuery(TypedDict, total=False):
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class DeleteBotFieldQuery(TypedDict, total=False):
    force: bool
    """Whether it is deleted though other objects name it: they have lost it then."""


class BotFields:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, **query: Unpack[ListBotFieldsQuery]) -> models.ListBotField:
        """Lists bot fields."""
        return self._http.send("GET", "/api/v1/bot-fields", repeatable=True, query=query)

    def each(self, **query: Unpack[ListBotFieldsQuery]) -> Iterator[models.BotField]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/bot-fields", query)

    def create(self, body: models.CreateBotField, *, idempotency_key: str | None = None) -> models.BotField:
        """Creates a bot field."""
        return self._http.send("POST", "/api/v1/bot-fields", body=body, idempotency_key=idempotency_key, repeatable=True)

    def get(self, id: str | int) -> models.BotField:
        """Shows a bot field."""
        return self._http.send("GET", f"/api/v1/bot-fields/{quote(id)}", repeatable=True)

    def set(self, id: str | int, body: models.SetValue, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.BotField:
        """Sets the value of a bot field."""
        return self._http.send("POST", f"/api/v1/bot-fields/{quote(id)}", body=body, if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def patch(self, id: str | int, body: models.RenameBotField, *, if_match: str | None = None) -> models.BotField:
        """Renames a bot field."""
        return self._http.send("PATCH", f"/api/v1/bot-fields/{quote(id)}", body=body, if_match=if_match)

    def delete(self, id: str | int, *, if_match: str | None = None, **query: Unpack[DeleteBotFieldQuery]) -> None:
        """Deletes a bot field."""
        return self._http.send("DELETE", f"/api/v1/bot-fields/{quote(id)}", if_match=if_match, query=query)


class ListBroadcastsQuery(TypedDict, total=False):
    q: str
    """This stands somewhere in the name, without regard to case. `%` and `_` stand for themselves."""
    name: str
    """This is the name, without regard to case."""
    status: str
    """With this status."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class Broadcasts:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, **query: Unpack[ListBroadcastsQuery]) -> models.ListBroadcast:
        """Lists broadcasts."""
        return self._http.send("GET", "/api/v1/broadcasts", repeatable=True, query=query)

    def each(self, **query: Unpack[ListBroadcastsQuery]) -> Iterator[models.Broadcast]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/broadcasts", query)

    def create(self, body: models.CreateBroadcast, *, idempotency_key: str | None = None) -> models.Broadcast:
        """Creates a draft of a broadcast."""
        return self._http.send("POST", "/api/v1/broadcasts", body=body, idempotency_key=idempotency_key, repeatable=True)

    def get(self, id: str | int) -> models.ShownBroadcast:
        """Shows a broadcast, with how far its messages came."""
        return self._http.send("GET", f"/api/v1/broadcasts/{quote(id)}", repeatable=True)

    def update(self, id: str | int, body: models.UpdateBroadcast, *, if_match: str | None = None) -> models.Broadcast:
        """Updates a draft."""
        return self._http.send("PUT", f"/api/v1/broadcasts/{quote(id)}", body=body, if_match=if_match)

    def patch(self, id: str | int, body: models.UpdateBroadcast, *, if_match: str | None = None) -> models.Broadcast:
        """Updates a draft."""
        return self._http.send("PATCH", f"/api/v1/broadcasts/{quote(id)}", body=body, if_match=if_match)

    def delete(self, id: str | int, *, if_match: str | None = None) -> None:
        """Deletes a broadcast that never began."""
        return self._http.send("DELETE", f"/api/v1/broadcasts/{quote(id)}", if_match=if_match)

    def cancel(self, id: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Broadcast:
        """Ends a broadcast for good: who has no message yet gets none."""
        return self._http.send("POST", f"/api/v1/broadcasts/{quote(id)}/cancel", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def pause(self, id: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Broadcast:
        """Pauses a broadcast that is being sent."""
        return self._http.send("POST", f"/api/v1/broadcasts/{quote(id)}/pause", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def preview(self, id: str | int) -> models.BroadcastPreview:
        """Shows what a broadcast would do if it were sent now."""
        return self._http.send("POST", f"/api/v1/broadcasts/{quote(id)}/preview")

    def resume(self, id: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Broadcast:
        """Resumes a paused broadcast, behind those who have their messages."""
        return self._http.send("POST", f"/api/v1/broadcasts/{quote(id)}/resume", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def send(self, id: str | int, body: models.SendBroadcast | None = None, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Broadcast:
        """Sends a draft at its time, or at once."""
        return self._http.send("POST", f"/api/v1/broadcasts/{quote(id)}/send", body=body, if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def test(self, id: str | int, body: models.TestBroadcast, *, idempotency_key: str | None = None) -> models.TestedBroadcast:
        """Sends the message of a broadcast to one to five contacts, as it is now."""
        return self._http.send("POST", f"/api/v1/broadcasts/{quote(id)}/test", body=body, idempotency_key=idempotency_key, repeatable=True)


class ListChannelsQuery(TypedDict, total=False):
    q: str
    """This stands somewhere in the name, without regard to case. `%` and `_` stand for themselves."""
    name: str
    """This is the name, without regard to case."""
    status: str
    """With this status."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class DeleteChannelQuery(TypedDict, total=False):
    force: bool
    """Whether it is deleted though other objects name it: they have lost it then."""


class ListCapturedMessagesQuery(TypedDict, total=False):
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class Channels:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, **query: Unpack[ListChannelsQuery]) -> models.ListChannel:
        """Lists channels."""
        return self._http.send("GET", "/api/v1/channels", repeatable=True, query=query)

    def each(self, **query: Unpack[ListChannelsQuery]) -> Iterator[models.Channel]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/channels", query)

    def create(self, body: models.CreateChannel, *, idempotency_key: str | None = None) -> models.Channel:
        """Makes a channel."""
        return self._http.send("POST", "/api/v1/channels", body=body, idempotency_key=idempotency_key, repeatable=True)

    def get(self, id: str | int) -> models.Channel:
        """Shows a channel."""
        return self._http.send("GET", f"/api/v1/channels/{quote(id)}", repeatable=True)

    def update(self, id: str | int, body: models.UpdateChannel, *, if_match: str | None = None) -> models.Channel:
        """Updates a channel."""
        return self._http.send("PUT", f"/api/v1/channels/{quote(id)}", body=body, if_match=if_match)

    def patch(self, id: str | int, body: models.UpdateChannel, *, if_match: str | None = None) -> models.Channel:
        """Updates a channel."""
        return self._http.send("PATCH", f"/api/v1/channels/{quote(id)}", body=body, if_match=if_match)

    def delete(self, id: str | int, *, if_match: str | None = None, **query: Unpack[DeleteChannelQuery]) -> models.DefaultChannel:
        """Deletes a channel."""
        return self._http.send("DELETE", f"/api/v1/channels/{quote(id)}", if_match=if_match, query=query)

    def list_captured_messages(self, id: str | int, **query: Unpack[ListCapturedMessagesQuery]) -> models.ListMessage:
        """Lists what a channel handed to its provider; what a sandbox would have."""
        return self._http.send("GET", f"/api/v1/channels/{quote(id)}/captured", repeatable=True, query=query)

    def each_captured_messages(self, id: str | int, **query: Unpack[ListCapturedMessagesQuery]) -> Iterator[models.Message]:
        """As `list_captured_messages`, one after the other over all pages."""
        return self._http.each(f"/api/v1/channels/{quote(id)}/captured", query)

    def connect(self, id: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Channel:
        """Lets a channel carry messages."""
        return self._http.send("POST", f"/api/v1/channels/{quote(id)}/connect", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def disconnect(self, id: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Channel:
        """Switches a channel off."""
        return self._http.send("POST", f"/api/v1/channels/{quote(id)}/disconnect", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def test(self, id: str | int, *, idempotency_key: str | None = None) -> models.TestOutcome:
        """Asks a channel's provider whether it would take messages."""
        return self._http.send("POST", f"/api/v1/channels/{quote(id)}/test", idempotency_key=idempotency_key, repeatable=True)


class ListContactsQuery(TypedDict, total=False):
    q: str
    """Words, each of which stands somewhere in name, e-mail address, telephone number or external id. Case and
diacritics do not count: `alvaro` finds Álvaro, `strasse` finds Straße."""
    email: str
    """With this e-mail address."""
    phone: str
    """With this telephone number."""
    external_id: str
    """With this external id."""
    created_after: str
    """Created at this time or later."""
    created_before: str
    """Created before this time."""
    updated_after: str
    """Last changed at this time or later."""
    updated_before: str
    """Last changed before this time."""
    status: str
    """With this status."""
    subscribed: bool
    """Who wants to be written to, or who does not."""
    channel_id: str
    """Reached on this channel."""
    segment: str
    """Chosen by this segment, as it is now."""
    deleted: str
    """Whether deleted contacts are shown; they can be restored for 30 days."""
    tag: Sequence[str]
    """Carrying this tag, by id or name; repeated: all of them."""
    custom_fields: Mapping[str, str]
    """With this value of the custom field KEY, as in `custom_fields.plan=gold`. Lists of options: with this option.
An operator may follow in brackets: `eq`, `ne`, `exists` (`true` or `false`), and for numbers, dates and times
`gt`, `gte`, `lt`, `lte`, as in `custom_fields.age[gte]=18`."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around. Contacts without the value come last both ways;
names are compared without regard to case."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class CreateContactQuery(TypedDict, total=False):
    on_conflict: str
    """What happens where a contact has the e-mail address, phone number or external id: without this, 409."""
    key: str
    """With `on_conflict=update`: the one identifier by which the contact is looked up. The others are ordinary values
then. When absent, the identifiers rank: external ID, email address, phone number."""


class BatchContactsQuery(TypedDict, total=False):
    on_conflict: str
    """What happens where a contact has the e-mail address, phone number or external id: without this, 409."""
    key: str
    """With `on_conflict=update`: the one identifier by which the contact is looked up. The others are ordinary values
then. When absent, the identifiers rank: external ID, email address, phone number."""


class ListBulkOperationsQuery(TypedDict, total=False):
    status: str
    """With this status."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class ExportContactsQuery(TypedDict, total=False):
    format: str
    """A table with a line of names (`csv`, RFC 4180), which is the default, or a JSON object on each line (`ndjson`)."""
    q: str
    """Words, each of which stands somewhere in name, e-mail address, telephone number or external id. Case and
diacritics do not count: `alvaro` finds Álvaro, `strasse` finds Straße."""
    email: str
    """With this e-mail address."""
    phone: str
    """With this telephone number."""
    external_id: str
    """With this external id."""
    created_after: str
    """Created at this time or later."""
    created_before: str
    """Created before this time."""
    updated_after: str
    """Last changed at this time or later."""
    updated_before: str
    """Last changed before this time."""
    status: str
    """With this status."""
    subscribed: bool
    """Who wants to be written to, or who does not."""
    channel_id: str
    """Reached on this channel."""
    segment: str
    """Chosen by this segment, as it is now."""
    deleted: str
    """Whether deleted contacts are shown; they can be restored for 30 days."""
    tag: Sequence[str]
    """Carrying this tag, by id or name; repeated: all of them."""
    custom_fields: Mapping[str, str]
    """With this value of the custom field KEY, as in `custom_fields.plan=gold`. Lists of options: with this option.
An operator may follow in brackets: `eq`, `ne`, `exists` (`true` or `false`), and for numbers, dates and times
`gt`, `gte`, `lt`, `lte`, as in `custom_fields.age[gte]=18`."""


class ImportContactsQuery(TypedDict, total=False):
    column: Sequence[str]
    """What a column is whose name does not say it, as `E-Mail:email` or `Plan:custom_fields.plan`; `Notes:-` passes one
over. Repeated for each."""
    existing: str
    """What becomes of a row whose contact is there: it is updated (`update`, when absent), the contact stays as it is
(`keep`), or the row is rejected (`reject`)."""
    key: str
    """The one identifier by which rows name their contacts: `external_id`, `email` or `phone`. The others are ordinary
values then. When absent, the identifiers rank in this order."""


class ListImportsQuery(TypedDict, total=False):
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class ListContactTimelineQuery(TypedDict, total=False):
    kind: str
    """Only entries of these kinds, separated by commas: `event`, `custom_event`, `message`, `suppression`, `run_step`,
`enrollment`."""
    limit: int
    """How many entries at the most."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class Contacts:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, **query: Unpack[ListContactsQuery]) -> models.ListContact:
        """Lists contacts that pass all filters."""
        return self._http.send("GET", "/api/v1/contacts", repeatable=True, query=query)

    def each(self, **query: Unpack[ListContactsQuery]) -> Iterator[models.Contact]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/contacts", query)

    def create(self, body: models.CreateContact, *, idempotency_key: str | None = None, **query: Unpack[CreateContactQuery]) -> models.CreatedContact:
        """Creates a contact, with tags and custom field values."""
        return self._http.send("POST", "/api/v1/contacts", body=body, idempotency_key=idempotency_key, repeatable=True, query=query)

    def batch(self, body: models.ContactBatch, *, idempotency_key: str | None = None, **query: Unpack[BatchContactsQuery]) -> models.BatchOutcomes:
        """Creates, updates and deletes up to 100 contacts."""
        return self._http.send("POST", "/api/v1/contacts/batch", body=body, idempotency_key=idempotency_key, repeatable=True, query=query)

    def list_bulk_operations(self, **query: Unpack[ListBulkOperationsQuery]) -> models.ListBulkOperation:
        """Lists bulk operations: of the last hundred those that are not over, and those of the last thirty days."""
        return self._http.send("GET", "/api/v1/contacts/bulk", repeatable=True, query=query)

    def each_bulk_operations(self, **query: Unpack[ListBulkOperationsQuery]) -> Iterator[models.BulkOperation]:
        """As `list_bulk_operations`, one after the other over all pages."""
        return self._http.each("/api/v1/contacts/bulk", query)

    def bulk(self, body: models.BulkContacts, *, idempotency_key: str | None = None) -> models.BulkOperation:
        """Tags, untags or deletes all contacts that a filter chooses."""
        return self._http.send("POST", "/api/v1/contacts/bulk", body=body, idempotency_key=idempotency_key, repeatable=True)

    def get_bulk_operation(self, id: str | int) -> models.BulkOperation:
        """Shows a bulk operation, with how far it is."""
        return self._http.send("GET", f"/api/v1/contacts/bulk/{quote(id)}", repeatable=True)

    def cancel_bulk_operation(self, id: str | int, *, idempotency_key: str | None = None) -> models.BulkOperation:
        """Ends a bulk operation: what was done stays, and the rest is not done."""
        return self._http.send("POST", f"/api/v1/contacts/bulk/{quote(id)}/cancel", idempotency_key=idempotency_key, repeatable=True)

    def export(self, **query: Unpack[ExportContactsQuery]) -> bytes:
        """Writes all contacts that pass all filters, the newest first."""
        return self._http.send("GET", "/api/v1/contacts/export", repeatable=True, query=query)

    def import_contacts(self, body: bytes, *, idempotency_key: str | None = None, **query: Unpack[ImportContactsQuery]) -> models.Import:
        """Takes a table of contacts in."""
        return self._http.send("POST", "/api/v1/contacts/import", body=body, content_type="text/csv", idempotency_key=idempotency_key, repeatable=True, query=query)

    def list_imports(self, **query: Unpack[ListImportsQuery]) -> models.ListImport:
        """Lists imports: those that are not over, and those of the last thirty days."""
        return self._http.send("GET", "/api/v1/contacts/imports", repeatable=True, query=query)

    def each_imports(self, **query: Unpack[ListImportsQuery]) -> Iterator[models.Import]:
        """As `list_imports`, one after the other over all pages."""
        return self._http.each("/api/v1/contacts/imports", query)

    def get_import(self, id: str | int) -> models.Import:
        """Shows an import, with how far it is."""
        return self._http.send("GET", f"/api/v1/contacts/imports/{quote(id)}", repeatable=True)

    def cancel_import(self, id: str | int, *, idempotency_key: str | None = None) -> models.Import:
        """Ends an import: what was done stays, and the rest is not done."""
        return self._http.send("POST", f"/api/v1/contacts/imports/{quote(id)}/cancel", idempotency_key=idempotency_key, repeatable=True)

    def export_rejected_rows(self, id: str | int) -> bytes:
        """Writes the rows that an import rejected so far, as a table."""
        return self._http.send("GET", f"/api/v1/contacts/imports/{quote(id)}/rejected", repeatable=True)

    def search(self, body: models.SearchContacts) -> models.ListContact:
        """Finds the contacts that satisfy a condition."""
        return self._http.send("POST", "/api/v1/contacts/search", body=body)

    def get(self, id: str | int) -> models.Contact:
        """Shows a contact."""
        return self._http.send("GET", f"/api/v1/contacts/{quote(id)}", repeatable=True)

    def update(self, id: str | int, body: models.UpdateContact, *, if_match: str | None = None) -> models.Contact:
        """Updates a contact."""
        return self._http.send("PUT", f"/api/v1/contacts/{quote(id)}", body=body, if_match=if_match)

    def patch(self, id: str | int, body: models.UpdateContact, *, if_match: str | None = None) -> models.Contact:
        """Updates a contact."""
        return self._http.send("PATCH", f"/api/v1/contacts/{quote(id)}", body=body, if_match=if_match)

    def delete(self, id: str | int, *, if_match: str | None = None) -> None:
        """Deletes a contact."""
        return self._http.send("DELETE", f"/api/v1/contacts/{quote(id)}", if_match=if_match)

    def set_field(self, id: str | int, field_id: str | int, body: models.SetValue, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Contact:
        """Sets the value of a custom field of a contact."""
        return self._http.send("POST", f"/api/v1/contacts/{quote(id)}/custom-fields/{quote(field_id)}", body=body, if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def erase(self, id: str | int, *, idempotency_key: str | None = None) -> models.Erasure:
        """Erases a contact for good."""
        return self._http.send("POST", f"/api/v1/contacts/{quote(id)}/erase", idempotency_key=idempotency_key, repeatable=True)

    def record_custom_event(self, id: str | int, body: models.CreateCustomEvent, *, idempotency_key: str | None = None) -> models.CustomEvent:
        """Records a custom event: something that happened to a contact outside of the service."""
        return self._http.send("POST", f"/api/v1/contacts/{quote(id)}/events", body=body, idempotency_key=idempotency_key, repeatable=True)

    def export_contact(self, id: str | int) -> models.Disclosure:
        """Writes all that is kept of a contact."""
        return self._http.send("GET", f"/api/v1/contacts/{quote(id)}/export", repeatable=True)

    def merge(self, id: str | int, body: models.MergeContact, *, idempotency_key: str | None = None) -> models.Contact:
        """Merges a contact into another, which stays."""
        return self._http.send("POST", f"/api/v1/contacts/{quote(id)}/merge", body=body, idempotency_key=idempotency_key, repeatable=True)

    def restore(self, id: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Contact:
        """Restores a deleted contact."""
        return self._http.send("POST", f"/api/v1/contacts/{quote(id)}/restore", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def send_message(self, id: str | int, body: models.SendMessage, *, idempotency_key: str | None = None) -> models.Message:
        """Sends a message to a contact."""
        return self._http.send("POST", f"/api/v1/contacts/{quote(id)}/send-message", body=body, idempotency_key=idempotency_key, repeatable=True)

    def start_flow(self, id: str | int, body: models.StartFlow, *, idempotency_key: str | None = None) -> models.FlowRun:
        """Starts a flow for a contact."""
        return self._http.send("POST", f"/api/v1/contacts/{quote(id)}/start-flow", body=body, idempotency_key=idempotency_key, repeatable=True)

    def add_tag(self, id: str | int, body: models.AddTag, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Contact:
        """Puts a tag on a contact."""
        return self._http.send("POST", f"/api/v1/contacts/{quote(id)}/tags", body=body, if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def replace_tags(self, id: str | int, body: models.ReplaceTags, *, if_match: str | None = None) -> models.Contact:
        """Makes these the tags of a contact."""
        return self._http.send("PUT", f"/api/v1/contacts/{quote(id)}/tags", body=body, if_match=if_match)

    def remove_tag(self, id: str | int, tag_id: str | int, *, if_match: str | None = None) -> None:
        """Takes a tag off a contact."""
        return self._http.send("DELETE", f"/api/v1/contacts/{quote(id)}/tags/{quote(tag_id)}", if_match=if_match)

    def list_timeline(self, id: str | int, **query: Unpack[ListContactTimelineQuery]) -> models.ListTimelineEntry:
        """Lists what happened with a contact, newest first."""
        return self._http.send("GET", f"/api/v1/contacts/{quote(id)}/timeline", repeatable=True, query=query)

    def each_timeline(self, id: str | int, **query: Unpack[ListContactTimelineQuery]) -> Iterator[models.TimelineEntry]:
        """As `list_timeline`, one after the other over all pages."""
        return self._http.each(f"/api/v1/contacts/{quote(id)}/timeline", query)


class ListConversationsQuery(TypedDict, total=False):
    q: str
    """Words, each of which stands somewhere in name, e-mail address, telephone number or external id of the contact.
Case and diacritics do not count."""
    status: str
    """With this status."""
    assignee_id: str
    """Assigned to this member, or with `none` to nobody."""
    unread: bool
    """Those with messages of the contact that nobody has looked at, or those without."""
    channel_id: str
    """On this channel."""
    updated_after: str
    """Changed at this time or later."""
    contact_id: str
    """With this contact: its id, or `external_id:…`, `email:…` or `phone:…`."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around. Conversations without a message come last both ways."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class ListMessagesQuery(TypedDict, total=False):
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class Conversations:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, **query: Unpack[ListConversationsQuery]) -> models.ListConversation:
        """Lists conversations that pass all filters."""
        return self._http.send("GET", "/api/v1/conversations", repeatable=True, query=query)

    def each(self, **query: Unpack[ListConversationsQuery]) -> Iterator[models.Conversation]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/conversations", query)

    def get(self, id: str | int) -> models.Conversation:
        """Shows a conversation."""
        return self._http.send("GET", f"/api/v1/conversations/{quote(id)}", repeatable=True)

    def assign(self, id: str | int, body: models.AssignConversation, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Conversation:
        """Assigns a conversation to a member of the workspace, or to nobody."""
        return self._http.send("POST", f"/api/v1/conversations/{quote(id)}/assign", body=body, if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def list_messages(self, id: str | int, **query: Unpack[ListMessagesQuery]) -> models.ListMessage:
        """Lists the messages of a conversation."""
        return self._http.send("GET", f"/api/v1/conversations/{quote(id)}/messages", repeatable=True, query=query)

    def each_messages(self, id: str | int, **query: Unpack[ListMessagesQuery]) -> Iterator[models.Message]:
        """As `list_messages`, one after the other over all pages."""
        return self._http.each(f"/api/v1/conversations/{quote(id)}/messages", query)

    def write_message(self, id: str | int, body: models.WriteMessage, *, idempotency_key: str | None = None) -> models.Message:
        """Writes into a conversation."""
        return self._http.send("POST", f"/api/v1/conversations/{quote(id)}/messages", body=body, idempotency_key=idempotency_key, repeatable=True)

    def read(self, id: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Conversation:
        """Notes that somebody looked at what the contact wrote."""
        return self._http.send("POST", f"/api/v1/conversations/{quote(id)}/read", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def reopen(self, id: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Conversation:
        """Opens a conversation that was resolved or snoozed."""
        return self._http.send("POST", f"/api/v1/conversations/{quote(id)}/reopen", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def resolve(self, id: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Conversation:
        """Declares a conversation done."""
        return self._http.send("POST", f"/api/v1/conversations/{quote(id)}/resolve", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def snooze(self, id: str | int, body: models.SnoozeConversation, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Conversation:
        """Takes a conversation out of sight until a time, or until the contact writes."""
        return self._http.send("POST", f"/api/v1/conversations/{quote(id)}/snooze", body=body, if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def get_message(self, id: str | int) -> models.Message:
        """Shows a message, and how far it came."""
        return self._http.send("GET", f"/api/v1/messages/{quote(id)}", repeatable=True)


class ListCustomFieldsQuery(TypedDict, total=False):
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class UpdateCustomFieldQuery(TypedDict, total=False):
    force: bool
    """Whether options go though contacts carry them or other objects name them. Needs the scope `full`."""


class PatchCustomFieldQuery(TypedDict, total=False):
    force: bool
    """Whether options go though contacts carry them or other objects name them. Needs the scope `full`."""


class DeleteCustomFieldQuery(TypedDict, total=False):
    force: bool
    """Whether it is deleted though other objects name it: they have lost it then."""


class CustomFields:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, **query: Unpack[ListCustomFieldsQuery]) -> models.ListCustomField:
        """Lists custom fields."""
        return self._http.send("GET", "/api/v1/custom-fields", repeatable=True, query=query)

    def each(self, **query: Unpack[ListCustomFieldsQuery]) -> Iterator[models.CustomField]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/custom-fields", query)

    def create(self, body: models.CreateCustomField, *, idempotency_key: str | None = None) -> models.CustomField:
        """Creates a custom field."""
        return self._http.send("POST", "/api/v1/custom-fields", body=body, idempotency_key=idempotency_key, repeatable=True)

    def get(self, id: str | int) -> models.CustomField:
        """Shows a custom field."""
        return self._http.send("GET", f"/api/v1/custom-fields/{quote(id)}", repeatable=True)

    def update(self, id: str | int, body: models.UpdateCustomField, *, if_match: str | None = None, **query: Unpack[UpdateCustomFieldQuery]) -> models.CustomField:
        """Updates a custom field."""
        return self._http.send("PUT", f"/api/v1/custom-fields/{quote(id)}", body=body, if_match=if_match, query=query)

    def patch(self, id: str | int, body: models.UpdateCustomField, *, if_match: str | None = None, **query: Unpack[PatchCustomFieldQuery]) -> models.CustomField:
        """Updates a custom field."""
        return self._http.send("PATCH", f"/api/v1/custom-fields/{quote(id)}", body=body, if_match=if_match, query=query)

    def delete(self, id: str | int, *, if_match: str | None = None, **query: Unpack[DeleteCustomFieldQuery]) -> None:
        """Deletes a custom field."""
        return self._http.send("DELETE", f"/api/v1/custom-fields/{quote(id)}", if_match=if_match, query=query)


class ListFlowRunsQuery(TypedDict, total=False):
    flow_id: str
    """Through this flow."""
    status: str
    """With this status."""
    contact_id: str
    """Of this contact: its id, or `external_id:…`, `email:…` or `phone:…`."""
    node: str
    """Live, and at the node with this id now, whichever version of the flow it is of. It needs `flow_id`."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class ListFlowsQuery(TypedDict, total=False):
    q: str
    """This stands somewhere in the name, without regard to case. `%` and `_` stand for themselves."""
    name: str
    """This is the name, without regard to case."""
    status: str
    """With this status."""
    finding: str
    """`secret_not_bare`: the published version uses a secret in an expression, so that its calls fail."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class DeleteFlowQuery(TypedDict, total=False):
    force: bool
    """Whether it is deleted though other objects name it: they have lost it then."""


class FlowStatisticsQuery(TypedDict, total=False):
    version: int
    """The number of a published version; all versions together where absent."""
    from_: str
    """From this time on, rounded down to a whole hour; where `from` and `to` are absent, of all time."""
    to: str
    """Up to before this time, rounded up to a whole hour; now where absent. It needs `from`, at most 92 days before."""


class ListFlowVersionsQuery(TypedDict, total=False):
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class Flows:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list_runs(self, **query: Unpack[ListFlowRunsQuery]) -> models.ListFlowRun:
        """Lists runs that pass all filters, by their starts."""
        return self._http.send("GET", "/api/v1/flow-runs", repeatable=True, query=query)

    def each_runs(self, **query: Unpack[ListFlowRunsQuery]) -> Iterator[models.FlowRun]:
        """As `list_runs`, one after the other over all pages."""
        return self._http.each("/api/v1/flow-runs", query)

    def get_run(self, id: str | int) -> models.FlowRun:
        """Shows a run through a flow, with its trace."""
        return self._http.send("GET", f"/api/v1/flow-runs/{quote(id)}", repeatable=True)

    def cancel_run(self, id: str | int, *, idempotency_key: str | None = None) -> models.FlowRun:
        """Ends a run: it becomes `interrupted`. One that ended already is left as it is."""
        return self._http.send("POST", f"/api/v1/flow-runs/{quote(id)}/cancel", idempotency_key=idempotency_key, repeatable=True)

    def list(self, **query: Unpack[ListFlowsQuery]) -> models.ListFlowSummary:
        """Lists flows, without their definitions and the counts of their runs."""
        return self._http.send("GET", "/api/v1/flows", repeatable=True, query=query)

    def each(self, **query: Unpack[ListFlowsQuery]) -> Iterator[models.FlowSummary]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/flows", query)

    def create(self, body: models.CreateFlow, *, idempotency_key: str | None = None) -> models.Flow:
        """Creates a flow with a draft."""
        return self._http.send("POST", "/api/v1/flows", body=body, idempotency_key=idempotency_key, repeatable=True)

    def simulate_definition(self, body: models.SimulateDefinition) -> models.SimulationAnswer:
        """Plays a definition that is not saved in virtual time."""
        return self._http.send("POST", "/api/v1/flows/simulate", body=body)

    def validate(self, body: models.ValidateFlow) -> models.Validation:
        """Tells everything that is wrong with a definition, or looks wrong."""
        return self._http.send("POST", "/api/v1/flows/validate", body=body)

    def get(self, id: str | int) -> models.ShownFlow:
        """Shows a flow with its draft."""
        return self._http.send("GET", f"/api/v1/flows/{quote(id)}", repeatable=True)

    def update(self, id: str | int, body: models.UpdateFlow, *, if_match: str | None = None) -> models.Flow:
        """Edits the draft of a flow."""
        return self._http.send("PUT", f"/api/v1/flows/{quote(id)}", body=body, if_match=if_match)

    def patch(self, id: str | int, body: models.UpdateFlow, *, if_match: str | None = None) -> models.Flow:
        """Edits the draft of a flow."""
        return self._http.send("PATCH", f"/api/v1/flows/{quote(id)}", body=body, if_match=if_match)

    def delete(self, id: str | int, *, if_match: str | None = None, **query: Unpack[DeleteFlowQuery]) -> None:
        """Deletes a flow: its live runs are interrupted."""
        return self._http.send("DELETE", f"/api/v1/flows/{quote(id)}", if_match=if_match, query=query)

    def pause(self, id: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Flow:
        """Pauses a published flow."""
        return self._http.send("POST", f"/api/v1/flows/{quote(id)}/pause", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def publish(self, id: str | int, body: models.PublishFlow | None = None, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.PublishedFlow:
        """Publishes the draft of a flow as its next version."""
        return self._http.send("POST", f"/api/v1/flows/{quote(id)}/publish", body=body, if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def resume(self, id: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Flow:
        """Resumes a paused flow."""
        return self._http.send("POST", f"/api/v1/flows/{quote(id)}/resume", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def simulate(self, id: str | int, body: models.SimulateFlow | None = None) -> models.SimulationAnswer:
        """Plays a flow in virtual time."""
        return self._http.send("POST", f"/api/v1/flows/{quote(id)}/simulate", body=body)

    def statistics(self, id: str | int, **query: Unpack[FlowStatisticsQuery]) -> models.FlowStatistics:
        """Shows how often runs came to each node of a flow, by which exits they left it, how long that took, and how many are there
now."""
        return self._http.send("GET", f"/api/v1/flows/{quote(id)}/statistics", repeatable=True, query=query)

    def list_versions(self, id: str | int, **query: Unpack[ListFlowVersionsQuery]) -> models.ListFlowVersion:
        """Lists the published versions of a flow, newest first."""
        return self._http.send("GET", f"/api/v1/flows/{quote(id)}/versions", repeatable=True, query=query)

    def each_versions(self, id: str | int, **query: Unpack[ListFlowVersionsQuery]) -> Iterator[models.FlowVersion]:
        """As `list_versions`, one after the other over all pages."""
        return self._http.each(f"/api/v1/flows/{quote(id)}/versions", query)

    def restore_version(self, id: str | int, number: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Flow:
        """Makes an earlier version the draft again."""
        return self._http.send("POST", f"/api/v1/flows/{quote(id)}/versions/{quote(number)}/restore", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def render_template(self, body: models.RenderTemplate) -> models.RenderedTemplate:
        """Renders a text as it would be sent to a contact now."""
        return self._http.send("POST", "/api/v1/templates/render", body=body)


class ListJobsQuery(TypedDict, total=False):
    status: str
    """Only those that were put aside are listed."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class Jobs:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, **query: Unpack[ListJobsQuery]) -> models.ListJob:
        """Lists jobs that were put aside."""
        return self._http.send("GET", "/api/v1/jobs", repeatable=True, query=query)

    def each(self, **query: Unpack[ListJobsQuery]) -> Iterator[models.Job]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/jobs", query)

    def get(self, id: str | int) -> models.Job:
        """Shows a job that is not done yet."""
        return self._http.send("GET", f"/api/v1/jobs/{quote(id)}", repeatable=True)

    def delete(self, id: str | int) -> None:
        """Lets a job go that was put aside: it is never done."""
        return self._http.send("DELETE", f"/api/v1/jobs/{quote(id)}", repeatable=True)

    def retry(self, id: str | int, *, idempotency_key: str | None = None) -> models.Job:
        """Has a job done again that was put aside."""
        return self._http.send("POST", f"/api/v1/jobs/{quote(id)}/retry", idempotency_key=idempotency_key, repeatable=True)


class Sandbox:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get_clock(self) -> models.ClockView:
        """Shows the clock of the sandbox; that of a live workspace goes by the present."""
        return self._http.send("GET", "/api/v1/sandbox/clock", repeatable=True)

    def move_clock(self, body: models.MoveClock, *, idempotency_key: str | None = None) -> models.ClockView:
        """Moves the clock of the sandbox on."""
        return self._http.send("POST", "/api/v1/sandbox/clock", body=body, idempotency_key=idempotency_key, repeatable=True)

    def play_inbound(self, body: models.PlayInbound, *, idempotency_key: str | None = None) -> models.Message:
        """Plays a contact's message to the sandbox."""
        return self._http.send("POST", "/api/v1/sandbox/inbound", body=body, idempotency_key=idempotency_key, repeatable=True)

    def reset(self, *, idempotency_key: str | None = None) -> models.ClockView:
        """Empties the sandbox."""
        return self._http.send("POST", "/api/v1/sandbox/reset", idempotency_key=idempotency_key, repeatable=True)


class ListSavedRepliesQuery(TypedDict, total=False):
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class SavedReplies:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, **query: Unpack[ListSavedRepliesQuery]) -> models.ListSavedReply:
        """Lists saved replies."""
        return self._http.send("GET", "/api/v1/saved-replies", repeatable=True, query=query)

    def each(self, **query: Unpack[ListSavedRepliesQuery]) -> Iterator[models.SavedReply]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/saved-replies", query)

    def create(self, body: models.CreateSavedReply, *, idempotency_key: str | None = None) -> models.SavedReply:
        """Creates a saved reply."""
        return self._http.send("POST", "/api/v1/saved-replies", body=body, idempotency_key=idempotency_key, repeatable=True)

    def get(self, id: str | int) -> models.SavedReply:
        """Shows a saved reply."""
        return self._http.send("GET", f"/api/v1/saved-replies/{quote(id)}", repeatable=True)

    def update(self, id: str | int, body: models.UpdateSavedReply, *, if_match: str | None = None) -> models.SavedReply:
        """Updates a saved reply."""
        return self._http.send("PUT", f"/api/v1/saved-replies/{quote(id)}", body=body, if_match=if_match)

    def patch(self, id: str | int, body: models.UpdateSavedReply, *, if_match: str | None = None) -> models.SavedReply:
        """Updates a saved reply."""
        return self._http.send("PATCH", f"/api/v1/saved-replies/{quote(id)}", body=body, if_match=if_match)

    def delete(self, id: str | int, *, if_match: str | None = None) -> None:
        """Deletes a saved reply."""
        return self._http.send("DELETE", f"/api/v1/saved-replies/{quote(id)}", if_match=if_match)


class ListSecretsQuery(TypedDict, total=False):
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class DeleteSecretQuery(TypedDict, total=False):
    force: bool
    """Whether it is deleted though other objects name it: they have lost it then."""


class Secrets:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, **query: Unpack[ListSecretsQuery]) -> models.ListSecret:
        """Lists secrets, without their values."""
        return self._http.send("GET", "/api/v1/secrets", repeatable=True, query=query)

    def each(self, **query: Unpack[ListSecretsQuery]) -> Iterator[models.Secret]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/secrets", query)

    def get(self, name: str | int) -> models.Secret:
        """Shows a secret, without its value."""
        return self._http.send("GET", f"/api/v1/secrets/{quote(name)}", repeatable=True)

    def put(self, name: str | int, body: models.SecretValue, *, if_match: str | None = None) -> models.Secret:
        """Makes a secret, or replaces its value and its hosts."""
        return self._http.send("PUT", f"/api/v1/secrets/{quote(name)}", body=body, if_match=if_match)

    def delete(self, name: str | int, *, if_match: str | None = None, **query: Unpack[DeleteSecretQuery]) -> None:
        """Deletes a secret."""
        return self._http.send("DELETE", f"/api/v1/secrets/{quote(name)}", if_match=if_match, query=query)


class ListSegmentsQuery(TypedDict, total=False):
    q: str
    """This stands somewhere in the name, without regard to case. `%` and `_` stand for themselves."""
    name: str
    """This is the name, without regard to case."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class DeleteSegmentQuery(TypedDict, total=False):
    force: bool
    """Whether it is deleted though other objects name it: they have lost it then."""


class Segments:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, **query: Unpack[ListSegmentsQuery]) -> models.ListSegment:
        """Lists segments."""
        return self._http.send("GET", "/api/v1/segments", repeatable=True, query=query)

    def each(self, **query: Unpack[ListSegmentsQuery]) -> Iterator[models.Segment]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/segments", query)

    def create(self, body: models.CreateSegment, *, idempotency_key: str | None = None) -> models.Segment:
        """Creates a segment."""
        return self._http.send("POST", "/api/v1/segments", body=body, idempotency_key=idempotency_key, repeatable=True)

    def get(self, id: str | int) -> models.ShownSegment:
        """Shows a segment, with the number of contacts that it chooses now."""
        return self._http.send("GET", f"/api/v1/segments/{quote(id)}", repeatable=True)

    def update(self, id: str | int, body: models.UpdateSegment, *, if_match: str | None = None) -> models.Segment:
        """Updates a segment."""
        return self._http.send("PUT", f"/api/v1/segments/{quote(id)}", body=body, if_match=if_match)

    def patch(self, id: str | int, body: models.UpdateSegment, *, if_match: str | None = None) -> models.Segment:
        """Updates a segment."""
        return self._http.send("PATCH", f"/api/v1/segments/{quote(id)}", body=body, if_match=if_match)

    def delete(self, id: str | int, *, if_match: str | None = None, **query: Unpack[DeleteSegmentQuery]) -> None:
        """Deletes a segment."""
        return self._http.send("DELETE", f"/api/v1/segments/{quote(id)}", if_match=if_match, query=query)


class ListContactSequencesQuery(TypedDict, total=False):
    status: str
    """With this status."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class ListSequencesQuery(TypedDict, total=False):
    q: str
    """This stands somewhere in the name, without regard to case. `%` and `_` stand for themselves."""
    name: str
    """This is the name, without regard to case."""
    status: str
    """With this status."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class DeleteSequenceQuery(TypedDict, total=False):
    force: bool
    """Whether it is deleted though other objects name it: they have lost it then."""


class ListEnrollmentsQuery(TypedDict, total=False):
    status: str
    """With this status."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class Sequences:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list_contact(self, id: str | int, **query: Unpack[ListContactSequencesQuery]) -> models.ListEnrollment:
        """Lists the enrollments of a contact."""
        return self._http.send("GET", f"/api/v1/contacts/{quote(id)}/sequences", repeatable=True, query=query)

    def each_contact(self, id: str | int, **query: Unpack[ListContactSequencesQuery]) -> Iterator[models.Enrollment]:
        """As `list_contact`, one after the other over all pages."""
        return self._http.each(f"/api/v1/contacts/{quote(id)}/sequences", query)

    def get_enrollment(self, id: str | int, sequence_id: str | int) -> models.Enrollment:
        """Shows the newest enrollment of a contact in a sequence."""
        return self._http.send("GET", f"/api/v1/contacts/{quote(id)}/sequences/{quote(sequence_id)}", repeatable=True)

    def enroll_contact(self, id: str | int, sequence_id: str | int, *, idempotency_key: str | None = None) -> models.Enrollment:
        """Enrolls a contact in a sequence."""
        return self._http.send("POST", f"/api/v1/contacts/{quote(id)}/sequences/{quote(sequence_id)}", idempotency_key=idempotency_key, repeatable=True)

    def exit_enrollment(self, id: str | int, sequence_id: str | int) -> None:
        """Takes a contact out of a sequence."""
        return self._http.send("DELETE", f"/api/v1/contacts/{quote(id)}/sequences/{quote(sequence_id)}", repeatable=True)

    def pause_enrollment(self, id: str | int, sequence_id: str | int, *, idempotency_key: str | None = None) -> models.Enrollment:
        """Pauses an enrollment."""
        return self._http.send("POST", f"/api/v1/contacts/{quote(id)}/sequences/{quote(sequence_id)}/pause", idempotency_key=idempotency_key, repeatable=True)

    def resume_enrollment(self, id: str | int, sequence_id: str | int, *, idempotency_key: str | None = None) -> models.Enrollment:
        """Resumes a paused enrollment."""
        return self._http.send("POST", f"/api/v1/contacts/{quote(id)}/sequences/{quote(sequence_id)}/resume", idempotency_key=idempotency_key, repeatable=True)

    def list(self, **query: Unpack[ListSequencesQuery]) -> models.ListSequence:
        """Lists sequences."""
        return self._http.send("GET", "/api/v1/sequences", repeatable=True, query=query)

    def each(self, **query: Unpack[ListSequencesQuery]) -> Iterator[models.Sequence]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/sequences", query)

    def create(self, body: models.CreateSequence, *, idempotency_key: str | None = None) -> models.Sequence:
        """Creates a sequence."""
        return self._http.send("POST", "/api/v1/sequences", body=body, idempotency_key=idempotency_key, repeatable=True)

    def get(self, id: str | int) -> models.ShownSequence:
        """Shows a sequence."""
        return self._http.send("GET", f"/api/v1/sequences/{quote(id)}", repeatable=True)

    def update(self, id: str | int, body: models.UpdateSequence, *, if_match: str | None = None) -> models.Sequence:
        """Updates a sequence."""
        return self._http.send("PUT", f"/api/v1/sequences/{quote(id)}", body=body, if_match=if_match)

    def patch(self, id: str | int, body: models.UpdateSequence, *, if_match: str | None = None) -> models.Sequence:
        """Updates a sequence."""
        return self._http.send("PATCH", f"/api/v1/sequences/{quote(id)}", body=body, if_match=if_match)

    def delete(self, id: str | int, *, if_match: str | None = None, **query: Unpack[DeleteSequenceQuery]) -> None:
        """Deletes a sequence."""
        return self._http.send("DELETE", f"/api/v1/sequences/{quote(id)}", if_match=if_match, query=query)

    def list_enrollments(self, id: str | int, **query: Unpack[ListEnrollmentsQuery]) -> models.ListEnrollment:
        """Lists the enrollments of a sequence."""
        return self._http.send("GET", f"/api/v1/sequences/{quote(id)}/enrollments", repeatable=True, query=query)

    def each_enrollments(self, id: str | int, **query: Unpack[ListEnrollmentsQuery]) -> Iterator[models.Enrollment]:
        """As `list_enrollments`, one after the other over all pages."""
        return self._http.each(f"/api/v1/sequences/{quote(id)}/enrollments", query)

    def simulate(self, id: str | int, body: models.SimulateSequence | None = None) -> models.SimulationAnswer:
        """Plays a sequence in virtual time: the contact is enrolled at once."""
        return self._http.send("POST", f"/api/v1/sequences/{quote(id)}/simulate", body=body)


class ListTagsQuery(TypedDict, total=False):
    q: str
    """This stands somewhere in the name, without regard to case. `%` and `_` stand for themselves."""
    name: str
    """This is the name, without regard to case."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around. Names without regard to case."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before."""


class DeleteTagQuery(TypedDict, total=False):
    force: bool
    """Whether it is deleted though other objects name it: they have lost it then."""


class Tags:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, **query: Unpack[ListTagsQuery]) -> models.ListTag:
        """Lists tags."""
        return self._http.send("GET", "/api/v1/tags", repeatable=True, query=query)

    def each(self, **query: Unpack[ListTagsQuery]) -> Iterator[models.Tag]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/tags", query)

    def create(self, body: models.CreateTag, *, idempotency_key: str | None = None) -> models.Tag:
        """Creates a tag."""
        return self._http.send("POST", "/api/v1/tags", body=body, idempotency_key=idempotency_key, repeatable=True)

    def get(self, id: str | int) -> models.Tag:
        """Shows a tag."""
        return self._http.send("GET", f"/api/v1/tags/{quote(id)}", repeatable=True)

    def update(self, id: str | int, body: models.UpdateTag, *, if_match: str | None = None) -> models.Tag:
        """Updates a tag."""
        return self._http.send("PUT", f"/api/v1/tags/{quote(id)}", body=body, if_match=if_match)

    def patch(self, id: str | int, body: models.UpdateTag, *, if_match: str | None = None) -> models.Tag:
        """Updates a tag."""
        return self._http.send("PATCH", f"/api/v1/tags/{quote(id)}", body=body, if_match=if_match)

    def delete(self, id: str | int, *, if_match: str | None = None, **query: Unpack[DeleteTagQuery]) -> None:
        """Deletes a tag."""
        return self._http.send("DELETE", f"/api/v1/tags/{quote(id)}", if_match=if_match, query=query)


class ListEventsQuery(TypedDict, total=False):
    after: int
    """The last position that was read: `next_after` of the page before. 0 is the beginning."""
    types: str
    """Only events of these kinds, separated by commas."""
    limit: int
    """How many events at the most."""


class ListWebhooksQuery(TypedDict, total=False):
    q: str
    """This stands somewhere in the address or the description, without regard to case. `%` and `_` stand for themselves."""
    status: str
    """With this status."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    include: str
    """`total` counts the rows of all pages."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class ListDeliveriesQuery(TypedDict, total=False):
    status: str
    """With this status."""
    event_type: str
    """Of events of this kind."""
    since: str
    """Made at this time or later."""
    until: str
    """Made before this time."""
    limit: int
    """How many rows at the most."""
    sort: str
    """By which attribute; a `-` in front turns the order around."""
    cursor: str
    """`next_cursor` of the page before, with the same filters."""


class Webhooks:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list_event_types(self) -> models.ListEventType:
        """Lists all kinds of events, on one page."""
        return self._http.send("GET", "/api/v1/event-types", repeatable=True)

    def list_events(self, **query: Unpack[ListEventsQuery]) -> models.EventFeed:
        """Lists what happened since a position."""
        return self._http.send("GET", "/api/v1/events", repeatable=True, query=query)

    def list(self, **query: Unpack[ListWebhooksQuery]) -> models.ListWebhook:
        """Lists webhooks."""
        return self._http.send("GET", "/api/v1/webhooks", repeatable=True, query=query)

    def each(self, **query: Unpack[ListWebhooksQuery]) -> Iterator[models.Webhook]:
        """As `list`, one after the other over all pages."""
        return self._http.each("/api/v1/webhooks", query)

    def create(self, body: models.CreateWebhook, *, idempotency_key: str | None = None) -> models.Webhook:
        """Creates a webhook."""
        return self._http.send("POST", "/api/v1/webhooks", body=body, idempotency_key=idempotency_key, repeatable=True)

    def get(self, id: str | int) -> models.Webhook:
        """Shows a webhook."""
        return self._http.send("GET", f"/api/v1/webhooks/{quote(id)}", repeatable=True)

    def update(self, id: str | int, body: models.UpdateWebhook, *, if_match: str | None = None) -> models.Webhook:
        """Updates a webhook."""
        return self._http.send("PUT", f"/api/v1/webhooks/{quote(id)}", body=body, if_match=if_match)

    def patch(self, id: str | int, body: models.UpdateWebhook, *, if_match: str | None = None) -> models.Webhook:
        """Updates a webhook."""
        return self._http.send("PATCH", f"/api/v1/webhooks/{quote(id)}", body=body, if_match=if_match)

    def delete(self, id: str | int, *, if_match: str | None = None) -> None:
        """Deletes a webhook."""
        return self._http.send("DELETE", f"/api/v1/webhooks/{quote(id)}", if_match=if_match)

    def list_deliveries(self, id: str | int, **query: Unpack[ListDeliveriesQuery]) -> models.ListDelivery:
        """Lists the deliveries to a webhook that pass all filters."""
        return self._http.send("GET", f"/api/v1/webhooks/{quote(id)}/deliveries", repeatable=True, query=query)

    def each_deliveries(self, id: str | int, **query: Unpack[ListDeliveriesQuery]) -> Iterator[models.Delivery]:
        """As `list_deliveries`, one after the other over all pages."""
        return self._http.each(f"/api/v1/webhooks/{quote(id)}/deliveries", query)

    def get_delivery(self, id: str | int, delivery_id: str | int) -> models.DeliveryDetail:
        """Shows a delivery with every attempt."""
        return self._http.send("GET", f"/api/v1/webhooks/{quote(id)}/deliveries/{quote(delivery_id)}", repeatable=True)

    def replay_delivery(self, id: str | int, delivery_id: str | int, *, idempotency_key: str | None = None) -> models.Delivery:
        """Sends a delivery again."""
        return self._http.send("POST", f"/api/v1/webhooks/{quote(id)}/deliveries/{quote(delivery_id)}/replay", idempotency_key=idempotency_key, repeatable=True)

    def enable(self, id: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Webhook:
        """Starts a paused or disabled webhook again."""
        return self._http.send("POST", f"/api/v1/webhooks/{quote(id)}/enable", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def pause(self, id: str | int, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Webhook:
        """Stops a webhook."""
        return self._http.send("POST", f"/api/v1/webhooks/{quote(id)}/pause", if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def replay_deliveries(self, id: str | int, body: models.ReplayDeliveries, *, idempotency_key: str | None = None) -> models.Replay:
        """Sends the deliveries of a time again."""
        return self._http.send("POST", f"/api/v1/webhooks/{quote(id)}/replay", body=body, idempotency_key=idempotency_key, repeatable=True)

    def rotate_secret(self, id: str | int, body: models.RotateSecret | None = None, *, if_match: str | None = None, idempotency_key: str | None = None) -> models.Webhook:
        """Gives a webhook a new secret."""
        return self._http.send("POST", f"/api/v1/webhooks/{quote(id)}/rotate-secret", body=body, if_match=if_match, idempotency_key=idempotency_key, repeatable=True)

    def test(self, id: str | int, body: models.TestWebhook | None = None, *, idempotency_key: str | None = None) -> models.TestOutcome:
        """Tries a webhook out."""
        return self._http.send("POST", f"/api/v1/webhooks/{quote(id)}/test", body=body, idempotency_key=idempotency_key, repeatable=True)


class Operations:
    """All operations, by subject."""

    def __init__(self, http: Http) -> None:
        self.access = Access(http)
        self.analytics = Analytics(http)
        self.bot_fields = BotFields(http)
        self.broadcasts = Broadcasts(http)
        self.channels = Channels(http)
        self.contacts = Contacts(http)
        self.conversations = Conversations(http)
        self.custom_fields = CustomFields(http)
        self.flows = Flows(http)
        self.jobs = Jobs(http)
        self.sandbox = Sandbox(http)
        self.saved_replies = SavedReplies(http)
        self.secrets = Secrets(http)
        self.segments = Segments(http)
        self.sequences = Sequences(http)
        self.tags = Tags(http)
        self.webhooks = Webhooks(http)
