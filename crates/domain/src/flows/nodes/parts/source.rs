//! Where a value comes from.

use serde_json::Value;

use super::super::kind::{Holds, NodeField};
use crate::flows::definition::Fields;
use crate::flows::interpret::{Interpreter, Turn};
use crate::flows::{Template, TemplateError};
use crate::read::Input;
use crate::step_outcome::StepOutcome;

/// How the reason begins where the field itself is not there any more.
pub(in crate::flows::nodes) const GONE: &str = "the field does not exist: ";

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// It stands there.
    Literal(Value),
    /// It is made when the node is visited.
    Template(Template),
}

/// How a node goes on that wrote a value, or could not.
pub(super) fn outcome(written: Result<&'static str, String>, at: &str) -> Turn {
    match written {
        Ok(outcome) => Turn::next(outcome),
        Err(why) if why.starts_with(GONE) => Turn::failed("field_missing", why, at),
        Err(why) => Turn::next(StepOutcome::NotSet.with(why)),
    }
}

impl Source {
    /// The field of nodes that write it somewhere.
    pub(in crate::flows::nodes) const FIELD: NodeField =
        NodeField::must("value", "The value; a string may be a template; `null` clears.").of(Holds::Anything);

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

    /// Writes the value by `write`, which tells what came of it, or why it cannot be written.
    pub(in crate::flows::nodes) fn write(
        &self,
        interpreter: &mut Interpreter<'_>,
        at: &str,
        write: impl FnOnce(&mut Interpreter<'_>, Option<Value>) -> Result<&'static str, String>,
    ) -> Turn {
        if let Some(error) = self.refused() {
            return Turn::failed("template_error", error.to_string(), at);
        }
        let written = self.value(interpreter).and_then(|value| write(interpreter, value));
        outcome(written, at)
    }

    /// Whether the value may be one of which this holds: what a template makes is known when it is visited.
    pub(super) fn may_be(&self, is: impl FnOnce(&Value) -> bool) -> bool {
        match self {
            Self::Literal(value) => is(value),
            Self::Template(_) => true,
        }
    }

    /// Why it never makes a value, whatever the run knows.
    pub fn refused(&self) -> Option<&TemplateError> {
        match self {
            Self::Literal(_) => None,
            Self::Template(template) => template.refused(),
        }
    }

    /// The value; none clears.
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
