//! What operators want to know of a store.

use diesel::ExpressionMethods;
use diesel::sql_types::{BigInt, Text};
use tidings_domain::ports::StoreError;
use tidings_domain::time::Timestamp;

use crate::connection::{Connection, execute};
use crate::error::StorageError;
use crate::fair::SYSTEM;
use crate::faults::Fault;
use crate::fixed::Fixed;
use crate::schema::write_probe;
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
