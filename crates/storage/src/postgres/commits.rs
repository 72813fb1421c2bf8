//! Commits of change sets: alone, or together with others that wait.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::FutureExt;
use tidings_domain::ports::{BroadcastChange, Change, ChangeSet, StoreError};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::outcome::{self, Outcome, Proof};
use super::{CLEARED, DEADLINE, Failed, PATIENCE, Postgres, WORKERS_PATIENCE, spawned, unavailable};
use crate::batcher::{BatchBound, Batcher, Pace};
use crate::connection::Connection;
use crate::faults::Fault;
use crate::gate::{NoPlace, Patience};
use crate::returned::Returned;
use crate::types::DbId;
use crate::write::{self, Shared};

/// So many change sets in one transaction.
const TOGETHER: usize = 64;
/// So many rows in a transaction of several.
const ROWS: usize = 2_000;
/// How long sets wait for the transaction under way before another connection takes them. Most transactions are over by then,
/// and one of sixteen sets costs little more than one of four; one that waits for a row, or for a slow disk, keeps nobody.
const LINGER: Duration = Duration::from_millis(10);
/// How long sets of workers wait for others that end at the same time, where they do: nobody waits for these at the other
/// end of a request.
const GATHER: Duration = Duration::from_millis(5);
/// So many of one workspace may wait; the next is told to come back.
const WAITING: usize = 4_096;

/// How long an audience may take to be frozen.
const FREEZING: Duration = Duration::from_secs(240);
/// Whom a condition chooses is the planner's to find, as in lists: all of them are wanted.
const BEGIN_FREEZING: &str = "BEGIN; SET LOCAL statement_timeout = '230s'; SET LOCAL enable_seqscan = on; \
    SET LOCAL enable_sort = on; SET LOCAL enable_bitmapscan = on; SET LOCAL enable_hashjoin = on";

/// Whether a set freezes an audience.
fn freezes(set: &ChangeSet) -> bool {
    let is_freeze = |change: &Change| matches!(change, Change::Broadcast(BroadcastChange::Freeze { .. }));
    set.changes.iter().any(is_freeze)
}

/// A change set, and where its outcome goes.
pub(super) type Waiting = (ChangeSet, oneshot::Sender<Returned>);

/// What requests write together. A few connections do so; the others are for change sets that go alone, and for readers.
pub(super) fn of_requests(connections: usize) -> Arc<Batcher<Waiting>> {
    batcher(connections, Pace { linger: LINGER, gather: Duration::ZERO })
}

/// What workers write together, by as many other connections.
pub(super) fn of_workers(connections: usize) -> Arc<Batcher<Waiting>> {
    batcher(connections, Pace { linger: LINGER, gather: GATHER })
}

fn batcher(connections: usize, pace: Pace) -> Arc<Batcher<Waiting>> {
    let bound = BatchBound { items: TOGETHER, weight: ROWS, weigh: |(set, _): &Waiting| set.rows() };
    Batcher::paced(connections / 4, bound, pace)
}

/// What became of change sets that were to be written together.
enum Together {
    Committed(Shared),
    /// One of them contradicts what is there, or another; nothing was written.
    Contradiction,
    /// The store did not do its part; nothing was written.
    Failed,
    Unknown,
}

impl Postgres {
    /// Commits a change set, in one transaction with others that wait where it does not matter which is first. A
    /// caller that goes away does not leave the transaction open.
    ///
    /// Where the answer to COMMIT is lost, PostgreSQL is asked what became of it: committed is done,
    /// aborted is done once more, with the same ids. A set of which nothing stays that proves it is
    /// left unknown.
    pub(crate) async fn commit(&self, set: ChangeSet) -> Returned {
        let began = Instant::now();
        let workspace = DbId::from(set.workspace).0;
        if !write::may_share(&set) || self.contradictions.may_concern(&set) {
            let store = self.clone();
            let committed = spawned(async move { Ok(store.commit_in_turn(set, began).await) }).await;
            return committed.unwrap_or_else(Returned::lost);
        }
        let waiting = if set.is_of_a_worker() { &self.background } else { &self.waiting };
        if waiting.waiting_of(workspace) >= WAITING {
            return Returned::with(Err(unavailable("too many commits of the workspace are waiting")), set);
        }
        let (answer, answered) = oneshot::channel();
        let store = self.clone();
        waiting.put(workspace, (set, answer), move |waiting| store.clone().commit_waiting(waiting));
        // Dropped in the middle, by a panic or with its runtime, it may be there or not.
        answered.await.unwrap_or_else(|_| Returned::lost(StoreError::OutcomeUnknown.into()))
    }

    /// Commits a set alone as soon as its workspace may have another connection.
    async fn commit_in_turn(&self, set: ChangeSet, began: Instant) -> Returned {
        let set = Arc::new(set);
        let outcome = self.in_turn(&set, began).await;
        // Most often nobody else has it any more: the transaction is over.
        Returned::with(outcome, Arc::unwrap_or_clone(set))
    }

