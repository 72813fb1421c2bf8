//! Who watches a workspace, and what changed since they last asked.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{ChangedKind, Hint};
use crate::ids::WorkspaceId;

/// So many objects of a kind are named; of more is told that they are several.
const NAMED: usize = 50;

/// What changed in those workspaces of a process that somebody watches.
#[derive(Debug, Default)]
pub struct Hints {
    watched: Mutex<HashMap<WorkspaceId, Vec<Arc<Waiting>>>>,
    /// How many watch, so that whoever commits need not ask for the lock where nobody does.
    watching: AtomicUsize,
}

/// What one watcher has not taken yet.
#[derive(Debug, Default)]
struct Waiting(Mutex<Gathered>);

#[derive(Debug, Default)]
struct Gathered {
    /// By kind, and then by id: the version. A kind without ids stands for several.
    kinds: BTreeMap<ChangedKind, BTreeMap<String, Option<i64>>>,
}

impl Gathered {
    fn add(&mut self, hint: &Hint) {
        let Some(id) = &hint.id else {
            self.kinds.insert(hint.kind, BTreeMap::new());
            return;
        };
        let ids = match self.kinds.get_mut(&hint.kind) {
            Some(ids) if ids.is_empty() => return,
            Some(ids) => ids,
            None => self.kinds.entry(hint.kind).or_default(),
        };
        if ids.len() < NAMED || ids.contains_key(id) {
            // Commits that are told in another order than they were made do not take a version back.
            let version = ids.get(id).copied().flatten().max(hint.version);
            ids.insert(id.clone(), hint.version.and(version));
        } else {
            ids.clear();
        }
    }
}

impl Hints {
    /// Whether somebody watches the workspace.
    pub fn is_watched(&self, workspace: WorkspaceId) -> bool {
        self.watching.load(Ordering::Acquire) > 0 && self.lock().contains_key(&workspace)
    }

    /// Watches a workspace from now on, until what is returned is dropped.
    pub fn watch(self: &Arc<Self>, workspace: WorkspaceId) -> HintWatch {
        let waiting = Arc::new(Waiting::default());
        self.lock().entry(workspace).or_default().push(Arc::clone(&waiting));
        self.watching.fetch_add(1, Ordering::AcqRel);
        HintWatch { hints: Arc::clone(self), workspace, waiting }
    }

    /// Tells all who watch the workspace.
    pub fn tell(&self, workspace: WorkspaceId, hints: &[Hint]) {
        let watchers = self.lock().get(&workspace).cloned().unwrap_or_default();
        for waiting in watchers {
            let mut gathered = waiting.0.lock().unwrap_or_else(PoisonError::into_inner);
            hints.iter().for_each(|hint| gathered.add(hint));
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WorkspaceId, Vec<Arc<Waiting>>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A look at what changes in a workspace. It holds at most fifty objects of each kind, however many change.
#[derive(Debug)]
pub struct HintWatch {
    hints: Arc<Hints>,
    workspace: WorkspaceId,
    waiting: Arc<Waiting>,
}

impl HintWatch {
    /// What changed since it was last asked, by kind.
    pub fn take(&self) -> Vec<Hint> {
        let gathered = std::mem::take(&mut *self.waiting.0.lock().unwrap_or_else(PoisonError::into_inner));
        let of_kind = |(kind, ids): (ChangedKind, BTreeMap<String, Option<i64>>)| {
            let several = ids.is_empty().then(|| Hint::several(kind));
            several.into_iter().chain(ids.into_iter().map(move |(id, version)| Hint { kind, id: Some(id), version }))
        };
        gathered.kinds.into_iter().flat_map(of_kind).collect()
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
    use crate::ids::TypedId;

    fn workspace(number: u128) -> WorkspaceId {
        WorkspaceId::from_uuid(Uuid::from_u128(number))
    }

    fn hint(kind: ChangedKind, id: &str, version: Option<i64>) -> Hint {
        Hint { kind, id: Some(id.to_owned()), version }
    }

    #[test]
    fn a_watcher_hears_of_its_workspace_alone_and_of_each_object_once() {
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
        assert_eq!(watch.take(), [tag(None)], "it is gone");
        drop(watch);
        assert!(!hints.is_watched(workspace(1)) && hints.lock().is_empty());
    }

    #[test]
    fn many_of_a_kind_are_told_as_several() {
        let hints = Arc::new(Hints::default());
        let watch = hints.watch(workspace(1));
        let many: Vec<_> = (0..1_000).map(|it| hint(ChangedKind::Delivery, &format!("dlv_{it}"), Some(1))).collect();
        hints.tell(workspace(1), &many[..NAMED]);
        assert_eq!(watch.take().len(), NAMED);
        hints.tell(workspace(1), &many);
        hints.tell(workspace(1), &[hint(ChangedKind::Tag, "tag_1", Some(1))]);
        assert_eq!(watch.take(), [hint(ChangedKind::Tag, "tag_1", Some(1)), Hint::several(ChangedKind::Delivery)]);
    }
}
