//! Saves parts of a response in variables.

use serde_json::{Map, Value, json};

use super::{HttpRequest, MAX_VARS, OpenSecrets};
use crate::flows::caller::Called;
use crate::flows::definition::{Fields, FlowFields};
use crate::flows::interpret::Interpreter;
use crate::read::{Input, pointer_to};
use crate::step_outcome::{SEPARATOR, StepOutcome};
use crate::text::is_key;

const MAX_SAVED: usize = 20;
/// Maximum size of one value in bytes, as JSON.
const MAX_VALUE: usize = 16 * 1_024;
/// Maximum nesting depth of a value, the same as for request bodies of the API.
const MAX_DEPTH: usize = 32;

/// A part of the response and its variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Key of the variable.
    pub variable: String,
    /// The part.
    pub part: AnswerPart,
}

/// A part of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerPart {
    /// The HTTP status.
    Status,
    /// The value in the body at this path of member names and list indexes; the whole body if empty.
    Body(Vec<String>),
}

impl AnswerPart {
    /// Parses `status`, `body` or `body.PATH` such as `body.items.0.id`.
    fn parse(text: &str) -> Option<Self> {
        let mut steps = text.split('.');
        match (steps.next(), steps.map(ToOwned::to_owned).collect::<Vec<_>>()) {
            (Some("status"), behind) if behind.is_empty() => Some(Self::Status),
            (Some("body"), behind) if behind.len() <= MAX_DEPTH && !behind.iter().any(String::is_empty) => {
                Some(Self::Body(behind))
            }
            _ => None,
        }
    }

    fn of(&self, status: u16, body: Option<&Value>) -> Option<Value> {
        let step = |value: &'_ Value, name: &String| -> Option<Value> {
            match value {
                Value::Object(members) => members.get(name).cloned(),
                Value::Array(list) => list.get(name.parse::<usize>().ok()?).cloned(),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
            }
        };
        let found = match self {
            Self::Status => Some(json!(status)),
            Self::Body(behind) => behind.iter().try_fold(body?.clone(), |value, name| step(&value, name)),
        };
        found.filter(|value| !value.is_null())
    }
}

impl Saved {
    pub(super) fn read(fields: &mut Fields<'_>) -> Vec<Self> {
        let members = match fields.get("save") {
            None => return Vec::new(),
            Some(Input::Object(members)) if members.len() <= MAX_SAVED => members,
            Some(Input::Object(_)) => {
                fields.wrong("save", "too_many", format!("at most {MAX_SAVED} parts of the response"));
                return Vec::new();
            }
            Some(_) => {
                fields.wrong(
                    "save",
                    "wrong_type",
                    "expected an object that maps the key of a variable to a part of the response",
                );
                return Vec::new();
            }
        };
        let mut saved = Vec::new();
        for (variable, written) in members.iter() {
            let place = format!("/save{}", pointer_to(variable));
            let part = written.as_str().and_then(AnswerPart::parse);
            match part {
                _ if !is_key(variable) => {
                    let message = "must be the key of a variable, such as order_id, without the prefix vars.";
                    fields.error(&place, "invalid_key", message);
                }
                None => {
                    let expected = "expected status, body, or a path in the body such as body.items.0.id";
                    fields.error(&place, "invalid_format", expected);
                }
                Some(part) => {
                    fields.saves_at(&place, variable);
                    saved.push(Self { variable: variable.to_owned(), part });
                }
            }
        }
        saved
    }
}

impl HttpRequest {
    /// Returns the variables to change after a successful response. `body` is `None` if it exceeds the size limit.
    pub fn answered(&self, status: u16, body: Option<&[u8]>, secrets: &OpenSecrets) -> Called {
        let asks_body = self.save.iter().any(|saved| saved.part != AnswerPart::Status);
        let Some(bytes) = body.or((!asks_body).then_some(&[])) else {
            return Called::failed(
                "answer_too_large",
                "the response is longer than 65536 bytes; no part of it is saved",
            );
        };
        let read = asks_body.then(|| as_value(bytes)).flatten();
        let mut vars = Vec::new();
        for Saved { variable, part } in &self.save {
            let value = part.of(status, read.as_ref()).map(|value| secrets.mask(value));
            if let Some(value) = &value
                && (value.to_string().len() > MAX_VALUE || is_deep(value, MAX_DEPTH))
            {
                let message = format!(
                    "the value for vars.{variable} is longer than {MAX_VALUE} bytes, or nested deeper than {MAX_DEPTH} \
                     levels"
                );
                return Called::failed("answer_too_large", message);
            }
            vars.push((variable.clone(), value));
        }
        Called::Saved { status, vars }
    }
}

/// Parses the body as JSON, otherwise as text; `None` if it is empty.
fn as_value(bytes: &[u8]) -> Option<Value> {
    if bytes.is_empty() {
        return None;
    }
    let value = serde_json::from_slice(bytes);
    Some(storable(value.unwrap_or_else(|_| Value::String(String::from_utf8_lossy(bytes).into_owned()))))
}

/// Replaces U+0000, which databases cannot store.
fn storable(value: Value) -> Value {
    let clean = |text: String| if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text };
    match value {
        Value::String(text) => Value::String(clean(text)),
        Value::Array(list) => Value::Array(list.into_iter().map(storable).collect()),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (clean(name), storable(value))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

fn is_deep(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(list) => levels == 0 || list.iter().any(|value| is_deep(value, levels - 1)),
        Value::Object(members) => levels == 0 || members.values().any(|value| is_deep(value, levels - 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Writes variables. Returns the outcome for the trace, or the reason why none was written.
pub(super) fn save(interpreter: &mut Interpreter<'_>, saved: &[(String, Option<Value>)]) -> Result<String, String> {
    let mut vars: Map<String, Value> = interpreter.vars.clone();
    let (mut there, mut missing) = (Vec::new(), Vec::new());
    for (variable, value) in saved {
        match value {
            Some(value) => {
                vars.insert(variable.clone(), value.clone());
                there.push(format!("vars.{variable}"));
            }
            // Remove the value of an earlier response.
            None => {
                vars.remove(variable);
                missing.push(format!("vars.{variable}"));
            }
        }
    }
    if !there.is_empty() && Value::Object(vars.clone()).to_string().len() > MAX_VARS {
        return Err(format!("the variables of the run would exceed {MAX_VARS} bytes"));
    }
    interpreter.vars = vars;
    let told = |outcome: StepOutcome, names: &[String]| match names {
        [] => String::new(),
        names => format!("{SEPARATOR}{}", outcome.with(names.join(", "))),
    };
    Ok(format!("{}{}", told(StepOutcome::ValuesSaved, &there), told(StepOutcome::ValuesMissing, &missing)))
}
