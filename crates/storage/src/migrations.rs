//! Migrations: two trees of the same names, compiled in; forward only.

mod beside;

use std::collections::HashSet;
use std::time::Duration;

use diesel::migration::{Migration, MigrationSource};
use diesel_async::{AsyncMigrationHarness, AsyncPgConnection, SimpleAsyncConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use tidings_domain::ports::StoreError;
use tokio::time::{Instant, sleep};

use crate::connection::Connection;
use crate::error::StorageError;
use crate::faults::Fault;
use crate::postgres::Target;
use crate::{Backend, Storage, folding, references};

const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");
const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
/// A migration may take longer than any request.
const UNHURRIED: &str = "SET statement_timeout = 0; SET lock_timeout = '10min'";
/// So that two instances that start at once do not migrate at once. The second asks again and again: a statement that
/// waits would itself be waited for by an index that is made beside the old ones.
const LOCK: &str = "SELECT pg_try_advisory_lock(7406293487)::text AS value";
const ASK_AGAIN: Duration = Duration::from_millis(100);
/// How long it waits for the first.
const PATIENCE: Duration = Duration::from_secs(600);

impl Storage {
    /// Brings the schema and what is derived from the data up to date and returns how many migrations
    /// were applied.
    ///
    /// # Errors
    /// [`StorageError::Migration`]; migrations before the failing one stay applied.
    pub async fn migrate(&self) -> Result<usize, StorageError> {
        let applied = self.apply_migrations().await?;
        let portion = || self.transact(|mut c| Box::pin(async move { folding::catch_up(&mut c).await }));
        while portion().await.map_err(broken)? {}
        if applied > 0 {
            let portion = || self.transact(|mut c| Box::pin(async move { references::note_published(&mut c).await }));
            while portion().await.map_err(broken)? > 0 {}
        }
        Ok(applied)
    }

    async fn apply_migrations(&self) -> Result<usize, StorageError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let applied = sqlite.with_connection(|connection| {
                    let applied = connection.run_pending_migrations(SQLITE).map(|applied| applied.len());
                    Ok(applied.map_err(|error| StorageError::Migration(error.to_string())))
                });
                applied.await.map_err(broken)?
            }
            // Whoever may only read and write rows finds that there is nothing to apply.
            Backend::Postgres(_) => match self.pending_migrations().await? {
                0 => Ok(0),
                pending => {
                    let applied = self.with_connection(|c| async move { Ok(apply_pending(c).await) }).await?;
                    applied.map_err(|why| refused(pending, why))
                }
            },
        }
    }

    /// How many migrations are still to be applied.
    ///
    /// # Errors
    /// [`StorageError`] where the database cannot be asked.
    pub async fn pending_migrations(&self) -> Result<usize, StorageError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let pending = sqlite.with_connection(|connection| {
                    let pending = connection.pending_migrations(SQLITE).map(|pending| pending.len());
                    Ok(pending.map_err(|error| StorageError::Migration(error.to_string())))
                });
                pending.await.map_err(broken)?
            }
            Backend::Postgres(_) => {
                let applied = self.applied().await.map_err(|error| match error.to_string() {
                    why if lacks_right(&why) => StorageError::Rights(why),
                    why => StorageError::Open(why),
                })?;
                let known = MigrationSource::<diesel::pg::Pg>::migrations(&POSTGRES);
                let known = known.map_err(|error| StorageError::Migration(error.to_string()))?;
                Ok(known.iter().filter(|it| !applied.contains(&it.name().version().to_string())).count())
            }
        }
    }

    /// The versions that were applied to PostgreSQL: a look that needs no right but to read.
    async fn applied(&self) -> Result<HashSet<String>, StoreError> {
        let there = "SELECT to_regclass('__diesel_schema_migrations')::text AS value";
        if self.values(there).await?.is_empty() {
            return Ok(HashSet::new());
        }
        Ok(self.values("SELECT version::text AS value FROM __diesel_schema_migrations").await?.into_iter().collect())
    }

    /// Whether the role of the address may make tables, as migrations do.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn may_migrate(&self) -> Result<bool, StoreError> {
        let Backend::Postgres(_) = &self.backend else { return Ok(true) };
        let may = "SELECT has_schema_privilege(current_schema(), 'CREATE')::text AS value";
        Ok(self.values(may).await?.iter().any(|it| it == "true"))
    }

    /// What a query finds on PostgreSQL in its column `value`, without nulls.
    async fn values(&self, query: &'static str) -> Result<Vec<String>, StoreError> {
        let found = self.read(move |c| {
            Box::pin(async move {
                let Connection::Postgres(mut connection) = c else { return Ok(Vec::new()) };
                Ok(diesel_async::RunQueryDsl::load::<Value>(diesel::sql_query(query), &mut connection).await?)
            })
        });
        Ok(found.await?.into_iter().filter_map(|row| row.value).collect())
    }

    /// As [`Self::with_connection`], for the harness of a test.
    #[cfg(test)]
    async fn with_harness<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut AsyncMigrationHarness<AsyncPgConnection>) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, StorageError> {
        self.with_connection(|c| async move { work(&mut AsyncMigrationHarness::new(c)) }).await
    }

    /// Runs work on a connection that no other instance migrates beside. The harness blocks, so it runs on a thread with
    /// a runtime of its own.
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
        answered.await.map_err(|_| StorageError::Migration("the migration did not survive".to_owned()))?
    }
}

