//! Guards that stop endless runs.

use super::Interpreter;
use crate::flows::{RunError, TraceEntry};

/// Maximum number of node visits without a wait.
pub const MAX_VISITS_WITHOUT_WAIT: usize = 100;
/// Maximum number of node visits of a run.
pub const MAX_VISITS: i64 = 1_000;
/// Maximum number of visits of the same node in a run.
pub const MAX_VISITS_OF_NODE: usize = 50;

impl Interpreter<'_> {
    /// Returns the error that ends the run instead of a visit of this node.
    pub(super) fn guard(&self, next: &str) -> Option<RunError> {
        let entered = |entry: &&TraceEntry| !entry.resumed;
        let here = self.trace.iter().filter(entered).count();
        let of_node = self.run.trace.iter().chain(&self.trace).filter(entered).filter(|entry| entry.node == next);
        let message = if here >= MAX_VISITS_WITHOUT_WAIT {
            format!("stopped after {here} nodes without a wait: the flow loops")
        } else if self.run.nodes_visited + i64::try_from(here).unwrap_or(i64::MAX) >= MAX_VISITS {
            format!("stopped after {MAX_VISITS} nodes in total")
        } else if of_node.count() >= MAX_VISITS_OF_NODE {
            format!("stopped after {MAX_VISITS_OF_NODE} visits to the node {next}")
        } else {
            return None;
        };
        let path: Vec<&TraceEntry> = self.run.trace.iter().chain(&self.trace).filter(entered).collect();
        let tail = path.len().saturating_sub(20);
        let path = path.iter().skip(tail).map(|entry| entry.node.clone()).chain([next.to_owned()]).collect();
        Some(RunError { code: "loop_guard".to_owned(), message, node: Some(next.to_owned()), path })
    }
}
