//! Counters of broadcasts, and their effects: the next portion and the end of a broadcast.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::upsert::excluded;
use tidings_domain::analytics::{Metric, of_broadcast};
use tidings_domain::broadcasts::{BroadcastStats, BroadcastStatus, Count, portion_waits};
use tidings_domain::ids::{BroadcastId, TypedId, WorkspaceId};
use tidings_domain::ports::{Conflict, ExtraIds, HeldUntil, Job, JobColumns, JobKind, NewJob, Object, StoreError};
use uuid::Uuid;

use super::counts_as;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::jobs::{self, JobRow};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{analytics_facts, broadcast_counts, broadcasts, jobs as jobs_table};
use crate::write::row_locks::{RowLock, version};

pub(crate) const METRIC: &str = "broadcast";

/// Returns the counters of a broadcast, including facts that are not counted yet.
pub(super) async fn outcome_counts(c: &mut Connection<'_>, ws: DbId, id: DbId) -> Result<Vec<(Count, i64)>, Fault> {
    let counted: Vec<(String, i64)> = load!(
        c,
        broadcast_counts::table
            .filter(broadcast_counts::workspace_id.eq(ws))
            .filter(broadcast_counts::broadcast_id.eq(id))
            .select((broadcast_counts::what, broadcast_counts::amount))
    )?;
    let uncounted: Vec<(String, i64)> = load!(
        c,
        analytics_facts::table
            .filter(analytics_facts::workspace_id.eq(ws))
            .filter(analytics_facts::metric.eq(METRIC))
            .select((analytics_facts::dimension, analytics_facts::amount))
    )?;
    let own = format!("{} ", id.0);
    let own = uncounted.iter().filter_map(|(it, amount)| Some((it.strip_prefix(&own)?, *amount)));
    let counted = counted.iter().map(|(what, amount)| (what.as_str(), *amount)).chain(own);
    counted.map(|(what, amount)| Ok((counts_as(what)?, amount))).collect()
}

pub(crate) fn dimension(broadcast: BroadcastId, count: Count) -> String {
    format!("{} {}", DbId::from(broadcast).0, count.as_str())
}

/// Returns the time series metric for a value of [`dimension`], or `None` if it has none.
pub(crate) fn over_time(dimension: &str) -> Result<Option<(Metric, String)>, Fault> {
    let corrupt = || StoreError::Corrupt(format!("a broadcast counter with the dimension {dimension:?}"));
    let (broadcast, what) = dimension.split_once(' ').ok_or_else(corrupt)?;
    let broadcast: Uuid = broadcast.parse().map_err(|_| corrupt())?;
    Ok(of_broadcast(BroadcastId::from_uuid(broadcast), counts_as(what)?))
}

/// Adds facts to the counters. Each fact has a workspace, a value of [`dimension`] and an amount.
pub(crate) async fn add_counts(c: &mut Connection<'_>, facts: Vec<(DbId, String, i64)>) -> Result<(), Fault> {
    // Facts of different quarters add to the same counter.
    let mut sums: BTreeMap<(Uuid, String), i64> = BTreeMap::new();
    for (ws, dimension, amount) in facts {
        *sums.entry((ws.0, dimension)).or_default() += amount;
    }
    for ((ws, dimension), amount) in sums {
        let corrupt = || StoreError::Corrupt(format!("a broadcast counter with the dimension {dimension:?}"));
        let (broadcast, what) = dimension.split_once(' ').ok_or_else(corrupt)?;
        let broadcast: Uuid = broadcast.parse().map_err(|_| corrupt())?;
        let row = (
            broadcast_counts::workspace_id.eq(DbId(ws)),
            broadcast_counts::broadcast_id.eq(DbId(broadcast)),
            broadcast_counts::what.eq(what.to_owned()),
            broadcast_counts::amount.eq(amount),
        );
        let key = (broadcast_counts::workspace_id, broadcast_counts::broadcast_id, broadcast_counts::what);
        let more = broadcast_counts::amount.eq(broadcast_counts::amount + excluded(broadcast_counts::amount));
        execute!(c, diesel::insert_into(broadcast_counts::table).values(row).on_conflict(key).do_update().set(more))?;
    }
    Ok(())
}

