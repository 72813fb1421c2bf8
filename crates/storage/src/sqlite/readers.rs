//! Threads that read, each with a connection of its own.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use diesel::SqliteConnection;
use diesel::connection::SimpleConnection;
use futures::future::BoxFuture;
use tidings_domain::ports::StoreError;
use tokio::sync::oneshot;

use super::{SqliteSettings, finish, open};
use crate::connection::Connection;
use crate::error::StorageError;
use crate::faults::Fault;

/// How many queries may wait before the next is told to come back.
const QUEUE: usize = 1_024;

type Query = Box<dyn FnOnce(&mut SqliteConnection) + Send>;

/// The queue that the reading threads share.
#[derive(Clone)]
pub(crate) struct Readers {
    queue: SyncSender<Query>,
}

impl Readers {
    pub(crate) fn start(settings: &SqliteSettings) -> Result<Self, StorageError> {
        let (queue, waiting) = sync_channel::<Query>(QUEUE);
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 0..settings.readers.max(1) {
            let connection = open::connect_reader(settings)?;
            let waiting = Arc::clone(&waiting);
            std::thread::Builder::new()
                .name(format!("sqlite-reader-{number}"))
                .spawn(move || read(connection, &waiting))
                .map_err(|error| StorageError::Open(error.to_string()))?;
        }
        Ok(Self { queue })
    }

    pub(crate) async fn run<T: Send + 'static>(
        &self,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.ask(move |connection| finish(query(Connection::Sqlite(connection)))).await
    }

    /// In one transaction, so that every query sees the file as of the first.
    pub(crate) async fn run_as_one<T: Send + 'static>(
        &self,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.ask(move |connection| {
            connection.batch_execute("BEGIN")?;
            let outcome = finish(query(Connection::Sqlite(connection)));
            connection.batch_execute("ROLLBACK")?;
            outcome
        })
        .await
    }

    async fn ask<T: Send + 'static>(
        &self,
        query: impl FnOnce(&mut SqliteConnection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let (answer, answered) = oneshot::channel();
        let run: Query = Box::new(move |connection| {
            // A caller that went away needs no answer.
            let _ = answer.send(query(connection));
        });
        self.queue.try_send(run).map_err(|error| {
            StoreError::Unavailable(match error {
                TrySendError::Full(_) => "too many queries are waiting".to_owned(),
                TrySendError::Disconnected(_) => "the readers have stopped".to_owned(),
            })
        })?;
        answered.await.map_err(|_| StoreError::Unavailable("a query did not survive".to_owned()))?
    }
}

fn read(mut connection: SqliteConnection, waiting: &Mutex<Receiver<Query>>) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(query) = next else { return };
        // A query that panics has dropped its answer; the thread goes on with the next.
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| query(&mut connection))).is_err() {
            // It may have been in a transaction; "no transaction is active" is as good.
            let _ = connection.batch_execute("ROLLBACK");
        }
    }
}
