//! Reply times of members. They are recorded in the commit of the reply or resolution, so a repeated or rejected change
//! records nothing.

use uuid::Uuid;

use super::{Conversation, Opening};
use crate::access::Access;
use crate::analytics::{AnalyticsChange, ReplyMeasure, ReplyTime, durations};
use crate::ports::Change;
use crate::time::Timestamp;

/// Returns the time to the first reply, if the last change of the conversation was the first reply of its opening.
pub(super) fn first_reply(
    before: Opening,
    conversation: &Conversation,
    access: &Access,
    id: impl FnOnce() -> Uuid,
) -> Option<Change> {
    let replied_at = conversation.opening.replied_at.filter(|_| before.replied_at.is_none())?;
    let span = (before.awaited_since?, replied_at);
    measured(ReplyMeasure::FirstReply, conversation, span, access, id)
}

/// Returns the time from the opening until a member resolved the conversation. Call it after a change that resolved it.
pub(super) fn resolution(
    before: Opening,
    conversation: &Conversation,
    access: &Access,
    id: impl FnOnce() -> Uuid,
) -> Option<Change> {
    let span = (before.opened_at?, conversation.resolved_at?);
    measured(ReplyMeasure::Resolution, conversation, span, access, id)
}

fn measured(
    measure: ReplyMeasure,
    conversation: &Conversation,
    (since, at): (Timestamp, Timestamp),
    access: &Access,
    id: impl FnOnce() -> Uuid,
) -> Option<Change> {
    let user = access.actor().as_user()?;
    let bucket = durations::bucket_of(at.since(since));
    let time = ReplyTime { id: id(), measure, channel: conversation.channel, user, bucket, at };
    Some(Change::Analytics(AnalyticsChange::RecordReply(time)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Actor, ActorKind};
    use crate::ids::{ChannelId, ContactId, ConversationId, TypedId, UserId, WorkspaceId};
    use std::time::Duration;

    const ID: Uuid = Uuid::from_u128(7);

    fn at(seconds: u64) -> Timestamp {
        Timestamp::EPOCH_2026.plus(Duration::from_secs(seconds))
    }

    fn member() -> Access {
        Access::system(WorkspaceId::from_uuid(ID)).acting_as(Actor::user(UserId::from_uuid(ID)))
    }

    fn heard(seconds: u64) -> Conversation {
        let mut it = Conversation::new(
            ConversationId::from_uuid(ID),
            ContactId::from_uuid(ID),
            ChannelId::from_uuid(ID),
            at(seconds),
        );
        it.hear(at(seconds));
        it
    }

    fn time(measure: ReplyMeasure, seconds: u64, end: u64) -> Option<Change> {
        let (channel, user) = (ChannelId::from_uuid(ID), UserId::from_uuid(ID));
        let bucket = durations::bucket_of(Duration::from_secs(seconds));
        let time = ReplyTime { id: ID, measure, channel, user, bucket, at: at(end) };
        Some(Change::Analytics(AnalyticsChange::RecordReply(time)))
    }

    #[test]
    fn records_one_first_reply_for_each_opening() {
        let mut it = heard(10);
        let reply = |it: &mut Conversation, now| {
            let before = it.opening;
            it.answer(ActorKind::User, at(now));
            first_reply(before, it, &member(), || ID)
        };
        assert_eq!(reply(&mut it, 70), time(ReplyMeasure::FirstReply, 60, 70));
        assert_eq!(reply(&mut it, 80), None);
        it.hear(at(90));
        assert_eq!(reply(&mut it, 100), None, "a second reply is not recorded");
        it.resolve(at(110));
        assert_eq!(reply(&mut it, 120), None, "a reply without a waiting contact is not recorded");
        it.hear(at(130));
        assert_eq!(reply(&mut it, 140), time(ReplyMeasure::FirstReply, 10, 140));
    }

    #[test]
    fn records_a_resolution_by_a_member_only() {
        let automated = Access::system(WorkspaceId::from_uuid(ID));
        for (access, expected) in [(member(), time(ReplyMeasure::Resolution, 60, 70)), (automated, None)] {
            let mut it = heard(10);
            let before = it.opening;
            it.resolve(at(70));
            assert_eq!(resolution(before, &it, &access, || ID), expected);
        }
    }
}
