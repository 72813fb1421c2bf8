//! What becomes of many runs at once, and of their queued steps.

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};
use tidings_domain::flows::RunStatus;
use tidings_domain::ids::{ContactId, FlowId, RunId};
use tidings_domain::ports::JobKind;
use tidings_domain::time::Timestamp;

use crate::checked::Checked;
use crate::connection::{Connection, execute, execute_any, load};
use crate::faults::Fault;
use crate::fixed::Fixed;
use crate::schema::{flow_runs, jobs};
use crate::types::{DbId, DbTime, Id, Instant};

/// What an end that came from outside writes.
macro_rules! interrupted {
    ($at:expr) => {
        (
            flow_runs::status.eq(RunStatus::Interrupted.as_str()),
            flow_runs::ended_at.eq(DbTime($at)),
            flow_runs::wait_until.eq(None::<DbTime>),
            flow_runs::wait_kind.eq(None::<String>),
            flow_runs::wait_attempt.eq(0),
            flow_runs::wait_event.eq(None::<String>),
            flow_runs::wait_details.eq(None::<String>),
            flow_runs::updated_at.eq(DbTime($at)),
            flow_runs::version.eq(flow_runs::version + 1),
        )
    };
}

/// That a job moves a run on, in the run's lane.
macro_rules! moves_a_run {
    () => {
        jobs::kind.eq(JobKind::StepRun.as_str()).or(jobs::kind.eq(JobKind::CallHttp.as_str()))
    };
}

/// Ends all live runs of a contact.
pub(crate) async fn interrupt_runs(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: ContactId,
    at: Timestamp,
) -> Result<(), Fault> {
    let target = flow_runs::table
        .filter(flow_runs::workspace_id.checked(ws))
        .filter(flow_runs::contact_id.eq(DbId::from(contact)))
        .filter(flow_runs::ended_at.is_null());
    execute!(c, diesel::update(target).set(interrupted!(at))).map(|_| ())
}

/// Takes back the queued steps of a run.
pub(crate) async fn drop_steps(c: &mut Connection<'_>, ws: DbId, run: RunId) -> Result<(), Fault> {
    let queued = jobs::table
        .filter(jobs::workspace_id.checked(ws))
        .filter(jobs::lane.eq(DbId::from(run)))
        .filter(moves_a_run!())
        .filter(jobs::dead_at.is_null())
        .filter(jobs::claimed.eq(false));
    let dropped: Vec<bool> = load!(c, diesel::delete(queued).returning(jobs::followed))?;
    // What was queued meanwhile is not behind them any more.
    match dropped.contains(&true) {
        true => crate::jobs::release_lanes(c, vec![run.into()]).await,
        false => Ok(()),
    }
}

/// Ends all live runs of a flow, with their queued steps.
pub(crate) async fn interrupt_flow(c: &mut Connection<'_>, ws: DbId, flow: FlowId, at: Timestamp) -> Result<(), Fault> {
    let live = flow_runs::table
        .filter(flow_runs::workspace_id.checked(ws))
        .filter(flow_runs::flow_id.eq(DbId::from(flow)))
        .filter(flow_runs::ended_at.is_null());
    match c {
        Connection::Postgres(connection) => {
            let query = diesel::sql_query(DROP_STEPS_OF_LIVE).bind::<Id, _>(DbId::from(flow)).bind::<Id, _>(ws);
            let query = query.bind::<Text, _>(JobKind::StepRun.as_str()).bind::<Text, _>(JobKind::CallHttp.as_str());
            let mut borrowed: &diesel_async::AsyncPgConnection = connection;
            let dropped: Vec<Dropped> = diesel_async::RunQueryDsl::load(Fixed(query), &mut borrowed).await?;
            // What was queued meanwhile is not behind them any more.
            crate::jobs::release_lanes(c, dropped.into_iter().filter_map(|it| it.lane).collect()).await?;
        }
        Connection::Sqlite(_) => {
            let queued = jobs::table
                .filter(jobs::workspace_id.eq(ws))
                .filter(jobs::lane.eq_any(live.select(flow_runs::id.nullable())))
                .filter(moves_a_run!())
                .filter(jobs::dead_at.is_null())
                .filter(jobs::claimed.eq(false));
            execute!(c, diesel::delete(queued))?;
        }
    }
    execute!(c, diesel::update(live).set(interrupted!(at))).map(|_| ())
}

