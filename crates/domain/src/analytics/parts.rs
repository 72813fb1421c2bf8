//! Counts by dimension: channels, suppression reasons, flows, sequences and broadcasts.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::Serialize;

use super::{BroadcastCounts, Counts, FlowCounts, MessageCounts, Metric, SequenceCounts};
use crate::ids::{BroadcastId, ChannelId, FlowId, SequenceId};

/// Maximum number of flows, sequences and broadcasts in a response; those with the highest counts are returned.
pub const MOST_PARTS: usize = 100;

/// A count of a range, by metric and dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The metric.
    pub metric: Metric,
    /// The ID of a channel, flow, sequence or broadcast, followed by a reason if the metric has one.
    pub dimension: String,
    /// The count.
    pub amount: i64,
}

/// The messages of one channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChannelCounts {
    /// The channel.
    pub channel_id: ChannelId,
    /// Its messages.
    pub messages: MessageCounts,
}

/// Messages of one channel that were suppressed for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SuppressedCounts))]
pub struct SuppressedPart {
    /// The channel.
    pub channel_id: ChannelId,
    /// The reason, as in `error.code` of a message.
    pub reason: String,
    /// Number of messages.
    pub count: i64,
}

/// The runs of one flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CountsOfFlow))]
pub struct FlowPart {
    /// The flow. Counts by node are in its statistics.
    pub flow_id: FlowId,
    /// Its runs.
    pub runs: FlowCounts,
}

/// The enrollments in one sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CountsOfSequence))]
pub struct SequencePart {
    /// The sequence.
    pub sequence_id: SequenceId,
    /// Its enrollments.
    pub enrollments: SequenceCounts,
}

/// The messages of one broadcast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CountsOfBroadcast))]
pub struct BroadcastPart {
    /// The broadcast.
    pub broadcast_id: BroadcastId,
    /// Its messages.
    pub messages: BroadcastCounts,
}

/// Conversations that are not resolved now, independent of the range. Each number is exact up to 10 000; 10 000 can
/// also mean more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OpenConversations {
    /// Conversations that are open for agents.
    pub open: u64,
    /// Conversations that are handled by automation.
    pub pending: u64,
    /// Snoozed conversations.
    pub snoozed: u64,
}

/// Counts of a range, by dimension.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parts {
    /// Messages by channel, ordered by ID.
    pub channels: Vec<ChannelCounts>,
    /// Suppressed messages, by channel and reason.
    pub suppressed: Vec<SuppressedPart>,
    /// Runs by flow: at most [`MOST_PARTS`], the highest counts first.
    pub flows: Vec<FlowPart>,
    /// Enrollments by sequence: at most [`MOST_PARTS`], the highest counts first.
    pub sequences: Vec<SequencePart>,
    /// Messages by broadcast: at most [`MOST_PARTS`], the highest counts first.
    pub broadcasts: Vec<BroadcastPart>,
}

impl Parts {
    /// Groups counts by dimension.
    pub fn of(parts: &[Part]) -> Self {
        let mut suppressed: BTreeMap<(ChannelId, &str), i64> = BTreeMap::new();
        for part in parts.iter().filter(|it| it.metric == Metric::MessagesSuppressed) {
            if let Some((channel, reason)) = part.dimension.split_once(' ')
                && let Ok(channel) = channel.parse()
            {
                *suppressed.entry((channel, reason)).or_default() += part.amount;
            }
        }
        let suppressed = suppressed.into_iter().map(|((channel_id, reason), count)| {
            let reason = reason.to_owned();
            SuppressedPart { channel_id, reason, count }
        });
        let by_channel =
            by(parts).into_iter().map(|(channel_id, it)| ChannelCounts { channel_id, messages: it.messages });
        Self {
            channels: by_channel.collect(),
            suppressed: suppressed.collect(),
            flows: most(by(parts), |it| it.flows.started + it.flows.completed + it.flows.failed)
                .map(|(flow_id, it)| FlowPart { flow_id, runs: it.flows })
                .collect(),
            sequences: most(by(parts), |it| it.sequences.enrolled + it.sequences.completed + it.sequences.exited)
                .map(|(sequence_id, it)| SequencePart { sequence_id, enrollments: it.sequences })
                .collect(),
            broadcasts: most(by(parts), |it| it.broadcasts.sent + it.broadcasts.failed + it.broadcasts.suppressed)
                .map(|(broadcast_id, it)| BroadcastPart { broadcast_id, messages: it.broadcasts })
                .collect(),
        }
    }
}

