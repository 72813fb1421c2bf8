//! Embedded migrations: two trees with the same names, forward only.

pub(crate) mod baseline;
mod concurrent_indexes;
mod header;
mod of_sqlite;
mod plan;
pub(crate) mod texts;

use std::collections::HashSet;
use std::time::Duration;

use diesel::migration::{Migration, MigrationSource};
use diesel_async::{AsyncMigrationHarness, AsyncPgConnection, SimpleAsyncConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use tidings_domain::ports::StoreError;
use tokio::time::{Instant, sleep};

use crate::connection::error::StorageError;
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::load;
use crate::postgres::Target;
use crate::queries::sort_keys;
use crate::{Backend, Storage, StorageSettings, sqlite};
pub use header::{Effect, TableLock, Writers};
pub use plan::{MigrationPlan, PlannedMigration, PlannedStep};
use texts::Tree;

const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");
const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
/// A migration may take longer than any request.
const UNHURRIED: &str = "SET statement_timeout = 0";
/// Ends a statement soon after its client died. Otherwise, the next migration would wait for it. Not every system can
/// detect a lost client.
const ENDS_WITH_CLIENT: &str = "SET client_connection_check_interval = '1s'";
/// Prevents two instances from migrating at once. The second one retries: a waiting statement would block the
/// concurrent creation of an index.
const LOCK: &str = "SELECT pg_try_advisory_lock(7406293487)::text AS value";
const ASK_AGAIN: Duration = Duration::from_millis(100);
/// Maximum wait for the first instance.
const PATIENCE: Duration = Duration::from_secs(600);

/// Returns what [`Storage::migrate`] would do, without changes.
///
/// # Errors
/// [`StorageError`] if the database cannot be queried.
pub async fn plan_migrations(settings: &StorageSettings) -> Result<MigrationPlan, StorageError> {
    let Some(path) = settings.sqlite_path() else { return Storage::open(settings).await?.postgres_plan().await };
    let applied = sqlite::applied(&path)?.into_iter().collect();
    Ok(MigrationPlan::of_sqlite(&baseline::pending(&texts::SQLITE, &applied)?))
}

const APPLIED_ON_POSTGRES: &str = "SELECT to_regclass('__diesel_schema_migrations')::text AS value";
const APPLIED_ON_SQLITE: &str = "SELECT name AS value FROM sqlite_master WHERE name = '__diesel_schema_migrations'";
const STEPS_ARE_THERE: &str = "SELECT to_regclass('__migration_steps')::text AS value";
/// Tests whether the role may create tables, as migrations do.
const MAY_CREATE: &str = "SELECT has_schema_privilege(current_schema(), 'CREATE')::text AS value";
/// Tests whether the role may record migrations as applied.
const MAY_RECORD: &str = "SELECT has_table_privilege('__diesel_schema_migrations', 'INSERT')::text AS value";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// All except those that remove structures of the previous release.
    BeforeRollout,
    All,
}

impl Reach {
    fn includes(self, name: &str) -> bool {
        self == Self::All || !texts::is_after_rollout(name)
    }
}

impl Storage {
    /// Migrates the schema and derived data. Returns the number of applied migrations.
    ///
    /// # Errors
    /// [`StorageError::Migration`]; earlier migrations stay applied.
    pub async fn migrate(&self) -> Result<usize, StorageError> {
        self.migrate_up_to(Reach::All).await
    }

    /// Like [`Self::migrate`], without migrations that remove structures of the previous release. A later call applies
    /// them. A new database gets all migrations.
    ///
    /// # Errors
    /// See [`Self::migrate`].
    pub async fn migrate_before_rollout(&self) -> Result<usize, StorageError> {
        self.migrate_up_to(Reach::BeforeRollout).await
    }

    async fn migrate_up_to(&self, reach: Reach) -> Result<usize, StorageError> {
        let applied = self.apply_migrations(reach).await?;
        // If all names have sort keys, as in a new database, lists use them immediately.
        self.transact(|mut c| Box::pin(async move { sort_keys::fill(&mut c, 1).await })).await.map_err(broken)?;
        Ok(applied)
    }

