//! Turns: requests that change the same object wait for each other. Otherwise they could use up their attempts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures::lock::{Mutex as Queue, OwnedMutexGuard};

use crate::ids::WorkspaceId;

/// The object of a turn: a workspace and any name.
type Key = (WorkspaceId, String);

/// Queues for objects that several requests of this process change. They only improve performance: the guards of the
/// ledger ensure correctness.
#[derive(Debug, Default)]
pub struct Turns {
    queues: Mutex<HashMap<Key, Arc<Queue<()>>>>,
}

impl Turns {
    /// Waits until no other request has the turn of this object.
    pub(crate) async fn take(self: &Arc<Self>, workspace: WorkspaceId, object: String) -> Turn {
        let key = (workspace, object);
        let queue = self.locked().entry(key.clone()).or_default().clone();
        let guard = queue.lock_owned().await;
        Turn { turns: self.clone(), key, guard: Some(guard) }
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Arc<Queue<()>>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The turn of a request. Dropping it passes the turn to the next request.
pub(crate) struct Turn {
    turns: Arc<Turns>,
    key: Key,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.guard = None;
        let mut queues = self.turns.locked();
        // Waiting requests share the queue.
        if queues.get(&self.key).is_some_and(|queue| Arc::strong_count(queue) == 1) {
            queues.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use futures::executor::block_on;

    use super::*;
    use crate::ids::TypedId;

    #[test]
    fn admits_one_request_per_object_at_a_time() {
        let (turns, of) = (Arc::<Turns>::default(), WorkspaceId::from_uuid(uuid::Uuid::nil()));
        let first = block_on(turns.take(of, "ada".to_owned()));
        assert!(turns.take(of, "eve".to_owned()).now_or_never().is_some(), "another object has another queue");
        let second = turns.take(of, "ada".to_owned());
        futures::pin_mut!(second);
        assert!(second.as_mut().now_or_never().is_none());
        drop(first);
        assert!(block_on(second).guard.is_some());
        assert!(turns.locked().is_empty(), "an unused object has no queue");
    }
}
