//! A bounded pool of threads for work on large inputs: such work never occupies a request thread.
//!
//! Each place is a thread that does the work of one request from its body to its response. Places are given to workspaces in
//! turns: of one workspace at most two requests run, and a bounded number waits.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::LocalBoxFuture;
use tidings_domain::ids::WorkspaceId;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::problem::{Code, Problem};
use crate::route::Route;

/// At most so many requests of one workspace run at once.
const OF_A_WORKSPACE: usize = 2;
/// At most so many requests of one workspace wait: a client that repeats one request many times at once has all of them answered.
const WAITING: usize = 64;
/// At most so many simulations of one workspace wait.
const SIMULATIONS_WAITING: usize = 16;
/// Each waits at most so long.
const PATIENCE: Duration = Duration::from_secs(5);
/// At most so many requests of all workspaces run at once: each keeps a processor busy.
const AT_ALL: usize = 4;

/// A body that is longer is read on the pool.
pub(crate) const LARGE_BODY: usize = 64 * 1024;
/// A refused client should repeat its request after so many seconds.
const RETRY: u64 = 1;

/// The places for work on large inputs.
#[derive(Clone)]
pub(crate) struct ComputePool {
    workspaces: Arc<Mutex<HashMap<WorkspaceId, Arc<Places>>>>,
    all: Arc<Semaphore>,
    /// The runtime of the process. Each request thread has another runtime, which owns the database connections of its
    /// thread.
    runtime: Option<Handle>,
}

/// The places of one workspace.
struct Places {
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// A place that is taken; dropped, it is free for the next.
struct Place {
    of: ComputePool,
    workspace: WorkspaceId,
    permits: Vec<OwnedSemaphorePermit>,
}

/// Why work was not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NotComputed {
    /// The workspace has as much work running and waiting as it may have.
    Full,
    /// It panicked.
    Panicked,
}

/// A request that waits for a place; dropped, it no longer counts.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Default for ComputePool {
    fn default() -> Self {
        Self { workspaces: Arc::default(), all: Arc::new(Semaphore::new(AT_ALL)), runtime: Handle::try_current().ok() }
    }
}

impl ComputePool {
    /// The runtime of the process.
    pub(crate) fn runtime(&self) -> Handle {
        self.runtime.clone().unwrap_or_else(Handle::current)
    }

