//! The states of a conversation and their transitions, as pure functions.
//!
//! A conversation starts as `pending`, handled by automation. It becomes `open`, handled by members, when a user
//! writes, when it is assigned, and when automation escalates it. Resolving returns it to automation. If no flow
//! handles a message, it becomes `open` and stays with automation. A snoozed conversation opens at its time or with the
//! contact's next message, a resolved one with any message.

use super::{Conversation, ConversationStatus, Handler, MarketingPreference, Opening};
use crate::access::ActorKind;
use crate::ids::{ChannelId, ContactId, ConversationId, UserId};
use crate::time::Timestamp;

use ConversationStatus::{Open, Pending, Resolved, Snoozed};

impl Conversation {
    /// Creates a conversation without messages.
    pub fn new(id: ConversationId, contact: ContactId, channel: ChannelId, now: Timestamp) -> Self {
        Self {
            id,
            contact,
            channel,
            status: Pending,
            handler: Handler::Bot,
            assignee: None,
            snoozed_until: None,
            unread_count: 0,
            waiting_since: None,
            window_expires_at: None,
            reply_address: None,
            opt_out_confirmed_at: None,
            first_reply_at: None,
            last_message_at: None,
            resolved_at: None,
            reopen_count: 0,
            opening: Opening::default(),
            marketing: MarketingPreference::default(),
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }

    /// The contact sent a message. Always a change.
    pub fn hear(&mut self, now: Timestamp) {
        self.change(now, |it| {
            match it.status {
                Resolved => it.leave_resolved(Pending),
                Snoozed => it.go(Open),
                Open | Pending => {}
            }
            it.unread_count += 1;
            it.waiting_since = it.waiting_since.or(Some(now));
            it.opening.await_member(now);
        });
    }

    /// A sender of this type sent the contact a message. Returns whether anything changed.
    pub fn answer(&mut self, by: ActorKind, now: Timestamp) -> bool {
        self.change(now, |it| {
            if by == ActorKind::User {
                it.hand_to_people(now);
                it.unread_count = 0;
                it.opening.answer_by_member(now);
            } else {
                if it.status == Resolved {
                    it.leave_resolved(Pending);
                }
                if it.handler != Handler::Human {
                    it.opening.answer_by_automation();
                }
            }
            if it.waiting_since.take().is_some() {
                it.first_reply_at = it.first_reply_at.or(Some(now));
            }
        })
    }

    /// Resolves the conversation. Returns whether it was not resolved yet.
    pub fn resolve(&mut self, now: Timestamp) -> bool {
        self.change(now, |it| {
            if it.status != Resolved {
                it.go(Resolved);
                it.handler = Handler::Bot;
                it.resolved_at = Some(now);
                it.waiting_since = None;
                it.opening = Opening::default();
            }
        })
    }

    /// Reopens the conversation. Returns whether it was resolved or snoozed.
    pub fn reopen(&mut self, now: Timestamp) -> bool {
        self.change(now, |it| match it.status {
            Resolved => {
                it.leave_resolved(Open);
                it.opening.open(now);
            }
            Snoozed => it.go(Open),
            Open | Pending => {}
        })
    }

    /// Snoozes the conversation. A resolved one stays resolved. Returns whether anything changed.
    pub fn snooze(&mut self, until: Timestamp, now: Timestamp) -> bool {
        self.change(now, |it| {
            if it.status != Resolved {
                it.go(Snoozed);
                it.snoozed_until = Some(until);
            }
        })
    }

    /// Opens a snoozed conversation at its time. Returns whether it was due.
    pub fn wake(&mut self, now: Timestamp) -> bool {
        self.change(now, |it| {
            if it.status == Snoozed && it.snoozed_until.is_none_or(|until| until <= now) {
                it.go(Open);
            }
        })
    }

    /// Assigns it to a member, or removes the assignee. Returns whether the assignee changed.
    pub fn assign(&mut self, assignee: Option<UserId>, now: Timestamp) -> bool {
        self.change(now, |it| it.give_to(assignee, now))
    }

    /// Hands it from automation to a member. The contact now waits for that member. Returns whether the assignee
    /// changed.
    pub fn hand_over(&mut self, assignee: UserId, now: Timestamp) -> bool {
        self.change(now, |it| {
            let was_automated = it.handler != Handler::Human;
            it.give_to(Some(assignee), now);
            if was_automated && it.handler == Handler::Human {
                it.opening.await_member(now);
            }
        })
    }

    /// Hands it from automation to members. The contact now waits for them. Returns whether they did not handle it yet.
    pub fn escalate(&mut self, now: Timestamp) -> bool {
        self.change(now, |it| {
            let was_automated = it.handler != Handler::Human;
            it.hand_to_people(now);
            if was_automated {
                it.opening.await_member(now);
            }
        })
    }

    /// Opens it for members because no flow handles the contact's message; automation stays the handler. Nothing
    /// changes if the contact got an answer in the meantime. Returns whether it was pending with automation.
    pub fn call_people(&mut self, now: Timestamp) -> bool {
        self.change(now, |it| {
            if it.status == Pending && it.handler == Handler::Bot && it.waiting_since.is_some() {
                it.go(Open);
            }
        })
    }

    /// Marks the contact's messages as read. Returns whether anything was unread.
    pub fn read(&mut self, now: Timestamp) -> bool {
        self.change(now, |it| it.unread_count = 0)
    }

    fn give_to(&mut self, assignee: Option<UserId>, now: Timestamp) {
        if self.assignee != assignee {
            self.assignee = assignee;
            if assignee.is_some() {
                self.hand_to_people(now);
            }
        }
    }

    fn hand_to_people(&mut self, now: Timestamp) {
        match self.status {
            Resolved => {
                self.leave_resolved(Open);
                self.opening.open(now);
            }
            Pending => {
                self.go(Open);
                self.opening.open(now);
            }
            Open | Snoozed => self.go(Open),
        }
        self.handler = Handler::Human;
    }

    fn leave_resolved(&mut self, to: ConversationStatus) {
        self.go(to);
        self.resolved_at = None;
        self.reopen_count += 1;
        // A process of the previous release keeps the opening when it resolves.
        self.opening = Opening::default();
    }

    fn go(&mut self, to: ConversationStatus) {
        self.status = to;
        self.snoozed_until = None;
    }

    /// Increments the version, so that only one of two commits that read the same version succeeds.
    pub(super) fn touch(&mut self, now: Timestamp) {
        self.version += 1;
        self.updated_at = now.max(self.updated_at);
    }

    /// Applies a change. Increments the version if anything changed.
    fn change(&mut self, now: Timestamp, make: impl FnOnce(&mut Self)) -> bool {
        let before = self.clone();
        make(self);
        let changed = *self != before;
        if changed {
            self.touch(now);
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypedId;
    use std::time::Duration;
    use uuid::Uuid;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn later() -> Timestamp {
        NOW.plus(Duration::from_secs(60))
    }

    fn a_conversation(status: ConversationStatus, handler: Handler) -> Conversation {
        let id = Uuid::from_u128(1);
        let new =
            Conversation::new(ConversationId::from_uuid(id), ContactId::from_uuid(id), ChannelId::from_uuid(id), NOW);
        let snoozed_until = (status == Snoozed).then(later);
        let resolved_at = (status == Resolved).then_some(NOW);
        Conversation { status, handler, snoozed_until, resolved_at, ..new }
    }

    #[test]
    fn each_event_leads_to_the_state_in_the_table() {
        use Handler::{Ai, Bot, Human};
        type Event = fn(&mut Conversation);
        let hear: Event = |it| it.hear(NOW);
        let key: Event = |it| _ = it.answer(ActorKind::ApiKey, NOW);
        let flow: Event = |it| _ = it.answer(ActorKind::Flow, NOW);
        let user: Event = |it| _ = it.answer(ActorKind::User, NOW);
        let call: Event = |it| _ = it.call_people(NOW);
        let unanswered: Event = |it| {
            it.hear(NOW);
            it.call_people(NOW);
        };
        let resolve: Event = |it| _ = it.resolve(NOW);
        let reopen: Event = |it| _ = it.reopen(NOW);
        let snooze: Event = |it| _ = it.snooze(later(), NOW);
        let early: Event = |it| _ = it.wake(NOW);
        let wake: Event = |it| _ = it.wake(later());
        let assign: Event = |it| _ = it.assign(Some(UserId::from_uuid(Uuid::nil())), NOW);
        let escalate: Event = |it| _ = it.escalate(NOW);
        let table: [(ConversationStatus, Handler, Event, ConversationStatus, Handler, i64); 47] = [
            (Pending, Bot, hear, Pending, Bot, 0),
            (Pending, Ai, hear, Pending, Ai, 0),
            (Open, Human, hear, Open, Human, 0),
            (Snoozed, Human, hear, Open, Human, 0),
            (Snoozed, Bot, hear, Open, Bot, 0),
            (Resolved, Bot, hear, Pending, Bot, 1),
            (Pending, Bot, key, Pending, Bot, 0),
            (Open, Human, key, Open, Human, 0),
            (Snoozed, Human, key, Snoozed, Human, 0),
            (Resolved, Bot, key, Pending, Bot, 1),
            (Pending, Bot, flow, Pending, Bot, 0),
            (Resolved, Bot, flow, Pending, Bot, 1),
            (Pending, Bot, user, Open, Human, 0),
            (Pending, Ai, user, Open, Human, 0),
            (Open, Human, user, Open, Human, 0),
            (Snoozed, Bot, user, Open, Human, 0),
            (Resolved, Bot, user, Open, Human, 1),
            (Pending, Bot, unanswered, Open, Bot, 0),
            (Pending, Ai, unanswered, Pending, Ai, 0),
            (Open, Human, unanswered, Open, Human, 0),
            (Snoozed, Bot, unanswered, Open, Bot, 0),
            (Resolved, Bot, unanswered, Open, Bot, 1),
            (Pending, Bot, call, Pending, Bot, 0),
            (Resolved, Bot, call, Resolved, Bot, 0),
            (Pending, Bot, resolve, Resolved, Bot, 0),
            (Open, Human, resolve, Resolved, Bot, 0),
            (Snoozed, Human, resolve, Resolved, Bot, 0),
            (Resolved, Bot, resolve, Resolved, Bot, 0),
            (Pending, Bot, reopen, Pending, Bot, 0),
            (Open, Human, reopen, Open, Human, 0),
            (Snoozed, Human, reopen, Open, Human, 0),
            (Resolved, Bot, reopen, Open, Bot, 1),
            (Pending, Bot, snooze, Snoozed, Bot, 0),
            (Open, Human, snooze, Snoozed, Human, 0),
            (Snoozed, Human, snooze, Snoozed, Human, 0),
            (Resolved, Bot, snooze, Resolved, Bot, 0),
            (Snoozed, Human, early, Snoozed, Human, 0),
            (Snoozed, Human, wake, Open, Human, 0),
            (Pending, Bot, wake, Pending, Bot, 0),
            (Resolved, Bot, wake, Resolved, Bot, 0),
            (Pending, Bot, assign, Open, Human, 0),
            (Open, Human, assign, Open, Human, 0),
            (Snoozed, Bot, assign, Open, Human, 0),
            (Resolved, Bot, assign, Open, Human, 1),
            (Pending, Bot, escalate, Open, Human, 0),
            (Pending, Ai, escalate, Open, Human, 0),
            (Resolved, Bot, escalate, Open, Human, 1),
        ];
        for (row, (status, handler, event, then, by, reopened)) in table.into_iter().enumerate() {
            let mut it = a_conversation(status, handler);
            event(&mut it);
            assert_eq!((it.status, it.handler, it.reopen_count), (then, by, reopened), "row {row}");
            assert_eq!(it.snoozed_until.is_some(), then == Snoozed, "row {row}");
            assert_eq!(it.resolved_at.is_some(), then == Resolved, "row {row}");
        }
    }

    #[test]
    fn repeated_calls_change_nothing() {
        let user = Some(UserId::from_uuid(Uuid::nil()));
        let mut it = a_conversation(Open, Handler::Human);
        assert!(it.assign(user, NOW) && !it.assign(user, NOW));
        assert!(it.snooze(later(), NOW) && !it.snooze(later(), NOW));
        assert!(it.reopen(NOW) && !it.reopen(NOW));
        assert!(it.resolve(NOW) && !it.resolve(NOW) && !it.snooze(later(), NOW));
        it.hear(NOW);
        assert!(it.read(NOW) && !it.read(NOW));
        assert_eq!(it.version, 7);
    }

    #[test]
    fn an_opening_ends_when_the_conversation_is_resolved() {
        let mut it = a_conversation(Pending, Handler::Bot);
        it.answer(ActorKind::Flow, NOW);
        assert_eq!(it.opening, Opening::default(), "an automated message starts no opening");
        it.hear(NOW);
        it.answer(ActorKind::User, later());
        assert_eq!((it.opening.opened_at, it.opening.replied_at), (Some(NOW), Some(later())));
        it.resolve(later());
        assert_eq!(it.opening, Opening::default());
        it.reopen(later());
        assert_eq!(it.opening, Opening { opened_at: Some(later()), ..Opening::default() });
    }

    #[test]
    fn the_wait_for_a_member_starts_when_automation_hands_over() {
        let user = UserId::from_uuid(Uuid::nil());
        type Event = fn(&mut Conversation, UserId);
        let handovers: [Event; 2] = [|it, _| _ = it.escalate(later()), |it, user| _ = it.hand_over(user, later())];
        for hand_over in handovers {
            let mut it = a_conversation(Pending, Handler::Bot);
            it.hear(NOW);
            it.answer(ActorKind::Flow, NOW);
            hand_over(&mut it, user);
            it.answer(ActorKind::ApiKey, later());
            assert_eq!((it.opening.opened_at, it.opening.awaited_since), (Some(NOW), Some(later())));
            // Without an answer of automation, the contact has waited since its message.
            let mut it = a_conversation(Pending, Handler::Bot);
            it.hear(NOW);
            hand_over(&mut it, user);
            assert_eq!(it.opening.awaited_since, Some(NOW));
        }
        let mut it = a_conversation(Pending, Handler::Bot);
        it.hear(NOW);
        it.answer(ActorKind::Flow, NOW);
        it.assign(Some(user), later());
        assert_eq!(it.opening.awaited_since, None, "an assignment is not a handover");
    }

    #[test]
    fn the_contact_waits_from_its_first_message_to_the_first_answer() {
        let mut it = a_conversation(Pending, Handler::Bot);
        assert!(!it.answer(ActorKind::ApiKey, NOW), "a message before any question changes nothing");
        it.hear(NOW);
        it.hear(later());
        assert_eq!((it.unread_count, it.waiting_since, it.first_reply_at), (2, Some(NOW), None));
        assert!(it.answer(ActorKind::Flow, later()));
        assert_eq!((it.unread_count, it.waiting_since, it.first_reply_at), (2, None, Some(later())));
        assert!(it.answer(ActorKind::User, later()));
        assert_eq!((it.unread_count, it.first_reply_at), (0, Some(later())));
    }
}