    async fn apply_migrations(&self, reach: Reach) -> Result<usize, StorageError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let applied = sqlite.with_connection(|connection| Ok(of_sqlite::apply(connection, &texts::SQLITE)));
                applied.await.map_err(broken)?
            }
            Backend::Postgres(_) => {
                let applied = self.applied().await?;
                let pending = baseline::pending(&texts::POSTGRES, &applied)?;
                let pending = pending.into_iter().filter(|name| reach.includes(name)).count();
                // A role that may only read and write rows must not try to record migrations.
                let is_unrecorded = baseline::is_unrecorded(&applied);
                if pending == 0 && (!is_unrecorded || !self.is_true(MAY_RECORD).await?) {
                    return Ok(0);
                }
                let work = move |c| async move { Ok(apply_pending(c, reach, &texts::POSTGRES).await) };
                match self.with_connection(work).await? {
                    Err(StorageError::Migration(why)) => Err(not_applied(pending, why)),
                    applied => applied,
                }
            }
        }
    }

    /// Returns the number of pending migrations.
    ///
    /// # Errors
    /// [`StorageError`] if the database cannot be queried.
    pub async fn pending_migrations(&self) -> Result<usize, StorageError> {
        Ok(self.pending().await?.len())
    }

    /// Returns the number of pending migrations that this program requires.
    ///
    /// # Errors
    /// [`StorageError`] if the database cannot be queried.
    pub async fn missing_migrations(&self) -> Result<usize, StorageError> {
        Ok(self.pending().await?.into_iter().filter(|name| !texts::is_after_rollout(name)).count())
    }

    async fn postgres_plan(&self) -> Result<MigrationPlan, StorageError> {
        let steps = "SELECT version || '/' || step AS value FROM __migration_steps";
        let mut done = HashSet::new();
        if !self.values(STEPS_ARE_THERE).await.map_err(unread)?.is_empty() {
            done.extend(self.values(steps).await.map_err(unread)?);
        }
        let is_done = |name: &str, step: usize| done.contains(&format!("{}/{step}", texts::version(name)));
        Ok(MigrationPlan::of_postgres(&self.pending().await?, is_done))
    }

    async fn pending(&self) -> Result<Vec<&'static str>, StorageError> {
        let tree = match &self.backend {
            Backend::Sqlite(_) => &texts::SQLITE,
            Backend::Postgres(_) => &texts::POSTGRES,
        };
        baseline::pending(tree, &self.applied().await?)
    }

    /// Returns the versions of applied migrations. The query only needs the right to read.
    async fn applied(&self) -> Result<HashSet<String>, StorageError> {
        let there = match &self.backend {
            Backend::Sqlite(_) => APPLIED_ON_SQLITE,
            Backend::Postgres(_) => APPLIED_ON_POSTGRES,
        };
        let mut applied = HashSet::new();
        if !self.values(there).await.map_err(unread)?.is_empty() {
            let versions = "SELECT CAST(version AS text) AS value FROM __diesel_schema_migrations";
            applied.extend(self.values(versions).await.map_err(unread)?);
        }
        Ok(applied)
    }

    /// Returns true if the database role may create tables, as migrations do.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn may_migrate(&self) -> Result<bool, StoreError> {
        match &self.backend {
            Backend::Sqlite(_) => Ok(true),
            Backend::Postgres(_) => Ok(self.values(MAY_CREATE).await?.iter().any(|it| it == "true")),
        }
    }

    async fn is_true(&self, query: &'static str) -> Result<bool, StorageError> {
        Ok(self.values(query).await.map_err(unread)?.iter().any(|it| it == "true"))
    }

    async fn values(&self, query: &'static str) -> Result<Vec<String>, StoreError> {
        let found =
            self.read(SYSTEM, move |mut c| Box::pin(async move { load!(uncached, &mut c, diesel::sql_query(query)) }));
        let found: Vec<Value> = found.await?;
        Ok(found.into_iter().filter_map(|row| row.value).collect())
    }

    /// Runs work on a connection while no other instance migrates. The harness blocks and therefore runs on a thread
    /// with its own runtime.
    async fn with_connection<T: Send + 'static, F: Future<Output = Result<T, StorageError>>>(
        &self,
        work: impl FnOnce(AsyncPgConnection) -> F + Send + 'static,
    ) -> Result<T, StorageError> {
        let Backend::Postgres(_) = &self.backend else { return Err(StorageError::Address) };
        let url = self.url.clone();
        let (answer, answered) = tokio::sync::oneshot::channel();
        let run = move || -> Result<T, StorageError> {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
            let runtime = runtime.map_err(|error| StorageError::Migration(error.to_string()))?;
            runtime.block_on(async {
                let connection = Target::parse(&url)?.connect().await;
                let mut connection = connection.map_err(|error| StorageError::Open(error.to_string()))?;
                lock(&mut connection).await.map_err(StorageError::Migration)?;
                work(connection).await
            })
        };
        std::thread::Builder::new()
            .name("migrations".to_owned())
            .spawn(move || {
                let _ = answer.send(run());
            })
            .map_err(|error| StorageError::Migration(error.to_string()))?;
        answered.await.map_err(|_| StorageError::Migration("the migration panicked".to_owned()))?
    }
}

