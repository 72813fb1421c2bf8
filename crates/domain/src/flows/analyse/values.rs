//! Checks of literal values and answers that their targets always reject.

use serde_json::{Value, json};
use uuid::Uuid;

use super::Finding;
use super::finding::Findings;
use crate::contacts::{Attribute, Contact};
use crate::fields::{CustomField, FieldKind, Rules};
use crate::flows::KnownObjects;
use crate::flows::definition::{Action, Reading};
use crate::flows::nodes::{Expect, Operation, Source, Target, fitting, read_as};
use crate::ids::{ContactId, TypedId};
use crate::text::nearest;
use crate::time::Timestamp;

pub(super) fn check(reading: &Reading, known: &KnownObjects, findings: &mut Findings) {
    for node in reading.nodes.values() {
        if findings.is_full() {
            return;
        }
        let at = |field: &str| format!("/nodes/{}/{field}", node.index);
        if let Action::SetField(set) = &node.action {
            let refused = match &set.operation {
                Operation::Set(Source::Literal(value)) => why_not_set(&set.field, value, known),
                Operation::Append(Source::Literal(value)) => why_not_added(&set.field, value, known),
                Operation::Set(Source::Template(_))
                | Operation::Append(Source::Template(_))
                | Operation::Increment(_)
                | Operation::Toggle => None,
            };
            findings.extend(refused.map(|refused| refused.finding(at("value"), &set.field.to_string())));
        }
        if let Action::SetBotField(set) = &node.action
            && let Source::Literal(value) = &set.value
            && let Some(field) = known.bot_fields.iter().find(|field| field.key == set.field)
        {
            let refused = refused_by(field.kind, &[], &Rules::default(), value);
            findings.extend(refused.map(|refused| refused.finding(at("value"), &format!("bot_fields.{}", set.field))));
        }
        if let Action::Ask(ask) = &node.action
            && let Some(target) = &ask.save_to
        {
            answers(&ask.expect, target, known, &at, findings);
        }
    }
}

struct RefusedValue {
    why: String,
    near: Vec<String>,
}

impl RefusedValue {
    fn finding(self, pointer: String, target: &str) -> Finding {
        let message = format!("{target} rejects this value: {}", self.why);
        let finding = Finding::error(pointer, "value_refused", message).with("name", target);
        let near = self.near.iter().map(String::as_str).collect();
        finding.hint("use a value that it accepts, or change the field").near(near)
    }
}

fn custom_field<'k>(key: &str, known: &'k KnownObjects) -> Option<&'k CustomField> {
    known.fields.iter().find(|field| field.key == key)
}

/// Returns the reason why a field rejects a value; converts the value as a run does.
fn refused_by(kind: FieldKind, options: &[String], rules: &Rules, value: &Value) -> Option<RefusedValue> {
    if value.is_null() {
        return None;
    }
    let why = fitting(kind, options, rules, value.clone()).err()?;
    let near = value.as_str().map(|text| nearest(text, options.iter().map(String::as_str))).unwrap_or_default();
    Some(RefusedValue { why, near: near.into_iter().map(ToOwned::to_owned).collect() })
}

/// Returns the reason why a target rejects a value.
fn why_not_set(target: &Target, value: &Value, known: &KnownObjects) -> Option<RefusedValue> {
    match target {
        Target::Var(_) => None,
        Target::Attribute(attribute) => {
            why_no_attribute(*attribute, value).map(|why| RefusedValue { why, near: Vec::new() })
        }
        Target::Field(key) => {
            let field = custom_field(key, known)?;
            refused_by(field.kind, &field.options, &field.rules, value)
        }
    }
}

fn why_no_attribute(attribute: Attribute, value: &Value) -> Option<String> {
    let text = match value {
        Value::Null => return None,
        Value::String(text) => text.trim(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            return Some("expected a text".to_owned());
        }
    };
    let mut nobody = Contact::new(ContactId::from_uuid(Uuid::nil()), Timestamp::from_millis(0));
    nobody.set_attribute(attribute, Some(text).filter(|text| !text.is_empty())).err()
}

/// Returns the reason why a list of options rejects another element.
fn why_not_added(target: &Target, value: &Value, known: &KnownObjects) -> Option<RefusedValue> {
    let Target::Field(key) = target else { return None };
    let field = custom_field(key, known).filter(|field| field.kind == FieldKind::MultiSelect)?;
    let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
    let why = read_as(FieldKind::Select, &field.options, &text).err()?;
    let near = nearest(&text, field.options.iter().map(String::as_str));
    Some(RefusedValue { why, near: near.into_iter().map(ToOwned::to_owned).collect() })
}

/// Reports options and answer types that the target always rejects.
fn answers(
    expect: &Expect,
    target: &Target,
    known: &KnownObjects,
    at: &dyn Fn(&str) -> String,
    findings: &mut Findings,
) {
    for (index, option) in expect.options.iter().enumerate() {
        let refused = why_not_set(target, &json!(option), known);
        findings.extend(refused.map(|it| it.finding(at(&format!("options/{index}")), &target.to_string())));
    }
    let Some(example) = example(expect.kind) else { return };
    let refused = match target {
        Target::Var(_) => None,
        Target::Attribute(attribute) => why_no_attribute(*attribute, &example),
        Target::Field(key) => custom_field(key, known)
            // An option may have any form.
            .filter(|field| !(field.kind.has_options() && example.is_string()))
            .and_then(|field| fitting(field.kind, &field.options, &Rules::default(), example).err()),
    };
    if let Some(why) = refused {
        let message = format!("{target} never accepts an answer of the type {}: {why}", expect.kind.as_str());
        let hint = "expect a type that it accepts, or save the answer in a variable, such as vars.answer";
        let finding = Finding::error(at("save_to"), "value_refused", message).with("name", target.to_string());
        findings.push(finding.hint(hint));
    }
}

/// Returns a typical answer of a type; `None` if answers of the type differ too much.
fn example(kind: FieldKind) -> Option<Value> {
    Some(match kind {
        FieldKind::Number => json!(1),
        FieldKind::Boolean => json!(true),
        FieldKind::Date => json!("2026-01-31"),
        FieldKind::Datetime => json!("2026-01-31T09:30:00.000Z"),
        FieldKind::Email => json!("ada@example.com"),
        FieldKind::Phone => json!("+14155550100"),
        FieldKind::Url => json!("https://example.com/"),
        FieldKind::Text | FieldKind::Select | FieldKind::MultiSelect => return None,
    })
}
