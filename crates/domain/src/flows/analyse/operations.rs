//! Checks that the target of an operation supports it.

use super::Finding;
use super::finding::Findings;
use crate::flows::KnownObjects;
use crate::flows::definition::{Action, Reading};
use crate::flows::nodes::Target;

pub(super) fn check(reading: &Reading, known: &KnownObjects, findings: &mut Findings) {
    for node in reading.nodes.values() {
        let Action::SetField(set) = &node.action else { continue };
        let Some(changes) = set.operation.changes() else { continue };
        let is = match &set.field {
            // The type of a variable is only known at run time.
            Target::Var(_) => continue,
            Target::Attribute(_) => "text",
            Target::Field(key) => match known.fields.iter().find(|field| field.key == *key) {
                Some(field) if field.kind != changes => field.kind.as_str(),
                Some(_) | None => continue,
            },
        };
        let (target, word, changes) = (&set.field, set.operation.word(), changes.as_str());
        let message = format!("{target} has the type {is}, but {word} requires the type {changes}");
        let hint = format!("use set, or choose a variable or a custom field of the type {changes}");
        let pointer = format!("/nodes/{}/operation", node.index);
        let finding = Finding::error(pointer, "not_allowed", message).with("name", format!("{target}: {word}"));
        findings.push(finding.hint(hint));
    }
}
