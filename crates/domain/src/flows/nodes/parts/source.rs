//! Literal and templated values.

use serde_json::Value;

use super::super::kind::{FieldContent, NodeField};
use super::WriteRejection;
use crate::flows::definition::{Fields, FlowFields};
use crate::flows::interpret::{Interpreter, NodeOutcome};
use crate::flows::{Template, TemplateError};
use crate::read::Input;
use crate::step_outcome::StepOutcome;

/// The source of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// The value itself.
    Literal(Value),
    /// Rendered when the node is visited.
    Template(Template),
}

/// The turn of a node after it wrote a value or failed to.
pub(super) fn outcome(written: Result<&'static str, WriteRejection>, at: &str) -> NodeOutcome {
    match written {
        Ok(outcome) => NodeOutcome::next(outcome),
        Err(why @ WriteRejection::MissingField(_)) => NodeOutcome::failed("field_missing", why.to_string(), at),
        Err(WriteRejection::Rejected(why)) => NodeOutcome::next(StepOutcome::NotSet.with(why)),
    }
}

impl Source {
    /// The field `value` of nodes that write a value.
    pub(in crate::flows::nodes) const FIELD: NodeField =
        NodeField::must("value", "The value; a string may be a template; `null` clears.").of(FieldContent::Anything);

    pub(in crate::flows::nodes) fn read(fields: &mut Fields<'_>, name: &str) -> Option<Self> {
        match fields.get(name) {
            Some(Input::String(text)) if Template::stands_in(text) => {
                fields.parse_template(name, text).map(Self::Template)
            }
            Some(written) => Some(Self::Literal(written.to_value())),
            None => {
                fields.wrong(name, "required", "is required; null clears");
                None
            }
        }
    }

    /// Writes the value with `write`, which returns the outcome of the visit.
    pub(in crate::flows::nodes) fn write(
        &self,
        interpreter: &mut Interpreter<'_>,
        at: &str,
        write: impl FnOnce(&mut Interpreter<'_>, Option<Value>) -> Result<&'static str, WriteRejection>,
    ) -> NodeOutcome {
        if let Some(error) = self.render_error() {
            return NodeOutcome::failed("template_error", error.to_string(), at);
        }
        let written = self.value(interpreter).map_err(WriteRejection::from).and_then(|value| write(interpreter, value));
        outcome(written, at)
    }

    /// Whether the value may satisfy a predicate; always true for a template: its value is unknown before the visit.
    pub(super) fn may_be(&self, is: impl FnOnce(&Value) -> bool) -> bool {
        match self {
            Self::Literal(value) => is(value),
            Self::Template(_) => true,
        }
    }

    /// Returns the error of a template that can never render.
    pub fn render_error(&self) -> Option<&TemplateError> {
        match self {
            Self::Literal(_) => None,
            Self::Template(template) => template.render_error(),
        }
    }

    /// Returns the value; `None` clears the target.
    pub(in crate::flows::nodes) fn value(&self, interpreter: &Interpreter<'_>) -> Result<Option<Value>, String> {
        match self {
            Self::Literal(Value::Null) => Ok(None),
            Self::Literal(value) => Ok(Some(value.clone())),
            Self::Template(template) => {
                let text = template.render_value(&interpreter.template_values()).map_err(|error| error.to_string())?;
                Ok(Some(text).filter(|text| !text.trim().is_empty()).map(Value::String))
            }
        }
    }
}
