//! Reply times: how long contacts waited for a member, as facts and as counts by bucket.

use uuid::Uuid;

use crate::ids::{ChannelId, UserId};
use crate::time::Timestamp;

/// A measured duration of conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReplyMeasure {
    /// From the contact's first unanswered message, or from the handover by automation, to the first reply of a member.
    FirstReply,
    /// From the opening of a conversation until a member resolved it.
    Resolution,
}

impl ReplyMeasure {
    /// All measures.
    pub const ALL: [Self; 2] = [Self::FirstReply, Self::Resolution];

    /// Returns the word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FirstReply => "first_reply",
            Self::Resolution => "resolution",
        }
    }

    /// Returns the measure with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == word)
    }
}

/// One measured duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplyTime {
    /// The ID.
    pub id: Uuid,
    /// The measure.
    pub measure: ReplyMeasure,
    /// Channel of the conversation.
    pub channel: ChannelId,
    /// The member who replied to the contact or resolved the conversation.
    pub user: UserId,
    /// Bucket of the duration, as in [`super::durations`].
    pub bucket: i32,
    /// End of the duration.
    pub at: Timestamp,
}

impl ReplyTime {
    /// Returns the stored text of an uncounted fact. Equal durations have equal texts.
    pub fn encode(&self) -> String {
        format!("{} {} {} {}", self.measure.as_str(), self.channel, self.user, self.bucket)
    }

    /// Parses a text of [`ReplyTime::encode`].
    pub fn read(text: &str) -> Option<(ReplyMeasure, ChannelId, UserId, i32)> {
        let mut words = text.split(' ');
        let measure = ReplyMeasure::parse(words.next()?)?;
        let parts = (measure, words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        words.next().is_none().then_some(parts)
    }
}

/// A number of durations of one bucket, by the group `K`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReplyTally<K> {
    /// The group.
    pub of: K,
    /// The measure.
    pub measure: ReplyMeasure,
    /// The bucket.
    pub bucket: i32,
    /// Number of durations.
    pub amount: i64,
}

/// The durations of a range, counted by member and by channel.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplyTallies {
    /// The counts by the member who replied or resolved.
    pub by_user: Vec<ReplyTally<UserId>>,
    /// The same durations by channel.
    pub by_channel: Vec<ReplyTally<ChannelId>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypedId;

    #[test]
    fn reads_back_reply_times_and_rejects_corrupt_ones() {
        let id = Uuid::from_u128(7);
        for measure in ReplyMeasure::ALL {
            let (channel, user) = (ChannelId::from_uuid(id), UserId::from_uuid(id));
            let it = ReplyTime { id, measure, channel, user, bucket: 42, at: Timestamp::EPOCH_2026 };
            assert_eq!(ReplyTime::read(&it.encode()), Some((measure, channel, user, 42)));
        }
        for corrupt in ["", "first_reply", "second_reply chan user 1"] {
            assert_eq!(ReplyTime::read(corrupt), None);
        }
    }
}
