//! Effects of a node visit outside its own run.

use crate::events::EventKind;
use crate::ids::FlowId;

/// A run or event that a node visit causes at once, outside its own run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImmediateEffect {
    /// A run of this flow.
    Flow(FlowId),
    /// An event of this kind, with its known values: pairs of a path, as in conditions, and a value.
    Event(EventKind, Vec<(&'static str, String)>),
}
