//! Claimed and parked deliveries: extension, end, rescheduling, parking and release.

use diesel::prelude::*;
use diesel::sql_types::{Integer, Nullable};
use tidings_domain::ports::{Claim, HeldClaim};
use tidings_domain::time::Timestamp;
use tidings_domain::work::WAITS_AFTER_INTERRUPTIONS;
use uuid::Uuid;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, on_either};
use crate::jobs::webhooks::lines;
use crate::queries::types::{DbId, DbTime, Instant};
use crate::schema::deliveries;
use crate::webhooks::deliveries::{FIRST, LATER, PARKED};

/// Selects the delivery of a claim by its token. All changes of a claimed delivery use this.
#[diesel::dsl::auto_type]
fn claimed_delivery(ws: DbId, id: DbId, token: i64) -> _ {
    deliveries::table.find((ws, id)).filter(deliveries::token.eq(token)).filter(deliveries::leased_until.is_not_null())
}

/// Extends the lease of a claim. Returns false if the claim is lost. A released delivery becomes due now, because
/// claims do not search for jobs that fell due long ago.
pub(in crate::jobs) async fn extend(
    c: &mut Connection<'_>,
    HeldClaim { workspace, claim }: HeldClaim,
    (now, until): (Timestamp, Timestamp),
) -> Result<bool, Fault> {
    let target = claimed_delivery(DbId::from(workspace), DbId::from(claim.job), claim.token);
    let until_then = deliveries::leased_until.eq(Some(DbTime(until)));
    let rows = match until > now {
        true => execute!(c, diesel::update(target).set(until_then))?,
        false => {
            let due_now = deliveries::next_attempt_at.eq(Some(DbTime(now)));
            match c {
                Connection::Postgres(_) => execute!(c, diesel::update(target).set((until_then, due_now)))?,
                // On SQLite, leases have their own clock and claims have no mark.
                Connection::Sqlite(_) => execute!(c, diesel::update(target).set(until_then))?,
            }
        }
    };
    Ok(rows == 1)
}

/// Ends the claim of a delivery without changing its queue. Returns false if the claim is lost.
pub(in crate::jobs) async fn end(c: &mut Connection<'_>, ws: DbId, id: DbId, token: i64) -> Result<bool, Fault> {
    let ended = (deliveries::leased_until.eq(None::<DbTime>), deliveries::claims.eq(0));
    Ok(execute!(c, diesel::update(claimed_delivery(ws, id, token)).set(ended))? == 1)
}

/// Returns a claimed delivery to the queue, due at `due_at`. Returns false if the claim is lost.
pub(in crate::jobs) async fn reschedule(
    c: &mut Connection<'_>,
    (ws, id, token): (DbId, DbId, i64),
    due_at: DbTime,
    has_failed: bool,
) -> Result<bool, Fault> {
    let given_back = (
        deliveries::leased_until.eq(None::<DbTime>),
        deliveries::claims.eq(0),
        deliveries::next_attempt_at.eq(Some(due_at)),
        deliveries::errors.eq(deliveries::errors + i32::from(has_failed)),
    );
    Ok(execute!(c, diesel::update(claimed_delivery(ws, id, token)).set(given_back))? == 1)
}

/// Parks a claimed delivery until its webhook is enabled. Returns false if the claim is lost.
pub(in crate::jobs) async fn park(c: &mut Connection<'_>, ws: DbId, claim: Claim) -> Result<bool, Fault> {
    let parked = (
        deliveries::leased_until.eq(None::<DbTime>),
        deliveries::claims.eq(0),
        deliveries::next_attempt_at.eq(None::<DbTime>),
        deliveries::queue.eq(Some(PARKED)),
    );
    Ok(execute!(c, diesel::update(claimed_delivery(ws, DbId::from(claim.job), claim.token)).set(parked))? == 1)
}

pub(in crate::jobs) async fn release(
    c: &mut Connection<'_>,
    ws: DbId,
    webhook: Uuid,
    due_at: Timestamp,
) -> Result<(), Fault> {
    let queue = diesel::dsl::sql::<Nullable<Integer>>("CASE WHEN attempts > round_start THEN 2 ELSE 1 END");
    let parked =
        deliveries::table.filter(deliveries::queue.eq(PARKED)).filter(deliveries::queued_for.eq(DbId(webhook)));
    let target = parked.filter(deliveries::workspace_id.eq_unindexed(ws));
    let called = (deliveries::queue.eq(queue), deliveries::next_attempt_at.eq(Some(DbTime(due_at))));
    execute!(c, diesel::update(target).set(called)).map(|_| ())
}

/// Releases all leases, for deliveries of a process that has ended. Those with many claims wait.
pub(in crate::jobs) async fn free_leases(c: &mut Connection<'_>, now: Timestamp) -> Result<usize, Fault> {
    let leased = || {
        let queued = deliveries::table.filter(deliveries::queue.is_not_null());
        queued.filter(deliveries::leased_until.is_not_null())
    };
    let free = deliveries::leased_until.eq(None::<DbTime>);
    let mut freed = 0;
    for (claims, wait) in WAITS_AFTER_INTERRUPTIONS {
        let target = leased().filter(deliveries::claims.eq(claims));
        let later = deliveries::next_attempt_at.eq(Some(DbTime(now.plus(wait))));
        freed += execute!(c, diesel::update(target).set((free, later)))?;
    }
    Ok(freed + execute!(c, diesel::update(leased()).set(free))?)
}

#[derive(QueryableByName)]
struct NextDue {
    #[diesel(sql_type = Nullable<Instant>)]
    first: Option<DbTime>,
}

pub(in crate::jobs) async fn next_due(c: &mut Connection<'_>) -> Result<Option<Timestamp>, Fault> {
    let lines = lines("$1");
    let text = format!(
        "{lines} SELECT min(first) AS first FROM (SELECT (SELECT h.next_attempt_at FROM deliveries h \
         WHERE h.queue = $1 AND h.queued_for = line.id AND h.leased_until IS NULL ORDER BY h.next_attempt_at LIMIT 1) \
         AS first FROM line WHERE line.id IS NOT NULL) of_each"
    );
    let mut next = None;
    for queue in [FIRST, LATER] {
        let query = diesel::sql_query(text.as_str()).bind::<Integer, _>(queue);
        let found: NextDue = on_either!(c, get_result, query)?;
        next = [next, found.first.map(|it| it.0)].into_iter().flatten().min();
    }
    Ok(next)
}
