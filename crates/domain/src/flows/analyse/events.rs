//! Checks of `event` in conditions and texts: the path exists, and values of its type are compared.

use serde_json::Value;

use super::Finding;
use super::conditions::Conditions;
use super::finding::Findings;
use super::visible::{Visible, VisibleEvents};
use crate::conditions::Operator;
use crate::events::EventValue;
use crate::flows::definition::Reading;

pub(super) fn check(
    reading: &Reading,
    conditions: &Conditions,
    visible_events: &VisibleEvents,
    findings: &mut Findings,
) {
    for (pointer, condition) in conditions.iter() {
        let visible = visible_events.at(pointer);
        if visible.is_known() {
            look(condition.source_json(), pointer.to_owned(), visible, findings);
        }
    }
    for (pointer, template) in &reading.found.templates {
        let visible = visible_events.at(pointer);
        if findings.is_full() {
            return;
        }
        let names = if visible.is_known() { template.names() } else { continue };
        for name in names {
            let Some(path) = name.strip_prefix("event.") else { continue };
            if is_nowhere(&path.split('.').collect::<Vec<_>>(), visible) {
                let message = format!("the text uses {name}, but {} never contains it", visible.words());
                let finding = Finding::error(pointer.clone(), "unknown_name", message).with("name", name.as_str());
                findings.push(offering(finding, &name, visible));
            }
        }
    }
}

/// Checks the comparisons of a valid condition.
fn look(written: &Value, at: String, visible: &Visible, findings: &mut Findings) {
    let Value::Object(members) = written else { return };
    if findings.is_full() {
        return;
    }
    for group in ["all", "any"] {
        let items = members.get(group).and_then(Value::as_array).into_iter().flatten();
        items.enumerate().for_each(|(place, item)| look(item, format!("{at}/{group}/{place}"), visible, findings));
    }
    if let Some(inner) = members.get("not") {
        look(inner, format!("{at}/not"), visible, findings);
    }
    let word = |name: &str| members.get(name).and_then(Value::as_str);
    let Some((name, operator)) = word("field").zip(word("op").and_then(Operator::parse)) else { return };
    let Some(path) = name.strip_prefix("event.") else { return };
    let path: Vec<&str> = path.split('.').collect();
    if is_nowhere(&path, visible) {
        let message = format!("{} never contains {name}", visible.words());
        let finding = Finding::error(format!("{at}/field"), "unknown_field", message).with("name", name);
        findings.push(offering(finding, name, visible));
        return;
    }
    let value = members.get("value").unwrap_or(&Value::Null);
    let mut wrong = None;
    for found in visible.values_at(&path).flatten() {
        match fits(found, operator, value) {
            Ok(()) => return,
            Err(why) => wrong = Some((found, why)),
        }
    }
    let Some((found, why)) = wrong else { return };
    let is = format!("{name} of {} is {}", visible.words(), found.words());
    findings.push(match why {
        ComparisonMismatch::Operator => {
            let message = format!("{is}; the operator {} does not support values of this type", operator.as_str());
            let finding = Finding::error(format!("{at}/op"), "unknown_operator", message);
            finding.with("name", operator.as_str()).hint(takes(found))
        }
        ComparisonMismatch::Value => {
            let message = format!("{is}, but it is compared with a value of another type");
            Finding::error(format!("{at}/value"), "wrong_type", message).with("name", name).hint(takes(found))
        }
    });
}

/// Whether none of the visible events has a value at this path.
fn is_nowhere(path: &[&str], visible: &Visible) -> bool {
    visible.values_at(path).all(|value| value.is_none())
}

/// Adds similar paths as suggestions.
fn offering(finding: Finding, name: &str, visible: &Visible) -> Finding {
    let paths = visible.paths();
    let near = crate::text::nearest(name, paths.iter().map(String::as_str));
    let finding = finding.hint("use a field of the event's data, as shown in the webhook payload");
    finding.near(near)
}

/// The reason why a comparison with a value of the event never holds.
enum ComparisonMismatch {
    /// The operator does not support values of this type.
    Operator,
    /// The compared value has another type.
    Value,
}

/// Checks whether a comparison with a value of this type can hold. A text may also be a time; for a list, elements are
/// compared.
fn fits(found: EventValue, operator: Operator, value: &Value) -> Result<(), ComparisonMismatch> {
    use Operator::{
        After, Before, Between, Contains, Eq, Exists, Gt, Gte, Has, HasNot, In, Lt, Lte, Ne, NotExists, NotIn,
        StartsWith, WithinLast,
    };
    let is = |right: fn(&Value) -> bool| match value {
        Value::Array(items) if items.iter().all(right) => Ok(()),
        Value::Array(_) => Err(ComparisonMismatch::Value),
        value if right(value) => Ok(()),
        _ => Err(ComparisonMismatch::Value),
    };
    match (found, operator) {
        (_, Exists | NotExists) | (EventValue::Any | EventValue::List, _) => Ok(()),
        (EventValue::Object, _) => Err(ComparisonMismatch::Operator),
        (EventValue::Text | EventValue::Time, _) => is(Value::is_string),
        (EventValue::Boolean, Eq | Ne | In | NotIn | Has | HasNot) => is(Value::is_boolean),
        (EventValue::Boolean, _) => Err(ComparisonMismatch::Operator),
        (EventValue::Number, Contains | StartsWith | WithinLast) => Err(ComparisonMismatch::Operator),
        (EventValue::Number, Eq | Ne | In | NotIn | Has | HasNot | Gt | Gte | Lt | Lte | Between | Before | After) => {
            is(Value::is_number)
        }
    }
}

fn takes(found: EventValue) -> &'static str {
    match found {
        EventValue::Text => "compare it with a text, such as \"gold\"",
        EventValue::Time => "compare it with a time, such as \"2026-01-31T09:30:00Z\"",
        EventValue::Number => "compare it with a number, such as 3, using eq, gt, lt or a similar operator",
        EventValue::Boolean => "compare it with true or false, using eq or ne",
        EventValue::Object => "check whether it exists, or use a field of it",
        EventValue::List | EventValue::Any => "check whether it exists",
    }
}
