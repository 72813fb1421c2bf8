//! Rows of deliveries and attempts.

use diesel::prelude::*;
use tidings_domain::events::EventKind;
use tidings_domain::webhooks::{Attempt, Delivery, DeliveryStatus};

use crate::connection::faults::Fault;
use crate::queries::rows::{json, to_json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{deliveries, delivery_attempts};
use crate::webhooks::deliveries::queue_position;

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = deliveries)]
    pub(crate) struct DeliveryRow in deliveries {
        pub(crate) workspace_id: DbId,
        pub(crate) id: DbId,
        pub(crate) webhook_id: DbId,
        pub(crate) event_id: DbId,
        pub(crate) event_kind: String,
        pub(crate) status: String,
        pub(crate) attempts: i32,
        pub(crate) next_attempt_at: Option<DbTime>,
        pub(crate) last_status: Option<i32>,
        pub(crate) last_error: Option<String>,
        pub(crate) created_at: DbTime,
        pub(crate) updated_at: DbTime,
        pub(crate) version: i64,
        pub(crate) round_start: i32,
        pub(crate) queue: Option<i32>,
        pub(crate) queued_for: Option<DbId>,
    }
}

impl DeliveryRow {
    pub(crate) fn write(workspace_id: DbId, it: &Delivery) -> Self {
        let (queue, queued_for) = queue_position(it);
        Self {
            workspace_id,
            id: it.id.into(),
            webhook_id: it.webhook.into(),
            event_id: it.event.into(),
            event_kind: it.event_kind.as_str().to_owned(),
            status: it.status.as_str().to_owned(),
            attempts: it.attempts,
            next_attempt_at: it.next_attempt_at.map(Into::into),
            last_status: it.last_status,
            last_error: it.last_error.clone(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            round_start: it.round_start,
            queue,
            queued_for,
        }
    }

    pub(super) fn read(self) -> Result<Delivery, Fault> {
        Ok(Delivery {
            id: self.id.to_typed_id(),
            webhook: self.webhook_id.to_typed_id(),
            event: self.event_id.to_typed_id(),
            event_kind: word(&self.event_kind, "event kind", EventKind::parse)?,
            status: word(&self.status, "delivery status", DeliveryStatus::parse)?,
            attempts: self.attempts,
            round_start: self.round_start,
            next_attempt_at: self.next_attempt_at.map(|time| time.0),
            last_status: self.last_status,
            last_error: self.last_error,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = delivery_attempts)]
    pub(crate) struct AttemptRow in delivery_attempts {
        pub(crate) workspace_id: DbId,
        pub(crate) delivery_id: DbId,
        pub(crate) number: i32,
        pub(crate) at: DbTime,
        pub(crate) duration_ms: i64,
        pub(crate) status: Option<i32>,
        pub(crate) headers: String,
        pub(crate) body: String,
        pub(crate) error: Option<String>,
    }
}

impl AttemptRow {
    pub(crate) fn write(workspace_id: DbId, it: &Attempt) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            delivery_id: it.delivery.into(),
            number: it.number,
            at: it.at.into(),
            duration_ms: it.duration_ms,
            status: it.status,
            headers: to_json(&it.headers)?,
            body: it.body.clone(),
            error: it.error.clone(),
        })
    }

    pub(super) fn read(self) -> Result<Attempt, Fault> {
        Ok(Attempt {
            delivery: self.delivery_id.to_typed_id(),
            number: self.number,
            at: self.at.0,
            duration_ms: self.duration_ms,
            status: self.status,
            headers: json(&self.headers, "an answer's headers")?,
            body: self.body,
            error: self.error,
        })
    }
}
