//! `enroll_sequence` and `exit_sequence`: start and end the contact's enrollment in a sequence.

use super::kind::{Kind, NodeField};
use crate::flows::Effect;
use crate::flows::definition::{Fields, FlowFields, Mentioned};
use crate::flows::interpret::{Interpreter, NodeOutcome};
use crate::ids::SequenceId;

/// Enrolls the contact in a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnrollSequence {
    /// The ID.
    pub sequence: String,
}

/// Ends the contact's enrollment in a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExitSequence {
    /// The ID.
    pub sequence: String,
}

impl Kind for EnrollSequence {
    const WORD: &'static str = "enroll_sequence";
    const ABOUT: &'static str = "Enrolls the contact in a sequence.";
    const FIELDS: &'static [NodeField] = FIELDS;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        read(fields).map(|sequence| Self { sequence })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, _at: &str) -> NodeOutcome {
        interpreter.effect(Effect::EnrollSequence(self.sequence.clone()));
        NodeOutcome::next("")
    }
}

impl Kind for ExitSequence {
    const WORD: &'static str = "exit_sequence";
    const ABOUT: &'static str = "Ends the contact's enrollment in a sequence.";
    const FIELDS: &'static [NodeField] = FIELDS;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        read(fields).map(|sequence| Self { sequence })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, _at: &str) -> NodeOutcome {
        interpreter.effect(Effect::ExitSequence(self.sequence.clone()));
        NodeOutcome::next("")
    }
}

const FIELDS: &[NodeField] = &[NodeField::must("sequence", "The ID of the sequence."), NodeField::NEXT];

fn read(fields: &mut Fields<'_>) -> Option<String> {
    fields.id_of::<SequenceId>(Mentioned::Sequence, "sequence", "seq_01h455vb4pex5vsknk084sn02q")
}
