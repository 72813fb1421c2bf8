//! The amount of text in objects.

use super::StoredBytes;
use crate::audit::AuditEntry;
use crate::broadcasts::{self, Broadcast};
use crate::bulk::BulkOperation;
use crate::channels::UnparsedRequest;
use crate::contacts::{Attribute, Contact};
use crate::conversations::Message;
use crate::custom_events::CustomEvent;
use crate::events::Event;
use crate::fields::FieldValue;
use crate::flows::{Flow, FlowVersion, Run};
use crate::imports::{Import, RejectedRow};
use crate::ports::{
    Change, ChangeSet, ChannelChange, ContactChange, FieldChange, FlowChange, IdempotencyRecord, ImportChange, Row,
    WebhookChange,
};
use crate::sequences::{Sequence, Step};
use crate::stored::as_json;
use crate::webhooks::{Attempt, Delivery};

impl StoredBytes {
    /// Returns the text that a set writes. A replaced row counts as a new one: its former text is only known when the
    /// store measures again.
    pub fn added_by(set: &ChangeSet) -> Self {
        let mut all = Self::default();
        for change in &set.changes {
            match change {
                Change::Insert(Row::Contact(it)) | Change::Update(Row::Contact(it)) => all.contacts += of_contact(it),
                Change::Field(FieldChange::PutValue { value, .. }) => all.contacts += of_value(value),
                Change::Contact(ContactChange::RecordEvent { event, .. }) => all.contacts += of_custom_event(event),
                Change::Insert(Row::Message(it)) => all.messages += of_message(it),
                Change::Channel(ChannelChange::KeepUnparsed(it)) => all.messages += of_unparsed_request(it),
                Change::Insert(Row::Delivery(it)) => all.deliveries += of_delivery(it),
                Change::Webhook(WebhookChange::InsertAttempt(it)) => all.deliveries += of_attempt(it),
                Change::Webhook(WebhookChange::RecordAttempt(it)) => {
                    all.deliveries += it.first.as_ref().map_or(0, of_attempt);
                }
                Change::Insert(Row::Flow(it)) | Change::Update(Row::Flow(it)) => all.flows += of_flow(it),
                Change::Flow(FlowChange::InsertVersion(it)) => all.flows += of_flow_version(it),
                Change::Insert(Row::Run(it)) => all.flows += of_run(it),
                Change::Insert(Row::BulkOperation(it)) => all.contacts += of_bulk_operation(it),
                Change::Insert(Row::Import(it)) => all.contacts += of_import(it),
                Change::Import(ImportChange::PutTable { table, .. }) => all.contacts += table.len() as i64,
                Change::Import(ImportChange::Reject { row, .. }) => all.contacts += of_rejected_row(row),
                Change::Insert(Row::Broadcast(it)) | Change::Update(Row::Broadcast(it)) => {
                    all.messages += of_broadcast(it);
                }
                Change::Insert(Row::Stored(it)) | Change::Update(Row::Stored(it)) => all.add(&it.stored_bytes()),
                Change::Insert(Row::Sequence(it)) | Change::Update(Row::Sequence(it)) => all.flows += of_sequence(it),
                Change::Audit(it) => all.events += of_audit_entry(it),
                // The next measurement corrects replaced rows, and text that is counted elsewhere.
                Change::Insert(
                    Row::Workspace(_)
                    | Row::User(_)
                    | Row::Member(_)
                    | Row::Channel(_)
                    | Row::Conversation(_)
                    | Row::Enrollment(_)
                    | Row::Webhook(_),
                )
                | Change::Update(_)
                | Change::Delete(_)
                | Change::Access(_)
                | Change::Account(_)
                | Change::Channel(
                    ChannelChange::Delete { .. }
                    | ChannelChange::RecordEvent { .. }
                    | ChannelChange::UpdateHealth { .. },
                )
                | Change::Contact(
                    ContactChange::InsertIdentity { .. }
                    | ContactChange::SetOptIn { .. }
                    | ContactChange::Touch { .. }
                    | ContactChange::ReleaseIdentities { .. }
                    | ContactChange::Restore(_)
                    | ContactChange::ReplaceIdentities { .. },
                )
                | Change::Tag(_)
                | Change::Field(_)
                | Change::Reference(_)
                | Change::Conversation(_)
                | Change::Erasure(_)
                | Change::Merge(_)
                | Change::OptOut(_)
                | Change::Flow(_)
                | Change::Sequence(_)
                | Change::Broadcast(_)
                | Change::Import(
                    ImportChange::DropTable { .. } | ImportChange::DropRejected { .. } | ImportChange::Forget(_),
                )
                | Change::Webhook(_)
                | Change::Analytics(_)
                | Change::Job(_)
                | Change::Sandbox(_) => {}
            }
        }
        all.events += set.events.iter().map(of_event).sum::<i64>();
        all.idempotency = set.idempotency.as_ref().map_or(0, of_record);
        all
    }
}