async fn lock(connection: &mut AsyncPgConnection) -> Result<(), String> {
    connection.batch_execute(UNHURRIED).await.map_err(|error| error.to_string())?;
    let begun = Instant::now();
    loop {
        let asked = diesel_async::RunQueryDsl::get_result::<Value>(diesel::sql_query(LOCK), connection).await;
        match asked.map_err(|error| error.to_string())?.value.as_deref() {
            Some("true") => return Ok(()),
            _ if begun.elapsed() > PATIENCE => return Err("another instance migrates and does not end".to_owned()),
            _ => sleep(ASK_AGAIN).await,
        }
    }
}

/// Applies what is pending, one migration after another; how many.
async fn apply_pending(mut connection: AsyncPgConnection) -> Result<usize, String> {
    let known = MigrationSource::<diesel::pg::Pg>::migrations(&POSTGRES).map_err(|error| error.to_string())?.len();
    let (mut applied, mut is_new) = (0, false);
    loop {
        let mut harness = AsyncMigrationHarness::new(connection);
        let pending = harness.pending_migrations(POSTGRES).map_err(|error| error.to_string())?;
        is_new |= pending.len() == known;
        let Some(next) = pending.first() else { return Ok(applied) };
        if next.metadata().run_in_transaction() {
            harness.run_migration(&**next).map_err(|error| error.to_string())?;
            connection = harness.into_inner();
        } else {
            connection = harness.into_inner();
            beside::apply(&mut connection, &next.name().version().to_string(), is_new).await?;
        }
        applied += 1;
    }
}

#[derive(diesel::QueryableByName)]
struct Value {
    #[diesel(sql_type = diesel::sql_types::Nullable<diesel::sql_types::Text>)]
    value: Option<String>,
}

/// Why migrations were not applied.
fn refused(pending: usize, why: String) -> StorageError {
    if lacks_right(&why) { StorageError::MayNotMigrate(pending) } else { StorageError::Migration(why) }
}

/// Diesel has no kind of its own for PostgreSQL's 42501.
fn lacks_right(why: &str) -> bool {
    ["permission denied", "must be owner"].iter().any(|sign| why.contains(sign))
}

fn broken(fault: Fault) -> StorageError {
    StorageError::Migration(fault.into_store_error().to_string())
}

/// The names of both trees, in order: they must be the same.
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
mod tests;