/// A step that was taken back, with its lane if others waited behind it.
#[derive(QueryableByName)]
struct Dropped {
    #[diesel(sql_type = Nullable<Id>)]
    lane: Option<DbId>,
}

/// The queued steps of a flow's live runs, of those runs that the condition chooses. They are locked where they are found,
/// run by run, and changed in that place.
macro_rules! steps_of_live {
    ($runs:literal, $steps:literal, $then:literal) => {
        concat!(
            "WITH live AS MATERIALIZED (SELECT r.id FROM flow_runs r WHERE r.flow_id = $1 AND r.ended_at IS NULL \
             AND r.workspace_id IS NOT DISTINCT FROM $2",
            $runs,
            "), queued AS MATERIALIZED (SELECT step.place FROM live CROSS JOIN LATERAL (SELECT j.ctid AS place FROM jobs j \
             WHERE j.lane = live.id AND j.dead_at IS NULL AND j.workspace_id IS NOT DISTINCT FROM $2 AND j.kind IN ($3, $4) \
             AND NOT j.claimed",
            $steps,
            " FOR NO KEY UPDATE) step) ",
            $then
        )
    };
}

const DROP_STEPS_OF_LIVE: &str = steps_of_live!(
    "",
    "",
    "DELETE FROM jobs USING queued WHERE jobs.ctid = queued.place RETURNING \
     CASE WHEN jobs.followed THEN jobs.lane END AS lane"
);
const WAKE_STEPS_OF_LIVE: &str = steps_of_live!(
    " AND (r.status = $6 OR r.wait_until <= $5)",
    " AND j.due_at > $5",
    "UPDATE jobs SET due_at = $5 FROM queued WHERE jobs.ctid = queued.place"
);

/// Moves live runs to a version that has their node.
pub(crate) async fn migrate_runs(
    c: &mut Connection<'_>,
    ws: DbId,
    flow: FlowId,
    to: i64,
    nodes: &[String],
    at: Timestamp,
) -> Result<(), Fault> {
    let moving = flow_runs::table
        .filter(flow_runs::workspace_id.checked(ws))
        .filter(flow_runs::flow_id.eq(DbId::from(flow)))
        .filter(flow_runs::ended_at.is_null())
        .filter(flow_runs::node.is_null().or(flow_runs::node.eq_any(nodes.iter().cloned().map(Some))));
    let changes = (
        flow_runs::flow_version.eq(to),
        flow_runs::updated_at.eq(DbTime(at)),
        flow_runs::version.eq(flow_runs::version + 1),
    );
    execute_any!(c, diesel::update(moving).set(changes)).map(|_| ())
}

/// Makes due the queued steps of live runs whose time came while their flow was paused.
pub(crate) async fn wake_runs(c: &mut Connection<'_>, ws: DbId, flow: FlowId, at: Timestamp) -> Result<(), Fault> {
    if let Connection::Postgres(connection) = c {
        let query = diesel::sql_query(WAKE_STEPS_OF_LIVE).bind::<Id, _>(DbId::from(flow)).bind::<Id, _>(ws);
        let query = query.bind::<Text, _>(JobKind::StepRun.as_str()).bind::<Text, _>(JobKind::CallHttp.as_str());
        let query = query.bind::<Instant, _>(DbTime(at));
        let mut connection: &diesel_async::AsyncPgConnection = connection;
        let query = Fixed(query.bind::<Text, _>(RunStatus::Active.as_str()));
        return Ok(diesel_async::RunQueryDsl::execute(query, &mut connection).await.map(drop)?);
    }
    let due = flow_runs::table
        .filter(flow_runs::workspace_id.eq(ws))
        .filter(flow_runs::flow_id.eq(DbId::from(flow)))
        .filter(flow_runs::ended_at.is_null())
        .filter(flow_runs::status.eq(RunStatus::Active.as_str()).or(flow_runs::wait_until.le(DbTime(at))))
        .select(flow_runs::id.nullable());
    let queued = jobs::table
        .filter(jobs::workspace_id.eq(ws))
        .filter(jobs::lane.eq_any(due))
        .filter(moves_a_run!())
        .filter(jobs::claimed.eq(false))
        .filter(jobs::dead_at.is_null())
        .filter(jobs::due_at.gt(DbTime(at)));
    execute!(c, diesel::update(queued).set(jobs::due_at.eq(DbTime(at)))).map(|_| ())
}

/// Empties the traces of runs that ended in a time; from when on there may be more.
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

/// A trace in which nothing happened.
const NO_TRACE: &str = "[]";
