//! The writing thread: it combines waiting change sets in one transaction, so many commits share one fsync. It never waits for
//! more of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use diesel::SqliteConnection;
use diesel::connection::SimpleConnection;
use futures::future::BoxFuture;
use tidings_domain::ports::{ChangeSet, StoreError};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::finish;
use crate::connection::error::StorageError;
use crate::connection::fair_queue::FairQueue;
use crate::connection::faults::Fault;
use crate::connection::{Connection, failpoints};
use crate::queries::prepared_query;
use crate::queries::types::DbId;
use crate::write::commit_result::CommitResult;
use crate::write::{self, PassedGuards};

/// Limits of a batch and of the queues.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Maximum number of change sets in a batch.
    batch: usize,
    /// A batch takes no further change set after this time.
    time: Duration,
    /// Maximum length of each queue; further commits are refused.
    queue: usize,
    /// Maximum number of waiting commits of one workspace in a queue.
    each: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { batch: 256, time: Duration::from_millis(5), queue: 4_096, each: 1_024 }
    }
}

type Answer = oneshot::Sender<CommitResult>;
type Alone = Box<dyn FnOnce(&mut SqliteConnection) + Send>;

enum Task {
    /// A change set, and the receiver of its outcome.
    Commit(Box<ChangeSet>, Answer),
    /// Work that manages its own transaction.
    Alone(Alone),
}

#[derive(Default)]
struct Queues {
    /// Commits of requests, for which clients wait.
    requests: FairQueue<Task>,
    /// Commits and other work of engines.
    background: FairQueue<Task>,
    /// Whether the last task came from `requests`. If both queues have tasks, they alternate: most requests create at least one
    /// job, so with a smaller share for engines the backlog would grow while requests keep the writer busy.
    is_after_request: bool,
    stopped: bool,
}

impl Queues {
    /// Whether the next task comes from `background`.
    fn is_turn_of_engines(&self) -> bool {
        self.requests.is_empty() || (self.is_after_request && !self.background.is_empty())
    }

    /// Returns the next task.
    fn peek(&self) -> Option<&Task> {
        if self.is_turn_of_engines() { self.background.peek() } else { self.requests.peek() }
    }

    /// Removes and returns the next task.
    fn pop(&mut self) -> Option<Task> {
        self.is_after_request = !self.is_turn_of_engines();
        if self.is_after_request { self.requests.pop() } else { self.background.pop() }
    }
}

#[derive(Default)]
struct Shared {
    queues: Mutex<Queues>,
    filled: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A handle of the writing thread.
#[derive(Clone)]
pub(crate) struct Writer {
    handle: Arc<Handle>,
}

struct Handle {
    shared: Arc<Shared>,
    limits: Limits,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shared.lock().stopped = true;
        self.shared.filled.notify_all();
    }
}

impl Writer {
    pub(crate) fn start(connection: SqliteConnection, batch_time: Duration) -> Result<Self, StorageError> {
        Self::start_within(Limits { time: batch_time, ..Limits::default() }, connection)
    }

    fn start_within(limits: Limits, connection: SqliteConnection) -> Result<Self, StorageError> {
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || write(connection, &of_thread, limits))
            .map_err(|error| StorageError::Open(error.to_string()))?;
        Ok(Self { handle: Arc::new(Handle { shared, limits }) })
    }

    fn push(&self, workspace: Uuid, task: Task, background: bool) -> Result<(), Fault> {
        let mut queues = self.handle.shared.lock();
        let queue = if background { &mut queues.background } else { &mut queues.requests };
        let limits = self.handle.limits;
        if queue.len() >= limits.queue || queue.len_of(workspace) >= limits.each {
            return Err(StoreError::Unavailable("too many commits are waiting".to_owned()).into());
        }
        queue.push(workspace, task);
        drop(queues);
        self.handle.shared.filled.notify_one();
        Ok(())
    }

    pub(crate) async fn commit(&self, set: ChangeSet) -> CommitResult {
        let (answer, answered) = oneshot::channel();
        let (workspace, background) = (DbId::from(set.workspace).0, set.is_of_a_worker());
        if let Err(fault) = self.push(workspace, Task::Commit(Box::new(set), answer), background) {
            return CommitResult::aborted(fault);
        }
        // The writing thread ended, before or after its COMMIT.
        answered.await.unwrap_or_else(|_| CommitResult::aborted(StoreError::OutcomeUnknown.into()))
    }

    pub(crate) async fn with_connection<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut SqliteConnection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let (answer, answered) = oneshot::channel();
        let alone: Alone = Box::new(move |connection| {
            let _ = answer.send(work(connection));
        });
        self.push(Uuid::nil(), Task::Alone(alone), true)?;
        answered.await.map_err(|_| writer_stopped())?
    }

    pub(crate) async fn transact<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.with_connection(move |connection| transaction(connection, |c| finish(work(Connection::Sqlite(c))))).await
    }
}

