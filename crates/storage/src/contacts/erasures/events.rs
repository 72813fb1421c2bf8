//! Erasure of events about a contact: their envelopes are rewritten and their deliveries end.

use diesel::prelude::*;
use tidings_domain::events::erased;
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::DeliveryStatus;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{deliveries, delivery_attempts, events};

pub(super) async fn contact_of(c: &mut Connection<'_>, ws: DbId, event: DbId) -> Result<Option<DbId>, Fault> {
    let found: Option<Option<DbId>> = find!(c, events::table.find((ws, event)).select(events::contact_id))?;
    Ok(found.flatten())
}

/// Returns true if events about the contact remain. Rewritten events refer to no contact.
pub(super) async fn are_left(c: &mut Connection<'_>, ws: DbId, contact: DbId) -> Result<bool, Fault> {
    let found: Option<DbId> = find!(
        c,
        events::table
            .filter(events::workspace_id.eq_unindexed(ws))
            .filter(events::contact_id.eq(contact))
            .select(events::id)
            .limit(1)
    )?;
    Ok(found.is_some())
}

/// Rewrites the envelopes of at most `room` events about a contact, and ends their deliveries.
pub(super) async fn erase(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: DbId,
    room: i64,
    at: Timestamp,
) -> Result<i64, Fault> {
    let told: Vec<(DbId, String)> = load!(
        c,
        events::table
            .filter(events::workspace_id.eq_unindexed(ws))
            .filter(events::contact_id.eq(contact))
            .order((events::at.asc(), events::id.asc()))
            .limit(room)
            .select((events::id, events::thin_envelope))
    )?;
    for (event, thin) in &told {
        let left = erased(thin);
        let rewritten = (
            events::contact_id.eq(None::<DbId>),
            events::full_envelope.eq(left.clone()),
            events::thin_envelope.eq(left),
        );
        execute!(c, diesel::update(events::table.find((ws, *event))).set(rewritten))?;
        end_deliveries(c, ws, *event, at).await?;
    }
    Ok(i64::try_from(told.len()).unwrap_or(room))
}

/// Cancels further attempts at an event's deliveries and deletes the responses of receivers.
async fn end_deliveries(c: &mut Connection<'_>, ws: DbId, event: DbId, at: Timestamp) -> Result<(), Fault> {
    let made: Vec<(DbId, String)> = load!(
        c,
        deliveries::table
            .filter(deliveries::workspace_id.eq_unindexed(ws))
            .filter(deliveries::event_id.eq(event))
            .select((deliveries::id, deliveries::status))
    )?;
    for (delivery, status) in &made {
        let target = deliveries::table.find((ws, *delivery));
        let forgotten = (
            deliveries::last_error.eq(None::<String>),
            deliveries::first_at.eq(None::<DbTime>),
            deliveries::first_duration_ms.eq(None::<i64>),
            deliveries::first_status.eq(None::<i32>),
            deliveries::first_headers.eq(None::<String>),
            deliveries::first_body.eq(None::<String>),
            deliveries::first_error.eq(None::<String>),
        );
        execute!(c, diesel::update(target).set(forgotten))?;
        if status == DeliveryStatus::Pending.as_str() {
            let over = (
                deliveries::status.eq(DeliveryStatus::Failed.as_str()),
                deliveries::next_attempt_at.eq(None::<DbTime>),
                deliveries::queue.eq(None::<i32>),
                deliveries::queued_for.eq(None::<DbId>),
                deliveries::leased_until.eq(None::<DbTime>),
                deliveries::updated_at.eq(DbTime(at)),
                deliveries::version.eq(deliveries::version + 1),
            );
            execute!(c, diesel::update(target).set(over))?;
        }
    }
    if !made.is_empty() {
        let made: Vec<DbId> = made.into_iter().map(|(delivery, _)| delivery).collect();
        let attempts = delivery_attempts::table
            .filter(delivery_attempts::workspace_id.eq(ws))
            .filter(delivery_attempts::delivery_id.eq_any(made));
        execute!(cached_on_postgres, c, diesel::delete(attempts))?;
    }
    Ok(())
}
