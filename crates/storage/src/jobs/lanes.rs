//! Lanes: jobs that run one after another. Only the first job of a lane is in the index that claims use.
//!
//! A transaction that queues a job behind another marks the job ahead as followed and parks its own. A transaction that
//! ends a followed job releases the next one in its lane. Both lock the row of the job ahead: the end waits for a
//! transaction that marks the job, and then sees the queued job. An insert does not wait for a locked row. It then
//! queues its job as if it were the first, and a claim detects that it is not. Therefore, a parked job always has a
//! followed job ahead of it.

use std::sync::LazyLock;

use diesel::sql_types::Array;
use diesel::{QueryableByName, SqliteConnection};

use super::{JobRow, LEASED};
use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::queries::prepared_query::{self, PreparedQuery};
use crate::queries::types::{DbId, Id};
use crate::write::{self, Columns};

/// Returns true if the job must wait while its lane is busy.
pub(super) fn may_wait(job: &JobRow) -> bool {
    job.lane.is_some() && !job.claimed
}

/// Jobs with a lower ID than the first of their lane run before it, unless that one is claimed. A row that changed
/// since the statement began has another position and is not marked. Of several new jobs in a lane, the first is
/// followed by the others.
pub(super) static INSERT_ON_POSTGRES: LazyLock<String> = LazyLock::new(|| {
    let columns = JobRow::columns();
    let (names, arrays) = (write::names(&columns), write::arrays(&columns));
    let values = names.replace("\"due_at\"", LEASED);
    format!(
        "WITH job AS MATERIALIZED (SELECT *, row_number() OVER (PARTITION BY lane ORDER BY claimed DESC, id) AS place, \
         count(*) OVER (PARTITION BY lane) AS together FROM unnest({arrays}) AS job ({names})), \
         head AS MATERIALIZED (SELECT ahead.place FROM (SELECT DISTINCT lane FROM job WHERE lane IS NOT NULL) l \
         CROSS JOIN LATERAL (SELECT f.ctid AS place FROM jobs f WHERE f.lane = l.lane AND f.dead_at IS NULL \
         ORDER BY f.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) ahead), \
         told AS (UPDATE jobs SET followed = true FROM head WHERE jobs.ctid = head.place \
         RETURNING jobs.lane, jobs.id, jobs.claimed) \
         INSERT INTO jobs ({names}, parked, followed) SELECT {values}, lane IS NOT NULL AND NOT claimed AND (place > 1 \
         OR EXISTS (SELECT 1 FROM told WHERE told.lane = job.lane AND (told.claimed OR told.id < job.id))), \
         lane IS NOT NULL AND place = 1 AND together > 1 FROM job"
    )
});

const WAIT_ON_SQLITE: &str = "UPDATE jobs SET parked = 1 WHERE workspace_id = ?1 AND id = ?2 AND EXISTS (SELECT 1 FROM \
    jobs h WHERE h.lane = jobs.lane AND h.dead_at IS NULL AND (h.claimed OR h.id < jobs.id) AND h.id <> jobs.id)";
const FOLLOW_ON_SQLITE: &str = "UPDATE jobs SET followed = 1 WHERE rowid = (SELECT h.rowid FROM jobs h \
    WHERE h.lane = ?1 AND h.dead_at IS NULL ORDER BY h.claimed DESC, h.id LIMIT 1)";

/// Parks a job that was just inserted, if another is ahead of it.
pub(super) fn wait_on_sqlite(connection: &mut SqliteConnection, job: &JobRow) -> Result<(), Fault> {
    let query = diesel::sql_query(WAIT_ON_SQLITE).bind::<Id, _>(job.workspace_id).bind::<Id, _>(job.id);
    if prepared_query::execute(query, connection)? > 0 {
        let query = diesel::sql_query(FOLLOW_ON_SQLITE).bind::<diesel::sql_types::Nullable<Id>, _>(job.lane);
        prepared_query::run(query, connection)?;
    }
    Ok(())
}

/// Locks the first jobs of lanes in their current state.
const NEXT_ON_POSTGRES: &str = "SELECT next.workspace_id, next.id FROM unnest((SELECT $1::uuid[])) AS l (lane) \
    CROSS JOIN LATERAL (SELECT f.workspace_id, f.id FROM jobs f WHERE f.lane = l.lane AND f.dead_at IS NULL \
    ORDER BY f.id LIMIT 1 FOR NO KEY UPDATE) AS next";
/// A released job becomes due now, because a claim does not search for jobs that fell due long ago. This is a separate
/// statement after the lock: a statement does not see changes it had to wait for.
const RELEASE_ON_POSTGRES: &str = "UPDATE jobs AS t SET parked = false, followed = true, \
    due_at = CASE WHEN t.parked THEN greatest(t.due_at, now()) ELSE t.due_at END \
    FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[])) AS next (workspace_id, id) CROSS JOIN LATERAL (SELECT f.ctid \
    FROM jobs f WHERE f.workspace_id = next.workspace_id AND f.id = next.id LIMIT 1) AS found WHERE t.ctid = found.ctid";
const RELEASE_ON_SQLITE: &str = "UPDATE jobs SET parked = 0, followed = 1 WHERE rowid = (SELECT h.rowid FROM jobs h \
    WHERE h.lane = ?1 AND h.dead_at IS NULL ORDER BY h.id LIMIT 1)";

#[derive(QueryableByName)]
struct Next {
    #[diesel(sql_type = Id)]
    workspace_id: DbId,
    #[diesel(sql_type = Id)]
    id: DbId,
}

/// Releases the first jobs of lanes.
pub(crate) async fn release(c: &mut Connection<'_>, mut lanes: Vec<DbId>) -> Result<(), Fault> {
    if lanes.is_empty() {
        return Ok(());
    }
    lanes.sort_by_key(|lane| lane.0);
    match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let query = PreparedQuery(diesel::sql_query(NEXT_ON_POSTGRES).bind::<Array<Id>, _>(lanes));
            let next: Vec<Next> = diesel_async::RunQueryDsl::load(query, &mut connection).await?;
            let (workspaces, ids): (Vec<_>, Vec<_>) = next.into_iter().map(|it| (it.workspace_id, it.id)).unzip();
            let query = diesel::sql_query(RELEASE_ON_POSTGRES).bind::<Array<Id>, _>(workspaces);
            let query = PreparedQuery(query.bind::<Array<Id>, _>(ids));
            diesel_async::RunQueryDsl::execute(query, &mut connection).await?;
        }
        Connection::Sqlite(connection) => {
            for lane in lanes {
                prepared_query::run(diesel::sql_query(RELEASE_ON_SQLITE).bind::<Id, _>(lane), connection)?;
            }
        }
    }
    Ok(())
}
