//! The query that locks a row.

/// The strength of a row lock. SQLite has one writer at a time and needs no row locks.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum RowLock {
    /// No other transaction may change the row.
    Shared,
    /// This change set is going to change the row. Other transactions can still refer to its key.
    Exclusive,
}

/// Locks the row that a query finds, and returns its version or another column.
macro_rules! locked_version {
    ($connection:expr, $hold:expr, $version:expr, $query:expr) => {
        match &mut *$connection {
            $crate::connection::Connection::Postgres(connection) => {
                let mut connection: &diesel_async::AsyncPgConnection = connection;
                let query = $query.select($version);
                match $hold {
                    $crate::write::locked_version::RowLock::Shared => {
                        diesel_async::RunQueryDsl::get_result(query.for_share(), &mut connection).await
                    }
                    $crate::write::locked_version::RowLock::Exclusive => {
                        diesel_async::RunQueryDsl::get_result(query.for_no_key_update(), &mut connection).await
                    }
                }
            }
            $crate::connection::Connection::Sqlite(connection) => {
                diesel::RunQueryDsl::get_result($query.select($version), &mut **connection)
            }
        }
        .map_err($crate::connection::faults::Fault::from)
    };
}

pub(super) use locked_version;