/// Measures a contact without its custom fields.
pub fn of_contact(it: &Contact) -> i64 {
    Attribute::ALL.iter().map(|attribute| optional(it.attribute(*attribute))).sum()
}

/// Measures a custom field value of a contact.
pub fn of_value(it: &FieldValue) -> i64 {
    as_json(&it.json)
}

/// Measures a custom event of a contact.
pub fn of_custom_event(it: &CustomEvent) -> i64 {
    as_json(&it.data)
}

/// Measures the text of a message. Its other content is only included when the store measures again.
pub fn of_message(it: &Message) -> i64 {
    optional(it.content.text.as_deref()) + as_json(&it.history) + it.error.as_ref().map_or(0, as_json)
}

/// Measures a request that was not understood.
pub fn of_unparsed_request(it: &UnparsedRequest) -> i64 {
    length(&it.reason) + length(&it.body)
}

/// Measures an event.
pub fn of_event(it: &Event) -> i64 {
    length(&it.full) + length(&it.thin)
}

/// Measures a delivery without its attempts.
pub fn of_delivery(it: &Delivery) -> i64 {
    optional(it.last_error.as_deref())
}

/// Measures an attempt at a delivery.
pub fn of_attempt(it: &Attempt) -> i64 {
    as_json(&it.headers) + length(&it.body) + optional(it.error.as_deref())
}

/// Measures a flow with its draft.
pub fn of_flow(it: &Flow) -> i64 {
    length(&it.name) + as_json(&it.definition)
}

/// Measures a published version of a flow.
pub fn of_flow_version(it: &FlowVersion) -> i64 {
    as_json(&it.definition)
}

/// Measures a run of a flow.
pub fn of_run(it: &Run) -> i64 {
    as_json(&it.vars) + as_json(&it.trace) + it.error.as_ref().map_or(0, as_json)
}

/// Measures an idempotency record: its name and its body.
pub fn of_record(it: &IdempotencyRecord) -> i64 {
    length(&it.key) + it.body.to_stored_bytes().len() as i64
}

/// Measures a bulk operation: its filter, the condition of its segment, and the value for a custom field.
pub fn of_bulk_operation(it: &BulkOperation) -> i64 {
    let condition = it.condition.as_ref().map_or(0, |it| as_json(it.source_json()));
    as_json(&it.filter.source_json()) + condition + it.action.parts().value.as_ref().map_or(0, as_json)
}

/// Measures an import without its table.
pub fn of_import(it: &Import) -> i64 {
    as_json(&it.columns)
}

/// Measures a row that an import rejected.
pub fn of_rejected_row(it: &RejectedRow) -> i64 {
    as_json(&it.cells) + as_json(&it.wrong)
}

/// Measures a broadcast without its messages.
pub fn of_broadcast(it: &Broadcast) -> i64 {
    length(&it.name) + as_json(&it.audience.source_json()) + as_json(&broadcasts::content_json(&it.message))
}

/// Measures a sequence.
pub fn of_sequence(it: &Sequence) -> i64 {
    let steps: Vec<_> = it.steps.iter().map(Step::source_json).collect();
    length(&it.name) + as_json(&steps) + it.exit_when.as_ref().map_or(0, |it| as_json(it.source_json()))
}

/// Measures an entry of the audit log.
pub fn of_audit_entry(it: &AuditEntry) -> i64 {
    optional(it.object.name.as_deref()) + as_json(&it.changes)
}

fn length(text: &str) -> i64 {
    text.len() as i64
}

fn optional(text: Option<&str>) -> i64 {
    text.map_or(0, length)
}
