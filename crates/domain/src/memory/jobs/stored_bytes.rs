//! The size of the stored texts of each workspace.

use crate::access::storage_usage::{self, StoredBytes};
use crate::ids::WorkspaceId;
use crate::memory::State;

impl State {
    pub(in crate::memory) fn stored_bytes(&self) -> Vec<(WorkspaceId, StoredBytes)> {
        let nothing = StoredBytes::default();
        let contacts = |bytes| StoredBytes { contacts: bytes, ..nothing };
        let messages = |bytes| StoredBytes { messages: bytes, ..nothing };
        let events = |bytes| StoredBytes { events: bytes, ..nothing };
        let deliveries = |bytes| StoredBytes { deliveries: bytes, ..nothing };
        let flows = |bytes| StoredBytes { flows: bytes, ..nothing };
        let idempotency = |bytes| StoredBytes { idempotency: bytes, ..nothing };
        let mut all = Vec::new();
        all.extend(self.answers.iter().map(|((ws, _), it)| (*ws, idempotency(storage_usage::of_record(it)))));
        all.extend(self.contacts.iter().map(|((ws, _), it)| (*ws, contacts(storage_usage::of_contact(it)))));
        all.extend(self.values.iter().map(|((ws, _), it)| (*ws, contacts(storage_usage::of_value(it)))));
        all.extend(self.custom_events.iter().map(|((ws, _), it)| (*ws, contacts(storage_usage::of_custom_event(it)))));
        all.extend(self.unparsed.iter().map(|((ws, _), it)| (*ws, messages(storage_usage::of_unparsed_request(it)))));
        all.extend(self.messages.iter().map(|((ws, _), it)| (*ws, messages(storage_usage::of_message(it)))));
        all.extend(self.events.iter().map(|((ws, _), it)| (*ws, events(storage_usage::of_event(it)))));
        all.extend(self.deliveries.iter().map(|((ws, _), it)| (*ws, deliveries(storage_usage::of_delivery(it)))));
        all.extend(self.attempts.iter().map(|((ws, _), it)| (*ws, deliveries(storage_usage::of_attempt(it)))));
        all.extend(self.flows.iter().map(|((ws, _), it)| (*ws, flows(storage_usage::of_flow(it)))));
        all.extend(self.versions.iter().map(|((ws, _), it)| (*ws, flows(storage_usage::of_flow_version(it)))));
        all.extend(self.runs.iter().map(|((ws, _), it)| (*ws, flows(storage_usage::of_run(it)))));
        all.extend(
            self.bulk_operations.iter().map(|((ws, _), it)| (*ws, contacts(storage_usage::of_bulk_operation(it)))),
        );
        all.extend(self.imports.iter().map(|((ws, _), it)| (*ws, contacts(storage_usage::of_import(it)))));
        all.extend(self.import_tables.iter().map(|((ws, _), it)| (*ws, contacts(it.len() as i64))));
        all.extend(self.import_rejects.iter().map(|((ws, _), it)| (*ws, contacts(storage_usage::of_rejected_row(it)))));
        all.extend(self.broadcasts.iter().map(|((ws, _), it)| (*ws, messages(storage_usage::of_broadcast(it)))));
        all.extend(self.tables.stored_bytes());
        all.extend(self.sequences.iter().map(|((ws, _), it)| (*ws, flows(storage_usage::of_sequence(it)))));
        all.extend(self.audit.iter().map(|((ws, _), it)| (*ws, events(storage_usage::of_audit_entry(it)))));
        all
    }
}
