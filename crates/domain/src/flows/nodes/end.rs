//! `end`: completes the run.

use super::kind::{Kind, NodeField};
use crate::flows::definition::Fields;
use crate::flows::interpret::{Interpreter, NodeOutcome, StepEnd};
use crate::step_outcome::StepOutcome;

/// Completes the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct End;

impl Kind for End {
    const WORD: &'static str = "end";
    const ABOUT: &'static str = "Completes the run.";
    const FIELDS: &'static [NodeField] = &[];

    fn read(_fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self)
    }

    fn visit(&self, _interpreter: &mut Interpreter<'_>, _at: &str) -> NodeOutcome {
        NodeOutcome::Stop { ending: StepEnd::Completed, outcome: StepOutcome::Completed.text().to_owned() }
    }
}
