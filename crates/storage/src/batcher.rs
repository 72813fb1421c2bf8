//! Group commit: what waits at the same time is done in one batch.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::runtime::Handle;
use uuid::Uuid;

use crate::fair::FairQueue;

/// Hands out items in batches to at most so many runs at once. Workspaces take turns in a batch: however much one has
/// put, the next batch has something of each.
///
/// Where nothing runs, a run begins with the first item and never waits for more to come: what arrives while all workers are
/// busy is the next batch. So one item alone is as quick as without a batcher, and many cost little more than one.
///
/// A run belongs to the runtime of whoever began it. Where that ends, the batch under way is dropped with it, and the
/// run goes on with the next in the runtime that made the batcher.
pub(crate) struct Batcher<T> {
    state: Mutex<State<T>>,
    /// How many runs at once.
    workers: usize,
    batch: BatchBound<T>,
    /// How long what waits is left to the run under way, before another one begins. A full batch is not.
    linger: Duration,
    /// The runtime that made the batcher.
    home: Option<Handle>,
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
    /// Whether somebody looks after the time to linger whether another run is needed.
    is_looked_after: bool,
}

impl<T: Send + 'static> Batcher<T> {
    pub(crate) fn new(workers: usize, batch: BatchBound<T>) -> Arc<Self> {
        Self::lingering(workers, batch, Duration::ZERO)
    }

    /// One that leaves what waits to the run under way as long as that is quick: two batches at once cost more than one of
    /// twice the size.
    pub(crate) fn lingering(workers: usize, batch: BatchBound<T>, linger: Duration) -> Arc<Self> {
        let state = State { waiting: FairQueue::default(), running: 0, begun: 0, is_looked_after: false };
        let home = Handle::try_current().ok();
        Arc::new(Self { state: Mutex::new(state), workers: workers.max(1), batch, linger, home })
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
        if state.running == self.workers {
            return;
        }
        let may_linger = state.running > 0 && !self.linger.is_zero() && state.waiting.len() < self.batch.items;
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
        Some(batch)
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
            tokio::time::sleep(self.0.linger).await;
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
        while let Some(done) = self.begin() {
            let _ = AssertUnwindSafe(done).catch_unwind().await;
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
mod tests {
    use tokio::sync::{mpsc, oneshot};

    use super::*;

    type Item = (u32, oneshot::Sender<()>);

    fn at_most<T>(items: usize) -> BatchBound<T> {
        BatchBound { items, weight: usize::MAX, weigh: |_| 0 }
    }

    /// Puts numbers; each batch is told, and its members answered, when `go` says so.
    fn put(batcher: &Arc<Batcher<Item>>, number: u32, told: &mpsc::UnboundedSender<Vec<u32>>) -> oneshot::Receiver<()> {
        let (answer, answered) = oneshot::channel();
        let told = told.clone();
        batcher.put(Uuid::nil(), (number, answer), move |batch| {
            let told = told.clone();
            async move {
                told.send(batch.iter().map(|(number, _)| *number).collect()).expect("a listener");
                assert!(!batch.iter().any(|(number, _)| *number == 13), "thirteen panics");
                tokio::task::yield_now().await;
                batch.into_iter().for_each(|(_, answer)| answer.send(()).unwrap_or_default());
            }
        });
        answered
    }

    #[tokio::test]
    async fn what_comes_while_the_lanes_are_busy_is_the_next_batch() {
        let (batcher, (told, mut batches)) = (Batcher::new(1, at_most(4)), mpsc::unbounded_channel());
        let answers: Vec<_> = (0..7).map(|number| put(&batcher, number, &told)).collect();
        for answer in answers {
            answer.await.expect("an answer");
        }
        assert_eq!(batches.recv().await, Some(vec![0, 1, 2, 3]));
        assert_eq!(batches.recv().await, Some(vec![4, 5, 6]));
        put(&batcher, 7, &told).await.expect("an answer");
        assert_eq!(batches.recv().await, Some(vec![7]), "a worker that went idle is used again");
    }

    /// Runs each batch until the test ends.
    fn put_endless(batcher: &Arc<Batcher<u32>>, number: u32, told: &mpsc::UnboundedSender<Vec<u32>>) {
        let told = told.clone();
        batcher.put(Uuid::nil(), number, move |batch| {
            told.send(batch).expect("a listener");
            std::future::pending()
        });
    }

    #[tokio::test(start_paused = true)]
    async fn what_waits_is_left_to_a_quick_run_and_not_to_a_slow_one() {
        let linger = Duration::from_millis(10);
        let (batcher, (told, mut batches)) = (Batcher::lingering(3, at_most(4), linger), mpsc::unbounded_channel());
        let began = tokio::time::Instant::now();
        put_endless(&batcher, 0, &told);
        assert_eq!(batches.recv().await, Some(vec![0]));
        put_endless(&batcher, 1, &told);
        put_endless(&batcher, 2, &told);
        assert_eq!(batches.recv().await, Some(vec![1, 2]));
        assert_eq!(began.elapsed(), linger, "no other run begins before");
        for number in 3..7 {
            put_endless(&batcher, number, &told);
        }
        assert_eq!(batches.recv().await, Some(vec![3, 4, 5, 6]));
        assert_eq!(began.elapsed(), linger, "a full batch waits for nobody");
    }

    #[tokio::test(start_paused = true)]
    async fn a_run_that_goes_on_from_batch_to_batch_is_left_alone() {
        let linger = Duration::from_millis(10);
        let batcher: Arc<Batcher<u32>> = Batcher::lingering(2, at_most(4), linger);
        let (told, mut batches) = mpsc::unbounded_channel();
        let put = |number| {
            let told = told.clone();
            batcher.put(Uuid::nil(), number, move |batch| {
                told.send(batch).expect("a listener");
                tokio::time::sleep(Duration::from_millis(7))
            });
        };
        // Each comes four milliseconds after the one before it, and waits for less than the time to linger.
        for number in 0..6 {
            put(number);
            tokio::time::sleep(Duration::from_millis(4)).await;
        }
        for batch in [vec![0], vec![1], vec![2, 3], vec![4, 5]] {
            assert_eq!(batches.recv().await, Some(batch));
        }
    }

    #[tokio::test]
    async fn a_batch_ends_before_it_weighs_too_much() {
        let bound = BatchBound { items: 4, weight: 10, weigh: |number: &usize| *number };
        let (batcher, (told, mut batches)) = (Batcher::new(1, bound), mpsc::unbounded_channel());
        for number in [3, 7, 1, 20, 9] {
            let told = told.clone();
            batcher.put(Uuid::nil(), number, move |batch: Vec<usize>| {
                told.send(batch).expect("a listener");
                async {}
            });
        }
        for batch in [vec![3, 7], vec![1], vec![20], vec![9]] {
            assert_eq!(batches.recv().await, Some(batch));
        }
    }

    #[tokio::test]
    async fn a_batch_has_something_of_each_workspace() {
        let (batcher, (told, mut batches)) = (Batcher::new(1, at_most(4)), mpsc::unbounded_channel());
        let put = |workspace, number: u32| {
            let told = told.clone();
            batcher.put(Uuid::from_u128(workspace), number, move |batch: Vec<u32>| {
                told.send(batch).expect("a listener");
                async {}
            });
        };
        (0..10).for_each(|number| put(1, number));
        put(2, 10);
        put(3, 11);
        assert_eq!(batches.recv().await, Some(vec![0, 10, 11, 1]));
        assert_eq!(batches.recv().await, Some(vec![2, 3, 4, 5]));
    }

    #[tokio::test]
    async fn a_panic_takes_its_own_batch_along_and_no_other() {
        let (batcher, (told, _batches)) = (Batcher::new(1, at_most(1)), mpsc::unbounded_channel());
        let (lost, kept) = (put(&batcher, 13, &told), put(&batcher, 1, &told));
        assert!(lost.await.is_err());
        kept.await.expect("an answer");
    }

    #[test]
    fn what_waits_outlives_the_runtime_of_whoever_came_first() {
        let runtime = || tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let (home, first) = (runtime(), runtime());
        let (batcher, (told, mut batches)) =
            (home.block_on(async { Batcher::new(1, at_most(1)) }), mpsc::unbounded_channel());
        let (begun, waits) = first.block_on(async {
            let answers = (put(&batcher, 1, &told), put(&batcher, 2, &told));
            assert_eq!(batches.recv().await, Some(vec![1]));
            answers
        });
        drop(first);
        home.block_on(async {
            assert!(begun.await.is_err(), "its batch was under way");
            waits.await.expect("an answer");
            put(&batcher, 3, &told).await.expect("an answer from a worker that is free again");
        });
    }
}
