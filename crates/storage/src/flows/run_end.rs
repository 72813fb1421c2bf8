//! Interruption of many runs at once, with the runs they called.

use diesel::prelude::*;
use diesel::sql_types::Array;
use tidings_domain::flows::RunStatus;
use tidings_domain::ids::{ContactId, FlowId};
use tidings_domain::time::Timestamp;

use super::steps::{drop_steps, wake_steps};
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, load};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Id};
use crate::schema::flow_runs;

#[diesel::dsl::auto_type]
fn interrupted(at: DbTime) -> _ {
    let status: &'static str = RunStatus::Interrupted.as_str();
    let no_time: Option<DbTime> = None;
    let no_text: Option<&'static str> = None;
    (
        flow_runs::status.eq(status),
        flow_runs::ended_at.eq(at),
        flow_runs::wait_until.eq(no_time),
        flow_runs::wait_kind.eq(no_text),
        flow_runs::wait_attempt.eq(0_i64),
        flow_runs::wait_event.eq(no_text),
        flow_runs::wait_details.eq(no_text),
        flow_runs::updated_at.eq(at),
        flow_runs::version.eq(flow_runs::version + 1_i64),
    )
}

pub(crate) async fn interrupt_runs(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: ContactId,
    at: Timestamp,
) -> Result<(), Fault> {
    let target = flow_runs::table
        .filter(flow_runs::workspace_id.eq_unindexed(ws))
        .filter(flow_runs::contact_id.eq(DbId::from(contact)))
        .filter(flow_runs::ended_at.is_null());
    execute!(c, diesel::update(target).set(interrupted(DbTime(at)))).map(|_| ())
}

/// Ends all live runs of a flow, with their queued steps and called runs, and wakes their callers. Runs are locked
/// before steps: a transaction that ends a called run also locks the run before it wakes a step.
pub(crate) async fn interrupt_flow(
    c: &mut Connection<'_>,
    ws: DbId,
    flow: FlowId,
    (at, due_at): (Timestamp, Timestamp),
) -> Result<(), Fault> {
    let live = flow_runs::table
        .filter(flow_runs::workspace_id.eq_unindexed(ws))
        .filter(flow_runs::flow_id.eq(DbId::from(flow)))
        .filter(flow_runs::ended_at.is_null());
    let ended: Vec<(DbId, Option<DbId>)> =
        load!(c, diesel::update(live).set(interrupted(DbTime(at))).returning((flow_runs::id, flow_runs::caller_id)))?;
    let (ended, callers): (Vec<DbId>, Vec<Option<DbId>>) = ended.into_iter().unzip();
    interrupt_called(c, ws, ended.clone(), at).await?;
    drop_steps(c, ended.into_iter().map(|run| (ws, run)).collect()).await?;
    wake_steps(c, ws, callers.into_iter().flatten().collect(), due_at).await
}

/// Ends the live runs called by `callers`, with their queued steps, level by level.
pub(crate) async fn interrupt_called(
    c: &mut Connection<'_>,
    ws: DbId,
    mut callers: Vec<DbId>,
    at: Timestamp,
) -> Result<(), Fault> {
    while !callers.is_empty() {
        let called = match c {
            Connection::Postgres(connection) => {
                let connection: &diesel_async::AsyncPgConnection = connection;
                let called = lock_called(connection, ws, callers).await?;
                let target = flow_runs::table
                    .filter(flow_runs::workspace_id.eq(ws))
                    .filter(flow_runs::id.eq_any(called.clone()));
                if !called.is_empty() {
                    execute!(cached_on_postgres, c, diesel::update(target).set(interrupted(DbTime(at))))?;
                }
                called
            }
            Connection::Sqlite(_) => interrupt_each(c, ws, callers, at).await?,
        };
        drop_steps(c, called.iter().map(|run| (ws, *run)).collect()).await?;
        callers = called;
    }
    Ok(())
}

const CALLED: &str = "SELECT run.id FROM unnest((SELECT $1::uuid[])) AS caller (id) CROSS JOIN LATERAL \
    (SELECT r.id FROM flow_runs r WHERE r.caller_id = caller.id AND r.ended_at IS NULL \
    AND r.workspace_id IS NOT DISTINCT FROM $2 FOR NO KEY UPDATE) AS run";

#[derive(QueryableByName)]
struct Called {
    #[diesel(sql_type = Id)]
    id: DbId,
}

/// Locks the live called runs in their current state. Each is looked up by its caller, regardless of the planner's
/// estimates.
async fn lock_called(
    mut connection: &diesel_async::AsyncPgConnection,
    ws: DbId,
    callers: Vec<DbId>,
) -> Result<Vec<DbId>, Fault> {
    let query = PreparedQuery(diesel::sql_query(CALLED).bind::<Array<Id>, _>(callers).bind::<Id, _>(ws));
    let found: Vec<Called> = diesel_async::RunQueryDsl::load(query, &mut connection).await?;
    Ok(found.into_iter().map(|it| it.id).collect())
}

/// Ends the live called runs caller by caller, for SQLite.
async fn interrupt_each(
    c: &mut Connection<'_>,
    ws: DbId,
    callers: Vec<DbId>,
    at: Timestamp,
) -> Result<Vec<DbId>, Fault> {
    let mut called: Vec<DbId> = Vec::new();
    for caller in callers {
        let target = flow_runs::table
            .filter(flow_runs::workspace_id.eq_unindexed(ws))
            .filter(flow_runs::caller_id.eq(caller))
            .filter(flow_runs::ended_at.is_null());
        let ended: Vec<DbId> = load!(c, diesel::update(target).set(interrupted(DbTime(at))).returning(flow_runs::id))?;
        called.extend(ended);
    }
    Ok(called)
}
