//! What a visit of a node sets off at once, beside its own run.

use crate::events::EventKind;
use crate::ids::FlowId;

/// What a visit of a node sets off at once, beside its own run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetsOff {
    /// A run of this flow.
    Flow(FlowId),
    /// An event of this kind, of which these values are known: each by its path, as conditions name it.
    Event(EventKind, Vec<(&'static str, String)>),
}
