//! Queued steps of runs: removal and wake-up.

use diesel::prelude::*;
use diesel::sql_types::{Array, Nullable, Text};
use tidings_domain::flows::{RunStatus, WaitKind};
use tidings_domain::ids::FlowId;
use tidings_domain::ports::JobKind;
use tidings_domain::time::Timestamp;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, load};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Id, Instant};
use crate::schema::{flow_runs, jobs};

/// Returns the kinds of jobs that advance a run, in the run's lane.
fn moving() -> Vec<&'static str> {
    vec![JobKind::StepRun.as_str(), JobKind::CallHttp.as_str()]
}

#[diesel::dsl::auto_type]
fn moves_a_run() -> _ {
    let step: &'static str = JobKind::StepRun.as_str();
    let call: &'static str = JobKind::CallHttp.as_str();
    jobs::kind.eq(step).or(jobs::kind.eq(call))
}

/// A removed step, with its lane if others waited behind it.
#[derive(QueryableByName)]
struct Dropped {
    #[diesel(sql_type = Nullable<Id>)]
    lane: Option<DbId>,
}

/// Removes the queued steps of runs. They are locked run by run and changed by their row positions.
const DROP_STEPS: &str = "WITH run AS MATERIALIZED (SELECT r.workspace_id, r.id \
    FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[])) AS r (workspace_id, id)), \
    queued AS MATERIALIZED (SELECT step.place FROM run CROSS JOIN LATERAL (SELECT j.ctid AS place FROM jobs j \
    WHERE j.lane = run.id AND j.dead_at IS NULL AND j.workspace_id IS NOT DISTINCT FROM run.workspace_id \
    AND j.kind = ANY($3) AND NOT j.claimed FOR NO KEY UPDATE) step) \
    DELETE FROM jobs USING queued WHERE jobs.ctid = queued.place RETURNING \
    CASE WHEN jobs.followed THEN jobs.lane END AS lane";
const WAKE_STEPS: &str = "WITH run AS MATERIALIZED (SELECT $2::uuid AS workspace_id, r.id \
    FROM unnest((SELECT $1::uuid[])) AS r (id)), \
    queued AS MATERIALIZED (SELECT step.place FROM run CROSS JOIN LATERAL (SELECT j.ctid AS place FROM jobs j \
    WHERE j.lane = run.id AND j.dead_at IS NULL AND j.workspace_id IS NOT DISTINCT FROM run.workspace_id \
    AND j.kind = ANY($3) AND NOT j.claimed AND j.due_at > $4 FOR NO KEY UPDATE) step) \
    UPDATE jobs SET due_at = $4 FROM queued WHERE jobs.ctid = queued.place";
const WAKE_STEPS_OF_LIVE: &str = "WITH run AS MATERIALIZED (SELECT r.workspace_id, r.id FROM flow_runs r \
    WHERE r.flow_id = $1 AND r.ended_at IS NULL AND r.workspace_id IS NOT DISTINCT FROM $2 \
    AND (r.status = $5 OR r.wait_until <= $7 OR r.wait_kind = $6 \
    OR (r.wait_kind = 'reply' AND r.wait_details IS NOT NULL))), \
    queued AS MATERIALIZED (SELECT step.place FROM run CROSS JOIN LATERAL (SELECT j.ctid AS place FROM jobs j \
    WHERE j.lane = run.id AND j.dead_at IS NULL AND j.workspace_id IS NOT DISTINCT FROM run.workspace_id \
    AND j.kind = ANY($3) AND NOT j.claimed AND j.due_at > $4 FOR NO KEY UPDATE) step) \
    UPDATE jobs SET due_at = $4 FROM queued WHERE jobs.ctid = queued.place";

