//! `enroll_sequence` and `exit_sequence`: enroll the contact in a sequence, and end that.

use super::kind::{Kind, NodeField};
use crate::flows::Effect;
use crate::flows::definition::{Fields, Mentioned};
use crate::flows::execute::{Done, StepWriter};
use crate::flows::interpret::{Interpreter, Turn};
use crate::ids::SequenceId;
use crate::retry::AttemptError;
use crate::sequences::FlowEnrollments;

/// Enrolls the contact in a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnrollSequence {
    /// Its id.
    pub sequence: String,
}

/// Ends the contact's enrollment in a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExitSequence {
    /// Its id.
    pub sequence: String,
}

impl Kind for EnrollSequence {
    const WORD: &'static str = "enroll_sequence";
    const ABOUT: &'static str = "Enrolls the contact in a sequence.";
    const FIELDS: &'static [NodeField] = FIELDS;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        read(fields).map(|sequence| Self { sequence })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, _at: &str) -> Turn {
        interpreter.effect(Effect::EnrollSequence(self.sequence.clone()));
        Turn::next("")
    }
}

impl Kind for ExitSequence {
    const WORD: &'static str = "exit_sequence";
    const ABOUT: &'static str = "Ends the contact's enrollment in a sequence.";
    const FIELDS: &'static [NodeField] = FIELDS;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        read(fields).map(|sequence| Self { sequence })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, _at: &str) -> Turn {
        interpreter.effect(Effect::ExitSequence(self.sequence.clone()));
        Turn::next("")
    }
}

const FIELDS: &[NodeField] = &[NodeField::must("sequence", "The sequence's id."), NodeField::NEXT];

fn read(fields: &mut Fields<'_>) -> Option<String> {
    fields.id_of::<SequenceId>(Mentioned::Sequence, "sequence", "seq_01h455vb4pex5vsknk084sn02q")
}

/// Enrolls the contact.
pub(super) async fn enroll(step: &mut StepWriter<'_>, sequence: String) -> Result<Done, AttemptError> {
    let Ok(sequence) = sequence.parse() else { return Ok(Done::with("failed: unknown_sequence")) };
    let enrollments = FlowEnrollments { ports: step.ports.clone() };
    enrollments.enroll(step.access, step.contact.id, sequence, step.set).await.map(Done::with)
}

/// Ends the contact's enrollment.
pub(super) async fn exit(step: &mut StepWriter<'_>, sequence: String) -> Result<Done, AttemptError> {
    let Ok(sequence) = sequence.parse() else { return Ok(Done::with("failed: unknown_sequence")) };
    let enrollments = FlowEnrollments { ports: step.ports.clone() };
    enrollments.exit(step.access, step.contact.id, sequence, step.set).await.map(Done::with)
}
