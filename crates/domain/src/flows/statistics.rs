//! What is counted of the nodes of a flow: how runs came to them, and how they left. A step tells it in the commit that takes
//! the step, as one fact; what is rolled back tells nothing, and what is tried again tells it once.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Ending, Run, TraceEntry};
use crate::analytics::durations;
use crate::ids::FlowId;
use crate::time::Timestamp;

const HOUR_MILLIS: i64 = 3_600_000;
/// The longest span of time that may be asked for; without one everything is told that was ever counted.
pub const LONGEST_SPAN: Duration = Duration::from_secs(92 * 86_400);
/// So many live runs of a flow are looked at to tell where they stand.
pub const MOST_WAITING: u32 = 100_000;

/// What one step of a run did at the nodes of its flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Of which flow.
    pub flow: FlowId,
    /// In which version of it.
    pub version: i64,
    /// At which nodes, in order.
    pub visits: Vec<NodeVisit>,
}

/// What a step did at a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeVisit {
    /// Which node.
    #[serde(rename = "n")]
    pub node: String,
    /// Whether the run came to it; else it was there already.
    #[serde(rename = "e", default, skip_serializing_if = "std::ops::Not::not")]
    pub entered: bool,
    /// By which exit the run left it, and the bucket of how long it had been there.
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    pub left: Option<(String, i32)>,
    /// Whether the run failed there.
    #[serde(rename = "f", default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
}

/// What is counted of a node, each with how often.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeCount {
    /// Runs came to it.
    Entered,
    /// They failed there.
    Failed,
    /// They left by this exit, after a time of this bucket.
    Left(String, i32),
}

/// How often something was counted of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeTally {
    /// Of which node.
    pub node: String,
    /// What.
    pub count: NodeCount,
    /// How often.
    pub amount: i64,
}

impl Passage {
    /// What a step does that takes `run` through these nodes, if it is at any.
    pub(super) fn of(run: &Run, trace: &[TraceEntry], ending: &Ending) -> Option<Self> {
        let is_there = |entry: &TraceEntry| run.wait.is_some() && run.node.as_ref() == Some(&entry.node);
        let mut visits: Vec<NodeVisit> = Vec::with_capacity(trace.len());
        for (place, entry) in trace.iter().enumerate() {
            let was_there = entry.resumed || (place == 0 && is_there(entry));
            let since = if was_there { run.entered_at(&entry.node) } else { entry.at };
            let left = entry.exit.clone().map(|exit| (exit, durations::bucket_of(entry.at.since(since))));
            visits.push(NodeVisit { node: entry.node.clone(), entered: !was_there, left, failed: false });
        }
        if let Ending::Failed(error) = ending
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

    /// As it is kept until it is counted: steps that did the same are one fact.
    pub fn written(&self) -> String {
        // Strings and numbers: that cannot fail.
        serde_json::to_string(&(self.flow, self.version, &self.visits)).unwrap_or_default()
    }

    /// What was made by [`Passage::written`].
    pub fn read(text: &str) -> Option<Self> {
        let (flow, version, visits) = serde_json::from_str(text).ok()?;
        Some(Self { flow, version, visits })
    }

    /// What it counts as, with the node.
    pub fn counts(&self) -> impl Iterator<Item = (&str, NodeCount)> {
        self.visits.iter().flat_map(|visit| {
            let left = visit.left.clone().map(|(exit, bucket)| NodeCount::Left(exit, bucket));
            let all = [visit.entered.then_some(NodeCount::Entered), left, visit.failed.then_some(NodeCount::Failed)];
            all.into_iter().flatten().map(|count| (visit.node.as_str(), count))
        })
    }
}

impl Run {
    /// When it came to a node at which it is.
    fn entered_at(&self, node: &str) -> Timestamp {
        let came = self.trace.iter().rev().find(|entry| entry.node == node && !entry.resumed);
        came.map_or(self.updated_at, |entry| entry.at)
    }
}

impl NodeCount {
    /// As it is kept, with the bucket beside.
    pub fn parts(&self) -> (String, i32) {
        match self {
            Self::Entered => ("entered".to_owned(), 0),
            Self::Failed => ("failed".to_owned(), 0),
            Self::Left(exit, bucket) => (format!("left {exit}"), *bucket),
        }
    }

    /// What was made by [`NodeCount::parts`].
    pub fn of_parts(what: &str, bucket: i32) -> Option<Self> {
        match what {
            "entered" => Some(Self::Entered),
            "failed" => Some(Self::Failed),
            _ => what.strip_prefix("left ").map(|exit| Self::Left(exit.to_owned(), bucket)),
        }
    }
}

/// Counters are kept by the hour.
pub fn hour_of(at: Timestamp) -> Timestamp {
    Timestamp::from_millis(at.millis().div_euclid(HOUR_MILLIS) * HOUR_MILLIS)
}

/// Which counters are asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StatisticsRequest {
    /// Of one version; else of all.
    pub version: Option<i64>,
    /// From an instant on, up to before another, in whole hours; else of all time.
    pub span: Option<(Timestamp, Timestamp)>,
}

impl StatisticsRequest {
    /// The same with both ends on whole hours, the first rounded down and the last up.
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
    /// Puts together what was counted, and where live runs are.
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
