//! Watches of workspaces, and the changes since the last look.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Hint;
use super::pending_hints::PendingHints;
use super::remote_watchers::RemoteWatchers;
use crate::ids::WorkspaceId;

/// The hints for watched workspaces: for watchers in this process, and in others if a [`HintRelay`](super::HintRelay)
/// sends them there.
#[derive(Debug, Default)]
pub struct Hints {
    watched: Mutex<HashMap<WorkspaceId, Vec<Arc<Waiting>>>>,
    /// The number of watches in this process. If it is 0, commits do not need the lock.
    watching: AtomicUsize,
    /// Incremented if a workspace gets its first watcher in this process.
    begun: AtomicU64,
    elsewhere: RemoteWatchers,
}

/// The hints that one watcher has not taken yet.
#[derive(Debug, Default)]
struct Waiting(Mutex<PendingHints>);

impl Hints {
    /// Whether the workspace is watched, in this process or another.
    pub fn is_watched(&self, workspace: WorkspaceId) -> bool {
        let is_watched_here = self.watching.load(Ordering::Acquire) > 0 && self.lock().contains_key(&workspace);
        is_watched_here || self.elsewhere.is_watched(workspace)
    }

    /// Watches a workspace until the result is dropped.
    pub fn watch(self: &Arc<Self>, workspace: WorkspaceId) -> HintWatch {
        let waiting = Arc::new(Waiting::default());
        let mut watched = self.lock();
        let watchers = watched.entry(workspace).or_default();
        if watchers.is_empty() {
            self.begun.fetch_add(1, Ordering::AcqRel);
        }
        watchers.push(Arc::clone(&waiting));
        drop(watched);
        self.watching.fetch_add(1, Ordering::AcqRel);
        HintWatch { hints: Arc::clone(self), workspace, waiting }
    }

    /// Publishes hints to all watchers of the workspace: at once in this process, with the next message in others.
    pub fn tell(&self, workspace: WorkspaceId, hints: &[Hint]) {
        self.tell_here(workspace, hints);
        self.elsewhere.add(workspace, hints);
    }

    /// Publishes hints to the watchers in this process.
    pub(super) fn tell_here(&self, workspace: WorkspaceId, hints: &[Hint]) {
        let watchers = self.lock().get(&workspace).cloned().unwrap_or_default();
        for waiting in watchers {
            let mut gathered = waiting.0.lock().unwrap_or_else(PoisonError::into_inner);
            hints.iter().for_each(|hint| gathered.add(hint));
        }
    }

    pub(super) fn watched_here(&self) -> Vec<WorkspaceId> {
        self.lock().keys().copied().collect()
    }

    /// Number of times that a workspace got its first watcher in this process. Read it before [`Hints::watched_here`],
    /// which then contains all counted watches.
    pub(super) fn begun(&self) -> u64 {
        self.begun.load(Ordering::Acquire)
    }

    /// The watches of other processes.
    pub(super) fn elsewhere(&self) -> &RemoteWatchers {
        &self.elsewhere
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WorkspaceId, Vec<Arc<Waiting>>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A watch of a workspace. It stores at most 50 objects of each type.
#[derive(Debug)]
pub struct HintWatch {
    hints: Arc<Hints>,
    workspace: WorkspaceId,
    waiting: Arc<Waiting>,
}

impl HintWatch {
    /// Takes the changes since the last call, sorted by type.
    pub fn take(&self) -> Vec<Hint> {
        let gathered = std::mem::take(&mut *self.waiting.0.lock().unwrap_or_else(PoisonError::into_inner));
        gathered.into_hints().collect()
    }
}

impl Drop for HintWatch {
    fn drop(&mut self) {
        let mut watched = self.hints.lock();
        if let Some(watchers) = watched.get_mut(&self.workspace) {
            watchers.retain(|it| !Arc::ptr_eq(it, &self.waiting));
            if watchers.is_empty() {
                watched.remove(&self.workspace);
            }
        }
        drop(watched);
        self.hints.watching.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::hints::ChangedKind;
    use crate::hints::pending_hints::NAMED;
    use crate::ids::TypedId;

    fn workspace(number: u128) -> WorkspaceId {
        WorkspaceId::from_uuid(Uuid::from_u128(number))
    }

    fn hint(kind: ChangedKind, id: &str, version: Option<i64>) -> Hint {
        Hint { kind, id: Some(id.to_owned()), version }
    }

    #[test]
    fn a_watch_gets_each_object_of_its_workspace_once() {
        let hints = Arc::new(Hints::default());
        assert!(!hints.is_watched(workspace(1)));
        let watch = hints.watch(workspace(1));
        assert!(hints.is_watched(workspace(1)) && !hints.is_watched(workspace(2)));
        let tag = |version| hint(ChangedKind::Tag, "tag_1", version);
        hints.tell(workspace(1), &[tag(Some(3)), tag(Some(2)), hint(ChangedKind::Contact, "contact_1", None)]);
        hints.tell(workspace(2), &[tag(Some(9))]);
        assert_eq!(watch.take(), [hint(ChangedKind::Contact, "contact_1", None), tag(Some(3))]);
        assert_eq!(watch.take(), []);
        hints.tell(workspace(1), &[tag(Some(4)), tag(None)]);
        assert_eq!(watch.take(), [tag(None)], "a hint without a version replaces the earlier one");
        drop(watch);
        assert!(!hints.is_watched(workspace(1)) && hints.lock().is_empty());
    }

    #[test]
    fn merges_many_hints_of_a_type_into_one() {
        let hints = Arc::new(Hints::default());
        let watch = hints.watch(workspace(1));
        let many: Vec<_> = (0..1_000).map(|it| hint(ChangedKind::Delivery, &format!("dlv_{it}"), Some(1))).collect();
        hints.tell(workspace(1), &many[..NAMED]);
        assert_eq!(watch.take().len(), NAMED);
        hints.tell(workspace(1), &many);
        hints.tell(workspace(1), &[hint(ChangedKind::Tag, "tag_1", Some(1))]);
        assert_eq!(watch.take(), [Hint::several(ChangedKind::Delivery), hint(ChangedKind::Tag, "tag_1", Some(1))]);
    }
}
