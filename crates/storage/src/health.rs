//! What operators want to know of a store.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Text};
use diesel::{ExpressionMethods, SqliteConnection};
use tidings_domain::ports::StoreError;
use tidings_domain::time::Timestamp;

use crate::connection::{Connection, execute};
use crate::error::StorageError;
use crate::fair::SYSTEM;
use crate::faults::Fault;
use crate::fixed::Fixed;
use crate::schema::write_probe;
use crate::sqlite::CACHE_OF_WRITER;
use crate::types::DbTime;
use crate::{Backend, Storage, jobs};

/// The one row that is written to see whether the store takes writes.
const PROBE: &str = "write";

/// The connections to PostgreSQL of one process, or its threads that read SQLite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolStatus {
    /// How many there are.
    pub size: usize,
    /// How many of them do nothing.
    pub idle: usize,
    /// How many tasks wait for one, or for a turn to have one.
    pub waiting: usize,
    /// How many expensive queries run.
    pub searches: usize,
    /// How many expensive queries wait for a place.
    pub waiting_searches: usize,
    /// How many transactions of several change sets were given up since the start, because one of them contradicted.
    pub given_up: u64,
}

#[derive(diesel::QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// 512 rows of 1 KiB, each of which stands in its index, too; no two are alike, and none is so long that it is compressed.
const FILL: &str = "INSERT INTO write_probe (name, written_at) \
                    SELECT repeat(md5(n::text || random()::text), 32), now() FROM generate_series(1, 512) AS n";
/// A row of 512 KiB, which stands in its index, too.
const FILL_FILE: &str = "INSERT INTO write_probe (name, written_at) VALUES (hex(randomblob(262144)), 0)";
/// With so few pages in memory what a transaction writes goes to the disk before its COMMIT.
const SMALL_CACHE: &str = "PRAGMA cache_size = 16;";

/// Always ends with an error: [`Fault::NoRow`] if it was written.
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
    // A full disk may have ended the transaction already.
    let _ = connection.batch_execute("ROLLBACK");
    connection.batch_execute(CACHE_OF_WRITER)?;
    Ok(written?)
}

impl Storage {
    /// The connections or reading threads, and what waits for them.
    pub fn pool_status(&self) -> PoolStatus {
        let ((size, idle, waiting), given_up) = match &self.backend {
            Backend::Postgres(postgres) => (postgres.pool_status(), postgres.given_up()),
            Backend::Sqlite(sqlite) => (sqlite.status(), 0),
        };
        let (searches, waiting_searches) = self.expensive.status();
        PoolStatus { size, idle, waiting, searches, waiting_searches, given_up }
    }

    /// Writes a row of its own and commits it: whether the store takes writes now. It goes by the connections that
    /// nothing but engines takes, so that a crowd of requests does not count as a store that takes none.
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

    /// Whether a commit failed within this time because the disk is full or broken, or takes no writes.
    pub fn failed_on_disk(&self, within: Duration) -> bool {
        self.backend.disk().is_within(within)
    }

    /// Waits until a commit fails because of the disk.
    pub async fn next_disk_failure(&self) {
        self.backend.disk().next().await;
    }

    /// Writes 1 MiB, as much as a commit may have, to the disk and takes it back: whether there is room for commits. If there
    /// is, the failures before are forgotten.
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
            // So the transaction was rolled back on purpose.
            Ok(()) | Err(Fault::NoRow) => {
                self.backend.disk().forget_before(began);
                Ok(())
            }
            Err(fault) => Err(fault.into_store_error()),
        }
    }

    /// The other machine to which connections go without TLS, where they do; sockets and loopback are this one.
    pub async fn plaintext_host(&self) -> Option<String> {
        match &self.backend {
            Backend::Postgres(postgres) => postgres.target().plaintext_host().await,
            Backend::Sqlite(_) => None,
        }
    }

    /// Whether a pooler gives sessions of PostgreSQL to others between transactions, as PgBouncer does with
    /// `pool_mode = transaction`. Then nothing that belongs to a session holds: prepared statements, its settings, the
    /// lock that keeps two migrations apart.
    ///
    /// # Errors
    /// [`StorageError::Open`].
    pub async fn shares_sessions(&self) -> Result<bool, StorageError> {
        match &self.backend {
            Backend::Postgres(postgres) => postgres.target().shares_sessions().await.map_err(StorageError::Open),
            Backend::Sqlite(_) => Ok(false),
        }
    }

    /// The database's clock; SQLite has `here`'s.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn clock(&self, here: Timestamp) -> Result<Timestamp, StoreError> {
        self.read(SYSTEM, move |mut c| Box::pin(async move { jobs::database_now(&mut c, here).await })).await
    }

    /// How many processes whose application name begins so have a connection to the database now; a
    /// SQLite file has the one.
    ///
    /// A pooler between here and PostgreSQL may hide names: then there are fewer.
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
                let query = Fixed(query.bind::<Text, _>(pattern));
                let count: Count =
                    diesel_async::RunQueryDsl::get_result(query, &mut connection).await.map_err(Fault::from)?;
                Ok(u32::try_from(count.count).unwrap_or(u32::MAX))
            })
        })
        .await
    }
}
