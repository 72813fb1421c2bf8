//! SQLite: synchronous Diesel on threads of its own, a few that read and one that writes.

mod copies;
mod looked_at;
mod open;
mod readers;
pub(crate) mod steady;
mod writer;

use diesel::connection::SimpleConnection;
use futures::future::BoxFuture;
use tidings_domain::ports::{Change, ChangeSet, ErasureChange};

use crate::connection::Connection;
use crate::disk_faults::DiskFaults;
use crate::error::StorageError;
use crate::faults::Fault;

pub use copies::{Sealed, SqliteCopy, copy_sqlite, inspect_sqlite};
pub(crate) use looked_at::applied;
pub(crate) use open::{CACHE_OF_WRITER, SqliteSettings};
pub(crate) use readers::Turn;

/// The threads of one database file.
#[derive(Clone)]
pub(crate) struct Sqlite {
    readers: readers::Readers,
    writer: writer::Writer,
    /// Commits that failed because of the disk.
    pub(crate) disk: DiskFaults,
}

impl Sqlite {
    /// Opens the file, which is made if it is not there.
    pub(crate) fn open(settings: &SqliteSettings) -> Result<Self, StorageError> {
        if !tidings_sqlite_interrupt::install() {
            return Err(StorageError::Open("SQLite refuses the handler that interrupts queries".to_owned()));
        }
        let writer = writer::Writer::start(open::connect(settings)?)?;
        let readers = readers::Readers::start(settings)?;
        Ok(Self { readers, writer, disk: DiskFaults::default() })
    }

    /// Runs queries on a reading thread.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        turn: Turn,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.readers.run(turn, query).await
    }

    /// Runs queries on a reading thread, all as of one instant.
    pub(crate) async fn read_as_one<T: Send + 'static>(
        &self,
        turn: Turn,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.readers.run_as_one(turn, query).await
    }

    /// How many threads read, how many of them do nothing, and how many queries wait.
    pub(crate) fn status(&self) -> (usize, usize, usize) {
        self.readers.status()
    }

    /// Commits a change set, together with others that wait.
    pub(crate) async fn commit(&self, set: ChangeSet) -> Result<(), Fault> {
        let ends_erasure = set.changes.iter().any(|it| matches!(it, Change::Erasure(ErasureChange::End { .. })));
        self.writer.commit(set).await?;
        if ends_erasure {
            self.empty_log().await;
        }
        Ok(())
    }

    /// The log before the file holds pages as they were until it is begun anew: not those of somebody who was erased. Where a
    /// reader stands in the way for seconds, the log is emptied by what is written later.
    async fn empty_log(&self) {
        let emptied = self.with_connection(|connection| {
            connection.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)").map_err(Fault::from)
        });
        if let Err(error) = emptied.await {
            tracing::warn!(?error, "the log of SQLite could not be emptied after an erasing");
        }
    }

    /// Runs statements in one transaction of their own.
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

/// Runs a future over a synchronous connection: it never waits, so one look is enough.
fn finish<T>(future: BoxFuture<'_, Result<T, Fault>>) -> Result<T, Fault> {
    use futures::FutureExt;
    use tidings_domain::ports::StoreError;
    let waited = || Err(StoreError::Corrupt("a statement on SQLite waited".to_owned()).into());
    future.now_or_never().unwrap_or_else(waited)
}
