//! Deletion and restoration of workspaces.

use diesel::prelude::*;
use diesel::sql_types::Integer;
use tidings_domain::access::{OutboundMode, WorkspaceCounts, WorkspaceDeletion};
use tidings_domain::pagination::Total;
use tidings_domain::ports::{Conflict, Object};
use tidings_domain::time::Timestamp;

use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, load, on_either};
use crate::queries::rows::exactly_one;
use crate::queries::types::{DbId, DbTime, Id, Instant};
use crate::schema::{
    api_keys, broadcasts, contacts, conversations, flows, members, messages, sequences, webhooks, workspaces,
};
use crate::webhooks::deliveries::{FIRST, LATER};

/// Makes jobs of a pool due that waited until an instant. The conditions match the indexes on (pool, workspace, due
/// time).
const JOBS_ON_POSTGRES: [&str; 4] = [
    "UPDATE jobs SET due_at = $3 WHERE pool = 'work' AND pool <> 'deliveries' AND workspace_id = $1 AND dead_at IS NULL \
     AND NOT parked AND NOT claimed AND due_at = $2",
    "UPDATE jobs SET due_at = $3 WHERE pool = 'sends' AND pool <> 'deliveries' AND workspace_id = $1 AND dead_at IS NULL \
     AND NOT parked AND NOT claimed AND due_at = $2",
    "UPDATE jobs SET due_at = $3 WHERE pool = 'polls' AND pool <> 'deliveries' AND workspace_id = $1 AND dead_at IS NULL \
     AND NOT parked AND NOT claimed AND due_at = $2",
    "UPDATE jobs SET due_at = $3 WHERE pool = 'deliveries' AND group_id IS NULL AND workspace_id = $1 AND dead_at IS NULL \
     AND NOT parked AND NOT claimed AND due_at = $2",
];
const JOBS_ON_SQLITE: [&str; 4] = [
    "UPDATE jobs SET due_at = ?3 WHERE pool = 'work' AND pool <> 'deliveries' AND workspace_id = ?1 AND dead_at IS NULL \
     AND NOT parked AND NOT claimed AND due_at = ?2",
    "UPDATE jobs SET due_at = ?3 WHERE pool = 'sends' AND pool <> 'deliveries' AND workspace_id = ?1 AND dead_at IS NULL \
     AND NOT parked AND NOT claimed AND due_at = ?2",
    "UPDATE jobs SET due_at = ?3 WHERE pool = 'polls' AND pool <> 'deliveries' AND workspace_id = ?1 AND dead_at IS NULL \
     AND NOT parked AND NOT claimed AND due_at = ?2",
    "UPDATE jobs SET due_at = ?3 WHERE pool = 'deliveries' AND group_id IS NULL AND workspace_id = ?1 AND dead_at IS NULL \
     AND NOT parked AND NOT claimed AND due_at = ?2",
];
const DELIVERIES_ON_POSTGRES: &str = "UPDATE deliveries SET next_attempt_at = $3 \
    WHERE queue = $4 AND queued_for = $1 AND leased_until IS NULL AND next_attempt_at = $2";
const DELIVERIES_ON_SQLITE: &str = "UPDATE deliveries SET next_attempt_at = ?3 \
    WHERE queue = ?4 AND queued_for = ?1 AND leased_until IS NULL AND next_attempt_at = ?2";

/// Marks a workspace and its sandbox as deleted, and replaces an earlier deletion.
pub(crate) async fn delete(
    c: &mut Connection<'_>,
    ws: DbId,
    (version, deletion): (i64, WorkspaceDeletion),
    at: Timestamp,
) -> Result<(), Fault> {
    let marks = (workspaces::deleted_at.eq(DbTime(deletion.at)), workspaces::erase_at.eq(DbTime(deletion.erase_at)));
    let next = (workspaces::version.eq(workspaces::version + 1), workspaces::updated_at.eq(DbTime(at)));
    let live = workspaces::table.find(ws).filter(workspaces::version.eq(version));
    let rows = execute!(c, diesel::update(live).set((marks, next)))?;
    exactly_one(rows, Conflict::Stale(Object::Workspace(ws.to_typed_id())))?;
    let sandbox = workspaces::table.filter(workspaces::live_workspace_id.eq(ws));
    execute!(c, diesel::update(sandbox).set((marks, next))).map(|_| ())
}

