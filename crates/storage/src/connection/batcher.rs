//! Group commit: items that wait at the same time are processed in one batch.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use crate::connection::fair_queue::FairQueue;

/// A batch with this many items does not wait for more.
const ENOUGH: usize = 16;
/// If the last batch ended longer ago than this, it does not predict more items.
const JUST_NOW: Duration = Duration::from_millis(20);

/// Hands out items in batches to a limited number of concurrent runs. Workspaces take turns: the next batch contains
/// items of every waiting workspace, even if one has many.
///
/// If no run is active, the first item starts one without waiting. Items that arrive while all workers are busy form
/// the next batch. A single item is therefore as fast as without a batcher, and many cost little more than one. With
/// [`Pace::gather`], a batch may wait for more items first.
///
/// A run belongs to the runtime that started it. If that runtime ends, its current batch is dropped, and the run
/// continues with the next batch in the runtime that created the batcher.
pub(crate) struct Batcher<T> {
    state: Mutex<State<T>>,
    workers: usize,
    batch: BatchBound<T>,
    pace: Pace,
    /// Notified when enough items wait for a run that gathers.
    enough: Notify,
    /// The runtime that created the batcher.
    home: Option<Handle>,
}

/// The timing of batches.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pace {
    /// Delay before a second run starts for items that wait behind the active run. Two concurrent batches cost more
    /// than one of twice the size. A full batch does not wait.
    pub(crate) linger: Duration,
    /// Maximum wait of a batch for more items, if the previous batch had several items and ended just now. Clients that
    /// finish together often return together, slightly apart. Zero disables this.
    pub(crate) gather: Duration,
}

/// The maximum size of a batch. A single item always fits.
pub(crate) struct BatchBound<T> {
    pub(crate) items: usize,
    pub(crate) weight: usize,
    pub(crate) weigh: fn(&T) -> usize,
}

struct State<T> {
    waiting: FairQueue<T>,
    running: usize,
    begun: u64,
    last: usize,
    ended: Option<Instant>,
    /// Whether a task checks after the linger time if another run is needed.
    is_looked_after: bool,
}

