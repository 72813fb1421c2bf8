//! A connection to either database, and macros that run queries on it.

pub(crate) mod backoff;
pub(crate) mod batcher;
pub(crate) mod concurrency_limit;
pub(crate) mod disk_faults;
pub(crate) mod error;
pub(crate) mod expensive_queries;
pub(crate) mod failpoints;
pub(crate) mod fair_queue;
pub(crate) mod faults;
pub(crate) mod health;
pub(crate) mod private;
pub(crate) mod settings;

use diesel::SqliteConnection;
use diesel_async::AsyncPgConnection;
use tidings_domain::pagination::{PageRequest, Position, SortKey, Total};

use crate::queries::types::DbId;

/// A connection to either database. Futures on the SQLite arm never wait: they run to completion on the thread that
/// owns the connection.
pub(crate) enum Connection<'c> {
    /// A diesel-async connection. The shared reference allows pipelining: queries are sent before earlier answers
    /// arrive.
    Postgres(&'c AsyncPgConnection),
    Sqlite(&'c mut SqliteConnection),
}

impl Connection<'_> {
    pub(crate) fn reborrow(&mut self) -> Connection<'_> {
        match self {
            Self::Postgres(connection) => Connection::Postgres(connection),
            Self::Sqlite(connection) => Connection::Sqlite(connection),
        }
    }
}

/// Whether a query for one ID found a row.
pub(crate) fn is_found(id: Option<DbId>) -> bool {
    id.is_some()
}

/// Runs a query on either connection. `run` is the method of `RunQueryDsl`. Inside the query, `Db` is the backend. The
/// last argument wraps the query for each database: [`PreparedQuery`](crate::queries::prepared_query::PreparedQuery),
/// or `identity`, which lets Diesel decide whether to cache the prepared query. Without it, each connection prepares the
/// query once.
macro_rules! on_either {
    ($connection:expr, $run:ident, $query:expr) => {
        $crate::connection::on_either!(
            $connection,
            $run,
            $query,
            ($crate::queries::prepared_query::PreparedQuery, $crate::queries::prepared_query::PreparedQuery)
        )
    };
    ($connection:expr, $run:ident, $query:expr, ($postgres:path, $sqlite:path)) => {
        match &mut *$connection {
            $crate::connection::Connection::Postgres(connection) => {
                #[allow(dead_code, reason = "only boxed queries name their backend")]
                type Db = ::diesel::pg::Pg;
                let mut connection: &::diesel_async::AsyncPgConnection = connection;
                ::diesel_async::RunQueryDsl::$run($postgres($query), &mut connection).await
            }
            $crate::connection::Connection::Sqlite(connection) => {
                #[allow(dead_code, reason = "only boxed queries name their backend")]
                type Db = ::diesel::sqlite::Sqlite;
                ::diesel::RunQueryDsl::$run($sqlite($query), &mut **connection)
            }
        }
        .map_err($crate::connection::faults::Fault::from)
    };
}

/// Repeats items for each database. Inside the items, `Db` is the backend, such as in `impl Narrow for Db`.
macro_rules! for_each_backend {
    ($($item:item)+) => {
        const _: () = {
            type Db = ::diesel::pg::Pg;
            $($item)+
        };

        const _: () = {
            type Db = ::diesel::sqlite::Sqlite;
            $($item)+
        };
    };
}

/// Loads all rows of a query. Each connection prepares it once, except:
///
/// - `cached_on_postgres`: a query with a list of values. On SQLite each value is a parameter, and the text depends on
///   the length of the list. SQLite therefore does not cache the prepared query.
/// - `uncached`: a query with an unbounded number of forms, such as a client's own condition.
macro_rules! load {
    (cached_on_postgres, $connection:expr, $query:expr) => {
        $crate::connection::on_either!(
            $connection,
            load,
            $query,
            ($crate::queries::prepared_query::PreparedQuery, ::std::convert::identity)
        )
    };
    (uncached, $connection:expr, $query:expr) => {
        $crate::connection::on_either!($connection, load, $query, (::std::convert::identity, ::std::convert::identity))
    };
    ($connection:expr, $query:expr) => {
        $crate::connection::on_either!($connection, load, $query)
    };
}

/// Loads the first row, if any.
macro_rules! find {
    ($connection:expr, $query:expr) => {
        match $crate::connection::on_either!($connection, get_result, $query) {
            Ok(row) => Ok(Some(row)),
            Err($crate::connection::faults::Fault::NoRow) => Ok(None),
            Err(fault) => Err(fault),
        }
    };
}

/// Runs a statement and returns the number of affected rows. `cached_on_postgres` is for a statement with a list of
/// values, as in [`load!`].
macro_rules! execute {
    (cached_on_postgres, $connection:expr, $query:expr) => {
        $crate::connection::on_either!(
            $connection,
            execute,
            $query,
            ($crate::queries::prepared_query::PreparedQuery, ::std::convert::identity)
        )
    };
    ($connection:expr, $query:expr) => {
        match &mut *$connection {
            $crate::connection::Connection::Postgres(connection) => {
                let mut connection: &::diesel_async::AsyncPgConnection = connection;
                ::diesel_async::RunQueryDsl::execute(
                    $crate::queries::prepared_query::PreparedQuery($query),
                    &mut connection,
                )
                .await
            }
            $crate::connection::Connection::Sqlite(connection) => {
                $crate::queries::prepared_query::execute($query, &mut **connection)
            }
        }
        .map_err($crate::connection::faults::Fault::from)
    };
}

