//! Collected changes of a workspace.

use std::collections::BTreeMap;

use super::{ChangedKind, Hint};

/// Maximum number of named objects per type. If there are more, the hint is that several changed.
pub(super) const NAMED: usize = 50;

/// The changed objects, each once. If many objects of a type changed, they are not named.
#[derive(Debug, Default)]
pub(super) struct PendingHints {
    /// The versions by type and ID. A type without IDs means that several objects changed.
    kinds: BTreeMap<ChangedKind, BTreeMap<String, Option<i64>>>,
}

impl PendingHints {
    /// The hint that everything may have changed.
    pub(super) fn everything() -> Self {
        Self { kinds: BTreeMap::from([(ChangedKind::Workspace, BTreeMap::new())]) }
    }

    /// Whether everything may have changed. No more objects need to be named then.
    pub(super) fn is_everything(&self) -> bool {
        self.kinds.get(&ChangedKind::Workspace).is_some_and(BTreeMap::is_empty)
    }

    pub(super) fn add(&mut self, hint: &Hint) {
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
            // Hints may arrive in another order than the commits. The version never decreases.
            let version = ids.get(id).copied().flatten().max(hint.version);
            ids.insert(id.clone(), hint.version.and(version));
        } else {
            ids.clear();
        }
    }

    pub(super) fn named(&self) -> usize {
        self.kinds.values().map(BTreeMap::len).sum()
    }

    /// The hints, sorted by type.
    pub(super) fn into_hints(self) -> impl Iterator<Item = Hint> {
        let of_kind = |(kind, ids): (ChangedKind, BTreeMap<String, Option<i64>>)| {
            let several = ids.is_empty().then(|| Hint::several(kind));
            several.into_iter().chain(ids.into_iter().map(move |(id, version)| Hint { kind, id: Some(id), version }))
        };
        self.kinds.into_iter().flat_map(of_kind)
    }
}