    async fn in_turn(&self, set: &Arc<ChangeSet>, began: Instant) -> Result<(), Fault> {
        let gate = if self.thread().is_some() { &self.requests } else { &self.workers };
        let is_of_a_worker = set.is_of_a_worker();
        let patience = Patience { waiting: WAITING, time: if is_of_a_worker { WORKERS_PATIENCE } else { PATIENCE } };
        let pass = gate.enter(DbId::from(set.workspace).0, patience).await;
        let _pass = pass.map_err(|why| match why {
            NoPlace::Full => unavailable("too many commits of the workspace are waiting"),
            NoPlace::Late => unavailable("the workspace has too many running commits"),
        })?;
        // A client's time runs while it waits; a worker's begins now.
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
        // No client waits for an audience to be frozen.
        let (begin, deadline) = if freezes(&set) { (BEGIN_FREEZING, FREEZING) } else { ("BEGIN", DEADLINE) };
        loop {
            let again = Arc::clone(&set);
            let attempt = self.attempt(begin, true, began + deadline, move |mut c| {
                async move { write::apply(&mut c, &again).await }.boxed()
            });
            let xid = match attempt.await {
                Err(Failed::Unclear(Some(xid))) => xid,
                outcome => return outcome.map_err(Failed::into_fault),
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

    /// Commits sets in one transaction. Those that meet others in a row, and those of which the guards do not say what they
    /// contradict by, go alone. Where one contradicts otherwise, each half is tried again, until it is alone and learns why;
    /// so the others still share a few transactions.
    async fn commit_waiting(self, mut waiting: Vec<Waiting>) {
        let began = Instant::now();
        let apart = write::apart(waiting.iter().map(|(set, _)| set));
        self.commit_apart(&mut waiting, &apart, began);
        let mut parts = vec![waiting];
        while let Some(mut part) = parts.pop() {
            if part.is_empty() {
                continue;
            }
            let sets = Arc::new(part.iter_mut().map(|(set, _)| take(set)).collect::<Vec<_>>());
            let outcome = self.commit_together(&sets, began).await;
            // Nobody else holds them: the transaction is over.
            for ((place, _), set) in part.iter_mut().zip(Arc::unwrap_or_clone(sets)) {
                *place = set;
            }
            match outcome {
                Together::Committed(shared) => {
                    self.commit_apart(&mut part, &shared.apart, began);
                    let placed = (0..).filter(|place| !shared.apart.contains(place));
                    for (place, (set, answer)) in placed.zip(part) {
                        let refused = shared.refused.iter().find(|(of, _)| *of == place);
                        if let Some((_, conflict)) = refused {
                            self.contradictions.note(&set, conflict);
                        }
                        let outcome = refused.map_or(Ok(()), |(_, conflict)| Err(conflict.clone().into()));
                        let _ = answer.send(Returned::with(outcome, set));
                    }
                }
                Together::Unknown => {
                    let unknown = |set| Returned::with(Err(StoreError::OutcomeUnknown.into()), set);
                    part.into_iter().for_each(|(set, answer)| drop(answer.send(unknown(set))));
                }
                Together::Contradiction if part.len() > 1 => {
                    let second = part.split_off(part.len() / 2);
                    parts.extend([second, part]);
                }
                Together::Contradiction | Together::Failed => {
                    let all: Vec<_> = (0..part.len()).collect();
                    self.commit_apart(&mut part, &all, began);
                }
            }
        }
    }

    /// Takes sets out, to be committed alone. The batch does not wait for them.
    fn commit_apart(&self, waiting: &mut Vec<Waiting>, places: &[usize], began: Instant) {
        for place in places.iter().rev().filter(|place| **place < waiting.len()).copied().collect::<Vec<_>>() {
            let (set, answer) = waiting.remove(place);
            let store = self.clone();
            tokio::spawn(async move {
                let _ = answer.send(store.commit_in_turn(set, began).await);
            });
        }
    }

    async fn commit_together(&self, sets: &Arc<Vec<ChangeSet>>, began: Instant) -> Together {
        let (written, shared) = (Arc::clone(sets), Arc::new(OnceLock::new()));
        let told = Arc::clone(&shared);
        let attempt = self.attempt("BEGIN", true, began + DEADLINE, move |c| {
            async move {
                match c {
                    Connection::Postgres(connection) => {
                        // Known before COMMIT is sent: who was left out is not written, whatever becomes of its answer.
                        let _ = told.set(write::apply_together(connection, &written).await?);
                        Ok(())
                    }
                    Connection::Sqlite(_) => Err(unavailable("another database")),
                }
            }
            .boxed()
        });
        let committed = || shared.get().cloned().map_or(Together::Unknown, Together::Committed);
        match attempt.await {
            Ok(()) => committed(),
            // What proves one of them proves the transaction.
            Err(Failed::Unclear(Some(xid))) => {
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
                    Outcome::Aborted => Together::Failed,
                    Outcome::Unknown => Together::Unknown,
                }
            }
            Err(Failed::Unclear(None)) => Together::Unknown,
            Err(Failed::Fault(Fault::Conflict(conflict))) => {
                tracing::debug!(?conflict, sets = sets.len(), "a change set conflicts; searching for it");
                self.contradictions.count();
                Together::Contradiction
            }
            Err(Failed::Fault(fault)) => {
                tracing::debug!(?fault, sets = sets.len(), "committing change sets one by one");
                Together::Failed
            }
        }
    }
}

/// The set, of which the place stays behind.
fn take(set: &mut ChangeSet) -> ChangeSet {
    let empty = ChangeSet::new(set.workspace);
    std::mem::replace(set, empty)
}
