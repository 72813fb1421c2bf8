//! The report of reply times: counts by bucket combined into medians and percentiles. Pure.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::durations;
use super::overview::in_quarters;
use super::parts::MOST_PARTS;
use super::reply_times::{ReplyMeasure, ReplyTallies, ReplyTally};
use crate::ids::{ChannelId, UserId};
use crate::time::Timestamp;

/// The longest range of a report of reply times.
pub const LONGEST_REPLIES: Duration = Duration::from_secs(400 * 86_400);

/// The range of a report of reply times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepliesRequest {
    /// Start, inclusive, rounded down to a quarter of an hour.
    pub from: Timestamp,
    /// End, exclusive, rounded up to a quarter of an hour.
    pub to: Timestamp,
}

impl RepliesRequest {
    /// Creates a request for the replies between two times.
    pub fn new(from: Timestamp, to: Timestamp) -> Self {
        Self { from, to }
    }

    /// Returns the range with both ends on whole quarters.
    #[must_use]
    pub fn aligned(self) -> Self {
        let (from, to) = in_quarters(self.from, self.to);
        Self { from, to }
    }
}

/// Durations of one type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReplyDurations {
    /// Number of durations.
    pub count: i64,
    /// Median in seconds, accurate to a tenth; `null` if `count` is 0.
    pub median_seconds: Option<f64>,
    /// 90th percentile in seconds, accurate to a tenth; `null` if `count` is 0.
    pub p90_seconds: Option<f64>,
}

/// Reply times of all conversations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReplyTotals {
    /// Time from the contact's first unanswered message, or from the handover by automation, to the first reply of a member.
    /// Each opening of a conversation has at most one first reply.
    pub first_reply: ReplyDurations,
    /// Time from the opening or reopening of a conversation until a member resolved it.
    pub resolution: ReplyDurations,
}

/// Reply times of one member.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AgentReplyTimes {
    /// ID of the member who replied to the contacts or resolved the conversations.
    pub user_id: UserId,
    /// Name of the member; `null` if the user is not a member any more.
    pub name: Option<String>,
    /// Times to the first replies of the member.
    pub first_reply: ReplyDurations,
    /// Times until the member resolved conversations.
    pub resolution: ReplyDurations,
}

/// Reply times of one channel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChannelReplyTimes {
    /// ID of the channel.
    pub channel_id: ChannelId,
    /// Times to the first replies of members.
    pub first_reply: ReplyDurations,
    /// Times until members resolved conversations.
    pub resolution: ReplyDurations,
}

/// The reply times of a workspace. A time belongs to the range that contains its end.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = AnalyticsReplies))]
#[non_exhaustive]
pub struct RepliesReport {
    /// Start of the range, inclusive.
    pub from: Timestamp,
    /// End of the range, exclusive.
    pub to: Timestamp,
    /// Time until which everything is counted.
    pub as_of: Timestamp,
    /// Reply times of the whole workspace.
    pub totals: ReplyTotals,
    /// Reply times by member: at most 100 members, with the highest counts first.
    pub by_agent: Vec<AgentReplyTimes>,
    /// Reply times by channel: at most 100 channels, with the highest counts first.
    pub by_channel: Vec<ChannelReplyTimes>,
}

impl RepliesReport {
    /// Combines the counts of a range. `names` contains the names of the current members.
    pub fn of(
        request: RepliesRequest,
        tallies: &ReplyTallies,
        names: &BTreeMap<UserId, String>,
        as_of: Timestamp,
    ) -> Self {
        let RepliesRequest { from, to } = request.aligned();
        let mut all = Sketches::default();
        tallies.by_channel.iter().for_each(|it| all.add(it.measure, it.bucket, it.amount));
        let by_agent = most(&tallies.by_user).map(|(user_id, ReplyTotals { first_reply, resolution })| {
            let name = names.get(&user_id).cloned();
            AgentReplyTimes { user_id, name, first_reply, resolution }
        });
        let by_channel = most(&tallies.by_channel).map(|(channel_id, ReplyTotals { first_reply, resolution })| {
            ChannelReplyTimes { channel_id, first_reply, resolution }
        });
        Self { from, to, as_of, totals: all.totals(), by_agent: by_agent.collect(), by_channel: by_channel.collect() }
    }
}

/// Counts by bucket of both measures.
#[derive(Default)]
struct Sketches {
    first_reply: BTreeMap<i32, i64>,
    resolution: BTreeMap<i32, i64>,
}

