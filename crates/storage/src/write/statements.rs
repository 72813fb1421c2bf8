//! Statements that write any number of rows: one on PostgreSQL, one for each row on SQLite, all prepared once.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel_async::AsyncPgConnection;

use super::columns::{Columns, OnPostgres, Written};
use crate::connection::Connection;
use crate::faults::Fault;
use crate::fixed::{self, Fixed};

/// The place of a row among those that were given, from 1 on.
#[derive(QueryableByName)]
struct Place {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// Which of the rows that were given were not there.
pub(crate) type Missed = Vec<usize>;

/// Writes rows that were not there.
pub(crate) async fn insert<R: Written>(c: &mut Connection<'_>, rows: &[R]) -> Result<(), Fault> {
    match c {
        _ if rows.is_empty() => {}
        Connection::Postgres(connection) => {
            execute_all(connection, rows, &R::texts().insert_on_postgres).await?;
        }
        Connection::Sqlite(connection) => {
            for row in rows {
                let query = row.bind(diesel::sql_query(&R::texts().insert_on_sqlite).into_boxed());
                fixed::run(query, connection)?;
            }
        }
    }
    Ok(())
}

/// Writes rows over the version before; says which were not there so.
pub(crate) async fn update<R: Written>(c: &mut Connection<'_>, rows: &[R]) -> Result<Missed, Fault> {
    match c {
        Connection::Postgres(connection) => missed(connection, rows, &R::texts().update_on_postgres).await,
        Connection::Sqlite(connection) => each(connection, rows, &R::texts().update_on_sqlite),
    }
}

/// Runs a statement for all rows, whose columns are `$1` and so on, an array each; returns how many it touched.
pub(crate) async fn execute_all<R: Columns>(
    connection: &AsyncPgConnection,
    rows: &[R],
    text: &str,
) -> Result<usize, Fault> {
    let mut connection = connection;
    let query = R::bind_all(&rows.iter().collect::<Vec<_>>(), diesel::sql_query(text).into_boxed());
    Ok(diesel_async::RunQueryDsl::execute(Fixed(query), &mut connection).await?)
}

/// The same of a statement that gives the places `n` of the rows that were there.
pub(crate) async fn missed<R: Columns>(
    connection: &AsyncPgConnection,
    rows: &[R],
    text: &str,
) -> Result<Missed, Fault> {
    let query: OnPostgres<'_> = R::bind_all(&rows.iter().collect::<Vec<_>>(), diesel::sql_query(text).into_boxed());
    let mut connection = connection;
    let found: Vec<Place> = diesel_async::RunQueryDsl::load(Fixed(query), &mut connection).await?;
    if found.len() == rows.len() {
        return Ok(Missed::new());
    }
    let was_found = |place: usize| found.iter().any(|it| usize::try_from(it.n) == Ok(place + 1));
    Ok((0..rows.len()).filter(|place| !was_found(*place)).collect())
}

/// Runs a statement for one row, whose columns are `?1` and so on; returns how many it touched.
pub(crate) fn execute_one<R: Columns>(connection: &mut SqliteConnection, row: &R, text: &str) -> Result<usize, Fault> {
    let query = row.bind(diesel::sql_query(text).into_boxed());
    Ok(fixed::execute(query, connection)?)
}

/// The same for each row; says which touched none.
pub(crate) fn each<R: Columns>(connection: &mut SqliteConnection, rows: &[R], text: &str) -> Result<Missed, Fault> {
    let mut missed = Missed::new();
    for (place, row) in rows.iter().enumerate() {
        if execute_one(connection, row, text)? == 0 {
            missed.push(place);
        }
    }
    Ok(missed)
}
