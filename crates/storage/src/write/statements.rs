//! Statements that write any number of rows: one statement on PostgreSQL, one for each row on SQLite. All are prepared
//! once.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel_async::AsyncPgConnection;

use super::columns::{Columns, OnPostgres, WriteTexts};
use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::queries::prepared_query::{self, PreparedQuery};

/// The position of a row in the given list, starting at 1.
#[derive(QueryableByName)]
struct Place {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// The positions of the given rows that were not found.
pub(crate) type MissedRows = Vec<usize>;

pub(crate) async fn insert<R: WriteTexts>(c: &mut Connection<'_>, rows: &[R]) -> Result<(), Fault> {
    match c {
        _ if rows.is_empty() => {}
        Connection::Postgres(connection) => {
            execute_all(connection, rows, &R::texts().insert_on_postgres).await?;
        }
        Connection::Sqlite(connection) => {
            for row in rows {
                let query = row.bind(diesel::sql_query(&R::texts().insert_on_sqlite).into_boxed());
                prepared_query::run(query, connection)?;
            }
        }
    }
    Ok(())
}

/// Updates rows that still have the previous version. Returns the positions of the others.
pub(crate) async fn update<R: WriteTexts>(c: &mut Connection<'_>, rows: &[R]) -> Result<MissedRows, Fault> {
    match c {
        Connection::Postgres(connection) => missed(connection, rows, &R::texts().update_on_postgres).await,
        Connection::Sqlite(connection) => each(connection, rows, &R::texts().update_on_sqlite),
    }
}

/// Runs a statement for all rows, with an array parameter for each column. Returns the number of affected rows.
pub(crate) async fn execute_all<R: Columns>(
    connection: &AsyncPgConnection,
    rows: &[R],
    text: &str,
) -> Result<usize, Fault> {
    let mut connection = connection;
    let query = R::bind_all(&rows.iter().collect::<Vec<_>>(), diesel::sql_query(text).into_boxed());
    Ok(diesel_async::RunQueryDsl::execute(PreparedQuery(query), &mut connection).await?)
}

/// Like [`execute_all`], for a statement that returns the positions `n` of the rows it found.
pub(crate) async fn missed<R: Columns>(
    connection: &AsyncPgConnection,
    rows: &[R],
    text: &str,
) -> Result<MissedRows, Fault> {
    let query: OnPostgres<'_> = R::bind_all(&rows.iter().collect::<Vec<_>>(), diesel::sql_query(text).into_boxed());
    let mut connection = connection;
    let found: Vec<Place> = diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?;
    if found.len() == rows.len() {
        return Ok(MissedRows::new());
    }
    let was_found = |place: usize| found.iter().any(|it| usize::try_from(it.n) == Ok(place + 1));
    Ok((0..rows.len()).filter(|place| !was_found(*place)).collect())
}

/// Runs a statement for one row, with a parameter for each column. Returns the number of affected rows.
pub(crate) fn execute_one<R: Columns>(connection: &mut SqliteConnection, row: &R, text: &str) -> Result<usize, Fault> {
    let query = row.bind(diesel::sql_query(text).into_boxed());
    Ok(prepared_query::execute(query, connection)?)
}

/// Like [`execute_one`], for each row. Returns the positions of rows without an effect.
pub(crate) fn each<R: Columns>(connection: &mut SqliteConnection, rows: &[R], text: &str) -> Result<MissedRows, Fault> {
    let mut missed = MissedRows::new();
    for (place, row) in rows.iter().enumerate() {
        if execute_one(connection, row, text)? == 0 {
            missed.push(place);
        }
    }
    Ok(missed)
}
