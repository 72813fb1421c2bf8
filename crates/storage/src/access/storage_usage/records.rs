//! The size of idempotency records. They have no ID and are measured in the order of their times.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use tidings_domain::access::storage_usage::{StoredBytes, StoredPlace, StoredPortion};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use super::NOTHING;
use crate::connection::faults::Fault;
use crate::connection::{Connection, load};
use crate::queries::types::{DbId, DbTime};
use crate::schema::idempotency_keys;

/// Measures the portion after `from`. The ID of a place is the time of the last measured record. All records with the
/// same time are in one portion.
pub(super) async fn measure(c: &mut Connection<'_>, from: StoredPlace, limit: u32) -> Result<StoredPortion, Fault> {
    let after = DbTime(Timestamp::from_millis(i64::try_from(from.id.as_u128()).unwrap_or(i64::MAX)));
    let later = idempotency_keys::table.filter(idempotency_keys::created_at.gt(after));
    let times = later.order(idempotency_keys::created_at.asc()).select(idempotency_keys::created_at);
    let times: Vec<DbTime> = load!(c, times.limit(i64::from(limit)))?;
    let Some(last) = times.last().copied() else { return Ok(StoredPortion::default()) };
    let bytes = sql::<BigInt>("CAST(sum(octet_length(body) + octet_length(key)) AS bigint)");
    let portion = later.filter(idempotency_keys::created_at.le(last)).group_by(idempotency_keys::workspace_id);
    let sums: Vec<(DbId, i64)> = load!(c, portion.select((idempotency_keys::workspace_id, bytes)))?;
    let of_workspace = |(ws, idempotency): (DbId, i64)| (ws.to_typed_id(), StoredBytes { idempotency, ..NOTHING });
    let next = (times.len() >= limit as usize)
        .then(|| StoredPlace { id: Uuid::from_u128(u128::try_from(last.0.millis()).unwrap_or_default()), ..from });
    // Requests outside of workspaces have records that belong to none.
    let bytes = sums.into_iter().filter(|(ws, _)| !ws.0.is_nil()).map(of_workspace).collect();
    Ok(StoredPortion { bytes, next })
}
