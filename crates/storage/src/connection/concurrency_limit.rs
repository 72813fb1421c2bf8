//! Limits of concurrent work, in total and for each workspace. Workspaces take turns.
//!
//! A change set keeps its connection while it waits for a row that another one of its workspace has locked. Further
//! change sets of the workspace wait here, without a connection, and other workspaces still find one. Expensive queries
//! wait here for a reader.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;
use uuid::Uuid;

use crate::connection::fair_queue::FairQueue;

#[derive(Debug, Clone, Copy)]
pub(crate) struct WaitLimits {
    /// Maximum number of waiting tasks of the workspace. More are rejected.
    pub(crate) waiting: usize,
    pub(crate) time: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoPermit {
    Full,
    Late,
}

/// A limit of concurrent tasks, with turns for workspaces.
pub(crate) struct ConcurrencyLimit {
    state: Mutex<State>,
    /// Maximum number of running tasks.
    places: usize,
    /// Maximum number of running tasks of one workspace.
    each: usize,
}

#[derive(Default)]
struct State {
    inside: usize,
    of: HashMap<Uuid, usize>,
    waiting: FairQueue<oneshot::Sender<Permit>>,
}

impl State {
    fn enter(&mut self, workspace: Uuid) {
        self.inside += 1;
        *self.of.entry(workspace).or_default() += 1;
    }

    fn leave(&mut self, workspace: Uuid) {
        self.inside -= 1;
        if let Some(inside) = self.of.get_mut(&workspace) {
            *inside -= 1;
            if *inside == 0 {
                self.of.remove(&workspace);
            }
        }
    }
}

/// A slot, freed when this is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    limit: Arc<ConcurrencyLimit>,
    workspace: Uuid,
}

impl std::fmt::Debug for ConcurrencyLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConcurrencyLimit")
            .field("places", &self.places)
            .field("each", &self.each)
            .finish_non_exhaustive()
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.limit.lock().leave(self.workspace);
        self.limit.let_in();
    }
}

impl ConcurrencyLimit {
    /// Creates a limit with this number of slots, at most `each` of them for one workspace.
    pub(crate) fn new(places: usize, each: usize) -> Arc<Self> {
        let places = places.max(1);
        Arc::new(Self { state: Mutex::default(), places, each: each.clamp(1, places) })
    }

    pub(crate) async fn enter(self: &Arc<Self>, workspace: Uuid, limits: WaitLimits) -> Result<Permit, NoPermit> {
        let (pass, passed) = oneshot::channel();
        {
            let mut state = self.lock();
            // Tasks that gave up may still be queued.
            if state.waiting.len_of(workspace) >= limits.waiting {
                state.waiting.retain(|waiting| !waiting.is_closed());
            }
            if state.waiting.len_of(workspace) >= limits.waiting {
                return Err(NoPermit::Full);
            }
            state.waiting.push(workspace, pass);
        }
        self.let_in();
        match timeout(limits.time, passed).await {
            Ok(Ok(pass)) => Ok(pass),
            _ => Err(NoPermit::Late),
        }
    }

    /// Gives free slots to waiting tasks.
    fn let_in(self: &Arc<Self>) {
        loop {
            let mut state = self.lock();
            if state.inside >= self.places {
                return;
            }
            let State { of, waiting, .. } = &mut *state;
            let has_room = |workspace: Uuid| of.get(&workspace).is_none_or(|inside| *inside < self.each);
            let Some((workspace, next)) = waiting.pop_where(has_room) else { return };
            state.enter(workspace);
            drop(state);
            // If the task has given up, this drops the pass and frees the slot.
            let _ = next.send(Permit { limit: Arc::clone(self), workspace });
        }
    }

    pub(crate) fn waiting(&self) -> usize {
        let mut state = self.lock();
        state.waiting.retain(|waiting| !waiting.is_closed());
        state.waiting.len()
    }

    pub(crate) fn inside(&self) -> usize {
        self.lock().inside
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    const ADA: Uuid = Uuid::from_u128(1);
    const BOB: Uuid = Uuid::from_u128(2);
    const CYD: Uuid = Uuid::from_u128(3);
    const LIMITS: WaitLimits = WaitLimits { waiting: 1_024, time: Duration::from_secs(3) };

    #[tokio::test]
    async fn limits_the_places_of_one_workspace() {
        let limit = ConcurrencyLimit::new(4, 3);
        let inside = [
            limit.enter(ADA, LIMITS).await.unwrap(),
            limit.enter(ADA, LIMITS).await.unwrap(),
            limit.enter(ADA, LIMITS).await.unwrap(),
        ];
        let mut more: Vec<_> = (0..60).map(|_| Box::pin(limit.enter(ADA, LIMITS))).collect();
        assert!(more.iter_mut().all(|it| it.now_or_never().is_none()));
        let bob = limit.enter(BOB, LIMITS).now_or_never().expect("a place").unwrap();
        drop(bob);
        assert_eq!(limit.waiting(), 60);
        drop((inside, more));
        assert_eq!((limit.inside(), limit.waiting()), (0, 0), "abandoned requests occupy no place");
    }

    #[tokio::test(start_paused = true)]
    async fn rejects_requests_when_full_or_after_the_time_limit() {
        let limit = ConcurrencyLimit::new(2, 1);
        let few = WaitLimits { waiting: 2, ..LIMITS };
        let first = limit.enter(ADA, few).await.unwrap();
        let mut waiting: Vec<_> = (0..2).map(|_| Box::pin(limit.enter(ADA, few))).collect();
        assert!(waiting.iter_mut().all(|it| it.now_or_never().is_none()));
        assert_eq!(limit.enter(ADA, few).await.err(), Some(NoPermit::Full));
        assert!(limit.enter(BOB, few).await.is_ok(), "requests of other workspaces are admitted");
        waiting.pop();
        assert_eq!(limit.enter(ADA, few).await.err(), Some(NoPermit::Late), "an abandoned request does not count");
        assert_eq!(waiting.pop().unwrap().await.err(), Some(NoPermit::Late));
        drop(first);
        assert!(limit.enter(ADA, few).await.is_ok());
    }

    #[tokio::test]
    async fn admits_each_workspace_as_soon_as_a_place_is_free() {
        let limit = ConcurrencyLimit::new(2, 2);
        let first = limit.enter(ADA, LIMITS).await.unwrap();
        let second = limit.enter(ADA, LIMITS).await.unwrap();
        let mut more: Vec<_> = (0..60).map(|_| Box::pin(limit.enter(ADA, LIMITS))).collect();
        assert!(more.iter_mut().all(|it| it.now_or_never().is_none()));
        let (mut bob, mut cyd) = (Box::pin(limit.enter(BOB, LIMITS)), Box::pin(limit.enter(CYD, LIMITS)));
        assert!(bob.as_mut().now_or_never().is_none() && cyd.as_mut().now_or_never().is_none());
        drop(first);
        assert!(more[0].as_mut().now_or_never().is_some(), "the first request gets the place and releases it");
        assert!(bob.as_mut().now_or_never().is_some(), "another workspace gets the next place");
        assert!(cyd.as_mut().now_or_never().is_some());
        drop(second);
    }
}
