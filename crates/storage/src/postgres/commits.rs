//! Commits of change sets, alone or combined with other waiting ones.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::FutureExt;
use tidings_domain::ports::{BroadcastChange, Change, ChangeSet, StoreError};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::outcome::{self, Outcome, Proof};
use super::{CLEARED, DEADLINE, PATIENCE, Postgres, TransactionError, WORKERS_PATIENCE, spawned, unavailable};
use crate::connection::Connection;
use crate::connection::batcher::{BatchBound, Batcher, Pace};
use crate::connection::concurrency_limit::{NoPermit, WaitLimits};
use crate::connection::faults::Fault;
use crate::queries::types::DbId;
use crate::write::commit_result::CommitResult;
use crate::write::{self, Shared};

/// Maximum number of change sets in one transaction.
const TOGETHER: usize = 64;
/// Maximum number of rows in a combined transaction.
const ROWS: usize = 2_000;
/// Delay before another connection takes sets that wait for the active transaction. Most transactions end earlier, and
/// one of sixteen sets costs little more than one of four. A transaction that waits for a row or a slow disk does not
/// block the others.
const LINGER: Duration = Duration::from_millis(10);
/// Maximum wait of workers' sets for others that end at the same time. No client waits for these commits.
const GATHER: Duration = Duration::from_millis(5);
/// Maximum number of waiting sets of one workspace. More are rejected.
const WAITING: usize = 4_096;

/// Time limit of freezing an audience.
const FREEZING: Duration = Duration::from_secs(240);
/// The planner chooses how to find the contacts of a condition, as in lists: all of them are read.
const BEGIN_FREEZING: &str = "BEGIN; SET LOCAL statement_timeout = '230s'; SET LOCAL enable_seqscan = on; \
    SET LOCAL enable_sort = on; SET LOCAL enable_bitmapscan = on; SET LOCAL enable_hashjoin = on";

fn freezes(set: &ChangeSet) -> bool {
    let is_freeze = |change: &Change| matches!(change, Change::Broadcast(BroadcastChange::Freeze { .. }));
    set.changes.iter().any(is_freeze)
}

pub(super) type Waiting = (ChangeSet, oneshot::Sender<CommitResult>);

/// Creates the batcher for requests. It uses a few connections; the others are for change sets that commit alone, and
/// for readers.
pub(super) fn of_requests(connections: usize) -> Arc<Batcher<Waiting>> {
    batcher(connections, Pace { linger: LINGER, gather: Duration::ZERO })
}

/// Creates the batcher for workers, with as many connections.
pub(super) fn of_workers(connections: usize) -> Arc<Batcher<Waiting>> {
    batcher(connections, Pace { linger: LINGER, gather: GATHER })
}

fn batcher(connections: usize, pace: Pace) -> Arc<Batcher<Waiting>> {
    let bound = BatchBound { items: TOGETHER, weight: ROWS, weigh: |(set, _): &Waiting| set.rows() };
    Batcher::paced(connections / 4, bound, pace)
}

enum BatchResult {
    Committed(Shared),
    /// A set conflicts with stored data or with another set. Nothing was written.
    Contradiction,
    /// The store failed. Nothing was written.
    Failed,
    Unknown,
}

impl Postgres {
    /// Commits a change set. It is combined with other waiting sets unless the order matters. A dropped caller does not
    /// leave the transaction open.
    ///
    /// If the answer to COMMIT is lost, PostgreSQL is asked for the outcome. A committed set is done, and an aborted
    /// one is repeated with the same IDs. Without a lasting row that proves its commit, the outcome is reported as
    /// unknown.
    pub(crate) async fn commit(&self, set: ChangeSet) -> CommitResult {
        let began = Instant::now();
        let workspace = DbId::from(set.workspace).0;
        if !write::may_share(&set) || self.contradictions.may_concern(&set) {
            let store = self.clone();
            let committed = spawned(async move { Ok(store.commit_in_turn(set, began).await) }).await;
            return committed.unwrap_or_else(CommitResult::aborted);
        }
        let waiting = if set.is_of_a_worker() { &self.background } else { &self.waiting };
        if waiting.waiting_of(workspace) >= WAITING {
            return CommitResult::with(Err(unavailable("too many commits of the workspace are waiting")), set);
        }
        let (answer, answered) = oneshot::channel();
        let store = self.clone();
        waiting.put(workspace, (set, answer), move |waiting| store.clone().commit_waiting(waiting));
        // If the transaction was dropped by a panic or with its runtime, the set may be committed or not.
        answered.await.unwrap_or_else(|_| CommitResult::aborted(StoreError::OutcomeUnknown.into()))
    }

