//! Expensive queries on PostgreSQL. They are cancelled at their time limit, or when their client is gone.

use std::pin::pin;
use std::time::Duration;

use futures::future::BoxFuture;
use tidings_domain::ports::StoreError;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use super::transaction::{Committing, Ended, transaction};
use super::{BEGIN_FREELY, BEGIN_READING, PATIENCE, Postgres, spawned, unavailable};
use crate::ReadMode;
use crate::connection::Connection;
use crate::connection::concurrency_limit::Permit;
use crate::connection::faults::Fault;

/// The message of PostgreSQL about a statement that it cancelled at `statement_timeout`.
const TIMED_OUT: &str = "statement timeout";

impl Postgres {
    /// Runs queries in one transaction, within a time limit. They end early if the future is dropped.
    pub(crate) async fn read_expensively<T: Send + 'static>(
        &self,
        how: ReadMode,
        time: Duration,
        pass: Permit,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        let begin = match how {
            ReadMode::Planner => BEGIN_FREELY,
            ReadMode::PointLookup | ReadMode::Statement | ReadMode::Snapshot => BEGIN_READING,
        };
        let begin = format!("{begin}; SET LOCAL statement_timeout = {}", time.as_millis().max(1));
        // Dropped with this future.
        let (_waits, gone) = oneshot::channel();
        let store = self.clone();
        let outcome = spawned(async move {
            let outcome = store.read_until(&begin, time, gone, query).await;
            drop(pass);
            outcome
        });
        // A read has nothing to commit, and its outcome is never unknown.
        outcome.await.map_err(|fault| match fault {
            Fault::Store(StoreError::OutcomeUnknown) => unavailable("no response in time"),
            fault => fault,
        })
    }

    async fn read_until<T>(
        &self,
        begin: &str,
        time: Duration,
        gone: oneshot::Receiver<()>,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>>,
    ) -> Result<T, Fault> {
        let connection = self.connection().await?;
        let cancel = connection.cancel_token();
        let mut committing = Committing::default();
        let ended = {
            let mut reading = pin!(transaction(&connection, begin, false, query, &mut committing));
            let is_gone = tokio::select! {
                biased;
                ended = &mut reading => Err(ended),
                _ = gone => Ok(true),
                () = sleep(time) => Ok(false),
            };
            match is_gone {
                Err(ended) => Some(ended),
                Ok(is_gone) => {
                    // The server has received the request when this returns: it cannot cancel the next query of the
                    // connection.
                    let is_cancelled = timeout(PATIENCE, self.target.cancel(cancel)).await.is_ok_and(|it| it);
                    let ended = timeout(PATIENCE, reading).await.ok().filter(|_| is_cancelled);
                    ended.map(|ended| match ended {
                        Ended::Committed(value) => Ended::Committed(value),
                        Ended::RolledBack(_) if !is_gone => Ended::RolledBack(StoreError::TooSlow.into()),
                        other => other,
                    })
                }
            }
        };
        match ended {
            Some(Ended::Committed(value)) => Ok(value),
            Some(Ended::RolledBack(fault)) => {
                self.note(&fault);
                Err(too_slow_at_timeout(fault))
            }
            Some(Ended::Broken(fault)) => {
                connection.close();
                Err(too_slow_at_timeout(fault))
            }
            Some(Ended::Unclear) | None => {
                connection.close();
                Err(unavailable("no response in time"))
            }
        }
    }
}

/// Converts a timeout that PostgreSQL detected first.
fn too_slow_at_timeout(fault: Fault) -> Fault {
    match fault {
        Fault::Store(StoreError::Unavailable(why)) if why.contains(TIMED_OUT) => StoreError::TooSlow.into(),
        fault => fault,
    }
}
