//! What changed in a workspace, gathered until it is taken.

use std::collections::BTreeMap;

use super::{ChangedKind, Hint};

/// So many objects of a kind are named; of more is told that they are several.
pub(super) const NAMED: usize = 50;

/// Each object once, and of many of a kind that they are several.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// By kind, and then by id: the version. A kind without ids stands for several.
    kinds: BTreeMap<ChangedKind, BTreeMap<String, Option<i64>>>,
}

impl Gathered {
    /// That everything may have changed.
    pub(super) fn everything() -> Self {
        Self { kinds: BTreeMap::from([(ChangedKind::Workspace, BTreeMap::new())]) }
    }

    /// Whether that is what is told, so that nothing more needs to be named.
    pub(super) fn is_everything(&self) -> bool {
        self.kinds.get(&ChangedKind::Workspace).is_some_and(BTreeMap::is_empty)
    }

    /// Adds that an object changed.
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
            // Commits that are told in another order than they were made do not take a version back.
            let version = ids.get(id).copied().flatten().max(hint.version);
            ids.insert(id.clone(), hint.version.and(version));
        } else {
            ids.clear();
        }
    }

    /// How many objects are named.
    pub(super) fn named(&self) -> usize {
        self.kinds.values().map(BTreeMap::len).sum()
    }

    /// What was gathered, by kind.
    pub(super) fn into_hints(self) -> impl Iterator<Item = Hint> {
        let of_kind = |(kind, ids): (ChangedKind, BTreeMap<String, Option<i64>>)| {
            let several = ids.is_empty().then(|| Hint::several(kind));
            several.into_iter().chain(ids.into_iter().map(move |(id, version)| Hint { kind, id: Some(id), version }))
        };
        self.kinds.into_iter().flat_map(of_kind)
    }
}
