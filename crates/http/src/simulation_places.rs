//! How many simulations are played at once, and how many wait for that.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tidings_domain::ids::WorkspaceId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many of one workspace at once.
const OF_A_WORKSPACE: usize = 2;
/// So many of one workspace wait meanwhile.
const WAITING: usize = 16;
/// So long each.
const PATIENCE: Duration = Duration::from_secs(5);
/// So many of all workspaces at once: each keeps a processor busy.
const AT_ALL: usize = 4;

/// The places for simulations.
#[derive(Clone)]
pub(crate) struct SimulationPlaces {
    workspaces: Arc<Mutex<HashMap<WorkspaceId, Arc<Places>>>>,
    all: Arc<Semaphore>,
}

/// Those of one workspace.
struct Places {
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// A place for a simulation; dropped, it is free for the next.
pub(crate) struct Place {
    of: SimulationPlaces,
    workspace: WorkspaceId,
    permits: Vec<OwnedSemaphorePermit>,
}

/// Who waits for a place, as long as they do.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Default for SimulationPlaces {
    fn default() -> Self {
        Self { workspaces: Arc::default(), all: Arc::new(Semaphore::new(AT_ALL)) }
    }
}

impl SimulationPlaces {
    /// Waits for a place; who came first has it first. `None` where too many wait, or where none was free in time.
    pub(crate) async fn place(&self, workspace: WorkspaceId) -> Option<Place> {
        // Dropped after what is taken below, whenever whoever waits goes away.
        let mut place = Place { of: self.clone(), workspace, permits: Vec::new() };
        let places = {
            let mut all = self.lock();
            let fresh = || Arc::new(Places { free: Arc::new(Semaphore::new(OF_A_WORKSPACE)), waiting: 0.into() });
            Arc::clone(all.entry(workspace).or_insert_with(fresh))
        };
        if places.waiting.fetch_add(1, Ordering::Relaxed) >= WAITING + places.free.available_permits() {
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
        Some(place)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WorkspaceId, Arc<Places>>> {
        self.workspaces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = self.of.lock();
        self.permits.clear();
        // Nobody has a place, and nobody waits for one.
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

    #[tokio::test(start_paused = true)]
    async fn two_are_played_sixteen_wait_and_the_next_is_sent_away() {
        let places = SimulationPlaces::default();
        let mut taken = Vec::new();
        for _ in 0..OF_A_WORKSPACE {
            taken.push(places.place(workspace(1)).await.unwrap());
        }
        let crowd = (0..=WAITING).map(|_| places.place(workspace(1)));
        let began = tokio::time::Instant::now();
        let came = join_all(crowd).await;
        assert!(came.iter().all(Option::is_none));
        assert_eq!(began.elapsed(), PATIENCE, "sixteen waited, and one did not");
        assert!(places.place(workspace(2)).await.is_some(), "other workspaces notice nothing");

        let (next, ()) = futures::join!(places.place(workspace(1)), async { drop(taken.pop()) });
        taken.extend(next);
        assert_eq!(taken.len(), 2);
        taken.clear();
        assert!(places.lock().is_empty(), "what nobody uses is forgotten");
    }

    #[tokio::test(start_paused = true)]
    async fn all_workspaces_together_have_no_more_than_there_are_processors_for() {
        let places = SimulationPlaces::default();
        let mut taken = Vec::new();
        for number in 0..AT_ALL {
            taken.push(places.place(workspace(number as u128)).await.unwrap());
        }
        assert!(places.place(workspace(99)).await.is_none());
        taken.pop();
        assert!(places.place(workspace(99)).await.is_some());
    }
}
