//! The amount of text that a workspace has stored.

mod limits;
mod text_size;

use serde::Serialize;
use uuid::Uuid;

use crate::ids::WorkspaceId;
use crate::time::Timestamp;

pub use limits::{StorageLevel, StoredLimits, StoredOf};
pub use text_size::{
    of_attempt, of_audit_entry, of_broadcast, of_bulk_operation, of_contact, of_custom_event, of_delivery, of_event,
    of_flow, of_flow_version, of_import, of_message, of_record, of_rejected_row, of_run, of_sequence,
    of_unparsed_request, of_value,
};

/// Stored text in bytes of UTF-8, by type of data, without indexes and database overhead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StoredBytes {
    /// Attributes, custom fields and custom events of contacts, including deleted contacts; segments, imports with
    /// their tables, and filters of bulk operations.
    pub contacts: i64,
    /// Messages with their history, requests of providers that were not understood, broadcasts and saved replies.
    pub messages: i64,
    /// Events, as in the feed and webhooks, and the audit log.
    pub events: i64,
    /// Deliveries with their attempts.
    pub deliveries: i64,
    /// Flows with their versions and runs, and sequences.
    pub flows: i64,
    /// Responses stored for a day for idempotency keys.
    pub idempotency: i64,
}

impl StoredBytes {
    /// Returns the total.
    pub fn total(&self) -> i64 {
        self.by_kind().iter().map(|(_, bytes)| bytes).sum()
    }

    /// Returns the bytes of each kind, with its name.
    pub fn by_kind(&self) -> [(&'static str, i64); 6] {
        let Self { contacts, messages, events, deliveries, flows, idempotency } = *self;
        [
            ("contacts", contacts),
            ("messages", messages),
            ("events", events),
            ("deliveries", deliveries),
            ("flows", flows),
            ("idempotency", idempotency),
        ]
    }

    /// Adds another amount.
    pub fn add(&mut self, other: &Self) {
        let Self { contacts, messages, events, deliveries, flows, idempotency } = other;
        self.contacts += contacts;
        self.messages += messages;
        self.events += events;
        self.deliveries += deliveries;
        self.flows += flows;
        self.idempotency += idempotency;
    }
}

/// The known amount of text of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StorageUsage {
    /// Bytes of stored text.
    pub bytes: StoredBytes,
    /// When the text was last measured. Later writes are included only in part. `None` before the first time.
    pub measured_at: Option<Timestamp>,
}

/// The storage usage of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = WorkspaceStorage))]
pub struct StoredView {
    /// Total in bytes.
    pub total: i64,
    /// When the total was last updated, which happens every five minutes; `null` before the first time. Later writes
    /// are included only if this server made them.
    pub measured_at: Option<Timestamp>,
    /// Bytes by type of data.
    pub by_kind: StoredBytes,
    /// Storage limit of the plan in bytes; `null` if it has no limit.
    pub limit: Option<i64>,
    /// Level of `total` relative to the limit.
    pub level: StorageLevel,
}

impl StoredView {
    /// Compares the stored text of a workspace with the limit of its plan.
    pub fn new(StorageUsage { bytes, measured_at }: StorageUsage, limit: Option<i64>) -> Self {
        let total = bytes.total();
        Self { total, measured_at, by_kind: bytes, limit, level: StorageLevel::of(total, limit) }
    }
}

/// The position of a measurement of all stored text. The default is its start. Only stores interpret it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoredPlace {
    /// The number of the table scan.
    pub walk: usize,
    /// The workspace of the last measured row; the measurement continues after it and [`Self::id`].
    pub workspace: Uuid,
    /// The ID of the last measured row.
    pub id: Uuid,
}

/// A portion of a measurement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredPortion {
    /// The bytes of its rows. A workspace can occur several times.
    pub bytes: Vec<(WorkspaceId, StoredBytes)>,
    /// The position of the next portion; `None` at the end.
    pub next: Option<StoredPlace>,
}
