//! Where a value comes from.

use serde_json::Value;

use crate::flows::definition::Fields;
use crate::flows::interpret::Interpreter;
use crate::flows::{Template, TemplateError};
use crate::read::Input;

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// It stands there.
    Literal(Value),
    /// It is made when the node is visited.
    Template(Template),
}

impl Source {
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
                let text = interpreter.with_eval_context(|eval| template.render_value(&eval.template_values()));
                let text = text.map_err(|error| error.to_string())?;
                Ok(Some(text).filter(|text| !text.trim().is_empty()).map(Value::String))
            }
        }
    }
}