fn writer_stopped() -> Fault {
    StoreError::Unavailable("the writing thread panicked".to_owned()).into()
}

/// After a failed change set, the number of batches with savepoints.
const CAREFUL_BATCHES: u32 = 256;

/// The loop of the writing thread.
fn write(mut connection: SqliteConnection, shared: &Shared, limits: Limits) {
    let mut careful = 0;
    loop {
        let mut queues = shared.lock();
        while queues.requests.is_empty() && queues.background.is_empty() {
            if queues.stopped {
                return;
            }
            queues = shared.filled.wait(queues).unwrap_or_else(PoisonError::into_inner);
        }
        let next = queues.pop();
        drop(queues);
        match next {
            Some(Task::Alone(work)) => {
                let _ = catch_unwind(AssertUnwindSafe(|| work(&mut connection)));
                let _ = connection.batch_execute("ROLLBACK");
            }
            Some(Task::Commit(set, answer)) => {
                let has_failed = batch(&mut connection, shared, limits, (set, answer), careful > 0);
                careful = if has_failed { CAREFUL_BATCHES } else { careful.saturating_sub(1) };
            }
            None => {}
        }
    }
}

/// Returns the next waiting change set, workspaces in turn; none if the next task needs its own transaction.
fn next_commit(shared: &Shared) -> Option<(Box<ChangeSet>, Answer)> {
    let mut queues = shared.lock();
    let is_commit = matches!(queues.peek(), Some(Task::Commit(..)));
    match if is_commit { queues.pop() } else { None } {
        Some(Task::Commit(set, answer)) => Some((set, answer)),
        Some(Task::Alone(_)) | None => None,
    }
}

/// A change set of a batch, the receiver of its outcome, and its error.
type Member = (Box<ChangeSet>, Answer, Option<Fault>);

/// Commits waiting change sets in one transaction, starting with `first`. Returns whether a change set failed.
///
/// If an error makes the transaction unusable, each member runs again in its own transaction. A change set that contradicts the
/// stored data fails alone. Savepoints make that possible, but they cost a tenth of a commit, so they are used only if sets failed
/// lately (`is_careful`). Without them, the first contradiction restarts the transaction, and its members run again with
/// savepoints. A contradiction of the first member restarts an empty transaction.
fn batch(
    connection: &mut SqliteConnection,
    shared: &Shared,
    limits: Limits,
    first: (Box<ChangeSet>, Answer),
    is_careful: bool,
) -> bool {
    let begun = Instant::now();
    let mut members: Vec<Member> = Vec::new();
    let mut sound = run(connection, BEGIN).is_ok();
    let (mut waiting, mut is_empty, mut savepoints) = (Some(first), true, is_careful);
    let mut passed = PassedGuards::default();
    while let Some((set, answer)) = waiting {
        let mut fault = if sound { member(connection, &set, &mut passed, is_empty, savepoints).err() } else { None };
        if fault.as_ref().is_some_and(Fault::leaves_transaction_sound) && !is_empty && !savepoints {
            savepoints = true;
            sound = restart_batch(connection, &mut members, &mut passed).is_ok();
            is_empty = members.iter().all(|(_, _, fault)| fault.is_some());
            fault = if sound { member(connection, &set, &mut passed, is_empty, savepoints).err() } else { None };
        }
        sound = sound && fault.as_ref().is_none_or(Fault::leaves_transaction_sound);
        is_empty = is_empty && fault.is_some();
        members.push((set, answer, fault));
        let room = members.len() < limits.batch && begun.elapsed() < limits.time;
        waiting = if sound && room { next_commit(shared) } else { None };
    }
    let has_failed = !sound || members.iter().any(|(_, _, fault)| fault.is_some());
    sound = sound && commit(connection).is_ok();
    if sound {
        for (set, answer, fault) in members {
            let _ = answer.send(CommitResult::with(fault.map_or(Ok(()), Err), *set));
        }
        return has_failed;
    }
    // A full disk may have ended the transaction already; "no transaction is active" is as good.
    let _ = connection.batch_execute("ROLLBACK");
    for (set, answer, _) in members {
        let outcome = transaction(connection, |connection| guarded(connection, &set, &mut PassedGuards::default()));
        let _ = answer.send(CommitResult::with(outcome, *set));
    }
    true
}

