//! What becomes of claimed jobs, fenced by their tokens, and new jobs: any number in one statement.

use std::sync::LazyLock;

use tidings_domain::ids::JobId;
use tidings_domain::time::Timestamp;

use super::JobRow;
use crate::connection::Connection;
use crate::faults::Fault;
use crate::schema::jobs;
use crate::sqlite::steady;
use crate::types::{DbId, DbTime};
use crate::write::{self, Columns, Missed, Written};

crate::write::written! {
    JobRow: crate::write::Shape::of("jobs"),
}

/// Writes jobs. Of a claimed one the lease begins now, by the clock of leases: those of servers may be set.
pub(crate) async fn insert(c: &mut Connection<'_>, mut rows: Vec<JobRow>) -> Result<(), Fault> {
    static ON_POSTGRES: LazyLock<String> = LazyLock::new(|| {
        let columns = JobRow::columns();
        let (names, arrays) = (write::names(&columns), write::arrays(&columns));
        let leased = "CASE WHEN claimed THEN now() + (due_at - 'epoch'::timestamptz) ELSE due_at END";
        let values = names.replace("\"due_at\"", leased);
        format!("INSERT INTO jobs ({names}) SELECT {values} FROM unnest({arrays}) AS job ({names})")
    });
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, &rows, &ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => {
            for row in rows.iter_mut().filter(|row| row.claimed) {
                row.due_at = steady::now().plus(row.due_at.0.since(Timestamp::from_millis(0))).into();
            }
            write::each(connection, &rows, &JobRow::texts().insert_on_sqlite).map(|_| ())
        }
    }
}

crate::write::row! {
    /// A claimed job that has ended.
    #[derive(Debug, Clone)]
    pub(crate) struct Finished in jobs {
        workspace_id: DbId,
        id: DbId,
        token: i64,
    }
}

impl Finished {
    pub(crate) fn write(workspace_id: DbId, job: JobId, token: i64) -> Self {
        Self { workspace_id, id: job.into(), token }
    }
}

const FINISH_ON_POSTGRES: &str = "DELETE FROM jobs AS t USING unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), \
    (SELECT $3::bigint[])) WITH ORDINALITY AS ended (workspace_id, id, token, n) CROSS JOIN LATERAL (SELECT f.ctid, \
    f.token, f.claimed FROM jobs f WHERE f.workspace_id = ended.workspace_id AND f.id = ended.id LIMIT 1 FOR UPDATE) \
    AS found WHERE t.ctid = found.ctid AND found.claimed AND found.token = ended.token RETURNING ended.n";
const FINISH_ON_SQLITE: &str = "DELETE FROM jobs WHERE workspace_id = ?1 AND id = ?2 AND token = ?3 AND claimed";

/// Ends claimed jobs; says which claims were lost.
pub(crate) async fn finish(c: &mut Connection<'_>, mut rows: Vec<Finished>) -> Result<Missed, Fault> {
    match c {
        Connection::Postgres(connection) => {
            rows.sort_by_key(|it| (it.workspace_id.0, it.id.0));
            write::missed(connection, &rows, FINISH_ON_POSTGRES).await
        }
        Connection::Sqlite(connection) => write::each(connection, &rows, FINISH_ON_SQLITE),
    }
}

crate::write::row! {
    /// A claimed job that is given back.
    #[derive(Debug, Clone)]
    pub(crate) struct Rescheduled in jobs {
        workspace_id: DbId,
        id: DbId,
        token: i64,
        due_at: DbTime,
        error: Option<String>,
    }
}

impl Rescheduled {
    pub(crate) fn write(workspace_id: DbId, job: JobId, token: i64, due_at: Timestamp, error: Option<&str>) -> Self {
        Self { workspace_id, id: job.into(), token, due_at: due_at.into(), error: error.map(ToOwned::to_owned) }
    }
}

/// An error counts as an attempt.
const RESCHEDULE_ON_POSTGRES: &str = "UPDATE jobs AS t SET claimed = false, claims = 0, due_at = made.due_at, \
    error = made.error, attempts = found.attempts + CASE WHEN made.error IS NULL THEN 0 ELSE 1 END \
    FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::bigint[]), (SELECT $4::timestamptz[]), \
    (SELECT $5::text[])) WITH ORDINALITY AS made (workspace_id, id, token, due_at, error, n) CROSS JOIN LATERAL \
    (SELECT f.ctid, f.token, f.claimed, f.attempts FROM jobs f WHERE f.workspace_id = made.workspace_id \
    AND f.id = made.id LIMIT 1 FOR NO KEY UPDATE) AS found WHERE t.ctid = found.ctid AND found.claimed \
    AND found.token = made.token RETURNING made.n";
const RESCHEDULE_ON_SQLITE: &str = "UPDATE jobs SET claimed = 0, claims = 0, due_at = ?4, error = ?5, \
    attempts = attempts + CASE WHEN ?5 IS NULL THEN 0 ELSE 1 END \
    WHERE workspace_id = ?1 AND id = ?2 AND token = ?3 AND claimed";

/// Gives claimed jobs back; says which claims were lost.
pub(crate) async fn reschedule(c: &mut Connection<'_>, rows: &[Rescheduled]) -> Result<Missed, Fault> {
    match c {
        Connection::Postgres(connection) => write::missed(connection, rows, RESCHEDULE_ON_POSTGRES).await,
        Connection::Sqlite(connection) => write::each(connection, rows, RESCHEDULE_ON_SQLITE),
    }
}
