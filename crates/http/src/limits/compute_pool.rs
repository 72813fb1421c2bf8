//! A bounded pool of threads for work on large inputs, so that it never occupies a request thread.
//!
//! Each slot is a thread that handles one request from its body to its response. Slots are assigned to workspaces in
//! turns: at most two requests of a workspace run at once, and a bounded number waits.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::LocalBoxFuture;
use tidings_domain::ids::WorkspaceId;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::pipeline::route::Route;
use crate::response::problem::{Code, Problem};

/// The maximum number of requests of one workspace that run at once.
const OF_A_WORKSPACE: usize = 2;
/// The maximum number of waiting requests of one workspace. A client that repeats a request many times at once gets an
/// answer to each.
const WAITING: usize = 64;
/// The maximum number of waiting simulations of one workspace.
const SIMULATIONS_WAITING: usize = 16;
/// The maximum waiting time of a request.
const PATIENCE: Duration = Duration::from_secs(5);
/// The maximum number of requests that run at once, for all workspaces: each occupies a processor.
const AT_ALL: usize = 4;

/// Bodies above this length in bytes are read on the pool.
pub(crate) const LARGE_BODY: usize = 64 * 1024;
/// Value of `Retry-After`, in seconds, of a rejected request.
const RETRY: u64 = 1;

#[derive(Clone)]
pub(crate) struct ComputePool {
    workspaces: Arc<Mutex<HashMap<WorkspaceId, Arc<WorkspaceSlots>>>>,
    all: Arc<Semaphore>,
    /// The runtime of the process. Each request thread has another runtime, which owns the database connections of its
    /// thread.
    runtime: Option<Handle>,
}

struct WorkspaceSlots {
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// An occupied slot. Dropping it frees the slot.
struct ComputePermit {
    of: ComputePool,
    workspace: WorkspaceId,
    permits: Vec<OwnedSemaphorePermit>,
}

/// The reason why work was not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NotComputed {
    /// The workspace has reached its limits of running and waiting work.
    Full,
    Panicked,
}

/// A request that waits for a slot. Dropping it decrements the count.
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
    pub(crate) fn runtime(&self) -> Handle {
        self.runtime.clone().unwrap_or_else(Handle::current)
    }

    /// Runs the work of a request, as [`ComputePool::run`].
    ///
    /// # Errors
    /// Those of the work; 429 if there is no slot for it.
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

    /// Runs work on a thread of the pool when a slot is free. If the client disconnects, the work ends at its next
    /// await.
    ///
    /// # Errors
    /// [`NotComputed`].
    async fn run<T: Send + 'static>(
        &self,
        workspace: WorkspaceId,
        most_waiting: usize,
        work: impl FnOnce() -> LocalBoxFuture<'static, T> + Send + 'static,
    ) -> Result<T, NotComputed> {
        let permit = self.acquire(workspace, most_waiting).await.ok_or(NotComputed::Full)?;
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
            drop(permit);
            if let Some(done) = done {
                let _ = result.send(done);
            }
        });
        awaited.await.map_err(|_| NotComputed::Panicked)
    }

    /// Waits for a slot, first come, first served. Returns `None` if too many requests wait, or if no slot becomes free
    /// in time.
    async fn acquire(&self, workspace: WorkspaceId, most_waiting: usize) -> Option<ComputePermit> {
        // Dropped after the permits below, also if the client disconnects while it waits.
        let mut permit = ComputePermit { of: self.clone(), workspace, permits: Vec::new() };
        let slots = {
            let mut all = self.lock();
            let fresh =
                || Arc::new(WorkspaceSlots { free: Arc::new(Semaphore::new(OF_A_WORKSPACE)), waiting: 0.into() });
            Arc::clone(all.entry(workspace).or_insert_with(fresh))
        };
        if slots.waiting.fetch_add(1, Ordering::Relaxed) >= most_waiting + slots.free.available_permits() {
            drop(Waiting(&slots.waiting));
            drop(slots);
            return None;
        }
        let waiting = Waiting(&slots.waiting);
        let taken = tokio::time::timeout(PATIENCE, async {
            // The semaphores are never closed.
            let own = Arc::clone(&slots.free).acquire_owned().await.ok()?;
            Some([own, Arc::clone(&self.all).acquire_owned().await.ok()?])
        });
        let taken = taken.await.ok().flatten();
        drop(waiting);
        drop(slots);
        permit.permits.extend(taken?);
        metrics::gauge!("tidings_http_computing").increment(1);
        Some(permit)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WorkspaceId, Arc<WorkspaceSlots>>> {
        self.workspaces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ComputePermit {
    fn drop(&mut self) {
        if !self.permits.is_empty() {
            metrics::gauge!("tidings_http_computing").decrement(1);
        }
        let mut all = self.of.lock();
        self.permits.clear();
        // No request occupies a slot or waits for one.
        let is_idle = |slots: &Arc<WorkspaceSlots>| {
            Arc::strong_count(slots) == 1 && slots.free.available_permits() == OF_A_WORKSPACE
        };
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
    async fn runs_work_on_another_thread() {
        let here = std::thread::current().id();
        let there =
            ComputePool::default().run(workspace(1), WAITING, || Box::pin(async { std::thread::current().id() })).await;
        assert_ne!(there, Ok(here));
    }

    #[tokio::test]
    async fn frees_the_slot_of_work_that_panics() {
        let pool = ComputePool::default();
        for _ in 0..=AT_ALL {
            let work = pool.run(workspace(1), WAITING, || -> LocalBoxFuture<'static, ()> { panic!("a test panics") });
            assert_eq!(work.await, Err(NotComputed::Panicked));
        }
        assert_eq!(pool.run(workspace(1), WAITING, || Box::pin(async { 7 })).await, Ok(7));
    }

    #[tokio::test]
    async fn drops_the_work_of_a_client_that_disconnects() {
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
    async fn limits_running_and_waiting_work_of_a_workspace() {
        let pool = ComputePool::default();
        let mut taken = Vec::new();
        for _ in 0..OF_A_WORKSPACE {
            taken.push(pool.acquire(workspace(1), WAITING).await.unwrap());
        }
        let crowd = (0..=WAITING).map(|_| pool.acquire(workspace(1), WAITING));
        let began = tokio::time::Instant::now();
        let came = join_all(crowd).await;
        assert!(came.iter().all(Option::is_none));
        assert_eq!(began.elapsed(), PATIENCE, "all but one request waited");
        assert!(pool.acquire(workspace(2), WAITING).await.is_some(), "other workspaces have separate limits");

        let (next, ()) = futures::join!(pool.acquire(workspace(1), WAITING), async { drop(taken.pop()) });
        taken.extend(next);
        assert_eq!(taken.len(), 2);
        taken.clear();
        assert!(pool.lock().is_empty(), "no entry is left for an idle workspace");
    }

    #[tokio::test(start_paused = true)]
    async fn limits_the_work_of_all_workspaces_together() {
        let pool = ComputePool::default();
        let mut taken = Vec::new();
        for number in 0..AT_ALL {
            taken.push(pool.acquire(workspace(number as u128), WAITING).await.unwrap());
        }
        assert!(pool.acquire(workspace(99), WAITING).await.is_none());
        taken.pop();
        assert!(pool.acquire(workspace(99), WAITING).await.is_some());
    }
}
