//! Migrations: two trees of the same names, compiled in; forward only.

use diesel::migration::{Migration, MigrationSource};
use diesel_async::{AsyncMigrationHarness, AsyncPgConnection, SimpleAsyncConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::error::StorageError;
use crate::faults::Fault;
use crate::{Backend, Storage, folding, references};

const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");
const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
/// So that two instances that start at once do not migrate at once. A migration may take longer than any request,
/// and so may the wait for another instance's.
const LOCK: &str = "SET statement_timeout = 0; SET lock_timeout = '10min'; SELECT pg_advisory_lock(7406293487)";

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
            Backend::Postgres(_) => {
                self.with_harness(|harness| {
                    let applied = harness.run_pending_migrations(POSTGRES).map(|applied| applied.len());
                    applied.map_err(|error| StorageError::Migration(error.to_string()))
                })
                .await
            }
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
                self.with_harness(|harness| {
                    let pending = harness.pending_migrations(POSTGRES).map(|pending| pending.len());
                    pending.map_err(|error| StorageError::Migration(error.to_string()))
                })
                .await
            }
        }
    }

    /// The harness blocks, so it runs on a thread with a runtime of its own.
    async fn with_harness<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut AsyncMigrationHarness<AsyncPgConnection>) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, StorageError> {
        let Backend::Postgres(_) = &self.backend else { return Err(StorageError::Address) };
        let url = self.url.clone();
        let (answer, answered) = tokio::sync::oneshot::channel();
        let run = move || -> Result<T, StorageError> {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
            let runtime = runtime.map_err(|error| StorageError::Migration(error.to_string()))?;
            runtime.block_on(async {
                let mut connection =
                    crate::postgres::connect(&url).await.map_err(|error| StorageError::Open(error.to_string()))?;
                connection.batch_execute(LOCK).await.map_err(|error| StorageError::Migration(error.to_string()))?;
                work(&mut AsyncMigrationHarness::new(connection))
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