/// Removes the queued steps of runs (workspace and ID). The caller has locked the runs: only a wake-up can change their
/// steps at the same time.
pub(crate) async fn drop_steps(c: &mut Connection<'_>, mut runs: Vec<(DbId, DbId)>) -> Result<(), Fault> {
    if runs.is_empty() {
        return Ok(());
    }
    // A fixed order avoids deadlocks.
    runs.sort_unstable_by_key(|(_, run)| run.0);
    let mut released = Vec::new();
    match &mut *c {
        Connection::Postgres(connection) => {
            let (workspaces, ids): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
            let query = diesel::sql_query(DROP_STEPS).bind::<Array<Id>, _>(workspaces).bind::<Array<Id>, _>(ids);
            let query = PreparedQuery(query.bind::<Array<Text>, _>(moving()));
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let dropped: Vec<Dropped> = diesel_async::RunQueryDsl::load(query, &mut connection).await?;
            released.extend(dropped.into_iter().filter_map(|it| it.lane));
        }
        c => {
            for (ws, run) in runs {
                let queued = jobs::table
                    .filter(jobs::workspace_id.eq_unindexed(ws))
                    .filter(jobs::lane.eq(run))
                    .filter(moves_a_run())
                    .filter(jobs::dead_at.is_null())
                    .filter(jobs::claimed.eq(false));
                let dropped: Vec<bool> = load!(c, diesel::delete(queued).returning(jobs::followed))?;
                released.extend(dropped.contains(&true).then_some(run));
            }
        }
    }
    // Jobs queued in the meantime are no longer behind the removed steps.
    match released.is_empty() {
        true => Ok(()),
        false => crate::jobs::release_lanes(c, released).await,
    }
}

pub(crate) async fn wake_steps(c: &mut Connection<'_>, ws: DbId, runs: Vec<DbId>, at: Timestamp) -> Result<(), Fault> {
    if runs.is_empty() {
        return Ok(());
    }
    if let Connection::Postgres(connection) = c {
        let query = diesel::sql_query(WAKE_STEPS).bind::<Array<Id>, _>(runs).bind::<Id, _>(ws);
        let query = PreparedQuery(query.bind::<Array<Text>, _>(moving()).bind::<Instant, _>(DbTime(at)));
        let mut connection: &diesel_async::AsyncPgConnection = connection;
        return Ok(diesel_async::RunQueryDsl::execute(query, &mut connection).await.map(drop)?);
    }
    for run in runs {
        let queued = jobs::table
            .filter(jobs::workspace_id.eq_unindexed(ws))
            .filter(jobs::lane.eq(run))
            .filter(moves_a_run())
            .filter(jobs::claimed.eq(false))
            .filter(jobs::dead_at.is_null())
            .filter(jobs::due_at.gt(DbTime(at)));
        execute!(c, diesel::update(queued).set(jobs::due_at.eq(DbTime(at))))?;
    }
    Ok(())
}

/// Makes queued steps of live runs due: runs with a wait that ended while the flow was paused, runs with a kept reply,
/// and runs that wait for a called run.
pub(crate) async fn wake_runs(
    c: &mut Connection<'_>,
    ws: DbId,
    flow: FlowId,
    (at, due_at): (Timestamp, Timestamp),
) -> Result<(), Fault> {
    if let Connection::Postgres(connection) = c {
        let query = diesel::sql_query(WAKE_STEPS_OF_LIVE).bind::<Id, _>(DbId::from(flow)).bind::<Id, _>(ws);
        let query = query.bind::<Array<Text>, _>(moving()).bind::<Instant, _>(DbTime(due_at));
        let mut connection: &diesel_async::AsyncPgConnection = connection;
        let query = query.bind::<Text, _>(RunStatus::Active.as_str());
        let query = query.bind::<Text, _>(WaitKind::Flow.as_str());
        let query = PreparedQuery(query.bind::<Instant, _>(DbTime(at)));
        return Ok(diesel_async::RunQueryDsl::execute(query, &mut connection).await.map(drop)?);
    }
    let is_over = flow_runs::status.eq(RunStatus::Active.as_str()).or(flow_runs::wait_until.le(DbTime(at)));
    let has_reply = flow_runs::wait_kind.eq(WaitKind::Reply.as_str()).and(flow_runs::wait_details.is_not_null());
    let may_go_on = is_over.or(flow_runs::wait_kind.eq(WaitKind::Flow.as_str())).or(has_reply);
    let due = flow_runs::table
        .filter(flow_runs::workspace_id.eq(ws))
        .filter(flow_runs::flow_id.eq(DbId::from(flow)))
        .filter(flow_runs::ended_at.is_null())
        .filter(may_go_on)
        .select(flow_runs::id.nullable());
    let queued = jobs::table
        .filter(jobs::workspace_id.eq(ws))
        .filter(jobs::lane.eq_any(due))
        .filter(moves_a_run())
        .filter(jobs::claimed.eq(false))
        .filter(jobs::dead_at.is_null())
        .filter(jobs::due_at.gt(DbTime(due_at)));
    execute!(c, diesel::update(queued).set(jobs::due_at.eq(DbTime(due_at)))).map(|_| ())
}