/// Returns true if a held portion of a broadcast no longer has to wait for outcomes.
async fn may_continue(c: &mut Connection<'_>, ws: DbId, broadcast: DbId, outcomes: i64) -> Result<bool, Fault> {
    let held = jobs_table::table
        .filter(jobs_table::group_id.eq(broadcast))
        .filter(jobs_table::parked)
        .filter(jobs_table::workspace_id.eq_unindexed(ws))
        .filter(jobs_table::kind.eq(JobKind::SendPortion.as_str()))
        .select(jobs_table::mark);
    let marks: Vec<i64> = load!(c, held)?;
    let made = marks.into_iter().filter_map(|mark| {
        let columns = JobColumns { subject: broadcast.0, mark, lane: None, group: None, further: ExtraIds::default() };
        let Job::SendPortion { place, .. } = Job::read(JobKind::SendPortion, columns)? else { return None };
        Some(place.from)
    });
    Ok(made.into_iter().any(|made| !portion_waits(made, outcomes)))
}

/// Refuses to hold a portion that does not have to wait for outcomes. The broadcast's row is locked: the transaction
/// that counts the next outcome sees the held portion.
pub(crate) async fn require_open(
    c: &mut Connection<'_>,
    ws: DbId,
    broadcast: BroadcastId,
    made: i64,
) -> Result<(), Fault> {
    let object = Object::Broadcast(broadcast);
    version(c, ws, object, RowLock::Exclusive).await?;
    let outcomes = BroadcastStats::of(0, &outcome_counts(c, ws, broadcast.into()).await?).outcomes();
    if portion_waits(made, outcomes) { Ok(()) } else { Err(Conflict::Stale(object).into()) }
}

/// Handles the effects of counted outcomes. It releases a portion that waits for outcomes, and queues the job that
/// closes a broadcast once every recipient has an outcome. Each fact has its workspace, ID, a value of [`dimension`]
/// and its time.
pub(crate) async fn close_settled(
    c: &mut Connection<'_>,
    facts: impl Iterator<Item = (DbId, DbId, &str, DbTime)>,
) -> Result<(), Fault> {
    let mut last: BTreeMap<(Uuid, Uuid), (DbId, DbTime)> = BTreeMap::new();
    for (ws, fact, dimension, at) in facts {
        let Some((broadcast, what)) = dimension.split_once(' ') else { continue };
        let (Ok(broadcast), true) = (broadcast.parse(), counts_as(what)?.is_outcome()) else { continue };
        last.insert((ws.0, broadcast), (fact, at));
    }
    for ((ws, broadcast), (fact, at)) in last {
        // The clock of a sandbox does not wait for counters. There, each outcome queues the job itself.
        if WorkspaceId::from_uuid(ws).is_sandbox() {
            continue;
        }
        let (ws, id) = (DbId(ws), DbId(broadcast));
        // A transaction that holds a portion until outcomes are counted has locked this row.
        match version(c, ws, Object::Broadcast(id.to_typed_id()), RowLock::Exclusive).await {
            Ok(_) => {}
            Err(Fault::Conflict(_)) => continue,
            Err(fault) => return Err(fault),
        }
        let (sends, pauses) = (BroadcastStatus::Sending.as_str(), BroadcastStatus::Paused.as_str());
        let open = broadcasts::table.find((ws, id)).filter(broadcasts::status.eq_any([sends, pauses]));
        let open: Option<(i64, String)> = find!(c, open.select((broadcasts::targeted, broadcasts::status)))?;
        let Some((targeted, status)) = open else { continue };
        let counted: Vec<(String, i64)> = load!(
            c,
            broadcast_counts::table
                .filter(broadcast_counts::workspace_id.eq(ws))
                .filter(broadcast_counts::broadcast_id.eq(id))
                .select((broadcast_counts::what, broadcast_counts::amount))
        )?;
        let counted = counted.iter().map(|(what, amount)| Ok((counts_as(what)?, *amount)));
        let counted = counted.collect::<Result<Vec<_>, Fault>>()?;
        let outcomes = BroadcastStats::of(targeted, &counted).outcomes();
        if status == sends && may_continue(c, ws, id, outcomes).await? {
            let due_at = jobs::database_now(c, at.0).await?;
            jobs::release_held(c, ws, HeldUntil::BroadcastContinues(id.to_typed_id()), due_at).await?;
        }
        if outcomes >= targeted {
            let due_at = jobs::database_now(c, at.0).await?;
            let job = Job::CloseBroadcast { broadcast: id.to_typed_id(), round: 0 };
            jobs::insert(c, vec![JobRow::write(ws, &NewJob::new(fact.to_typed_id(), job, due_at))]).await?;
        }
    }
    Ok(())
}