async fn lock(connection: &mut AsyncPgConnection) -> Result<(), String> {
    connection.batch_execute(UNHURRIED).await.map_err(|error| error.to_string())?;
    let _ = connection.batch_execute(ENDS_WITH_CLIENT).await;
    let begun = Instant::now();
    loop {
        let asked = diesel_async::RunQueryDsl::get_result::<Value>(diesel::sql_query(LOCK), connection).await;
        match asked.map_err(|error| error.to_string())?.value.as_deref() {
            Some("true") => return Ok(()),
            _ if begun.elapsed() > PATIENCE => return Err("another instance is still applying migrations".to_owned()),
            _ => sleep(ASK_AGAIN).await,
        }
    }
}

/// Applies the pending migrations of a tree in order. Returns their number.
async fn apply_pending(mut connection: AsyncPgConnection, reach: Reach, tree: &Tree) -> Result<usize, StorageError> {
    let mut migrations = MigrationSource::<diesel::pg::Pg>::migrations(&POSTGRES).map_err(failed)?;
    let (mut applied, mut is_new) = (0, false);
    loop {
        let mut harness = AsyncMigrationHarness::new(connection);
        let done: HashSet<String> =
            harness.applied_migrations().map_err(failed)?.iter().map(ToString::to_string).collect();
        is_new |= done.is_empty();
        let pending = baseline::pending(tree, &done)?;
        let Some(next) = pending.into_iter().find(|name| is_new || reach.includes(name)) else {
            if baseline::is_unrecorded(&done) {
                harness.into_inner().batch_execute(&baseline::record(baseline::NAME)).await.map_err(failed)?;
            }
            return Ok(applied);
        };
        let migration = migrations.iter().position(|it| it.name().to_string() == next);
        connection = match migration.map(|place| migrations.swap_remove(place)) {
            Some(migration) if !is_new && migration.metadata().run_in_transaction() => {
                in_transaction(harness, &*migration).await.map_err(StorageError::Migration)?
            }
            Some(_) | None => {
                let text = baseline::text_of(tree, next).ok_or_else(|| failed(format!("{next} has no SQL")))?;
                let mut connection = harness.into_inner();
                let apply = concurrent_indexes::apply(&mut connection, next, text, is_new);
                apply.await.map_err(StorageError::Migration)?;
                connection
            }
        };
        applied += 1;
    }
}

fn failed(error: impl ToString) -> StorageError {
    StorageError::Migration(error.to_string())
}

/// Applies a migration in one transaction. If another transaction's lock is in the way, it retries after a pause,
/// because new transactions wait behind a waiting migration.
async fn in_transaction(
    mut harness: AsyncMigrationHarness<AsyncPgConnection>,
    migration: &dyn Migration<diesel::pg::Pg>,
) -> Result<AsyncPgConnection, String> {
    let begun = Instant::now();
    loop {
        let mut connection = harness.into_inner();
        connection.batch_execute(concurrent_indexes::ALONE).await.map_err(|error| error.to_string())?;
        harness = AsyncMigrationHarness::new(connection);
        let outcome = harness.run_migration(migration).map(|_| ()).map_err(|error| error.to_string());
        match outcome {
            Ok(()) => return Ok(harness.into_inner()),
            Err(why) if concurrent_indexes::is_in_the_way(&why) && begun.elapsed() < concurrent_indexes::PATIENCE => {
                sleep(concurrent_indexes::PAUSE).await
            }
            Err(why) => return Err(why),
        }
    }
}

#[derive(diesel::QueryableByName)]
struct Value {
    #[diesel(sql_type = diesel::sql_types::Nullable<diesel::sql_types::Text>)]
    value: Option<String>,
}

fn not_applied(pending: usize, why: String) -> StorageError {
    if lacks_right(&why) { StorageError::MayNotMigrate(pending) } else { StorageError::Migration(why) }
}

/// Returns true if a right is missing. Diesel has no error kind for PostgreSQL's 42501.
fn lacks_right(why: &str) -> bool {
    ["permission denied", "must be owner"].iter().any(|sign| why.contains(sign))
}

fn unread(error: StoreError) -> StorageError {
    match error.to_string() {
        why if lacks_right(&why) => StorageError::Rights(why),
        why => StorageError::Open(why),
    }
}

fn broken(fault: Fault) -> StorageError {
    StorageError::Migration(fault.into_store_error().to_string())
}

/// Returns the names of both trees in order. They must be the same.
pub fn migration_names() -> (Vec<String>, Vec<String>) {
    fn names<DB: diesel::backend::Backend>(source: &impl MigrationSource<DB>) -> Vec<String> {
        let migrations: Vec<Box<dyn Migration<DB>>> = source.migrations().unwrap_or_default();
        let mut names: Vec<String> = migrations.iter().map(|migration| migration.name().to_string()).collect();
        names.sort();
        names
    }
    (names::<diesel::pg::Pg>(&POSTGRES), names::<diesel::sqlite::Sqlite>(&SQLITE))
}

#[cfg(test)]
mod both_ways;
#[cfg(test)]
mod locks;
#[cfg(test)]
mod tests;
