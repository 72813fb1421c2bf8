//! Warnings about windows and variables.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Finding;
use super::finding::Findings;
use crate::flows::definition::Reading;

pub(super) fn check(reading: &Reading, findings: &mut Findings) {
    for pointer in &reading.found.empty_windows {
        let finding = Finding::warning(pointer.clone(), "empty_window", "the window never opens, so it has no effect");
        findings.push(finding.hint("set `days`, and set `to` to a time after `from`"));
    }
    let used = used_variables(reading);
    unsaved(reading, findings);
    for (pointer, variable) in &reading.found.saved {
        if !used.contains(variable) {
            let message = format!("vars.{variable} is saved but never used");
            let finding = Finding::warning(pointer.clone(), "unused_variable", message);
            let finding = finding.with("name", format!("vars.{variable}"));
            findings.push(finding.hint("use it in a text or a condition, or do not save it"));
        }
    }
}

/// Warns about variables that no node saves. Only for flows with triggers: the API or another flow may pass variables.
fn unsaved(reading: &Reading, findings: &mut Findings) {
    if reading.definition.as_ref().is_none_or(|definition| definition.triggers.is_empty()) {
        return;
    }
    let saved: BTreeSet<&str> = reading.found.saved.iter().map(|(_, variable)| variable.as_str()).collect();
    for (pointer, template) in &reading.found.templates {
        let looked_up: BTreeSet<String> = template.names().iter().filter_map(|name| variable(name)).collect();
        for name in looked_up.iter().filter(|name| !saved.contains(name.as_str())) {
            let near = findings.nearest(name, saved.iter().copied());
            let near: Vec<String> = near.into_iter().map(|near| format!("vars.{near}")).collect();
            let message = format!("vars.{name} is never saved: it is empty if a trigger starts the run");
            let finding = Finding::warning(pointer.clone(), "unsaved_variable", message);
            let finding = finding.with("name", format!("vars.{name}"));
            let finding = finding.hint("save it earlier, or use a variable that is saved");
            findings.push(finding.near(near.iter().map(String::as_str).collect()));
        }
    }
}

/// Returns the variable in a name.
fn variable(name: &str) -> Option<String> {
    name.strip_prefix("vars.").map(|rest| rest.split('.').next().unwrap_or(rest).to_owned())
}

fn used_variables(reading: &Reading) -> BTreeSet<String> {
    fn look(value: &Value, used: &mut BTreeSet<String>) {
        match value {
            Value::String(text) => used.extend(variable(text)),
            Value::Array(list) => list.iter().for_each(|value| look(value, used)),
            Value::Object(object) => object.values().for_each(|value| look(value, used)),
            _ => {}
        }
    }
    let mut used: BTreeSet<String> = BTreeSet::new();
    // Nodes that could not be parsed may use any variable.
    let mut all = !reading.unread.is_empty();
    for (_, template) in &reading.found.templates {
        let names = template.names();
        // A template that iterates over all variables uses each of them.
        all = all || names.contains("vars") || template.render_error().is_some();
        used.extend(names.iter().filter_map(|name| variable(name)));
    }
    reading.found.conditions.iter().for_each(|(_, condition)| look(condition, &mut used));
    // A flow that this flow starts gets all variables.
    if all || reading.nodes.values().any(|node| node.action.node_type().hands_on_variables) {
        used.extend(reading.found.saved.iter().map(|(_, variable)| variable.clone()));
    }
    used
}
