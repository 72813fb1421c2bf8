//! A queue with turns for workspaces.

use std::collections::{HashMap, VecDeque};

use uuid::Uuid;

use crate::queries::types::DbId;

/// The ID for work of no workspace: credentials, sign-in, readiness and engines.
pub(crate) const SYSTEM: DbId = DbId(Uuid::nil());

/// A fair queue. Items of one workspace are in order, and workspaces take turns. A new workspace waits behind at most
/// one item of each other workspace, regardless of their backlogs.
pub(crate) struct FairQueue<T> {
    waiting: HashMap<Uuid, VecDeque<T>>,
    /// The workspaces with waiting items, each once, in the order of their turns.
    turns: VecDeque<Uuid>,
    len: usize,
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        Self { waiting: HashMap::new(), turns: VecDeque::new(), len: 0 }
    }
}

impl<T> FairQueue<T> {
    pub(crate) fn push(&mut self, workspace: Uuid, item: T) {
        let queue = self.waiting.entry(workspace).or_default();
        if queue.is_empty() {
            self.turns.push_back(workspace);
        }
        queue.push_back(item);
        self.len += 1;
    }

    pub(crate) fn peek(&self) -> Option<&T> {
        self.waiting.get(self.turns.front()?)?.front()
    }

    pub(crate) fn pop(&mut self) -> Option<T> {
        self.pop_where(|_| true).map(|(_, item)| item)
    }

    /// Removes the next item of a workspace that `may` accepts.
    pub(crate) fn pop_where(&mut self, may: impl Fn(Uuid) -> bool) -> Option<(Uuid, T)> {
        let place = self.turns.iter().position(|workspace| may(*workspace))?;
        let workspace = self.turns.remove(place)?;
        let queue = self.waiting.get_mut(&workspace)?;
        let item = queue.pop_front()?;
        if queue.is_empty() {
            self.waiting.remove(&workspace);
        } else {
            self.turns.push_back(workspace);
        }
        self.len -= 1;
        Some((workspace, item))
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        self.waiting.retain(|_, queue| {
            queue.retain(&keep);
            !queue.is_empty()
        });
        self.turns.retain(|workspace| self.waiting.contains_key(workspace));
        self.len = self.waiting.values().map(VecDeque::len).sum();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn len_of(&self, workspace: Uuid) -> usize {
        self.waiting.get(&workspace).map_or(0, VecDeque::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: Uuid = Uuid::from_u128(1);
    const BOB: Uuid = Uuid::from_u128(2);

    #[test]
    fn alternates_between_workspaces() {
        let mut queue = FairQueue::default();
        (0..100).for_each(|number| queue.push(ADA, number));
        (100..103).for_each(|number| queue.push(BOB, number));
        assert_eq!((queue.len(), queue.len_of(ADA), queue.len_of(BOB)), (103, 100, 3));
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order[..7], [0, 100, 1, 101, 2, 102, 3]);
        assert!(order[6..].is_sorted() && order.len() == 103 && queue.is_empty());
    }

    #[test]
    fn a_skipped_workspace_keeps_its_turn() {
        let mut queue = FairQueue::default();
        queue.push(ADA, 1);
        queue.push(BOB, 2);
        assert_eq!(queue.peek(), Some(&1));
        assert_eq!(queue.pop_where(|it| it == BOB), Some((BOB, 2)));
        assert_eq!(queue.pop_where(|it| it == BOB), None);
        assert_eq!(queue.pop(), Some(1));
    }

    #[test]
    fn retains_only_matching_items() {
        let mut queue = FairQueue::default();
        (0..4).for_each(|number| queue.push(ADA, number));
        queue.push(BOB, 5);
        queue.retain(|number| number % 2 == 0);
        assert_eq!((queue.len(), queue.len_of(ADA), queue.len_of(BOB)), (2, 2, 0));
        assert_eq!([queue.pop(), queue.pop(), queue.pop()], [Some(0), Some(2), None]);
    }
}
