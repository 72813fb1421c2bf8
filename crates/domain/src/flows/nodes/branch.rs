//! `branch`: uses the first exit with a condition that holds.

use serde_json::Value;

use super::kind::{FieldContent, Kind, NodeField};
use crate::flows::definition::{Fields, FlowFields};
use crate::flows::interpret::{Interpreter, NodeOutcome};
use crate::flows::{Decision, Tested};
use crate::step_outcome::StepOutcome;

/// Maximum number of exits with a condition.
const MAX_BRANCHES: usize = 50;

/// The action of a `branch`.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// The exits with a condition, without `otherwise`.
    pub branches: Vec<Way>,
}

/// One exit; its name is `branches/` and its index.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// The condition, as in the definition.
    pub when: Value,
}

impl Kind for Branch {
    const WORD: &'static str = "branch";
    const ABOUT: &'static str = "Continues at the first branch with a matching condition.";
    const FIELDS: &'static [NodeField] = &[
        NodeField::must("branches", "The branches: each has `when`, a condition, and `next`.")
            .of(FieldContent::Branches(MAX_BRANCHES)),
        NodeField::must_exit("otherwise", "The next node if no condition matches."),
    ];
    const ASKS_CONDITIONS: bool = true;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        if fields.get("branches").is_none() {
            fields.wrong("branches", "required", "is required");
            return None;
        }
        let branches = fields.each("branches", MAX_BRANCHES, |fields, index| {
            fields.only(&["when", "next"]);
            fields.exit("next", &format!("branches/{index}"));
            let when = fields.condition("when");
            if when.is_none() {
                fields.wrong("when", "required", "is required");
            }
            when.map(|when| Way { when })
        });
        Some(Self { branches })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
        for (index, branch) in self.branches.iter().enumerate() {
            match interpreter.with_eval_context(|eval| interpreter.environment.conditions.holds(&branch.when, eval)) {
                Ok(true) => {
                    interpreter.decides_by(|it| self.decision(it, index, true));
                    let outcome = StepOutcome::BranchMatches.with(index);
                    return NodeOutcome::leave(format!("branches/{index}"), outcome);
                }
                Ok(false) => {}
                Err(why) => return NodeOutcome::failed("condition_error", format!("branch {index}: {why}"), at),
            }
        }
        interpreter.decides_by(|it| self.decision(it, self.branches.len(), false));
        NodeOutcome::leave("otherwise", StepOutcome::NoBranchMatches.text())
    }
}

impl Branch {
    /// Returns the evaluated conditions, up to index `last`. Only the one at `last` may hold.
    fn decision(&self, interpreter: &Interpreter<'_>, last: usize, holds: bool) -> Decision {
        let asked = self.branches.iter().take(last.saturating_add(1)).enumerate().map(|(index, way)| {
            let conditions = interpreter.environment.conditions;
            let comparisons = interpreter.with_eval_context(|eval| conditions.explain(&way.when, eval));
            Tested { holds: holds && index == last, comparisons }
        });
        Decision::by(asked.collect())
    }
}
