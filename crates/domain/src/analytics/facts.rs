//! Facts to be counted. Each fact is a separate row, so commits do not wait for a shared counter.

use serde_json::Value;
use uuid::Uuid;

use super::Metric;
use crate::broadcasts;
use crate::events::{EventCount, EventKind};
use crate::ids::BroadcastId;
use crate::time::Timestamp;

/// An occurrence to be counted once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The ID.
    pub id: Uuid,
    /// The metric.
    pub metric: Metric,
    /// The ID of a channel, flow, sequence or broadcast, followed by a reason if the metric has one; otherwise empty.
    pub dimension: String,
    /// Amount to add to the counter.
    pub amount: i64,
    /// Time of the occurrence.
    pub at: Timestamp,
}

/// Returns the metric and the dimension that an event counts for; `None` if its kind is not counted.
pub fn counted(kind: EventKind, object: Option<&Value>) -> Option<(Metric, String)> {
    let text = |name: &str| object.and_then(|it| it.get(name)?.as_str()).unwrap_or_default();
    let applies = |it: &&EventCount| it.only_if.iter().all(|&(name, value)| text(name) == value);
    let count = kind.counts().iter().find(applies)?;
    Some((count.metric, count.dimension.iter().copied().map(text).collect()))
}

/// Returns the metric and the dimension that a count of a broadcast adds to; `None` if analytics do not include it.
pub fn of_broadcast(broadcast: BroadcastId, count: broadcasts::Count) -> Option<(Metric, String)> {
    use broadcasts::Count;
    let metric = match count {
        Count::Sent => Metric::BroadcastsSent,
        Count::Delivered => Metric::BroadcastsDelivered,
        Count::Read => Metric::BroadcastsRead,
        Count::Failed | Count::FailedLater => Metric::BroadcastsFailed,
        Count::Suppressed => Metric::BroadcastsSuppressed,
        Count::Uncertain => return None,
    };
    Some((metric, broadcast.to_string()))
}