    /// Does the work of a request, as [`ComputePool::run`].
    ///
    /// # Errors
    /// Those of the work; 429 if there is no place for it.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        route: &Route,
        workspace: WorkspaceId,
        work: impl FnOnce() -> LocalBoxFuture<'static, Result<T, Problem>> + Send + 'static,
    ) -> Result<T, Problem> {
        let most_waiting = if route.traits.simulates { SIMULATIONS_WAITING } else { WAITING };
        let outcome = self.run(workspace, most_waiting, work).await;
        if outcome.as_ref().err() == Some(&NotComputed::Full) {
            metrics::counter!("tidings_http_compute_refused_total").increment(1);
        }
        match outcome {
            Ok(outcome) => outcome,
            Err(NotComputed::Full) if route.traits.simulates => {
                Err(Problem::new(Code::SimulationLimit).retry_after(RETRY))
            }
            Err(NotComputed::Full) => Err(Problem::new(Code::ComputeLimit).retry_after(RETRY)),
            Err(NotComputed::Panicked) => {
                tracing::error!(route = route.path, "a handler panicked");
                Err(Problem::new(Code::Internal))
            }
        }
    }

    /// Does work on a thread of the pool once there is a place for it. The work ends at its next await if the client is gone.
    ///
    /// # Errors
    /// [`NotComputed`].
    async fn run<T: Send + 'static>(
        &self,
        workspace: WorkspaceId,
        most_waiting: usize,
        work: impl FnOnce() -> LocalBoxFuture<'static, T> + Send + 'static,
    ) -> Result<T, NotComputed> {
        let place = self.place(workspace, most_waiting).await.ok_or(NotComputed::Full)?;
        let (mut result, awaited) = oneshot::channel();
        let runtime = self.runtime();
        let there = runtime.clone();
        runtime.spawn_blocking(move || {
            let done = there.block_on(async {
                tokio::select! {
                    done = work() => Some(done),
                    () = result.closed() => None,
                }
            });
            drop(place);
            if let Some(done) = done {
                let _ = result.send(done);
            }
        });
        awaited.await.map_err(|_| NotComputed::Panicked)
    }

    /// Waits for a place, first come, first served. Returns `None` if too many requests wait, or if no place was free in
    /// time.
    async fn place(&self, workspace: WorkspaceId, most_waiting: usize) -> Option<Place> {
        // Dropped after the permits below, also if the client goes away while it waits.
        let mut place = Place { of: self.clone(), workspace, permits: Vec::new() };
        let places = {
            let mut all = self.lock();
            let fresh = || Arc::new(Places { free: Arc::new(Semaphore::new(OF_A_WORKSPACE)), waiting: 0.into() });
            Arc::clone(all.entry(workspace).or_insert_with(fresh))
        };
        if places.waiting.fetch_add(1, Ordering::Relaxed) >= most_waiting + places.free.available_permits() {
            drop(Waiting(&places.waiting));
            drop(places);
            return None;
        }
        let waiting = Waiting(&places.waiting);
        let taken = tokio::time::timeout(PATIENCE, async {
            // They are never closed.
            let own = Arc::clone(&places.free).acquire_owned().await.ok()?;
            Some([own, Arc::clone(&self.all).acquire_owned().await.ok()?])
        });
        let taken = taken.await.ok().flatten();
        drop(waiting);
        drop(places);
        place.permits.extend(taken?);
        metrics::gauge!("tidings_http_computing").increment(1);
        Some(place)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WorkspaceId, Arc<Places>>> {
        self.workspaces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.permits.is_empty() {
            metrics::gauge!("tidings_http_computing").decrement(1);
        }
        let mut all = self.of.lock();
        self.permits.clear();
        // No request has a place or waits for one.
        let is_idle =
            |places: &Arc<Places>| Arc::strong_count(places) == 1 && places.free.available_permits() == OF_A_WORKSPACE;
        if all.get(&self.workspace).is_some_and(is_idle) {
            all.remove(&self.workspace);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::future::join_all;
    use tidings_domain::ids::TypedId;
    use uuid::Uuid;

    use super::*;

    fn workspace(number: u128) -> WorkspaceId {
        WorkspaceId::from_uuid(Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn work_runs_on_another_thread() {
        let here = std::thread::current().id();
        let there =
            ComputePool::default().run(workspace(1), WAITING, || Box::pin(async { std::thread::current().id() })).await;
        assert_ne!(there, Ok(here));
    }

    #[tokio::test]
    async fn work_that_panics_frees_its_place() {
        let pool = ComputePool::default();
        for _ in 0..=AT_ALL {
            let work = pool.run(workspace(1), WAITING, || -> LocalBoxFuture<'static, ()> { panic!("a test panics") });
            assert_eq!(work.await, Err(NotComputed::Panicked));
        }
        assert_eq!(pool.run(workspace(1), WAITING, || Box::pin(async { 7 })).await, Ok(7));
    }

    #[tokio::test]
    async fn work_ends_if_its_client_is_gone() {
        let pool = ComputePool::default();
        let (begun, has_begun) = oneshot::channel();
        let (held, is_dropped) = oneshot::channel::<()>();
        let work = pool.run(workspace(1), WAITING, move || {
            Box::pin(async move {
                let _held = held;
                let _ = begun.send(());
                std::future::pending::<()>().await;
            })
        });
        tokio::select! {
            _ = work => unreachable!("the work never ends"),
            begun = has_begun => begun.unwrap(),
        }
        assert!(is_dropped.await.is_err(), "the work was dropped");
    }

    #[tokio::test(start_paused = true)]
    async fn two_run_some_wait_and_the_next_is_refused() {
        let places = ComputePool::default();
        let mut taken = Vec::new();
        for _ in 0..OF_A_WORKSPACE {
            taken.push(places.place(workspace(1), WAITING).await.unwrap());
        }
        let crowd = (0..=WAITING).map(|_| places.place(workspace(1), WAITING));
        let began = tokio::time::Instant::now();
        let came = join_all(crowd).await;
        assert!(came.iter().all(Option::is_none));
        assert_eq!(began.elapsed(), PATIENCE, "all but one waited");
        assert!(places.place(workspace(2), WAITING).await.is_some(), "other workspaces notice nothing");

        let (next, ()) = futures::join!(places.place(workspace(1), WAITING), async { drop(taken.pop()) });
        taken.extend(next);
        assert_eq!(taken.len(), 2);
        taken.clear();
        assert!(places.lock().is_empty(), "an idle workspace takes no memory");
    }

    #[tokio::test(start_paused = true)]
    async fn all_workspaces_together_have_no_more_than_there_are_processors_for() {
        let places = ComputePool::default();
        let mut taken = Vec::new();
        for number in 0..AT_ALL {
            taken.push(places.place(workspace(number as u128), WAITING).await.unwrap());
        }
        assert!(places.place(workspace(99), WAITING).await.is_none());
        taken.pop();
        assert!(places.place(workspace(99), WAITING).await.is_some());
    }
}
