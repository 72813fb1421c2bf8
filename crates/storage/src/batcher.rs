//! Group commit: what waits at the same time is done in one batch.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use crate::fair::FairQueue;

/// With so many items a batch waits for no more company.
const ENOUGH: usize = 16;
/// A batch that ended longer ago says nothing of what comes now.
const JUST_NOW: Duration = Duration::from_millis(20);

/// Hands out items in batches to at most so many runs at once. Workspaces take turns in a batch: however much one has
/// put, the next batch has something of each.
///
/// Where nothing runs, a run begins with the first item and does not wait for more to come: what arrives while all workers are
/// busy is the next batch. So one item alone is as quick as without a batcher, and many cost little more than one. A
/// batcher may gather instead ([`Pace::gather`]), where it does not matter when a batch begins.
///
/// A run belongs to the runtime of whoever began it. Where that ends, the batch under way is dropped with it, and the
/// run goes on with the next in the runtime that made the batcher.
pub(crate) struct Batcher<T> {
    state: Mutex<State<T>>,
    /// How many runs at once.
    workers: usize,
    batch: BatchBound<T>,
    pace: Pace,
    /// Told when enough waits for a run that gathers.
    enough: Notify,
    /// The runtime that made the batcher.
    home: Option<Handle>,
}

/// When batches begin.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pace {
    /// How long what waits is left to the run under way, before another one begins: two batches at once cost more than one
    /// of twice the size. A full batch is not.
    pub(crate) linger: Duration,
    /// How long a batch waits for company, where the one before it had some and ended just now: what is done side by side
    /// ends side by side, a little apart. Zero: not at all.
    pub(crate) gather: Duration,
}

/// When a batch is full. One item is a batch, whatever it weighs.
pub(crate) struct BatchBound<T> {
    /// So many items.
    pub(crate) items: usize,
    /// What they may weigh together.
    pub(crate) weight: usize,
    /// What one of them weighs.
    pub(crate) weigh: fn(&T) -> usize,
}

struct State<T> {
    waiting: FairQueue<T>,
    running: usize,
    /// How many batches were begun.
    begun: u64,
    /// How many items the last one had.
    last: usize,
    /// When a batch ended last.
    ended: Option<Instant>,
    /// Whether somebody looks after the time to linger whether another run is needed.
    is_looked_after: bool,
}

impl<T: Send + 'static> Batcher<T> {
    pub(crate) fn new(workers: usize, batch: BatchBound<T>) -> Arc<Self> {
        Self::paced(workers, batch, Pace::default())
    }

    /// One whose batches begin at this pace.
    pub(crate) fn paced(workers: usize, batch: BatchBound<T>, pace: Pace) -> Arc<Self> {
        let waiting = FairQueue::default();
        let state = State { waiting, running: 0, begun: 0, last: 0, ended: None, is_looked_after: false };
        let (state, home) = (Mutex::new(state), Handle::try_current().ok());
        Arc::new(Self { state, workers: workers.max(1), batch, pace, enough: Notify::new(), home })
    }

    /// Adds an item of a workspace. `run` does batches, this item's among them, if a worker is free and needed; else whoever
    /// runs takes it. A run that panics drops its items.
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

    /// Begins a run, which counts already.
    fn begin(self: &Arc<Self>, run: Run<T>) {
        tokio::spawn(Worker { batcher: Arc::clone(self), run: Some(run), moved: false }.keep_running());
    }

    /// The next batch; without one, the worker is free again.
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

    /// Waits for company, if there is likely to be some.
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

    /// How many items of a workspace wait.
    pub(crate) fn waiting_of(&self, workspace: Uuid) -> usize {
        self.lock().waiting.len_of(workspace)
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Looks whether what waits has waited too long for the run under way. Whoever runs takes all that waits before it ends, so
/// nothing is lost where this ends with its runtime.
struct Lingering<T>(Arc<Batcher<T>>);

impl<T: Send + 'static> Lingering<T> {
    async fn look_after(self, run: Run<T>) {
        loop {
            let seen = self.0.lock().begun;
            tokio::time::sleep(self.0.pace.linger).await;
            let mut state = self.0.lock();
            let begins = !state.waiting.is_empty() && state.running < self.0.workers;
            // What waits now came after the batch that was begun meanwhile.
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

/// Does a batch.
type Run<T> = Box<dyn Fn(Vec<T>) -> BoxFuture<'static, ()> + Send>;

/// One run. It ends as it finds nothing to do, or is dropped with its runtime.
struct Worker<T: Send + 'static> {
    batcher: Arc<Batcher<T>>,
    /// None as soon as the worker is free.
    run: Option<Run<T>>,
    /// Whether it came here from a runtime that ended.
    moved: bool,
}

impl<T: Send + 'static> Worker<T> {
    async fn keep_running(mut self) {
        // Whoever is about to put something, too, goes first.
        tokio::task::yield_now().await;
        loop {
            self.batcher.gather().await;
            let Some(done) = self.begin() else { return };
            let _ = AssertUnwindSafe(done).catch_unwind().await;
            self.batcher.lock().ended = Some(Instant::now());
        }
    }

    /// Begins with the next batch; without one, the worker is free.
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
            // Nobody is left to do what waits: who put it hears of that.
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
