//! What is tried: a version of a flow, or a sequence.

use std::sync::Arc;

use crate::flows::CompiledFlow;
use crate::ids::FlowId;
use crate::sequences::Sequence;

/// What is tried.
#[derive(Debug, Clone)]
pub(super) enum Tried {
    /// A version of a flow.
    Flow {
        flow: FlowId,
        version: Arc<CompiledFlow>,
    },
    Sequence(Box<Sequence>),
}