    /// Commits a set alone as soon as its workspace may use another connection.
    async fn commit_in_turn(&self, set: ChangeSet, began: Instant) -> CommitResult {
        let set = Arc::new(set);
        let outcome = self.in_turn(&set, began).await;
        // The transaction has ended and usually holds no other reference.
        CommitResult::with(outcome, Arc::unwrap_or_clone(set))
    }

    async fn in_turn(&self, set: &Arc<ChangeSet>, began: Instant) -> Result<(), Fault> {
        let limit = if self.thread().is_some() { &self.requests } else { &self.workers };
        let is_of_a_worker = set.is_of_a_worker();
        let limits = WaitLimits { waiting: WAITING, time: if is_of_a_worker { WORKERS_PATIENCE } else { PATIENCE } };
        let pass = limit.enter(DbId::from(set.workspace).0, limits).await;
        let _pass = pass.map_err(|why| match why {
            NoPermit::Full => unavailable("too many commits of the workspace are waiting"),
            NoPermit::Late => unavailable("the workspace has too many running commits"),
        })?;
        // A client's time includes the wait. A worker's time starts now.
        let began = if is_of_a_worker { Instant::now() } else { began };
        let outcome = self.commit_alone(Arc::clone(set), began).await;
        match &outcome {
            Ok(()) => self.contradictions.forget(set),
            Err(Fault::Conflict(conflict)) => self.contradictions.note(set, conflict),
            Err(Fault::Store(_) | Fault::ReadOnly | Fault::NoRow) => {}
        }
        outcome
    }

    async fn commit_alone(&self, set: Arc<ChangeSet>, began: Instant) -> Result<(), Fault> {
        // No client waits for the freeze of an audience.
        let (begin, deadline) = if freezes(&set) { (BEGIN_FREEZING, FREEZING) } else { ("BEGIN", DEADLINE) };
        loop {
            let again = Arc::clone(&set);
            let attempt = self.attempt(begin, true, began + deadline, move |mut c| {
                async move { write::apply(&mut c, &again).await }.boxed()
            });
            let xid = match attempt.await {
                Err(TransactionError::Unclear(Some(xid))) => xid,
                outcome => return outcome.map_err(TransactionError::into_fault),
            };
            let cleared = began.max(Instant::now() - DEADLINE) + CLEARED;
            let outcome = outcome::of(&self.target, xid, Proof::of(&set).as_ref(), cleared).await;
            tracing::warn!(?outcome, "the response to a commit was lost; the outcome was read from PostgreSQL");
            match outcome {
                Outcome::Committed => return Ok(()),
                Outcome::Aborted if began.elapsed() < DEADLINE => {}
                Outcome::Aborted => return Err(unavailable("a commit was lost and rolled back")),
                Outcome::Unknown => return Err(StoreError::OutcomeUnknown.into()),
            }
        }
    }

