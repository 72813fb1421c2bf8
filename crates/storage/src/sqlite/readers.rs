//! Reader threads, each with one connection. Workspaces take turns.
//!
//! A query without a client is dropped before it starts, or interrupted. One thread only runs queries of the process
//! itself: credentials, sign-in, readiness and the claims of engines.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use diesel::SqliteConnection;
use diesel::connection::SimpleConnection;
use futures::future::BoxFuture;
use scopeguard::defer;
use tidings_domain::ports::StoreError;
use tidings_sqlite_interrupt::{Interruption, Limits, interruptible};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::{SqliteSettings, finish, open};
use crate::connection::Connection;
use crate::connection::concurrency_limit::Permit;
use crate::connection::error::StorageError;
use crate::connection::fair_queue::{FairQueue, SYSTEM};
use crate::connection::faults::Fault;
use crate::queries::types::DbId;

/// Maximum number of waiting queries. More are rejected.
const QUEUE: usize = 4_096;
/// Maximum number of waiting queries of one workspace.
const EACH: usize = 1_024;
/// Time limit of a workspace's query that is not expensive.
const DEADLINE: Duration = Duration::from_secs(8);
/// Time limit of a query of the process itself. For example, a migration may read all rows.
const LONGEST: Duration = Duration::from_secs(3_600);

struct Query {
    run: Box<dyn FnOnce(&mut SqliteConnection) + Send>,
    /// True once the client has disconnected.
    gone: Arc<AtomicBool>,
}

impl Query {
    fn is_wanted(&self) -> bool {
        !self.gone.load(Ordering::Relaxed)
    }
}

/// The workspace of a query and its time limit.
pub(crate) struct Turn {
    workspace: DbId,
    time: Duration,
    /// The slot of an expensive query, until the query ends.
    pass: Option<Permit>,
}

impl Turn {
    /// Creates the turn of an ordinary query of a workspace, or of the process itself ([`SYSTEM`]).
    pub(crate) fn of(workspace: DbId) -> Self {
        Self { workspace, time: if workspace == SYSTEM { LONGEST } else { DEADLINE }, pass: None }
    }

    /// Creates the turn of a workspace's query without a waiting client.
    pub(crate) fn long(workspace: DbId, time: Duration) -> Self {
        Self { workspace, time, pass: None }
    }

    pub(crate) fn expensive(workspace: DbId, time: Duration, pass: Permit) -> Self {
        Self { workspace, time, pass: Some(pass) }
    }
}

#[derive(Default)]
struct State {
    waiting: FairQueue<Query>,
    running: HashMap<Uuid, usize>,
    /// Whether the reserved thread runs a query.
    reserved_is_busy: bool,
    stopped: bool,
}

