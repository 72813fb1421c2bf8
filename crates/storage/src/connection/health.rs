//! The health of a store, for operators.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Text};
use diesel::{ExpressionMethods, SqliteConnection};
use tidings_domain::ports::StoreError;
use tidings_domain::time::Timestamp;

use crate::connection::error::StorageError;
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::DbTime;
use crate::schema::write_probe;
use crate::sqlite::CACHE_OF_WRITER;
use crate::{Backend, Storage, jobs};

/// The row that is written to test whether the store accepts writes.
const PROBE: &str = "write";

/// The state of a process's PostgreSQL connections or SQLite reader threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolStatus {
    /// Total number.
    pub size: usize,
    /// Number of idle ones.
    pub idle: usize,
    /// Number of tasks that wait for one.
    pub waiting: usize,
    /// Number of running expensive queries.
    pub searches: usize,
    /// Number of waiting expensive queries.
    pub waiting_searches: usize,
    /// Number of combined transactions that were rolled back since the start because one change set conflicted.
    pub given_up: u64,
}

#[derive(diesel::QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// Inserts 512 rows of 1 KiB, also stored in the index. All differ, and none is long enough to be compressed.
const FILL: &str = "INSERT INTO write_probe (name, written_at) \
                    SELECT repeat(md5(n::text || random()::text), 32), now() FROM generate_series(1, 512) AS n";
/// Inserts a row of 512 KiB, also stored in the index.
const FILL_FILE: &str = "INSERT INTO write_probe (name, written_at) VALUES (hex(randomblob(262144)), 0)";
/// With so few cached pages, SQLite writes data to the disk before COMMIT.
const SMALL_CACHE: &str = "PRAGMA cache_size = 16;";

/// Writes rows and always returns an error, to roll back: [`Fault::NoRow`] on success.
async fn fill_and_roll_back(c: Connection<'_>) -> Result<(), Fault> {
    if let Connection::Postgres(mut connection) = c {
        diesel_async::RunQueryDsl::execute(diesel::sql_query(FILL), &mut connection).await?;
    }
    Err(Fault::NoRow)
}

fn fill_file(connection: &mut SqliteConnection) -> Result<(), Fault> {
    let written = connection
        .batch_execute(SMALL_CACHE)
        .and_then(|()| connection.batch_execute("BEGIN IMMEDIATE"))
        .and_then(|()| connection.batch_execute(FILL_FILE));
    // SQLite may have rolled back the transaction if the disk is full.
    let _ = connection.batch_execute("ROLLBACK");
    connection.batch_execute(CACHE_OF_WRITER)?;
    Ok(written?)
}

impl Storage {
    /// Returns the state of the connections or reader threads.
    pub fn pool_status(&self) -> PoolStatus {
        let ((size, idle, waiting), given_up) = match &self.backend {
            Backend::Postgres(postgres) => (postgres.pool_status(), postgres.given_up()),
            Backend::Sqlite(sqlite) => (sqlite.status(), 0),
        };
        let (searches, waiting_searches) = self.expensive.status();
        PoolStatus { size, idle, waiting, searches, waiting_searches, given_up }
    }

    /// Writes and commits a test row, to check that the store accepts writes. It uses the engine's connections: a crowd
    /// of requests must not look like a failing store.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn probe_write(&self, now: Timestamp) -> Result<(), StoreError> {
        let written = self.engine.write(move |mut c| {
            Box::pin(async move {
                let at = write_probe::written_at.eq(DbTime(now));
                let row = diesel::insert_into(write_probe::table).values((write_probe::name.eq(PROBE), at));
                execute!(&mut c, row.on_conflict(write_probe::name).do_update().set(at))
            })
        });
        written.await.map(drop).map_err(Fault::into_store_error)
    }

    /// Returns true if a commit failed within this time because the disk is full, broken or read-only.
    pub fn failed_on_disk(&self, within: Duration) -> bool {
        self.backend.disk().is_within(within)
    }

    /// Waits until a commit fails because of the disk.
    pub async fn next_disk_failure(&self) {
        self.backend.disk().next().await;
    }

    /// Writes 1 MiB, the maximum of a commit, to the disk and rolls back, to check for free space. On success, forgets
    /// earlier failures.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn probe_room(&self) -> Result<(), StoreError> {
        let began = Instant::now();
        let written = match &self.engine {
            Backend::Postgres(_) => self.engine.transact(|c| Box::pin(fill_and_roll_back(c))).await,
            Backend::Sqlite(sqlite) => sqlite.with_connection(fill_file).await,
        };
        match written {
            // The expected result of the rollback.
            Ok(()) | Err(Fault::NoRow) => {
                self.backend.disk().forget_before(began);
                Ok(())
            }
            Err(fault) => Err(fault.into_store_error()),
        }
    }

    /// Returns the remote host of connections without TLS, if any. Sockets and loopback addresses are local.
    pub async fn plaintext_host(&self) -> Option<String> {
        match &self.backend {
            Backend::Postgres(postgres) => postgres.target().plaintext_host().await,
            Backend::Sqlite(_) => None,
        }
    }

    /// Returns true if a pooler shares PostgreSQL sessions between clients, as PgBouncer does with `pool_mode =
    /// transaction`. Session state is then unreliable: prepared statements, settings and the lock against concurrent
    /// migrations.
    ///
    /// # Errors
    /// [`StorageError::Open`].
    pub async fn shares_sessions(&self) -> Result<bool, StorageError> {
        match &self.backend {
            Backend::Postgres(postgres) => postgres.target().shares_sessions().await.map_err(StorageError::Open),
            Backend::Sqlite(_) => Ok(false),
        }
    }

    /// Returns the time of the database's clock. On SQLite, returns `here`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn clock(&self, here: Timestamp) -> Result<Timestamp, StoreError> {
        self.read(SYSTEM, move |mut c| Box::pin(async move { jobs::database_now(&mut c, here).await })).await
    }

    /// Returns the number of connected processes with an application name that starts with `prefix`. For SQLite this is
    /// 1.
    ///
    /// A pooler can hide names and lower the result.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn processes(&self, prefix: &str) -> Result<u32, StoreError> {
        let pattern = format!("{prefix}%");
        self.read(SYSTEM, move |c| {
            Box::pin(async move {
                let Connection::Postgres(mut connection) = c else { return Ok(1) };
                let query = diesel::sql_query(
                    "SELECT count(DISTINCT application_name) FROM pg_stat_activity \
                     WHERE datname = current_database() AND application_name LIKE $1",
                );
                let query = PreparedQuery(query.bind::<Text, _>(pattern));
                let count: Count =
                    diesel_async::RunQueryDsl::get_result(query, &mut connection).await.map_err(Fault::from)?;
                Ok(u32::try_from(count.count).unwrap_or(u32::MAX))
            })
        })
        .await
    }
}