/// Returns the counts of objects of one type. IDs of other types do not parse and are skipped.
fn by<K: FromStr + Ord>(parts: &[Part]) -> BTreeMap<K, Counts> {
    let mut found: BTreeMap<K, Counts> = BTreeMap::new();
    for part in parts {
        let id = part.dimension.split_once(' ').map_or(part.dimension.as_str(), |(id, _)| id);
        if let Ok(id) = id.parse() {
            found.entry(id).or_default().add(part.metric, part.amount);
        }
    }
    found
}

/// Returns the objects with the highest counts; of equal ones, the oldest first.
fn most<K>(found: BTreeMap<K, Counts>, of: impl Fn(&Counts) -> i64) -> impl Iterator<Item = (K, Counts)> {
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(_, counts)| std::cmp::Reverse(of(counts)));
    found.into_iter().take(MOST_PARTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypedId;
    use uuid::Uuid;

    #[test]
    fn groups_counts_by_channel_reason_flow_and_sequence() {
        let channel = ChannelId::from_uuid(Uuid::from_u128(1));
        let flows = [2, 3].map(|number| FlowId::from_uuid(Uuid::from_u128(number)));
        let sequence = SequenceId::from_uuid(Uuid::from_u128(4));
        let broadcast = BroadcastId::from_uuid(Uuid::from_u128(5));
        let part = |metric, dimension: String, amount| Part { metric, dimension, amount };
        let told = Parts::of(&[
            part(Metric::MessagesSent, channel.to_string(), 7),
            part(Metric::MessagesSuppressed, format!("{channel} unsubscribed"), 2),
            part(Metric::MessagesSuppressed, format!("{channel} blocked"), 1),
            part(Metric::FlowsStarted, flows[0].to_string(), 1),
            part(Metric::FlowsStarted, flows[1].to_string(), 5),
            part(Metric::SequencesEnrolled, sequence.to_string(), 3),
            part(Metric::BroadcastsSent, broadcast.to_string(), 9),
            // Counted by an earlier release.
            part(Metric::FlowsStarted, String::new(), 99),
        ]);
        let messages = MessageCounts { sent: 7, suppressed: 3, ..MessageCounts::default() };
        assert_eq!(told.channels, [ChannelCounts { channel_id: channel, messages }]);
        let reasons: Vec<_> = told.suppressed.iter().map(|it| (it.reason.as_str(), it.count)).collect();
        assert_eq!(reasons, [("blocked", 1), ("unsubscribed", 2)]);
        let runs: Vec<_> = told.flows.iter().map(|it| (it.flow_id, it.runs.started)).collect();
        assert_eq!(runs, [(flows[1], 5), (flows[0], 1)]);
        assert_eq!(told.sequences.iter().map(|it| it.enrollments.enrolled).collect::<Vec<_>>(), [3]);
        assert_eq!(told.broadcasts.iter().map(|it| it.messages.sent).collect::<Vec<_>>(), [9]);
    }

    #[test]
    fn returns_at_most_a_hundred_flows_with_the_largest_first() {
        let many: Vec<Part> = (0..300)
            .map(|number| Part {
                metric: Metric::FlowsStarted,
                dimension: FlowId::from_uuid(Uuid::from_u128(number)).to_string(),
                amount: 1 + i64::from(number == 299),
            })
            .collect();
        let told = Parts::of(&many).flows;
        assert_eq!((told.len(), told[0].runs.started, told[1].flow_id), (100, 2, FlowId::from_uuid(Uuid::nil())));
    }
}