impl Sketches {
    fn add(&mut self, measure: ReplyMeasure, bucket: i32, amount: i64) {
        let counts = match measure {
            ReplyMeasure::FirstReply => &mut self.first_reply,
            ReplyMeasure::Resolution => &mut self.resolution,
        };
        *counts.entry(bucket).or_default() += amount;
    }

    fn totals(&self) -> ReplyTotals {
        ReplyTotals { first_reply: summary(&self.first_reply), resolution: summary(&self.resolution) }
    }
}

fn summary(counts: &BTreeMap<i32, i64>) -> ReplyDurations {
    let seconds = |percent| {
        let bucket = durations::percentile(counts, percent)?;
        Some(durations::middle_of(bucket).round() / 1_000.0)
    };
    ReplyDurations { count: counts.values().sum(), median_seconds: seconds(50), p90_seconds: seconds(90) }
}

/// The groups with the most durations; of equal ones the oldest first.
fn most<K: Copy + Ord>(tallies: &[ReplyTally<K>]) -> impl Iterator<Item = (K, ReplyTotals)> {
    let mut groups: BTreeMap<K, Sketches> = BTreeMap::new();
    for it in tallies {
        groups.entry(it.of).or_default().add(it.measure, it.bucket, it.amount);
    }
    let mut groups: Vec<_> = groups.into_iter().map(|(of, sketches)| (of, sketches.totals())).collect();
    groups.sort_by_key(|(_, it)| std::cmp::Reverse(it.first_reply.count + it.resolution.count));
    groups.into_iter().take(MOST_PARTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypedId;
    use uuid::Uuid;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn user(number: u128) -> UserId {
        UserId::from_uuid(Uuid::from_u128(number))
    }

    fn tally<K>(of: K, measure: ReplyMeasure, seconds: u64, amount: i64) -> ReplyTally<K> {
        ReplyTally { of, measure, bucket: durations::bucket_of(Duration::from_secs(seconds)), amount }
    }

    fn report(tallies: &ReplyTallies) -> RepliesReport {
        let request = RepliesRequest { from: NOW.plus(Duration::from_secs(1)), to: NOW.plus(Duration::from_secs(901)) };
        RepliesReport::of(request, tallies, &BTreeMap::from([(user(1), "Ada".to_owned())]), NOW)
    }

    fn is_near(seconds: Option<f64>, expected: f64) -> bool {
        seconds.is_some_and(|it| (it / expected - 1.0).abs() < 0.1)
    }

    #[test]
    fn median_and_percentile_are_accurate_to_a_tenth() {
        use ReplyMeasure::{FirstReply, Resolution};
        let channel = ChannelId::from_uuid(Uuid::from_u128(9));
        let it = report(&ReplyTallies {
            by_user: vec![
                tally(user(2), FirstReply, 60, 1),
                tally(user(1), FirstReply, 60, 6),
                tally(user(1), FirstReply, 3_600, 3),
                tally(user(1), Resolution, 86_400, 1),
            ],
            by_channel: vec![
                tally(channel, FirstReply, 60, 7),
                tally(channel, FirstReply, 3_600, 3),
                tally(channel, Resolution, 86_400, 1),
            ],
        });
        assert_eq!((it.from, it.to), (NOW, NOW.plus(Duration::from_secs(1_800))));
        let first = it.totals.first_reply;
        assert!(first.count == 10 && is_near(first.median_seconds, 60.0) && is_near(first.p90_seconds, 3_600.0));
        let names: Vec<_> = it.by_agent.iter().map(|it| (it.user_id, it.name.as_deref())).collect();
        assert_eq!(names, [(user(1), Some("Ada")), (user(2), None)], "a removed member has no name");
        assert_eq!(it.by_agent[1].resolution, ReplyDurations::default());
        assert!(is_near(it.by_channel[0].resolution.median_seconds, 86_400.0));
        assert_eq!((it.by_channel.len(), it.by_channel[0].first_reply), (1, first));
    }

    #[test]
    fn a_range_without_replies_has_no_times() {
        let it = report(&ReplyTallies::default());
        assert_eq!((it.totals, it.by_agent.len(), it.by_channel.len()), (ReplyTotals::default(), 0, 0));
    }

    #[test]
    fn a_report_has_at_most_a_hundred_members() {
        let by_user =
            (0..300).map(|number| tally(user(number), ReplyMeasure::FirstReply, 1, 1 + i64::from(number == 299)));
        let agents = report(&ReplyTallies { by_user: by_user.collect(), by_channel: Vec::new() }).by_agent;
        assert_eq!((agents.len(), agents[0].user_id, agents[1].user_id), (100, user(299), user(0)));
    }
}
