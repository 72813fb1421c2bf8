//! The subject of a simulation.

use std::sync::Arc;

use crate::flows::CompiledFlow;
use crate::ids::FlowId;
use crate::sequences::Sequence;

#[derive(Debug, Clone)]
pub(super) enum SimulationSubject {
    /// A version of a flow.
    Flow {
        flow: FlowId,
        version: Arc<CompiledFlow>,
    },
    Sequence(Box<Sequence>),
}
