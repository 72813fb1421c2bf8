//! Deletion of old deliveries with their attempts.

use diesel::prelude::*;
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::DeliveryStatus;

use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, load};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{deliveries, delivery_attempts};

/// Deletes old deliveries with their attempts, except those with a planned attempt.
pub(crate) async fn expire_deliveries(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let is_settled = deliveries::status.ne(DeliveryStatus::Pending.as_str()).or(deliveries::next_attempt_at.is_null());
    let old: Vec<(DbId, DbId)> = load!(
        c,
        deliveries::table
            .filter(deliveries::created_at.lt(DbTime(before)))
            .filter(is_settled)
            .order(deliveries::created_at.asc())
            .limit(i64::from(limit))
            .select((deliveries::workspace_id, deliveries::id))
    )?;
    for (ws, id) in &old {
        remove_delivery(c, *ws, *id).await?;
    }
    Ok(old.len() as u64)
}

pub(crate) async fn remove_delivery(c: &mut Connection<'_>, ws: DbId, id: DbId) -> Result<(), Fault> {
    let attempts = delivery_attempts::table
        .filter(delivery_attempts::workspace_id.eq(ws))
        .filter(delivery_attempts::delivery_id.eq(id));
    execute!(c, diesel::delete(attempts))?;
    execute!(c, diesel::delete(deliveries::table.find((ws, id)))).map(|_| ())
}
