//! Nodes that decide where the contact goes: `branch`, `start_flow`, sequences and the end.

use serde_json::Value;

use super::Action;
use super::read::{Fields, Mentioned};
use crate::ids::{FlowId, SequenceId};

/// The most ways out of one branch.
const MAX_BRANCHES: usize = 50;

/// One way out of a branch; its exit is called `branches/` and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// The condition, as it was written.
    pub when: Value,
}

pub(super) fn branch(fields: &mut Fields<'_>) -> Option<Action> {
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
        when.map(|when| Branch { when })
    });
    Some(Action::Branch(branches))
}

pub(super) fn enroll_sequence(fields: &mut Fields<'_>) -> Option<Action> {
    sequence(fields).map(Action::EnrollSequence)
}

pub(super) fn exit_sequence(fields: &mut Fields<'_>) -> Option<Action> {
    sequence(fields).map(Action::ExitSequence)
}

fn sequence(fields: &mut Fields<'_>) -> Option<String> {
    let id = fields.text("sequence")?;
    if id.parse::<SequenceId>().is_err() {
        fields.wrong("sequence", "invalid_id", "expected an id such as seq_01h455vb4pex5vsknk084sn02q");
        return None;
    }
    fields.mention(Mentioned::Sequence, "sequence", id);
    Some(id.to_owned())
}

pub(super) fn start_flow(fields: &mut Fields<'_>) -> Option<Action> {
    let id = fields.text("flow_id")?;
    if id.parse::<FlowId>().is_err() {
        fields.wrong("flow_id", "invalid_id", "expected an id such as flow_01h455vb4pex5vsknk084sn02q");
        return None;
    }
    fields.mention(Mentioned::Flow, "flow_id", id);
    Some(Action::StartFlow(id.to_owned()))
}

pub(super) fn end(_fields: &mut Fields<'_>) -> Option<Action> {
    Some(Action::End)
}