impl<T: Send + 'static> Batcher<T> {
    pub(crate) fn new(workers: usize, batch: BatchBound<T>) -> Arc<Self> {
        Self::paced(workers, batch, Pace::default())
    }

    pub(crate) fn paced(workers: usize, batch: BatchBound<T>, pace: Pace) -> Arc<Self> {
        let waiting = FairQueue::default();
        let state = State { waiting, running: 0, begun: 0, last: 0, ended: None, is_looked_after: false };
        let (state, home) = (Mutex::new(state), Handle::try_current().ok());
        Arc::new(Self { state, workers: workers.max(1), batch, pace, enough: Notify::new(), home })
    }

    /// Adds an item of a workspace. Starts `run` if a worker is free and needed. Otherwise an active run processes the
    /// item. A run that panics drops its items.
    pub(crate) fn put<F: Future<Output = ()> + Send + 'static>(
        self: &Arc<Self>,
        workspace: Uuid,
        item: T,
        run: impl Fn(Vec<T>) -> F + Send + 'static,
    ) {
        let mut state = self.lock();
        state.waiting.push(workspace, item);
        if state.waiting.len() == ENOUGH {
            self.enough.notify_waiters();
        }
        if state.running == self.workers {
            return;
        }
        let may_linger = state.running > 0 && !self.pace.linger.is_zero() && state.waiting.len() < self.batch.items;
        if may_linger && std::mem::replace(&mut state.is_looked_after, true) {
            return;
        }
        state.running += usize::from(!may_linger);
        drop(state);
        let run: Run<T> = Box::new(move |batch| run(batch).boxed());
        if may_linger {
            tokio::spawn(Lingering(Arc::clone(self)).look_after(run));
        } else {
            self.begin(run);
        }
    }

    /// Starts a run that is already counted.
    fn begin(self: &Arc<Self>, run: Run<T>) {
        tokio::spawn(Worker { batcher: Arc::clone(self), run: Some(run), moved: false }.keep_running());
    }

    /// Returns the next batch. Without one, frees the worker.
    fn next(&self) -> Option<Vec<T>> {
        let mut state = self.lock();
        let BatchBound { items, weight, weigh } = self.batch;
        let (mut batch, mut weighs) = (Vec::new(), 0);
        while let Some(next) = state.waiting.peek() {
            weighs += weigh(next);
            if !batch.is_empty() && (batch.len() >= items || weighs > weight) {
                break;
            }
            batch.extend(state.waiting.pop());
        }
        if batch.is_empty() {
            state.running -= 1;
            return None;
        }
        state.begun += 1;
        state.last = batch.len();
        Some(batch)
    }

    /// Waits for more items if some are likely.
    async fn gather(&self) {
        let enough = self.enough.notified();
        let is_worth_it = {
            let state = self.lock();
            let just_now = state.ended.is_some_and(|ended| ended.elapsed() < JUST_NOW);
            just_now && state.last > 1 && (1..ENOUGH).contains(&state.waiting.len())
        };
        if is_worth_it && !self.pace.gather.is_zero() {
            let _ = timeout(self.pace.gather, enough).await;
        }
    }

    pub(crate) fn waiting_of(&self, workspace: Uuid) -> usize {
        self.lock().waiting.len_of(workspace)
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts another run if items have waited too long for the active one. An active run processes all waiting items
/// before it ends, and nothing is lost if this task ends with its runtime.
struct Lingering<T>(Arc<Batcher<T>>);

impl<T: Send + 'static> Lingering<T> {
    async fn look_after(self, run: Run<T>) {
        loop {
            let seen = self.0.lock().begun;
            tokio::time::sleep(self.0.pace.linger).await;
            let mut state = self.0.lock();
            let begins = !state.waiting.is_empty() && state.running < self.0.workers;
            // The waiting items arrived after a batch that started during the wait.
            if begins && state.begun != seen {
                continue;
            }
            state.running += usize::from(begins);
            drop(state);
            if begins {
                self.0.begin(run);
            }
            return;
        }
    }
}

impl<T> Drop for Lingering<T> {
    fn drop(&mut self) {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).is_looked_after = false;
    }
}

type Run<T> = Box<dyn Fn(Vec<T>) -> BoxFuture<'static, ()> + Send>;

/// One run. It ends when no items wait, or when its runtime drops it.
struct Worker<T: Send + 'static> {
    batcher: Arc<Batcher<T>>,
    /// `None` once the worker is free.
    run: Option<Run<T>>,
    /// Whether it was moved here from a runtime that ended.
    moved: bool,
}

impl<T: Send + 'static> Worker<T> {
    async fn keep_running(mut self) {
        // Let tasks that are about to add items go first.
        tokio::task::yield_now().await;
        loop {
            self.batcher.gather().await;
            let Some(done) = self.begin() else { return };
            let _ = AssertUnwindSafe(done).catch_unwind().await;
            self.batcher.lock().ended = Some(Instant::now());
        }
    }

    /// Starts the next batch. Without one, frees the worker.
    fn begin(&mut self) -> Option<BoxFuture<'static, ()>> {
        let run = self.run.as_ref()?;
        match self.batcher.next() {
            Some(batch) => Some(run(batch)),
            None => {
                self.run = None;
                None
            }
        }
    }
}

impl<T: Send + 'static> Drop for Worker<T> {
    fn drop(&mut self) {
        let Some(run) = self.run.take() else { return };
        let batcher = Arc::clone(&self.batcher);
        match &self.batcher.home {
            Some(home) if !self.moved => {
                home.spawn(Worker { batcher, run: Some(run), moved: true }.keep_running());
            }
            // No runtime is left for the waiting items. Dropping them reports this to their senders.
            _ => {
                let mut state = batcher.lock();
                state.running -= 1;
                let left = std::mem::take(&mut state.waiting);
                drop(state);
                drop(left);
            }
        }
    }
}

#[cfg(test)]
mod tests;
