//! One connection of either database, and the macros that send a query to it.

use diesel::SqliteConnection;
use diesel_async::AsyncPgConnection;
use tidings_domain::pagination::{Position, SortKey};

/// A connection of either database. Futures over the SQLite arm never wait: they run to their end
/// on the thread that owns the connection.
pub(crate) enum Connection<'c> {
    /// Through diesel-async; a shared reference, so that queries can be sent ahead of answers.
    Postgres(&'c AsyncPgConnection),
    /// Synchronous Diesel.
    Sqlite(&'c mut SqliteConnection),
}

impl Connection<'_> {
    /// The same, for a while.
    pub(crate) fn again(&mut self) -> Connection<'_> {
        match self {
            Self::Postgres(connection) => Connection::Postgres(connection),
            Self::Sqlite(connection) => Connection::Sqlite(connection),
        }
    }
}

/// Runs one query on whichever connection it is: `run` names the method of `RunQueryDsl`. Inside
/// the query, `Db` is the backend. It is prepared once on each connection.
macro_rules! on_either {
    ($connection:expr, $run:ident, $query:expr) => {
        $crate::connection::on_each!($connection, $run, $query, ($crate::fixed::Fixed, $crate::fixed::Fixed))
    };
}

/// The same with what each database's query is put into: [`Fixed`](crate::fixed::Fixed), or `identity`, which leaves it
/// to Diesel whether a query is kept prepared.
macro_rules! on_each {
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
        .map_err($crate::faults::Fault::from)
    };
}

/// All rows.
macro_rules! load {
    ($connection:expr, $query:expr) => {
        $crate::connection::on_either!($connection, load, $query)
    };
}

/// All rows of a query with a list of values. SQLite has a parameter for each of them, so that there are as many texts as
/// lengths: it prepares them anew.
macro_rules! load_any {
    ($connection:expr, $query:expr) => {
        $crate::connection::on_each!($connection, load, $query, ($crate::fixed::Fixed, ::std::convert::identity))
    };
}

/// All rows of a query of which there is no knowing how many forms it has: what somebody asks for in words of their own
/// is prepared anew.
macro_rules! load_free {
    ($connection:expr, $query:expr) => {
        $crate::connection::on_each!($connection, load, $query, (::std::convert::identity, ::std::convert::identity))
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
        match &mut *$connection {
            $crate::connection::Connection::Postgres(connection) => {
                let mut connection: &::diesel_async::AsyncPgConnection = connection;
                ::diesel_async::RunQueryDsl::execute($crate::fixed::Fixed($query), &mut connection).await
            }
            $crate::connection::Connection::Sqlite(connection) => $crate::fixed::execute($query, &mut **connection),
        }
        .map_err($crate::faults::Fault::from)
    };
}

/// How many rows a statement with a list of values touched, as [`load_any!`].
macro_rules! execute_any {
    ($connection:expr, $query:expr) => {
        $crate::connection::on_each!($connection, execute, $query, ($crate::fixed::Fixed, ::std::convert::identity))
    };
}