    /// Commits sets in one transaction. Sets that write or guard the same row as another set, and sets with a conflict
    /// that their guards do not show, commit alone. After any other conflict, each half is tried again until the
    /// conflicting set is alone and gets its error. The other sets still share few transactions.
    async fn commit_waiting(self, mut waiting: Vec<Waiting>) {
        let began = Instant::now();
        let apart = write::conflicting(waiting.iter().map(|(set, _)| set));
        self.commit_apart(&mut waiting, &apart, began);
        let mut parts = vec![waiting];
        while let Some(mut part) = parts.pop() {
            if part.is_empty() {
                continue;
            }
            let sets = Arc::new(part.iter_mut().map(|(set, _)| take(set)).collect::<Vec<_>>());
            let outcome = self.commit_together(&sets, began).await;
            // The transaction has ended and holds no other reference.
            for ((place, _), set) in part.iter_mut().zip(Arc::unwrap_or_clone(sets)) {
                *place = set;
            }
            match outcome {
                BatchResult::Committed(shared) => {
                    self.commit_apart(&mut part, &shared.apart, began);
                    let placed = (0..).filter(|place| !shared.apart.contains(place));
                    for (place, (set, answer)) in placed.zip(part) {
                        let refused = shared.refused.iter().find(|(of, _)| *of == place);
                        if let Some((_, conflict)) = refused {
                            self.contradictions.note(&set, conflict);
                        }
                        let outcome = refused.map_or(Ok(()), |(_, conflict)| Err(conflict.clone().into()));
                        let _ = answer.send(CommitResult::with(outcome, set));
                    }
                }
                BatchResult::Unknown => {
                    let unknown = |set| CommitResult::with(Err(StoreError::OutcomeUnknown.into()), set);
                    part.into_iter().for_each(|(set, answer)| drop(answer.send(unknown(set))));
                }
                BatchResult::Contradiction if part.len() > 1 => {
                    let second = part.split_off(part.len() / 2);
                    parts.extend([second, part]);
                }
                BatchResult::Contradiction | BatchResult::Failed => {
                    let all: Vec<_> = (0..part.len()).collect();
                    self.commit_apart(&mut part, &all, began);
                }
            }
        }
    }

    /// Removes sets and commits them alone. The batch does not wait for them.
    fn commit_apart(&self, waiting: &mut Vec<Waiting>, places: &[usize], began: Instant) {
        for place in places.iter().rev().filter(|place| **place < waiting.len()).copied().collect::<Vec<_>>() {
            let (set, answer) = waiting.remove(place);
            let store = self.clone();
            tokio::spawn(async move {
                let _ = answer.send(store.commit_in_turn(set, began).await);
            });
        }
    }

    async fn commit_together(&self, sets: &Arc<Vec<ChangeSet>>, began: Instant) -> BatchResult {
        let (written, shared) = (Arc::clone(sets), Arc::new(OnceLock::new()));
        let told = Arc::clone(&shared);
        let attempt = self.attempt("BEGIN", true, began + DEADLINE, move |c| {
            async move {
                match c {
                    Connection::Postgres(connection) => {
                        // Set before COMMIT is sent: a set that was left out is not written, regardless of the answer.
                        let _ = told.set(write::apply_together(connection, &written).await?);
                        Ok(())
                    }
                    Connection::Sqlite(_) => Err(unavailable("another database")),
                }
            }
            .boxed()
        });
        let committed = || shared.get().cloned().map_or(BatchResult::Unknown, BatchResult::Committed);
        match attempt.await {
            Ok(()) => committed(),
            // A proof of one set proves the whole transaction.
            Err(TransactionError::Unclear(Some(xid))) => {
                let is_written = |place: &usize| shared.get().is_some_and(|it| it.has_written(*place));
                let proof =
                    sets.iter().zip(0..).filter(|(_, place)| is_written(place)).find_map(|(set, _)| Proof::of(set));
                let outcome = outcome::of(&self.target, xid, proof.as_ref(), began + CLEARED).await;
                tracing::warn!(
                    ?outcome,
                    sets = sets.len(),
                    "the response to a commit was lost; the outcome was read from PostgreSQL"
                );
                match outcome {
                    Outcome::Committed => committed(),
                    Outcome::Aborted => BatchResult::Failed,
                    Outcome::Unknown => BatchResult::Unknown,
                }
            }
            Err(TransactionError::Unclear(None)) => BatchResult::Unknown,
            Err(TransactionError::Fault(Fault::Conflict(conflict))) => {
                tracing::debug!(?conflict, sets = sets.len(), "a change set conflicts; searching for it");
                self.contradictions.count();
                BatchResult::Contradiction
            }
            Err(TransactionError::Fault(fault)) => {
                tracing::debug!(?fault, sets = sets.len(), "committing change sets one by one");
                BatchResult::Failed
            }
        }
    }
}

/// Takes the set and leaves an empty one.
fn take(set: &mut ChangeSet) -> ChangeSet {
    let empty = ChangeSet::new(set.workspace);
    std::mem::replace(set, empty)
}
