//! How many change sets may have a connection at the same time, in all and of one workspace.
//!
//! A change set that waits for a row that others of its workspace hold keeps its connection meanwhile. Those behind it
//! wait here, without one, so that neighbours find some.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;
use uuid::Uuid;

use super::unavailable;
use crate::fair::FairQueue;
use crate::faults::Fault;

/// So many of one workspace may wait; the next is told to come back.
const WAITING: usize = 1_024;

/// Lets change sets in, workspaces in turn.
pub(super) struct Gate {
    state: Mutex<State>,
    /// How many are in at once.
    places: usize,
    /// How many of one workspace are in at once.
    each: usize,
}

#[derive(Default)]
struct State {
    inside: usize,
    of: HashMap<Uuid, usize>,
    waiting: FairQueue<oneshot::Sender<Pass>>,
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

/// The right to have a connection, until it is dropped.
#[derive(Debug)]
pub(super) struct Pass {
    gate: Arc<Gate>,
    workspace: Uuid,
}

impl std::fmt::Debug for Gate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gate").field("places", &self.places).field("each", &self.each).finish_non_exhaustive()
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.gate.lock().leave(self.workspace);
        self.gate.let_in();
    }
}

impl Gate {
    /// A gate with so many places, `each` of them for one workspace at the most.
    pub(super) fn new(places: usize, each: usize) -> Arc<Self> {
        let places = places.max(1);
        Arc::new(Self { state: Mutex::default(), places, each: each.clamp(1, places) })
    }

    /// Waits so long for a place.
    pub(super) async fn enter(self: &Arc<Self>, workspace: Uuid, patience: Duration) -> Result<Pass, Fault> {
        let (pass, passed) = oneshot::channel();
        {
            let mut state = self.lock();
            if state.waiting.len_of(workspace) >= WAITING {
                return Err(unavailable("too many commits of the workspace are waiting"));
            }
            state.waiting.push(workspace, pass);
        }
        self.let_in();
        match timeout(patience, passed).await {
            Ok(Ok(pass)) => Ok(pass),
            _ => Err(unavailable("the workspace has too many commits under way")),
        }
    }

    /// Has those enter for whom there is a place.
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
            // Who waits no more gives the place back by this.
            let _ = next.send(Pass { gate: Arc::clone(self), workspace });
        }
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.lock().waiting.len()
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
    const PATIENCE: Duration = Duration::from_secs(3);

    #[tokio::test]
    async fn one_workspace_leaves_places_to_the_others() {
        let gate = Gate::new(4, 3);
        let inside = [
            gate.enter(ADA, PATIENCE).await.unwrap(),
            gate.enter(ADA, PATIENCE).await.unwrap(),
            gate.enter(ADA, PATIENCE).await.unwrap(),
        ];
        let mut more: Vec<_> = (0..60).map(|_| Box::pin(gate.enter(ADA, PATIENCE))).collect();
        assert!(more.iter_mut().all(|it| it.now_or_never().is_none()));
        let bob = gate.enter(BOB, PATIENCE).now_or_never().expect("a place").unwrap();
        drop(bob);
        assert_eq!(gate.waiting(), 60);
        drop((inside, more));
        let inside = gate.lock().inside;
        assert_eq!((inside, gate.waiting()), (0, 0), "those who went away hold nothing");
    }

    #[tokio::test]
    async fn who_comes_last_waits_for_one_to_leave() {
        let gate = Gate::new(2, 2);
        let first = gate.enter(ADA, PATIENCE).await.unwrap();
        let second = gate.enter(ADA, PATIENCE).await.unwrap();
        let mut more: Vec<_> = (0..60).map(|_| Box::pin(gate.enter(ADA, PATIENCE))).collect();
        assert!(more.iter_mut().all(|it| it.now_or_never().is_none()));
        let (mut bob, mut cyd) = (Box::pin(gate.enter(BOB, PATIENCE)), Box::pin(gate.enter(CYD, PATIENCE)));
        assert!(bob.as_mut().now_or_never().is_none() && cyd.as_mut().now_or_never().is_none());
        drop(first);
        assert!(more[0].as_mut().now_or_never().is_some(), "she came first, and gave the place back at once");
        assert!(bob.as_mut().now_or_never().is_some(), "and the next is somebody else");
        assert!(cyd.as_mut().now_or_never().is_some());
        drop(second);
    }
}
