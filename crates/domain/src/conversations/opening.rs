//! Openings of a conversation, as pure functions.
//!
//! An opening starts when the contact writes to a new or resolved conversation, or when a resolved or automated
//! conversation becomes open for members. It ends when the conversation is resolved. It has at most one first reply: the
//! first message of a member while the contact waits. Replies of automation end the wait only while automation handles the
//! conversation.

use crate::time::Timestamp;

/// The current opening of a conversation; all absent if the conversation has none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Opening {
    /// When the conversation was opened or reopened.
    pub opened_at: Option<Timestamp>,
    /// Since when the contact has been waiting for the first reply of a member.
    pub awaited_since: Option<Timestamp>,
    /// When a member first replied.
    pub replied_at: Option<Timestamp>,
}

impl Opening {
    /// Starts the opening, unless it has started.
    pub(super) fn open(&mut self, now: Timestamp) {
        self.opened_at = self.opened_at.or(Some(now));
    }

    /// Records that the contact waits for a member, after a message or a handover from automation. Starts the opening
    /// if necessary.
    pub(super) fn await_member(&mut self, now: Timestamp) {
        self.open(now);
        if self.replied_at.is_none() {
            self.awaited_since = self.awaited_since.or(Some(now));
        }
    }

    /// Records that automation replied while it handled the conversation.
    pub(super) fn answer_by_automation(&mut self) {
        self.awaited_since = None;
    }

    /// Records that a member sent the contact a message.
    pub(super) fn answer_by_member(&mut self, now: Timestamp) {
        if self.awaited_since.take().is_some() {
            self.replied_at = Some(now);
        }
    }

    /// The opening of a conversation that is merged with another: from the earlier start, with the first reply of
    /// either.
    pub(crate) fn joined(self, other: Self) -> Self {
        let earliest = |one: Option<Timestamp>, two: Option<Timestamp>| [one, two].into_iter().flatten().min();
        let replied_at = earliest(self.replied_at, other.replied_at);
        let awaited_since = earliest(self.awaited_since, other.awaited_since).filter(|_| replied_at.is_none());
        Self { opened_at: earliest(self.opened_at, other.opened_at), awaited_since, replied_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::EPOCH_2026.plus(Duration::from_secs(seconds))
    }

    #[test]
    fn waits_from_the_first_unanswered_message_to_the_first_reply() {
        let mut it = Opening::default();
        it.await_member(at(1));
        it.await_member(at(2));
        assert_eq!((it.opened_at, it.awaited_since, it.replied_at), (Some(at(1)), Some(at(1)), None));
        it.answer_by_member(at(3));
        assert_eq!((it.awaited_since, it.replied_at), (None, Some(at(3))));
        it.await_member(at(4));
        it.answer_by_member(at(5));
        assert_eq!((it.awaited_since, it.replied_at), (None, Some(at(3))), "an opening has one first reply");
    }

    #[test]
    fn a_reply_of_automation_ends_the_wait() {
        let mut it = Opening::default();
        it.await_member(at(1));
        it.answer_by_automation();
        it.answer_by_member(at(2));
        assert_eq!((it.opened_at, it.replied_at), (Some(at(1)), None), "the contact did not wait for a member");
        it.await_member(at(3));
        it.answer_by_member(at(4));
        assert_eq!(it.replied_at, Some(at(4)));
    }

    #[test]
    fn joined_openings_have_one_first_reply() {
        let waiting = Opening { opened_at: Some(at(2)), awaited_since: Some(at(2)), replied_at: None };
        let replied = Opening { opened_at: Some(at(1)), awaited_since: None, replied_at: Some(at(3)) };
        let joined = Opening { opened_at: Some(at(1)), ..replied };
        assert_eq!((waiting.joined(replied), replied.joined(waiting)), (joined, joined));
        assert_eq!(Opening::default().joined(waiting), waiting);
    }
}