/// How many rows a statement touched of which there is no knowing how many forms it has, as [`load_free!`].
macro_rules! execute_free {
    ($connection:expr, $query:expr) => {
        $crate::connection::on_each!($connection, execute, $query, (::std::convert::identity, ::std::convert::identity))
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

/// How many rows a boxed query finds, where the page, of which so many rows were found, wants to know; no more is read of them than their ids.
macro_rules! total {
    ($connection:expr, $page:expr, $rows:expr, $id:expr, $query:expr) => {
        match $page.counted {
            false => None,
            true if $page.is_all($rows) => Some(::tidings_domain::pagination::Total::of($rows as u64)),
            true => {
                let most = i64::try_from(::tidings_domain::pagination::Total::MOST + 1).unwrap_or(i64::MAX);
                let ids: Vec<_> = $crate::connection::load!($connection, { $query.select($id).limit(most) })?;
                let ids: Vec<$crate::types::DbId> = ids;
                Some(::tidings_domain::pagination::Total::of(ids.len() as u64))
            }
        }
    };
}

/// The rows of a page as [`keyset!`] asks for them, and how many all pages have, as [`total!`] counts them.
macro_rules! listed {
    ($connection:expr, $page:expr, ($at:expr, $id:expr), $query:expr) => {{
        let rows: Vec<_> =
            $crate::connection::load!($connection, { $crate::connection::keyset!($query, $page, $at, $id) })?;
        let total = $crate::connection::total!($connection, $page, rows.len(), $id, $query);
        (rows, total)
    }};
}

/// A stretch of a list with several sorts: the rows that have the value come first, those without it last. Each has
/// its own query, which one index serves in either direction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'p> {
    /// Whether its rows have the value.
    pub(crate) valued: bool,
    /// Only rows behind this one.
    pub(crate) after: Option<&'p Position<SortKey>>,
}

impl<'p> Part<'p> {
    /// The stretches behind a position.
    pub(crate) fn of(after: Option<&'p Position<SortKey>>, nullable: bool) -> Vec<Self> {
        let without = |after| Self { valued: false, after };
        match after {
            Some(place) if nullable && !place.at.is_some() => vec![without(after)],
            _ => [Self { valued: true, after }].into_iter().chain(nullable.then(|| without(None))).collect(),
        }
    }
}

/// A query for the list of a whole workspace ([`crate::whole::Whole`]): it says that its rows have been changed once, which
/// all have.
macro_rules! whole {
    ($query:expr, $updated_at:expr) => {{
        let always = ::tidings_domain::time::Timestamp::from_millis(i64::MIN);
        $query.filter($crate::whole::Whole($updated_at.ge($crate::types::DbTime(always))))
    }};
}

/// The rows of a query that have this text in a column, asked for as a range in the order of the column: no other index has
/// that order.
macro_rules! ranged {
    ($query:expr, $column:expr, $text:expr) => {{
        let text = $text;
        $query.filter($column.between(text.clone(), text))
    }};
}

/// The one row of a query that has this text in a column, as the first of a range.
macro_rules! named {
    ($query:expr, $column:expr, $text:expr) => {
        $crate::connection::ranged!($query, $column, $text).order($crate::first_by::FirstBy($column))
    };
}

/// Orders a boxed query by a column and an id, behind the position of the part; `$value` takes the column's value
/// out of a position.
macro_rules! sorted_keyset {
    ($query:expr, $part:expr, $descending:expr, $column:expr, $id:expr, $value:expr) => {{
        let (query, part, descending): (_, $crate::connection::Part<'_>, bool) = ($query, $part, $descending);
        let place = part.after.map(|after| ($value(&after.at), $crate::types::DbId(after.id)));
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
        // Of those without the value, too: it is the order of the index.
        match descending {
            true => query.order(($column.desc(), $id.desc())),
            false => query.order(($column.asc(), $id.asc())),
        }
    }};
}

/// The rows of a query whose columns are one of the keys, of a workspace and an id each: in one statement on PostgreSQL,
/// whose text is the same for any number of them above one.
macro_rules! by_keys {
    ($connection:expr, $keys:expr, $query:expr, ($workspace:expr, $id:expr)) => {
        match $connection {
            $crate::connection::Connection::Postgres(connection) if $keys.len() > 1 => {
                let mut connection: &::diesel_async::AsyncPgConnection = connection;
                let query = $crate::by_keys::ByKeys::new($query, &$keys);
                let rows = ::diesel_async::RunQueryDsl::load($crate::fixed::Fixed(query), &mut connection).await;
                rows.map_err($crate::faults::Fault::from)
            }
            connection => $crate::connection::each_key!(connection, $keys, $query, ($workspace, $id)),
        }
    };
}

/// The same by a query for each key: on PostgreSQL they are sent without waiting for one another, each with the plan
/// of a single row; on SQLite, where a query costs no round trip, they run one after another.
macro_rules! each_key {
    ($connection:expr, $keys:expr, $query:expr, ($workspace:expr, $id:expr)) => {{
        let found: Result<Vec<Vec<_>>, ::diesel::result::Error> = match $connection {
            $crate::connection::Connection::Postgres(connection) => {
                let connection: &::diesel_async::AsyncPgConnection = connection;
                let ask = async |(workspace, id): &($crate::types::DbId, $crate::types::DbId)| {
                    let query = $query.filter($workspace.eq(*workspace)).filter($id.eq(*id));
                    ::diesel_async::RunQueryDsl::load($crate::fixed::Fixed(query), &mut &*connection).await
                };
                ::futures::future::join_all($keys.iter().map(ask)).await.into_iter().collect()
            }
            $crate::connection::Connection::Sqlite(connection) => {
                let ask = |(workspace, id): &($crate::types::DbId, $crate::types::DbId)| {
                    let query = $query.filter($workspace.eq(*workspace)).filter($id.eq(*id));
                    ::diesel::RunQueryDsl::load($crate::fixed::Fixed(query), &mut **connection)
                };
                $keys.iter().map(ask).collect()
            }
        };
        found.map(|rows| rows.into_iter().flatten().collect()).map_err($crate::faults::Fault::from)
    }};
}

/// The rows that have the ids of a key in some columns, all keys in one statement on PostgreSQL: `$query` is of all rows, and
/// `$one` of those with the key `$ids` of the workspace `$ws`, as [`ByKeys::having`](crate::by_keys::ByKeys::having) says the same.
macro_rules! by_columns {
    ($connection:expr, $keys:expr, $query:expr, $names:expr, $rest:expr, |$ws:ident, $ids:ident| $one:expr) => {
        match $connection {
            $crate::connection::Connection::Postgres(connection) if $keys.len() > 1 => {
                let mut connection: &::diesel_async::AsyncPgConnection = connection;
                let query = $crate::by_keys::ByKeys::having($query, $names, &$keys, $rest);
                let rows = ::diesel_async::RunQueryDsl::load($crate::fixed::Fixed(query), &mut connection).await;
                rows.map_err($crate::faults::Fault::from)
            }
            connection => {
                let mut rows = Vec::new();
                let mut ended = Ok(());
                for ($ws, $ids) in $keys {
                    let found: Result<Vec<_>, $crate::faults::Fault> = $crate::connection::load!(connection, $one);
                    match found {
                        Ok(found) => rows.extend(found),
                        Err(fault) => {
                            ended = Err(fault);
                            break;
                        }
                    }
                }
                ended.map(|()| rows)
            }
        }
    };
}

pub(crate) use {
    by_columns, by_keys, each_key, execute, execute_any, execute_free, find, keyset, listed, load, load_any, load_free,
    named, on_each, on_either, ranged, sorted_keyset, total, whole,
};
