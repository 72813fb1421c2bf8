//! Operations that set or change a value.

use serde_json::{Number, Value, json};

use super::super::kind::{FieldContent, NodeField};
use super::source::outcome;
use super::typed_value::read_as;
use super::{Source, Target, WriteRejection};
use crate::fields::FieldKind;
use crate::flows::definition::{Fields, FlowFields};
use crate::flows::interpret::{Interpreter, NodeOutcome};
use crate::step_outcome::StepOutcome;

/// Maximum length of a list in a variable that `append` extends.
const MAX_LIST: usize = 100;

/// A change of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation {
    /// Replace it.
    Set(Source),
    /// Add to a number; a missing value is 0.
    Increment(Source),
    /// Add to a list; a missing value is an empty list.
    Append(Source),
    /// Invert true and false; a missing value becomes true.
    Toggle,
}

impl Operation {
    const WORDS: [&'static str; 4] = ["set", "increment", "append", "toggle"];
    /// The field with the operation.
    pub(in crate::flows::nodes) const FIELD: NodeField = NodeField::may(
        "operation",
        "`set`, `increment` (adds to a number), `append` (adds to a list) or `toggle` (inverts true and false); `set` \
         if absent.",
    )
    .of(FieldContent::Word(&Self::WORDS));
    /// The field with the value.
    pub(in crate::flows::nodes) const VALUE: NodeField = NodeField::may(
        "value",
        "The value to set, or to add with `increment` or `append`. A string may be a template; `null` clears. `toggle` \
         takes no value.",
    )
    .of(FieldContent::Anything);

    pub(in crate::flows::nodes) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let word = match fields.get("operation") {
            None => "set",
            Some(_) => fields.word("operation", &Self::WORDS)?,
        };
        if word == "toggle" {
            if fields.get("value").is_some() {
                fields.wrong(
                    "value",
                    "not_allowed",
                    "`toggle` has no value: it changes true to false, and false or a missing value to true",
                );
                return None;
            }
            return Some(Self::Toggle);
        }
        let source = Source::read(fields, "value")?;
        let (operation, expected) = match word {
            "increment" if !source.may_be(Value::is_number) => {
                (None, "expected a number to add, such as 1 or -1, or a template that renders a number")
            }
            "append" if !source.may_be(|value| value.is_string() || value.is_number() || value.is_boolean()) => {
                (None, "expected a text, number or boolean to add to the list, or a template")
            }
            "increment" => (Some(Self::Increment(source)), ""),
            "append" => (Some(Self::Append(source)), ""),
            _ => (Some(Self::Set(source)), ""),
        };
        if operation.is_none() {
            fields.wrong("value", "wrong_type", expected);
        }
        operation
    }

