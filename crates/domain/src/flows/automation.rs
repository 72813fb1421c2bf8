//! What a node may name that is itself gone through.

use crate::ids::{FlowId, SequenceId};

/// A flow or a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Automation {
    /// This flow.
    Flow(FlowId),
    /// This sequence.
    Sequence(SequenceId),
}