/// Orders a boxed query by an instant and an ID, starting after the page's position. Loads one row more than the page.
macro_rules! keyset {
    ($query:expr, $page:expr, $at:expr, $id:expr) => {{
        let query = match $page.after {
            None => $query,
            Some(after) => {
                let (at, id) = ($crate::queries::types::DbTime(after.at), $crate::queries::types::DbId(after.id));
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

/// Maximum number of rows that a total counts.
pub(crate) const MOST_COUNTED: i64 = Total::MOST as i64 + 1;

/// Whether a page with this number of found rows requests a total that needs a further query.
pub(crate) fn needs_count<O, K>(page: &PageRequest<O, K>, rows: usize) -> bool {
    page.counted && !page.is_all(rows)
}

/// Returns the total of all pages, if the page requests it.
pub(crate) fn total_of<O, K>(page: &PageRequest<O, K>, counted: usize) -> Option<Total> {
    page.counted.then(|| Total::of(counted as u64))
}

/// Loads the rows of a page of a boxed query with [`keyset!`], and the total of all pages. To count, only IDs are read.
macro_rules! counted_page {
    ($connection:expr, $page:expr, ($at:expr, $id:expr), $query:expr) => {{
        let rows: Vec<_> =
            $crate::connection::load!($connection, { $crate::connection::keyset!($query, $page, $at, $id) })?;
        let mut counted = rows.len();
        if $crate::connection::needs_count(&$page, counted) {
            let ids: Vec<$crate::queries::types::DbId> =
                $crate::connection::load!($connection, { $query.select($id).limit($crate::connection::MOST_COUNTED) })?;
            counted = ids.len();
        }
        (rows, $crate::connection::total_of(&$page, counted))
    }};
}

/// A part of a sorted list. Rows with a value come first, rows without one last. Each part has its own query, which one
/// index supports in both directions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'p> {
    pub(crate) valued: bool,
    pub(crate) after: Option<&'p Position<SortKey>>,
}

impl<'p> Part<'p> {
    /// Returns the remaining parts after a position.
    pub(crate) fn of(after: Option<&'p Position<SortKey>>, nullable: bool) -> Vec<Self> {
        let without = |after| Self { valued: false, after };
        match after {
            Some(place) if nullable && !place.at.is_some() => vec![without(after)],
            _ => [Self { valued: true, after }].into_iter().chain(nullable.then(|| without(None))).collect(),
        }
    }
}

/// Orders a boxed query by a column and an ID, starting after the part's position. `$value` extracts the column's value
/// from a position.
macro_rules! sorted_keyset {
    ($query:expr, $part:expr, $descending:expr, $column:expr, $id:expr, $value:expr) => {{
        let (query, part, descending): (_, $crate::connection::Part<'_>, bool) = ($query, $part, $descending);
        let place = part.after.map(|after| ($value(&after.at), $crate::queries::types::DbId(after.id)));
        let query = match (part.valued, place, descending) {
            (true, Some((Some(at), id)), true) => {
                query.filter($column.le(at.clone()).and($column.lt(at).or($id.lt(id))))
            }
            (true, Some((Some(at), id)), false) => {
                query.filter($column.ge(at.clone()).and($column.gt(at).or($id.gt(id))))
            }
            (true, _, _) => query.filter($column.is_not_null()),
            (false, Some((_, id)), true) => query.filter($column.is_null()).filter($id.lt(id)),
            (false, Some((_, id)), false) => query.filter($column.is_null()).filter($id.gt(id)),
            (false, None, _) => query.filter($column.is_null()),
        };
        // Rows without a value use this order too, because the index has it.
        match descending {
            true => query.order(($column.desc(), $id.desc())),
            false => query.order(($column.asc(), $id.asc())),
        }
    }};
}

/// Loads rows by key (workspace and ID). PostgreSQL uses one statement with the same text for any number of keys above
/// one. SQLite runs a query for each key, which needs no round trip.
macro_rules! by_keys {
    ($connection:expr, $keys:expr, $query:expr, ($workspace:expr, $id:expr)) => {
        match $connection {
            $crate::connection::Connection::Postgres(connection) if $keys.len() > 1 => {
                let mut connection: &::diesel_async::AsyncPgConnection = connection;
                let query = $crate::queries::by_keys::ByKeys::new($query, &$keys);
                let rows = ::diesel_async::RunQueryDsl::load(
                    $crate::queries::prepared_query::PreparedQuery(query),
                    &mut connection,
                )
                .await;
                rows.map_err($crate::connection::faults::Fault::from)
            }
            connection => {
                let found: Result<Vec<Vec<_>>, ::diesel::result::Error> = match connection {
                    $crate::connection::Connection::Postgres(connection) => {
                        let connection: &::diesel_async::AsyncPgConnection = connection;
                        let ask =
                            async |(workspace, id): &($crate::queries::types::DbId, $crate::queries::types::DbId)| {
                                let query = $query.filter($workspace.eq(*workspace)).filter($id.eq(*id));
                                let query = $crate::queries::prepared_query::PreparedQuery(query);
                                ::diesel_async::RunQueryDsl::load(query, &mut &*connection).await
                            };
                        ::futures::future::join_all($keys.iter().map(ask)).await.into_iter().collect()
                    }
                    $crate::connection::Connection::Sqlite(connection) => {
                        let ask = |(workspace, id): &($crate::queries::types::DbId, $crate::queries::types::DbId)| {
                            let query = $query.filter($workspace.eq(*workspace)).filter($id.eq(*id));
                            let query = $crate::queries::prepared_query::PreparedQuery(query);
                            ::diesel::RunQueryDsl::load(query, &mut **connection)
                        };
                        $keys.iter().map(ask).collect()
                    }
                };
                found.map(|rows| rows.into_iter().flatten().collect()).map_err($crate::connection::faults::Fault::from)
            }
        }
    };
}

pub(crate) use {by_keys, counted_page, execute, find, for_each_backend, keyset, load, on_either, sorted_keyset};
