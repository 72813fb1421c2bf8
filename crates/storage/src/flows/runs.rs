//! Changes of many runs at once, except their ends.

use diesel::prelude::*;
use tidings_domain::ids::FlowId;
use tidings_domain::time::Timestamp;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, load};
use crate::queries::types::{DbId, DbTime};
use crate::schema::flow_runs;

/// Moves live runs to a version that contains their node.
pub(crate) async fn migrate_runs(
    c: &mut Connection<'_>,
    ws: DbId,
    flow: FlowId,
    to: i64,
    nodes: &[String],
    at: Timestamp,
) -> Result<(), Fault> {
    let moving = flow_runs::table
        .filter(flow_runs::workspace_id.eq_unindexed(ws))
        .filter(flow_runs::flow_id.eq(DbId::from(flow)))
        .filter(flow_runs::ended_at.is_null())
        .filter(flow_runs::node.is_null().or(flow_runs::node.eq_any(nodes.iter().cloned().map(Some))));
    let changes = (
        flow_runs::flow_version.eq(to),
        flow_runs::updated_at.eq(DbTime(at)),
        flow_runs::version.eq(flow_runs::version + 1),
    );
    execute!(cached_on_postgres, c, diesel::update(moving).set(changes)).map(|_| ())
}

/// Clears the traces of runs that ended in the given period. Returns the instant where the next call continues, or
/// `None` if none is left.
pub(crate) async fn expire_traces(
    c: &mut Connection<'_>,
    from: Timestamp,
    before: Timestamp,
    limit: u32,
) -> Result<Option<Timestamp>, Fault> {
    let old: Vec<(DbId, DbId, Option<DbTime>)> = load!(
        c,
        flow_runs::table
            .filter(flow_runs::ended_at.ge(DbTime(from)))
            .filter(flow_runs::ended_at.lt(DbTime(before)))
            .filter(flow_runs::trace.ne(NO_TRACE))
            .order(flow_runs::ended_at.asc())
            .limit(i64::from(limit))
            .select((flow_runs::workspace_id, flow_runs::id, flow_runs::ended_at))
    )?;
    for (ws, id, _) in &old {
        execute!(c, diesel::update(flow_runs::table.find((*ws, *id))).set(flow_runs::trace.eq(NO_TRACE)))?;
    }
    let is_full = old.len() == limit as usize;
    Ok(old.last().filter(|_| is_full).and_then(|(_, _, ended)| ended.map(|it| it.0)))
}

/// Deletes runs that ended before `before`, oldest first. Returns their number.
pub(crate) async fn expire_runs(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let old: Vec<(DbId, DbId)> = load!(
        c,
        flow_runs::table
            .filter(flow_runs::ended_at.lt(DbTime(before)))
            .order(flow_runs::ended_at.asc())
            .limit(i64::from(limit))
            .select((flow_runs::workspace_id, flow_runs::id))
    )?;
    let mut removed = 0;
    for key in old {
        removed += execute!(c, diesel::delete(flow_runs::table.find(key)))? as u64;
    }
    Ok(removed)
}

const NO_TRACE: &str = "[]";
