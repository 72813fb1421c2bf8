//! One connection of either database, and the macros that send a query to it.

use diesel::SqliteConnection;
use diesel_async::AsyncPgConnection;

/// A connection of either database. Futures over the SQLite arm never wait: they run to their end
/// on the thread that owns the connection.
pub(crate) enum Connection<'c> {
    /// Through diesel-async; a shared reference, so that queries can be sent ahead of answers.
    Postgres(&'c AsyncPgConnection),
    /// Synchronous Diesel.
    Sqlite(&'c mut SqliteConnection),
}

/// Runs one query on whichever connection it is: `run` names the method of `RunQueryDsl`. Inside
/// the query, `Db` is the backend.
macro_rules! on_either {
    ($connection:expr, $run:ident, $query:expr) => {
        match &mut *$connection {
            $crate::connection::Connection::Postgres(connection) => {
                #[allow(dead_code, reason = "only boxed queries name their backend")]
                type Db = ::diesel::pg::Pg;
                let mut connection: &::diesel_async::AsyncPgConnection = connection;
                ::diesel_async::RunQueryDsl::$run($query, &mut connection).await
            }
            $crate::connection::Connection::Sqlite(connection) => {
                #[allow(dead_code, reason = "only boxed queries name their backend")]
                type Db = ::diesel::sqlite::Sqlite;
                ::diesel::RunQueryDsl::$run($query, &mut **connection)
            }
        }
        .map_err($crate::faults::Fault::from)
    };
}

/// All rows.
macro_rules! load {
    ($connection:expr, $query:expr) => {
        $crate::connection::on_either!($connection, load, $query)
    };
}

/// The first row, if there is one.
macro_rules! find {
    ($connection:expr, $query:expr) => {
        match $crate::connection::on_either!($connection, get_result, $query) {
            Ok(row) => Ok(Some(row)),
            Err($crate::faults::Fault::NoRow) => Ok(None),
            Err(fault) => Err(fault),
        }
    };
}

/// How many rows it touched.
macro_rules! execute {
    ($connection:expr, $query:expr) => {
        $crate::connection::on_either!($connection, execute, $query)
    };
}

/// Orders a boxed query by an instant and an id, behind the page's position, one row more than asked.
macro_rules! keyset {
    ($query:expr, $page:expr, $at:expr, $id:expr) => {{
        let query = match $page.after {
            None => $query,
            Some(after) => {
                let (at, id) = ($crate::types::DbTime(after.at), $crate::types::DbId(after.id));
                match $page.order {
                    ::tidings_domain::pagination::Order::NewestFirst => {
                        $query.filter($at.le(at).and($at.lt(at).or($id.lt(id))))
                    }
                    ::tidings_domain::pagination::Order::OldestFirst => {
                        $query.filter($at.ge(at).and($at.gt(at).or($id.gt(id))))
                    }
                }
            }
        };
        let query = match $page.order {
            ::tidings_domain::pagination::Order::NewestFirst => query.order(($at.desc(), $id.desc())),
            ::tidings_domain::pagination::Order::OldestFirst => query.order(($at.asc(), $id.asc())),
        };
        query.limit(i64::from($page.limit) + 1)
    }};
}

pub(crate) use {execute, find, keyset, load, on_either};