/// Restarts the transaction of a batch, and applies its members again with savepoints.
///
/// # Errors
/// Any error that makes the transaction unusable.
fn restart_batch(
    connection: &mut SqliteConnection,
    members: &mut [Member],
    passed: &mut PassedGuards,
) -> Result<(), Fault> {
    restart(connection, passed)?;
    let mut is_empty = true;
    for (set, _, fault) in members {
        *fault = member(connection, set, passed, is_empty, true).err();
        if let Some(fault) = fault.as_ref().filter(|it| !it.leaves_transaction_sound()) {
            return Err(unsound_by(fault));
        }
        is_empty = is_empty && fault.is_some();
    }
    Ok(())
}

/// Restarts the transaction. Another process may write in between, so no guard has passed.
fn restart(connection: &mut SqliteConnection, passed: &mut PassedGuards) -> Result<(), Fault> {
    passed.clear();
    run(connection, ROLLBACK).and_then(|()| run(connection, BEGIN))
}

/// Applies one member of a batch. It gets a savepoint if savepoints are used, it can contradict stored data, and another member
/// was applied before it.
fn member(
    connection: &mut SqliteConnection,
    set: &ChangeSet,
    passed: &mut PassedGuards,
    is_first: bool,
    savepoints: bool,
) -> Result<(), Fault> {
    if !write::may_contradict(set) {
        // Such a set has no expected errors, so any error ends the batch.
        return guarded(connection, set, passed).map_err(|fault| unsound_by(&fault));
    }
    if is_first {
        let outcome = guarded(connection, set, passed);
        if outcome.as_ref().is_err_and(Fault::leaves_transaction_sound) {
            restart(connection, passed)?;
        }
        return outcome;
    }
    if !savepoints {
        return guarded(connection, set, passed);
    }
    run(connection, "SAVEPOINT member")?;
    let outcome = guarded(connection, set, passed);
    if outcome.is_err() {
        run(connection, "ROLLBACK TO member")?;
    }
    run(connection, "RELEASE member")?;
    outcome
}

const BEGIN: &str = "BEGIN IMMEDIATE";
const ROLLBACK: &str = "ROLLBACK";

/// Runs a transaction statement through the cache of prepared statements.
fn run(connection: &mut SqliteConnection, statement: &'static str) -> Result<(), Fault> {
    prepared_query::run(diesel::sql_query(statement), connection).map_err(unsound)
}

fn unsound_by(fault: &Fault) -> Fault {
    StoreError::Unavailable(format!("a change set without a conflict failed: {fault:?}")).into()
}

/// Marks any error as one that makes the transaction unusable.
fn unsound(error: diesel::result::Error) -> Fault {
    StoreError::Unavailable(error.to_string()).into()
}

/// Applies a change set. A panic fails only this set.
fn guarded(connection: &mut SqliteConnection, set: &ChangeSet, passed: &mut PassedGuards) -> Result<(), Fault> {
    let apply = AssertUnwindSafe(|| {
        #[cfg(test)]
        tests::panic_where_asked(set);
        let mut connection = Connection::Sqlite(connection);
        finish(Box::pin(async { write::apply_behind(&mut connection, set, passed).await }))
    });
    catch_unwind(apply).unwrap_or_else(|_| Err(StoreError::Corrupt("a change set panicked".to_owned()).into()))
}

fn commit(connection: &mut SqliteConnection) -> Result<(), Fault> {
    failpoints::refused()?;
    run(connection, "COMMIT")
}

/// Runs `work` in its own transaction.
fn transaction<T>(
    connection: &mut SqliteConnection,
    work: impl FnOnce(&mut SqliteConnection) -> Result<T, Fault>,
) -> Result<T, Fault> {
    run(connection, BEGIN)?;
    let outcome = work(connection).and_then(|value| commit(connection).map(|()| value));
    if outcome.is_err() {
        let _ = connection.batch_execute("ROLLBACK");
    }
    outcome
}

#[cfg(test)]
mod tests;
