//! `start_flow`: ends this run and goes over to another flow, which gets its variables.

use super::kind::{Kind, NodeField};
use crate::flows::Effect;
use crate::flows::definition::{Fields, Mentioned};
use crate::flows::interpret::{Ending, Interpreter, Turn};
use crate::flows::sets_off::SetsOff;
use crate::ids::FlowId;

/// Ends this run and goes over to another flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartFlow {
    /// The other flow's id.
    pub flow_id: String,
}

impl Kind for StartFlow {
    const WORD: &'static str = "start_flow";
    const ABOUT: &'static str = "Ends this run and goes over to another flow.";
    const FIELDS: &'static [NodeField] = &[NodeField::must("flow_id", "The other flow's id.")];
    const HANDS_ON_VARIABLES: bool = true;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let flow = fields.id_of::<FlowId>(Mentioned::Flow, "flow_id", "flow_01h455vb4pex5vsknk084sn02q")?;
        Some(Self { flow_id: flow })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, _at: &str) -> Turn {
        interpreter.effect(Effect::StartFlow(self.flow_id.clone()));
        Turn::Stop { ending: Ending::Completed, outcome: String::new() }
    }

    fn sets_off(&self) -> Vec<SetsOff> {
        self.flow_id.parse().map(SetsOff::Flow).into_iter().collect()
    }
}
