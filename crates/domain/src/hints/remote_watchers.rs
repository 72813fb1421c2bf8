//! Workspaces that other processes watch, with the hints for them.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Hint;
use super::pending_hints::PendingHints;
use crate::ids::WorkspaceId;
use crate::time::Timestamp;

/// Maximum number of workspaces recorded as watched. Watchers of others only receive hints of the same process.
const MOST_WATCHED: usize = 10_000;
/// Maximum number of objects named between two messages. Beyond that, everything in the workspace may have changed.
const MOST_NAMED: usize = 2_000;

/// The workspaces that other processes watch. The outbox is bounded.
#[derive(Debug, Default)]
pub(super) struct RemoteWatchers {
    state: Mutex<State>,
    /// The number of watched workspaces. If it is 0, commits do not need the lock.
    watched: AtomicUsize,
}

#[derive(Debug, Default)]
struct State {
    /// The end of each watch.
    until: HashMap<WorkspaceId, Timestamp>,
    outbox: BTreeMap<WorkspaceId, PendingHints>,
    /// The number of named objects in the outbox.
    named: usize,
}

impl RemoteWatchers {
    /// Whether another process watches the workspace.
    pub(super) fn is_watched(&self, workspace: WorkspaceId) -> bool {
        self.watched.load(Ordering::Acquire) > 0 && self.lock().until.contains_key(&workspace)
    }

    /// Records that another process watches these workspaces, at least until `until`.
    pub(super) fn note(&self, workspaces: &[WorkspaceId], until: Timestamp) {
        let mut state = self.lock();
        for workspace in workspaces {
            if state.until.len() < MOST_WATCHED || state.until.contains_key(workspace) {
                state.until.insert(*workspace, until);
            }
        }
        self.watched.store(state.until.len(), Ordering::Release);
    }

    /// Removes the workspaces with expired watches.
    pub(super) fn forget(&self, now: Timestamp) {
        if self.watched.load(Ordering::Acquire) == 0 {
            return;
        }
        let mut state = self.lock();
        state.until.retain(|_, until| now < *until);
        self.watched.store(state.until.len(), Ordering::Release);
    }

    /// Adds the changes of a workspace, if it is watched.
    pub(super) fn add(&self, workspace: WorkspaceId, hints: &[Hint]) {
        if self.watched.load(Ordering::Acquire) == 0 {
            return;
        }
        let mut state = self.lock();
        if state.until.contains_key(&workspace) {
            state.add(workspace, hints);
        }
    }

    /// Takes the changes since the last call.
    pub(super) fn take(&self) -> Vec<(WorkspaceId, Hint)> {
        if self.watched.load(Ordering::Acquire) == 0 {
            return Vec::new();
        }
        let mut state = self.lock();
        state.named = 0;
        let outbox = std::mem::take(&mut state.outbox);
        drop(state);
        let of_workspace = |(workspace, gathered): (WorkspaceId, PendingHints)| {
            gathered.into_hints().map(move |hint| (workspace, hint))
        };
        outbox.into_iter().flat_map(of_workspace).collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn add(&mut self, workspace: WorkspaceId, hints: &[Hint]) {
        let gathered = self.outbox.entry(workspace).or_default();
        if gathered.is_everything() {
            return;
        }
        let before = gathered.named();
        hints.iter().for_each(|hint| gathered.add(hint));
        self.named = self.named + gathered.named() - before;
        if self.named > MOST_NAMED || gathered.is_everything() {
            self.named -= gathered.named();
            *gathered = PendingHints::everything();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uuid::Uuid;

    use super::*;
    use crate::hints::ChangedKind;
    use crate::ids::TypedId;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn workspace(number: usize) -> WorkspaceId {
        WorkspaceId::from_uuid(Uuid::from_u128(number as u128))
    }

    fn tag(number: usize) -> Hint {
        Hint { kind: ChangedKind::Tag, id: Some(format!("tag_{number}")), version: Some(1) }
    }

    #[test]
    fn a_workspace_is_watched_until_its_last_note_is_too_old() {
        let elsewhere = RemoteWatchers::default();
        elsewhere.add(workspace(1), &[tag(1)]);
        assert_eq!(elsewhere.take(), [], "an unwatched workspace gets no hints");
        let second = Duration::from_secs(1);
        elsewhere.note(&[workspace(1), workspace(2)], NOW.plus(second));
        elsewhere.note(&[workspace(2)], NOW.plus(second * 2));
        elsewhere.add(workspace(1), &[tag(1)]);
        elsewhere.add(workspace(3), &[tag(1)]);
        assert_eq!(elsewhere.take(), [(workspace(1), tag(1))]);
        assert_eq!(elsewhere.take(), [], "each hint is returned once");
        elsewhere.forget(NOW.plus(second));
        assert!(!elsewhere.is_watched(workspace(1)) && elsewhere.is_watched(workspace(2)));
        elsewhere.forget(NOW.plus(second * 2));
        assert!(!elsewhere.is_watched(workspace(2)));
    }

    #[test]
    fn bounds_pending_hints_without_losing_a_workspace() {
        let elsewhere = RemoteWatchers::default();
        let all: Vec<_> = (0..MOST_WATCHED + 1).map(workspace).collect();
        elsewhere.note(&all, NOW);
        assert!(elsewhere.is_watched(workspace(0)) && !elsewhere.is_watched(workspace(MOST_WATCHED)));
        let many: Vec<_> = (0..40).map(tag).collect();
        for number in 0..1_000 {
            elsewhere.add(workspace(number), &many);
            elsewhere.add(workspace(number), &many);
        }
        assert!(elsewhere.lock().named <= MOST_NAMED);
        let told = elsewhere.take();
        let everything = Hint::several(ChangedKind::Workspace);
        assert_eq!(told.iter().filter(|(_, hint)| *hint == everything).count(), 950);
        assert_eq!(told.iter().filter(|(_, hint)| hint.kind == ChangedKind::Tag).count(), MOST_NAMED);
        assert!((0..1_000).all(|number| told.iter().any(|(it, _)| *it == workspace(number))));
    }

    #[test]
    fn a_hint_for_everything_replaces_named_objects() {
        let elsewhere = RemoteWatchers::default();
        elsewhere.note(&[workspace(1)], NOW);
        let everything = Hint::several(ChangedKind::Workspace);
        elsewhere.add(workspace(1), &[tag(1), everything.clone()]);
        elsewhere.add(workspace(1), &[tag(2)]);
        assert_eq!(elsewhere.lock().named, 0);
        assert_eq!(elsewhere.take(), [(workspace(1), everything)]);
    }
}
