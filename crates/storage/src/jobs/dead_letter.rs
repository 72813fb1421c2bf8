//! Claimed jobs that are parked or dead-lettered.

use diesel::prelude::*;
use tidings_domain::ports::{Claim, Conflict};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use super::{deliveries, lanes};
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find};
use crate::queries::rows::exactly_one;
use crate::queries::types::{DbId, DbTime};
use crate::schema::jobs;

/// Parks a claimed job until its group is released.
pub(crate) async fn park(c: &mut Connection<'_>, ws: DbId, claim: Claim) -> Result<(), Fault> {
    let target = jobs::table.find((ws, DbId::from(claim.job)));
    let target = target.filter(jobs::token.eq(claim.token)).filter(jobs::claimed.eq(true));
    let due_at = jobs::due_at.eq(DbTime(Timestamp::END));
    let changes = (jobs::claimed.eq(false), jobs::claims.eq(0), jobs::parked.eq(true), due_at);
    let rows = execute!(c, diesel::update(target).set(changes))?;
    if rows == 0 && deliveries::park(c, ws, claim).await? {
        return Ok(());
    }
    exactly_one(rows, Conflict::ClaimLost)
}

/// Releases the parked jobs of a group, and the parked deliveries of that webhook.
pub(crate) async fn release(c: &mut Connection<'_>, ws: DbId, group: Uuid, due_at: Timestamp) -> Result<(), Fault> {
    let parked = jobs::table.filter(jobs::group_id.eq(DbId(group))).filter(jobs::parked);
    let target = parked.filter(jobs::workspace_id.eq_unindexed(ws));
    let changes = (jobs::parked.eq(false), jobs::due_at.eq(DbTime(due_at)));
    execute!(c, diesel::update(target).set(changes))?;
    deliveries::release(c, ws, group, due_at).await
}

/// Dead-letters a claimed job. For a delivery, only its claim ends: the same change set settles the delivery.
pub(crate) async fn bury(
    c: &mut Connection<'_>,
    ws: DbId,
    claim: Claim,
    error: String,
    at: Timestamp,
) -> Result<(), Fault> {
    let target = jobs::table.find((ws, DbId::from(claim.job)));
    let target = target.filter(jobs::token.eq(claim.token)).filter(jobs::claimed.eq(true));
    let changes = (jobs::claimed.eq(false), jobs::error.eq(error), jobs::dead_at.eq(DbTime(at)));
    let rows = execute!(c, diesel::update(target).set(changes))?;
    if rows == 0 && deliveries::end(c, ws, claim.job.into(), claim.token).await? {
        return Ok(());
    }
    exactly_one(rows, Conflict::ClaimLost)?;
    let buried = jobs::table.find((ws, DbId::from(claim.job))).filter(jobs::followed).select(jobs::lane);
    let lane: Option<Option<DbId>> = find!(c, buried)?;
    lanes::release(c, lane.flatten().into_iter().collect()).await
}
