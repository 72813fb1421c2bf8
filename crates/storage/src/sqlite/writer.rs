//! The one thread that writes: it gathers the change sets that wait into one transaction, a
//! savepoint each where one is needed, so that many commits share one fsync. It never waits for more to come.

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
use crate::connection::Connection;
use crate::error::StorageError;
use crate::failpoints;
use crate::fair::FairQueue;
use crate::faults::Fault;
use crate::fixed;
use crate::returned::Returned;
use crate::types::DbId;
use crate::write;

/// How much the writer takes at once, and how much may wait.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// A batch ends at so many change sets.
    batch: usize,
    /// A batch ends after so much work.
    time: Duration,
    /// How many may wait in each queue before the next is told to come back.
    queue: usize,
    /// How many of one workspace may.
    each: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { batch: 256, time: Duration::from_millis(5), queue: 4_096, each: 1_024 }
    }
}

type Answer = oneshot::Sender<Returned>;
type Alone = Box<dyn FnOnce(&mut SqliteConnection) + Send>;

enum Task {
    /// A change set, and where its outcome goes.
    Commit(Box<ChangeSet>, Answer),
    /// Work that manages its own transaction.
    Alone(Alone),
}

#[derive(Default)]
struct Queues {
    /// What somebody waits for at the other end of a request.
    requests: FairQueue<Task>,
    /// What engines do.
    background: FairQueue<Task>,
    /// The number of tasks of requests since the last task of engines.
    in_a_row: usize,
    stopped: bool,
}

/// While both wait, so many tasks of requests go before one of engines. Without a share, engines would write nothing as long as
/// requests keep the writer busy.
const REQUESTS_IN_A_ROW: usize = 3;

impl Queues {
    /// Whether the next task is one of engines.
    fn is_turn_of_engines(&self) -> bool {
        self.requests.is_empty() || (self.in_a_row >= REQUESTS_IN_A_ROW && !self.background.is_empty())
    }

    /// The task that is next.
    fn peek(&self) -> Option<&Task> {
        if self.is_turn_of_engines() { self.background.peek() } else { self.requests.peek() }
    }

    /// Takes the task that is next.
    fn pop(&mut self) -> Option<Task> {
        if self.is_turn_of_engines() {
            self.in_a_row = 0;
            self.background.pop()
        } else {
            self.in_a_row += 1;
            self.requests.pop()
        }
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

/// The way to the writing thread.
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
    pub(crate) fn start(connection: SqliteConnection) -> Result<Self, StorageError> {
        Self::start_within(Limits::default(), connection)
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

    pub(crate) async fn commit(&self, set: ChangeSet) -> Returned {
        let (answer, answered) = oneshot::channel();
        let (workspace, background) = (DbId::from(set.workspace).0, set.is_of_a_worker());
        if let Err(fault) = self.push(workspace, Task::Commit(Box::new(set), answer), background) {
            return Returned::lost(fault);
        }
        // The writer did not survive, before its COMMIT or after it.
        answered.await.unwrap_or_else(|_| Returned::lost(StoreError::OutcomeUnknown.into()))
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
        answered.await.map_err(|_| gone())?
    }

    pub(crate) async fn transact<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.with_connection(move |connection| transaction(connection, |c| finish(work(Connection::Sqlite(c))))).await
    }
}

fn gone() -> Fault {
    StoreError::Unavailable("the writing thread panicked".to_owned()).into()
}

/// The number of batches written with savepoints after one in which a set failed.
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

/// The next change set that waits, workspaces in turn, unless work that wants to be alone is before it.
fn next_commit(shared: &Shared) -> Option<(Box<ChangeSet>, Answer)> {
    let mut queues = shared.lock();
    let is_commit = matches!(queues.peek(), Some(Task::Commit(..)));
    match if is_commit { queues.pop() } else { None } {
        Some(Task::Commit(set, answer)) => Some((set, answer)),
        Some(Task::Alone(_)) | None => None,
    }
}

/// What became of a member of a batch.
type Member = (Box<ChangeSet>, Answer, Option<Fault>);

/// Commits what waits in one transaction; if anything but a contradiction comes in between, every
/// member runs once more by itself. While nothing is written yet, a contradiction begins the transaction anew.
///
/// Savepoints cost a tenth of a commit, so they are made only where sets failed lately: without them, the first set that fails
/// ends the transaction, and its members run again, each behind a savepoint. Returns whether a set failed.
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
    while let Some((set, answer)) = waiting {
        let mut fault = if sound { member(connection, &set, is_empty, savepoints).err() } else { None };
        if fault.as_ref().is_some_and(Fault::leaves_transaction_sound) && !is_empty && !savepoints {
            savepoints = true;
            sound = again(connection, &mut members).is_ok();
            is_empty = members.iter().all(|(_, _, fault)| fault.is_some());
            fault = if sound { member(connection, &set, is_empty, savepoints).err() } else { None };
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
            let _ = answer.send(Returned::with(fault.map_or(Ok(()), Err), *set));
        }
        return has_failed;
    }
    // A full disk may have ended the transaction already; "no transaction is active" is as good.
    let _ = connection.batch_execute("ROLLBACK");
    for (set, answer, _) in members {
        let outcome = transaction(connection, |connection| guarded(connection, &set));
        let _ = answer.send(Returned::with(outcome, *set));
    }
    true
}

