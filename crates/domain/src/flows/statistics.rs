//! Statistics of the nodes of a flow: how runs entered and left them. A step records one fact in its own commit, so a
//! rollback records nothing and a retry records it once.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Run, StepEnd, TraceEntry};
use crate::analytics::durations;
use crate::ids::FlowId;
use crate::time::Timestamp;

const HOUR_MILLIS: i64 = 3_600_000;
/// Longest range that may be requested; without a range all counters are returned.
pub const LONGEST_SPAN: Duration = Duration::from_secs(92 * 86_400);
/// Maximum number of live runs that are read to count those waiting at each node.
pub const MOST_WAITING: u32 = 100_000;

/// The node visits of one step of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The flow.
    pub flow: FlowId,
    /// Number of its version.
    pub version: i64,
    /// The visits, in order.
    pub visits: Vec<NodeVisit>,
}

/// One visit of a node in a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeVisit {
    /// ID of the node.
    #[serde(rename = "n")]
    pub node: String,
    /// Whether the run entered the node; otherwise it was already at it.
    #[serde(rename = "e", default, skip_serializing_if = "std::ops::Not::not")]
    pub entered: bool,
    /// The exit that the run used, and the bucket of its time at the node.
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    pub left: Option<(String, i32)>,
    /// Whether the run failed at the node.
    #[serde(rename = "f", default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
}

/// A counter of a node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeCount {
    /// Runs that entered it.
    Entered,
    /// Runs that failed there.
    Failed,
    /// Runs that left by this exit, after a time in this bucket.
    Left(String, i32),
}

/// The value of a counter of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeTally {
    /// ID of the node.
    pub node: String,
    /// The counter.
    pub count: NodeCount,
    /// The value.
    pub amount: i64,
}

impl Passage {
    /// Returns the node visits of a step of `run` with this trace; `None` without visits.
    pub(super) fn of(run: &Run, trace: &[TraceEntry], ending: &StepEnd) -> Option<Self> {
        let is_there = |entry: &TraceEntry| run.wait.is_some() && run.node.as_ref() == Some(&entry.node);
        let mut visits: Vec<NodeVisit> = Vec::with_capacity(trace.len());
        for (place, entry) in trace.iter().enumerate() {
            let was_there = entry.resumed || (place == 0 && is_there(entry));
            let since = if was_there { run.entered_at(&entry.node) } else { entry.at };
            let left = entry.exit.clone().map(|exit| (exit, durations::bucket_of(entry.at.since(since))));
            visits.push(NodeVisit { node: entry.node.clone(), entered: !was_there, left, failed: false });
        }
        if let StepEnd::Failed(error) = ending
            && let Some(node) = error.node.as_ref().or(run.node.as_ref())
        {
            match visits.last_mut().filter(|last| last.node == *node) {
                Some(last) => last.failed = true,
                None => visits.push(NodeVisit { node: node.clone(), entered: false, left: None, failed: true }),
            }
        }
        visits.retain(|it| it.entered || it.left.is_some() || it.failed);
        (!visits.is_empty()).then_some(Self { flow: run.flow, version: run.flow_version, visits })
    }

    /// Serializes the passage for storage. Equal passages have the same text, so they are counted together.
    pub fn encode(&self) -> String {
        // Strings and numbers only: this cannot fail.
        serde_json::to_string(&(self.flow, self.version, &self.visits)).unwrap_or_default()
    }

    /// Parses the output of [`Passage::encode`].
    pub fn read(text: &str) -> Option<Self> {
        let (flow, version, visits) = serde_json::from_str(text).ok()?;
        Some(Self { flow, version, visits })
    }

    /// Returns the counters that it increments, with their nodes.
    pub fn counts(&self) -> impl Iterator<Item = (&str, NodeCount)> {
        self.visits.iter().flat_map(|visit| {
            let left = visit.left.clone().map(|(exit, bucket)| NodeCount::Left(exit, bucket));
            let all = [visit.entered.then_some(NodeCount::Entered), left, visit.failed.then_some(NodeCount::Failed)];
            all.into_iter().flatten().map(|count| (visit.node.as_str(), count))
        })
    }
}