struct Shared {
    state: Mutex<State>,
    filled: Condvar,
    reserved: Condvar,
    share: usize,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next query. Returns `None` when the readers stop.
    fn next(&self, serves: Serves) -> Option<(Uuid, Query)> {
        let mut state = self.lock();
        loop {
            let State { waiting, running, reserved_is_busy, stopped } = &mut *state;
            let may_run = |workspace: Uuid| {
                workspace == SYSTEM.0
                    || serves == Serves::Everybody && running.get(&workspace).is_none_or(|it| *it < self.share)
            };
            match waiting.pop_where(may_run) {
                Some((workspace, query)) if query.is_wanted() => {
                    *running.entry(workspace).or_default() += 1;
                    *reserved_is_busy |= serves == Serves::System;
                    return Some((workspace, query));
                }
                Some(_) => {}
                None if *stopped => return None,
                None => {
                    let filled = if serves == Serves::System { &self.reserved } else { &self.filled };
                    state = filled.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Wakes a thread for a query that was just queued.
    fn wake_for(&self, workspace: Uuid, state: &State) {
        let reserved_is_enough = !state.reserved_is_busy && state.waiting.len_of(SYSTEM.0) <= 1;
        if workspace == SYSTEM.0 {
            self.reserved.notify_one();
        }
        if workspace != SYSTEM.0 || !reserved_is_enough {
            self.filled.notify_one();
        }
    }

    /// Records the end of a query. Wakes no thread, because this one takes the next query.
    fn ended(&self, workspace: Uuid, serves: Serves) {
        let mut state = self.lock();
        if serves == Serves::System {
            state.reserved_is_busy = false;
        }
        if let Some(running) = state.running.get_mut(&workspace) {
            *running -= 1;
            if *running == 0 {
                state.running.remove(&workspace);
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Serves {
    Everybody,
    /// Queries of the process itself.
    System,
}

#[derive(Clone)]
pub(crate) struct Readers {
    handle: Arc<Handle>,
}

struct Handle {
    shared: Arc<Shared>,
    threads: usize,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shared.lock().stopped = true;
        self.shared.filled.notify_all();
        self.shared.reserved.notify_all();
    }
}

impl Readers {
    pub(crate) fn start(settings: &SqliteSettings) -> Result<Self, StorageError> {
        let threads = settings.readers.max(1);
        let shared = Shared {
            state: Mutex::default(),
            filled: Condvar::new(),
            reserved: Condvar::new(),
            share: (threads / 2).max(1),
        };
        let handle = Handle { shared: Arc::new(shared), threads: threads + 1 };
        let all = std::iter::once(Serves::System).chain(std::iter::repeat_n(Serves::Everybody, threads));
        for (number, serves) in all.enumerate() {
            let connection = open::connect_reader(settings)?;
            let shared = Arc::clone(&handle.shared);
            std::thread::Builder::new()
                .name(format!("sqlite-reader-{number}"))
                .spawn(move || read(connection, &shared, serves))
                .map_err(|error| StorageError::Open(error.to_string()))?;
        }
        Ok(Self { handle: Arc::new(handle) })
    }

    pub(crate) async fn run<T: Send + 'static>(
        &self,
        turn: Turn,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.ask(turn, move |connection, limits| {
            interruptible(limits, || finish(query(Connection::Sqlite(connection))))
        })
        .await
    }

    /// Runs queries in one transaction with one snapshot.
    pub(crate) async fn run_as_one<T: Send + 'static>(
        &self,
        turn: Turn,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.ask(turn, move |connection, limits| {
            if let Err(error) = connection.batch_execute("BEGIN") {
                return (Err(error.into()), None);
            }
            let outcome = interruptible(limits, || finish(query(Connection::Sqlite(connection))));
            match connection.batch_execute("ROLLBACK") {
                Ok(()) => outcome,
                Err(error) => (Err(error.into()), None),
            }
        })
        .await
    }

    /// Returns the number of threads, of idle threads, and of waiting queries.
    pub(crate) fn status(&self) -> (usize, usize, usize) {
        let state = self.handle.shared.lock();
        let running: usize = state.running.values().sum();
        (self.handle.threads, self.handle.threads.saturating_sub(running), state.waiting.len())
    }

    async fn ask<T: Send + 'static>(
        &self,
        turn: Turn,
        query: impl FnOnce(&mut SqliteConnection, Limits) -> (Result<T, Fault>, Option<Interruption>) + Send + 'static,
    ) -> Result<T, Fault> {
        let Turn { workspace, time, pass } = turn;
        let (answer, answered) = oneshot::channel();
        let gone = Arc::<AtomicBool>::default();
        let cancelled = Arc::clone(&gone);
        let run = Box::new(move |connection: &mut SqliteConnection| {
            let limits = Limits { deadline: Some(Instant::now() + time), cancelled };
            let outcome = match query(connection, limits) {
                (Err(_), Some(Interruption::Deadline)) if pass.is_some() => Err(StoreError::TooSlow.into()),
                (Err(_), Some(_)) => Err(StoreError::Unavailable("no response in time".to_owned()).into()),
                (outcome, _) => outcome,
            };
            drop(pass);
            let _ = answer.send(outcome);
        });
        self.push(workspace.0, Query { run, gone: Arc::clone(&gone) })?;
        defer!(gone.store(true, Ordering::Relaxed));
        answered.await.map_err(|_| StoreError::Unavailable("a query panicked".to_owned()))?
    }

    fn push(&self, workspace: Uuid, query: Query) -> Result<(), StoreError> {
        let shared = &self.handle.shared;
        let mut state = shared.lock();
        let is_full = |it: &FairQueue<Query>| it.len() >= QUEUE || it.len_of(workspace) >= EACH;
        if is_full(&state.waiting) {
            state.waiting.retain(Query::is_wanted);
        }
        if is_full(&state.waiting) {
            return Err(StoreError::Unavailable("too many queries are waiting".to_owned()));
        }
        state.waiting.push(workspace, query);
        shared.wake_for(workspace, &state);
        Ok(())
    }
}

fn read(mut connection: SqliteConnection, shared: &Shared, serves: Serves) {
    while let Some((workspace, query)) = shared.next(serves) {
        // A query that panics has dropped its answer; the thread continues with the next.
        if catch_unwind(AssertUnwindSafe(|| (query.run)(&mut connection))).is_err() {
            // The panic may have left a transaction open. An error without one is ignored.
            let _ = connection.batch_execute("ROLLBACK");
        }
        shared.ended(workspace, serves);
    }
}

#[cfg(test)]
mod tests;