/// Begins the transaction of a batch again, and runs its members again, each behind a savepoint.
///
/// # Errors
/// What makes the transaction unsound.
fn again(connection: &mut SqliteConnection, members: &mut [Member]) -> Result<(), Fault> {
    run(connection, ROLLBACK).and_then(|()| run(connection, BEGIN))?;
    let mut is_empty = true;
    for (set, _, fault) in members {
        *fault = member(connection, set, is_empty, true).err();
        if let Some(fault) = fault.as_ref().filter(|it| !it.leaves_transaction_sound()) {
            return Err(unsound_by(fault));
        }
        is_empty = is_empty && fault.is_some();
    }
    Ok(())
}

/// One member of a batch: behind a savepoint, if savepoints are made, it may contradict what is there, and another is before
/// it.
fn member(connection: &mut SqliteConnection, set: &ChangeSet, is_first: bool, savepoints: bool) -> Result<(), Fault> {
    if !write::may_contradict(set) {
        // Whatever its fault is, the batch is not to be trusted any more.
        return guarded(connection, set).map_err(|fault| unsound_by(&fault));
    }
    if is_first {
        let outcome = guarded(connection, set);
        if outcome.as_ref().is_err_and(Fault::leaves_transaction_sound) {
            run(connection, ROLLBACK).and_then(|()| run(connection, BEGIN))?;
        }
        return outcome;
    }
    if !savepoints {
        return guarded(connection, set);
    }
    run(connection, "SAVEPOINT member")?;
    let outcome = guarded(connection, set);
    if outcome.is_err() {
        run(connection, "ROLLBACK TO member")?;
    }
    run(connection, "RELEASE member")?;
    outcome
}

const BEGIN: &str = "BEGIN IMMEDIATE";
const ROLLBACK: &str = "ROLLBACK";

/// Runs a statement of transactions, prepared once as all others.
fn run(connection: &mut SqliteConnection, statement: &'static str) -> Result<(), Fault> {
    fixed::run(diesel::sql_query(statement), connection).map_err(unsound)
}

fn unsound_by(fault: &Fault) -> Fault {
    StoreError::Unavailable(format!("a change set without a conflict failed: {fault:?}")).into()
}

/// Whatever it was: the transaction is not to be trusted any more.
fn unsound(error: diesel::result::Error) -> Fault {
    StoreError::Unavailable(error.to_string()).into()
}

/// Applies a set; a panic is that set's own failure.
fn guarded(connection: &mut SqliteConnection, set: &ChangeSet) -> Result<(), Fault> {
    let apply = AssertUnwindSafe(|| {
        #[cfg(test)]
        tests::panic_where_asked(set);
        let mut connection = Connection::Sqlite(connection);
        finish(Box::pin(async { write::apply(&mut connection, set).await }))
    });
    catch_unwind(apply).unwrap_or_else(|_| Err(StoreError::Corrupt("a change set panicked".to_owned()).into()))
}

fn commit(connection: &mut SqliteConnection) -> Result<(), Fault> {
    failpoints::refused()?;
    run(connection, "COMMIT")
}

/// One transaction for one piece of work.
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