impl Run {
    /// Returns when it entered the node where it is.
    fn entered_at(&self, node: &str) -> Timestamp {
        let came = self.trace.iter().rev().find(|entry| entry.node == node && !entry.resumed);
        came.map_or(self.updated_at, |entry| entry.at)
    }
}

impl NodeCount {
    /// Returns the stored form: a word and the bucket.
    pub fn parts(&self) -> (String, i32) {
        match self {
            Self::Entered => ("entered".to_owned(), 0),
            Self::Failed => ("failed".to_owned(), 0),
            Self::Left(exit, bucket) => (format!("left {exit}"), *bucket),
        }
    }

    /// Parses the output of [`NodeCount::parts`].
    pub fn of_parts(what: &str, bucket: i32) -> Option<Self> {
        match what {
            "entered" => Some(Self::Entered),
            "failed" => Some(Self::Failed),
            _ => what.strip_prefix("left ").map(|exit| Self::Left(exit.to_owned(), bucket)),
        }
    }
}

/// Returns the start of the hour; counters are stored by hour.
pub fn hour_of(at: Timestamp) -> Timestamp {
    Timestamp::from_millis(at.millis().div_euclid(HOUR_MILLIS) * HOUR_MILLIS)
}

/// A request for statistics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StatisticsRequest {
    /// Only this version; all versions if absent.
    pub version: Option<i64>,
    /// Start (inclusive) and end (exclusive), in whole hours; the whole lifetime if absent.
    pub span: Option<(Timestamp, Timestamp)>,
}

impl StatisticsRequest {
    /// Returns the request with its start rounded down and its end rounded up to whole hours.
    #[must_use]
    pub fn aligned(self) -> Self {
        let up = |at: Timestamp| hour_of(Timestamp::from_millis(at.millis() + HOUR_MILLIS - 1));
        Self { span: self.span.map(|(from, to)| (hour_of(from), up(to))), ..self }
    }
}

/// Statistics of a node.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NodeStatistics {
    /// ID of the node.
    pub id: String,
    /// Number of visits.
    pub entered: i64,
    /// Number of times that runs left the node, by exit.
    pub left: BTreeMap<String, i64>,
    /// Number of times that runs failed at the node.
    pub failed: i64,
    /// Number of live runs that are at the node now.
    pub waiting: i64,
    /// Median time at the node in seconds, of runs that left it, accurate to a tenth; `null` if no run left it.
    pub median_seconds: Option<f64>,
}

/// Statistics of a flow.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct FlowStatistics {
    /// The flow.
    pub flow_id: FlowId,
    /// Number of the version; `null` for all versions.
    pub version: Option<i64>,
    /// Start of the range, inclusive; `null` for the whole lifetime.
    pub from: Option<Timestamp>,
    /// End of the range, exclusive; `null` for the whole lifetime.
    pub to: Option<Timestamp>,
    /// Time until which everything is counted.
    pub as_of: Timestamp,
    /// The nodes that a run visited, by ID.
    pub nodes: Vec<NodeStatistics>,
}

impl FlowStatistics {
    /// Combines the counters and the positions of live runs.
    pub fn of(
        flow: FlowId,
        request: StatisticsRequest,
        tallies: Vec<NodeTally>,
        waiting: Vec<(String, i64)>,
        as_of: Timestamp,
    ) -> Self {
        let mut nodes: BTreeMap<String, (NodeStatistics, BTreeMap<i32, i64>)> = BTreeMap::new();
        for NodeTally { node, count, amount } in tallies {
            let (told, times) = nodes.entry(node).or_default();
            match count {
                NodeCount::Entered => told.entered += amount,
                NodeCount::Failed => told.failed += amount,
                NodeCount::Left(exit, bucket) => {
                    *told.left.entry(exit).or_default() += amount;
                    *times.entry(bucket).or_default() += amount;
                }
            }
        }
        for (node, count) in waiting {
            nodes.entry(node).or_default().0.waiting += count;
        }
        let nodes = nodes.into_iter().map(|(id, (told, times))| {
            let median = durations::percentile(&times, 50).map(durations::middle_of);
            NodeStatistics { id, median_seconds: median.map(|millis| millis.round() / 1_000.0), ..told }
        });
        let (from, to) = request.span.unzip();
        Self { flow_id: flow, version: request.version, from, to, as_of, nodes: nodes.collect() }
    }
}

#[cfg(test)]
mod tests;