    /// Returns its word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Set(_) => "set",
            Self::Increment(_) => "increment",
            Self::Append(_) => "append",
            Self::Toggle => "toggle",
        }
    }

    /// Returns the only type of fields that it supports; `None` if it supports any type.
    pub fn changes(&self) -> Option<FieldKind> {
        match self {
            Self::Set(_) => None,
            Self::Increment(_) => Some(FieldKind::Number),
            Self::Append(_) => Some(FieldKind::MultiSelect),
            Self::Toggle => Some(FieldKind::Boolean),
        }
    }

    /// Applies it to `target`, for the node `at`.
    pub(in crate::flows::nodes) fn apply(
        &self,
        interpreter: &mut Interpreter<'_>,
        at: &str,
        target: &Target,
    ) -> NodeOutcome {
        match self {
            Self::Set(source) => source.write(interpreter, at, |interpreter, value| {
                target.write(interpreter, value).map(|()| StepOutcome::Set.text())
            }),
            Self::Increment(source) => source.write(interpreter, at, |interpreter, by| {
                let sum =
                    sum(&self.present(interpreter, target)?.unwrap_or_else(|| json!(0)), &by.unwrap_or_default())?;
                target.write(interpreter, Some(sum)).map(|()| StepOutcome::Increased.text())
            }),
            Self::Append(source) => source.write(interpreter, at, |interpreter, more| {
                let more = more.ok_or("the value to add is empty")?;
                self.append(interpreter, target, more)
            }),
            Self::Toggle => outcome(self.toggle(interpreter, target), at),
        }
    }

    /// Returns the current value.
    ///
    /// # Errors
    /// The target has a type that does not support the operation.
    fn present(&self, interpreter: &Interpreter<'_>, target: &Target) -> Result<Option<Value>, WriteRejection> {
        let key = match target {
            Target::Var(key) => return Ok(interpreter.vars.get(key).cloned().filter(|value| !value.is_null())),
            Target::Attribute(_) => return Err(format!("{target} is a text; only set is supported").into()),
            Target::Field(key) => key,
        };
        let field = interpreter.environment.fields.iter().find(|field| field.key == *key);
        let field = field.ok_or_else(|| WriteRejection::MissingField(target.to_string()))?;
        match self.changes() {
            Some(kind) if kind != field.kind => {
                let (is, word) = (field.kind.as_str(), self.word());
                Err(format!("{target} has the type {is}, but {word} requires the type {}", kind.as_str()).into())
            }
            _ => Ok(interpreter.contact.custom_fields.get(key).cloned()),
        }
    }

    fn append(
        &self,
        interpreter: &mut Interpreter<'_>,
        target: &Target,
        more: Value,
    ) -> Result<&'static str, WriteRejection> {
        let mut list = match self.present(interpreter, target)? {
            None => Vec::new(),
            Some(Value::Array(list)) => list,
            Some(_) => return Err(format!("{target} is not a list").into()),
        };
        let more = match target {
            Target::Field(key) => {
                let options = interpreter.environment.fields.iter().find(|field| field.key == *key);
                let options = options.map(|field| field.options.as_slice()).unwrap_or_default();
                let option = read_as(FieldKind::Select, options, &text(&more))?;
                if list.contains(&option) {
                    return Ok(StepOutcome::AlreadyPresent.text());
                }
                option
            }
            Target::Var(_) | Target::Attribute(_) if list.len() >= MAX_LIST => {
                return Err(format!("{target} already has {MAX_LIST} elements").into());
            }
            Target::Var(_) | Target::Attribute(_) => more,
        };
        list.push(more);
        target.write(interpreter, Some(Value::Array(list))).map(|()| StepOutcome::Added.text())
    }

    fn toggle(&self, interpreter: &mut Interpreter<'_>, target: &Target) -> Result<&'static str, WriteRejection> {
        let holds = match self.present(interpreter, target)? {
            None => false,
            Some(value) => {
                let holds =
                    value.as_bool().or_else(|| read_as(FieldKind::Boolean, &[], value.as_str()?).ok()?.as_bool());
                holds.ok_or_else(|| format!("{target} is neither true nor false"))?
            }
        };
        target.write(interpreter, Some(json!(!holds))).map(|()| StepOutcome::Toggled.text())
    }
}

/// Adds two numbers. Texts are parsed as numbers, because templates only render text.
fn sum(one: &Value, other: &Value) -> Result<Value, String> {
    let (one, other) = (number(one)?, number(other)?);
    let whole = |number: &Number| number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    if let (Some(one), Some(other)) = (whole(&one), whole(&other)) {
        let sum = one + other;
        let number = i64::try_from(sum).map(Number::from).or_else(|_| u64::try_from(sum).map(Number::from));
        return number.map(Value::Number).map_err(|_| "the sum is too large".to_owned());
    }
    let sum = one.as_f64().zip(other.as_f64()).map(|(one, other)| one + other);
    sum.and_then(Number::from_f64).map(Value::Number).ok_or_else(|| "the sum is too large".to_owned())
}

fn number(value: &Value) -> Result<Number, String> {
    let read = match value {
        Value::Number(number) => return Ok(number.clone()),
        Value::String(text) => read_as(FieldKind::Number, &[], text)?,
        _ => Value::Null,
    };
    read.as_number().cloned().ok_or_else(|| "expected a number such as 12 or 1.5".to_owned())
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}
