//! Inserts new jobs and ends claimed jobs, fenced by their tokens. Each statement handles any number of jobs.

use std::sync::LazyLock;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable};
use tidings_domain::ids::JobId;
use tidings_domain::time::Timestamp;

use super::{JobRow, LEASED, deliveries, lanes};
use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Id};
use crate::schema::jobs;
use crate::sqlite::monotonic_clock;
use crate::write::{self, Columns, MissedRows, WriteTexts};

crate::write::write_texts! {
    JobRow: crate::write::Shape::of("jobs"),
}

/// Inserts jobs. The lease of a claimed one starts now, by the lease clock: the clocks of servers can be changed. A job
/// behind another in its lane is parked.
pub(crate) async fn insert(c: &mut Connection<'_>, mut rows: Vec<JobRow>) -> Result<(), Fault> {
    static ON_POSTGRES: LazyLock<String> = LazyLock::new(|| {
        let columns = JobRow::columns();
        let (names, arrays) = (write::names(&columns), write::arrays(&columns));
        let values = names.replace("\"due_at\"", LEASED);
        format!("INSERT INTO jobs ({names}) SELECT {values} FROM unnest({arrays}) AS job ({names})")
    });
    match c {
        Connection::Postgres(connection) => {
            let text = match rows.iter().any(lanes::may_wait) {
                true => &*lanes::INSERT_ON_POSTGRES,
                false => &*ON_POSTGRES,
            };
            write::execute_all(connection, &rows, text).await.map(|_| ())
        }
        Connection::Sqlite(connection) => {
            for row in rows.iter_mut().filter(|row| row.claimed) {
                row.due_at = monotonic_clock::now().plus(row.due_at.0.since(Timestamp::from_millis(0))).into();
            }
            for row in &rows {
                write::each(connection, std::slice::from_ref(row), &JobRow::texts().insert_on_sqlite)?;
                if lanes::may_wait(row) {
                    lanes::wait_on_sqlite(connection, row)?;
                }
            }
            Ok(())
        }
    }
}

crate::write::row! {
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
    f.token, f.claimed, f.followed FROM jobs f WHERE f.workspace_id = ended.workspace_id AND f.id = ended.id LIMIT 1 \
    FOR UPDATE) AS found WHERE t.ctid = found.ctid AND found.claimed AND found.token = ended.token \
    RETURNING ended.n, CASE WHEN found.followed THEN t.lane END AS lane";
const FINISH_ON_SQLITE: &str = "DELETE FROM jobs WHERE workspace_id = ?1 AND id = ?2 AND token = ?3 AND claimed \
    RETURNING 1 AS n, CASE WHEN followed THEN lane END AS lane";

/// An ended job: its position in the given list, and its lane if others wait in it.
#[derive(QueryableByName)]
struct Ended {
    #[diesel(sql_type = BigInt)]
    n: i64,
    #[diesel(sql_type = Nullable<Id>)]
    lane: Option<DbId>,
}

/// Ends claimed jobs. Returns the lost claims.
pub(crate) async fn finish(c: &mut Connection<'_>, mut rows: Vec<Finished>) -> Result<MissedRows, Fault> {
    let mut ended: Vec<Ended> = Vec::with_capacity(rows.len());
    match c {
        Connection::Postgres(connection) => {
            rows.sort_by_key(|it| (it.workspace_id.0, it.id.0));
            let query = diesel::sql_query(FINISH_ON_POSTGRES).into_boxed();
            let query = Finished::bind_all(&rows.iter().collect::<Vec<_>>(), query);
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            ended = diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?;
        }
        Connection::Sqlite(connection) => {
            for (row, place) in rows.iter().zip(1..) {
                let query = row.bind(diesel::sql_query(FINISH_ON_SQLITE).into_boxed());
                let found: Vec<Ended> = diesel::RunQueryDsl::load(PreparedQuery(query), &mut **connection)?;
                ended.extend(found.into_iter().map(|it| Ended { n: place, ..it }));
            }
        }
    }
    lanes::release(c, ended.iter().filter_map(|it| it.lane).collect()).await?;
    let was_there = |place: usize| ended.iter().any(|it| usize::try_from(it.n) == Ok(place + 1));
    let mut missed = MissedRows::new();
    for (place, it) in rows.iter().enumerate().filter(|(place, _)| ended.len() < rows.len() && !was_there(*place)) {
        if !deliveries::end(c, it.workspace_id, it.id, it.token).await? {
            missed.push(place);
        }
    }
    Ok(missed)
}

crate::write::row! {
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

/// A reschedule with an error counts as an attempt.
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

/// Returns claimed jobs to the queue. Returns the lost claims.
pub(crate) async fn reschedule(c: &mut Connection<'_>, rows: &[Rescheduled]) -> Result<MissedRows, Fault> {
    let not_jobs = match c {
        Connection::Postgres(connection) => write::missed(connection, rows, RESCHEDULE_ON_POSTGRES).await?,
        Connection::Sqlite(connection) => write::each(connection, rows, RESCHEDULE_ON_SQLITE)?,
    };
    let mut missed = MissedRows::new();
    for (place, it) in not_jobs.into_iter().filter_map(|place| Some((place, rows.get(place)?))) {
        let claim = (it.workspace_id, it.id, it.token);
        if !deliveries::reschedule(c, claim, it.due_at, it.error.is_some()).await? {
            missed.push(place);
        }
    }
    Ok(missed)
}
