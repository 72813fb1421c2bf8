//! Commits of change sets: alone, or together with others that wait.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::join_all;
use tidings_domain::ports::{ChangeSet, StoreError};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::outcome::{self, Outcome, Proof};
use super::{CLEARED, DEADLINE, Failed, Postgres, spawned, unavailable};
use crate::connection::Connection;
use crate::faults::Fault;
use crate::lanes::Lanes;
use crate::{bulk, ledger};

/// So many change sets in one transaction.
const TOGETHER: usize = 64;

/// A change set, and where its outcome goes.
pub(super) type Waiting = (ChangeSet, oneshot::Sender<Result<(), Fault>>);

/// A few connections write what waits; the others are for change sets that go alone, and for readers.
pub(super) fn lanes(connections: usize) -> Arc<Lanes<Waiting>> {
    Lanes::new(connections / 4, TOGETHER)
}

impl Postgres {
    /// Commits a change set, in one transaction with others that wait where it does not matter which is first. A
    /// caller that goes away does not leave the transaction open.
    ///
    /// Where the answer to COMMIT is lost, PostgreSQL is asked what became of it: committed is done,
    /// aborted is done once more, with the same ids. A set of which nothing stays that proves it is
    /// left unknown.
    pub(crate) async fn commit(&self, set: ChangeSet) -> Result<(), Fault> {
        let began = Instant::now();
        if !bulk::is_plain(&set) {
            let store = self.clone();
            return spawned(async move { store.commit_alone(Arc::new(set), began).await }).await;
        }
        let (answer, answered) = oneshot::channel();
        let store = self.clone();
        self.waiting.put((set, answer), move |waiting| store.clone().commit_waiting(waiting));
        // Dropped in the middle, by a panic or with its runtime, it may be there or not.
        answered.await.unwrap_or_else(|_| Err(StoreError::OutcomeUnknown.into()))
    }

    async fn commit_alone(&self, set: Arc<ChangeSet>, began: Instant) -> Result<(), Fault> {
        loop {
            let again = Arc::clone(&set);
            let attempt = self.attempt("BEGIN", true, began + DEADLINE, move |mut c| {
                async move { ledger::apply(&mut c, &again).await }.boxed()
            });
            let xid = match attempt.await {
                Err(Failed::Unclear(Some(xid))) => xid,
                outcome => return outcome.map_err(Failed::into_fault),
            };
            let outcome = outcome::of(&self.url, xid, Proof::of(&set).as_ref(), began + CLEARED).await;
            tracing::warn!(?outcome, "the answer to a commit was lost, and PostgreSQL was asked");
            match outcome {
                Outcome::Committed => return Ok(()),
                Outcome::Aborted if began.elapsed() < DEADLINE => {}
                Outcome::Aborted => return Err(unavailable("a commit was lost and rolled back")),
                Outcome::Unknown => return Err(StoreError::OutcomeUnknown.into()),
            }
        }
    }

    /// Commits plain sets in one transaction. Unless all of them go through, each is committed alone.
    async fn commit_waiting(self, waiting: Vec<Waiting>) {
        let began = Instant::now();
        let (sets, answers): (Vec<_>, Vec<_>) = waiting.into_iter().unzip();
        let sets = Arc::new(sets);
        let all = |outcome: fn() -> Result<(), Fault>| move |answer: oneshot::Sender<_>| drop(answer.send(outcome()));
        match self.commit_together(&sets, began).await {
            Outcome::Committed => answers.into_iter().for_each(all(|| Ok(()))),
            Outcome::Unknown => answers.into_iter().for_each(all(|| Err(StoreError::OutcomeUnknown.into()))),
            Outcome::Aborted => {
                // Nobody else holds them: the transaction is over.
                let sets = Arc::unwrap_or_clone(sets);
                let alone = sets.into_iter().zip(answers).map(async |(set, answer)| {
                    let _ = answer.send(self.commit_alone(Arc::new(set), began).await);
                });
                join_all(alone).await;
            }
        }
    }

    async fn commit_together(&self, sets: &Arc<Vec<ChangeSet>>, began: Instant) -> Outcome {
        let written = Arc::clone(sets);
        let attempt = self.attempt("BEGIN", true, began + DEADLINE, move |c| {
            async move {
                match c {
                    Connection::Postgres(connection) => bulk::apply(connection, &written).await,
                    Connection::Sqlite(_) => Err(unavailable("another database")),
                }
            }
            .boxed()
        });
        match attempt.await {
            Ok(()) => Outcome::Committed,
            // What proves one of them proves the transaction.
            Err(Failed::Unclear(Some(xid))) => {
                let proof = sets.iter().find_map(Proof::of);
                let outcome = outcome::of(&self.url, xid, proof.as_ref(), began + CLEARED).await;
                tracing::warn!(
                    ?outcome,
                    sets = sets.len(),
                    "the answer to a commit was lost, and PostgreSQL was asked"
                );
                outcome
            }
            Err(Failed::Unclear(None)) => Outcome::Unknown,
            Err(Failed::Fault(fault)) => {
                tracing::debug!(?fault, sets = sets.len(), "change sets are committed one by one");
                Outcome::Aborted
            }
        }
    }
}
