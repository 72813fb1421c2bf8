//! The SQLite backend: synchronous Diesel on dedicated threads, several readers and one writer.

mod copies;
mod inspection;
pub(crate) mod monotonic_clock;
mod open;
mod readers;
mod writer;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use futures::future::BoxFuture;
use scopeguard::defer;
use tidings_domain::ports::{Change, ChangeSet, ErasureChange, StoreError};

use crate::broadcasts::staging::{PORTION, Staging};
use crate::connection::Connection;
use crate::connection::disk_faults::DiskFaults;
use crate::connection::error::StorageError;
use crate::connection::faults::Fault;
use crate::queries::types::DbId;
use crate::write::commit_result::CommitResult;

pub use copies::{Sealed, SqliteCopy, copy_sqlite, inspect_sqlite};
pub(crate) use inspection::applied;
#[cfg(test)]
pub(crate) use open::connect_beside;
pub(crate) use open::{CACHE_OF_WRITER, SqliteSettings};
pub(crate) use readers::Turn;

/// Time limit of the query that selects the audience of a broadcast. No client waits for it.
const FREEZING: Duration = Duration::from_secs(240);

#[derive(Clone)]
pub(crate) struct Sqlite {
    readers: readers::Readers,
    writer: writer::Writer,
    /// The broadcasts with an audience that is being frozen.
    staging: Arc<Mutex<HashSet<(DbId, DbId)>>>,
    pub(crate) disk: DiskFaults,
}

impl Sqlite {
    /// Opens the file, or creates it.
    pub(crate) fn open(settings: &SqliteSettings) -> Result<Self, StorageError> {
        if !tidings_sqlite_interrupt::install() {
            return Err(StorageError::Open("SQLite rejects the handler that interrupts queries".to_owned()));
        }
        let writer = writer::Writer::start(open::connect(settings)?, settings.batch_time)?;
        let readers = readers::Readers::start(settings)?;
        Ok(Self { readers, writer, staging: Arc::default(), disk: DiskFaults::default() })
    }

    /// Runs queries on a reader thread.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        turn: Turn,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.readers.run(turn, query).await
    }

    /// Runs queries on a reader thread as of one instant.
    pub(crate) async fn read_as_one<T: Send + 'static>(
        &self,
        turn: Turn,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.readers.run_as_one(turn, query).await
    }

    pub(crate) fn status(&self) -> (usize, usize, usize) {
        self.readers.status()
    }

    /// Commits a change set, combined with other waiting ones.
    pub(crate) async fn commit(&self, set: ChangeSet) -> CommitResult {
        for staging in Staging::of(&set) {
            if let Err(fault) = self.stage(staging).await {
                return CommitResult::with(Err(fault), set);
            }
        }
        let ends_erasure = set.changes.iter().any(|it| matches!(it, Change::Erasure(ErasureChange::End { .. })));
        let returned = self.writer.commit(set).await;
        if ends_erasure && returned.outcome.is_ok() {
            self.empty_log().await;
        }
        returned
    }

    /// Writes the recipients of a broadcast in batches between other commits.
    async fn stage(&self, staging: Staging) -> Result<(), Fault> {
        let key = staging.key();
        if !self.staging.lock().unwrap_or_else(PoisonError::into_inner).insert(key) {
            return Err(StoreError::Unavailable("the audience of the broadcast is being frozen".to_owned()).into());
        }
        defer! { self.staging.lock().unwrap_or_else(PoisonError::into_inner).remove(&key); }
        let staging = Arc::new(staging);
        let choosing = Arc::clone(&staging);
        let turn = Turn::long(key.0, FREEZING);
        let chosen = self.read(turn, move |mut c| Box::pin(async move { choosing.choose(&mut c) })).await?;
        loop {
            let staging = Arc::clone(&staging);
            let removed = self.transact(move |mut c| Box::pin(async move { staging.clear(&mut c).await })).await?;
            if removed < PORTION {
                break;
            }
        }
        for portion in chosen.chunks(PORTION) {
            let (staging, portion) = (Arc::clone(&staging), portion.to_vec());
            self.transact(move |mut c| Box::pin(async move { staging.write(&mut c, &portion).await })).await?;
        }
        Ok(())
    }

    /// Truncates the write-ahead log after an erasure, because the log may still contain pages with erased data. If a
    /// reader blocks this for seconds, later writes overwrite the log.
    async fn empty_log(&self) {
        let emptied = self.with_connection(|connection| {
            connection.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)").map_err(Fault::from)
        });
        if let Err(error) = emptied.await {
            tracing::warn!(?error, "the write-ahead log of SQLite could not be emptied after an erasure");
        }
    }

    pub(crate) async fn transact<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.writer.transact(work).await
    }

    /// Runs work on the writer's connection, outside a transaction.
    pub(crate) async fn with_connection<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut diesel::SqliteConnection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        self.writer.with_connection(work).await
    }
}

/// Runs a future over a synchronous connection. It never waits, and one poll completes it.
fn finish<T>(future: BoxFuture<'_, Result<T, Fault>>) -> Result<T, Fault> {
    use futures::FutureExt;
    let waited = || Err(StoreError::Corrupt("a statement on SQLite did not complete at once".to_owned()).into());
    future.now_or_never().unwrap_or_else(waited)
}