/// Removes the marks of [`delete`], and makes the jobs due that waited for the end of the deletion.
pub(crate) async fn restore(
    c: &mut Connection<'_>,
    ws: DbId,
    (version, deletion): (i64, WorkspaceDeletion),
    outbound: Option<OutboundMode>,
    at: Timestamp,
) -> Result<(), Fault> {
    let marks = (workspaces::deleted_at.eq(None::<DbTime>), workspaces::erase_at.eq(None::<DbTime>));
    let next = (workspaces::version.eq(workspaces::version + 1), workspaces::updated_at.eq(DbTime(at)));
    let live = workspaces::table
        .find(ws)
        .filter(workspaces::version.eq(version))
        .filter(workspaces::erase_at.eq(DbTime(deletion.erase_at)));
    let rows = execute!(c, diesel::update(live).set((marks, next)))?;
    exactly_one(rows, Conflict::Stale(Object::Workspace(ws.to_typed_id())))?;
    if let Some(outbound) = outbound {
        let mode = workspaces::outbound.eq(outbound.as_str());
        execute!(c, diesel::update(workspaces::table.find(ws)).set(mode))?;
    }
    let sandbox = workspaces::table.filter(workspaces::live_workspace_id.eq(ws));
    execute!(c, diesel::update(sandbox).set((marks, next)))?;
    let sandboxes: Vec<DbId> = load!(c, sandbox.select(workspaces::id))?;
    for own in [ws].into_iter().chain(sandboxes) {
        resume(c, own, deletion.erase_at, at).await?;
    }
    Ok(())
}

async fn resume(c: &mut Connection<'_>, ws: DbId, until: Timestamp, at: Timestamp) -> Result<(), Fault> {
    let (of_jobs, of_webhook) = match c {
        Connection::Postgres(_) => (JOBS_ON_POSTGRES, DELIVERIES_ON_POSTGRES),
        Connection::Sqlite(_) => (JOBS_ON_SQLITE, DELIVERIES_ON_SQLITE),
    };
    for text in of_jobs {
        let query = diesel::sql_query(text).bind::<Id, _>(ws).bind::<Instant, _>(DbTime(until));
        on_either!(c, execute, query.bind::<Instant, _>(DbTime(at)))?;
    }
    let of_workspace = webhooks::table.filter(webhooks::workspace_id.eq(ws)).select(webhooks::id);
    let webhooks: Vec<DbId> = load!(c, of_workspace)?;
    for (webhook, queue) in webhooks.into_iter().flat_map(|it| [(it, FIRST), (it, LATER)]) {
        let query = diesel::sql_query(of_webhook).bind::<Id, _>(webhook).bind::<Instant, _>(DbTime(until));
        let query = query.bind::<Instant, _>(DbTime(at)).bind::<Integer, _>(queue);
        on_either!(c, execute, query)?;
    }
    Ok(())
}

pub(crate) async fn counts(c: &mut Connection<'_>, ws: DbId) -> Result<WorkspaceCounts, Fault> {
    let most = i64::try_from(Total::MOST + 1).unwrap_or(i64::MAX);
    let total = |ids: Vec<DbId>| Total::of(ids.len() as u64);
    Ok(WorkspaceCounts {
        contacts: total(load!(
            c,
            contacts::table.filter(contacts::workspace_id.eq(ws)).select(contacts::id).limit(most)
        )?),
        conversations: total(load!(
            c,
            conversations::table.filter(conversations::workspace_id.eq(ws)).select(conversations::id).limit(most)
        )?),
        messages: total(load!(
            c,
            messages::table.filter(messages::workspace_id.eq(ws)).select(messages::id).limit(most)
        )?),
        flows: total(load!(c, flows::table.filter(flows::workspace_id.eq(ws)).select(flows::id).limit(most))?),
        sequences: total(load!(
            c,
            sequences::table.filter(sequences::workspace_id.eq(ws)).select(sequences::id).limit(most)
        )?),
        broadcasts: total(load!(
            c,
            broadcasts::table.filter(broadcasts::workspace_id.eq(ws)).select(broadcasts::id).limit(most)
        )?),
        webhooks: total(load!(
            c,
            webhooks::table.filter(webhooks::workspace_id.eq(ws)).select(webhooks::id).limit(most)
        )?),
        api_keys: total(load!(
            c,
            api_keys::table.filter(api_keys::workspace_id.eq(ws)).select(api_keys::id).limit(most)
        )?),
        members: total(load!(
            c,
            members::table.filter(members::workspace_id.eq(ws)).select(members::user_id).limit(most)
        )?),
    })
}
