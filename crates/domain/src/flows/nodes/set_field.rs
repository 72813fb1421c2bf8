//! `set_field`: writes a variable, an attribute or a custom field of the contact.

use super::kind::{Kind, NodeField};
use super::parts::{GONE, Source, Target};
use crate::flows::definition::Fields;
use crate::flows::interpret::{Interpreter, Turn};

/// Writes a variable, an attribute or a custom field of the contact.
#[derive(Debug, Clone, PartialEq)]
pub struct SetField {
    /// Where the value goes.
    pub field: Target,
    /// Where it comes from.
    pub value: Source,
}

impl Kind for SetField {
    const WORD: &'static str = "set_field";
    const ABOUT: &'static str = "Writes a variable, an attribute or a custom field of the contact.";
    const FIELDS: &'static [NodeField] = &[
        NodeField::must("field", "`vars.KEY`, `contact.ATTRIBUTE` or `custom_fields.KEY`."),
        NodeField::must("value", "The value; a string may be a template; `null` clears."),
        NodeField::NEXT,
    ];

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let field = Target::read(fields, "field");
        let value = Source::read(fields, "value");
        Some(Self { field: field?, value: value? })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> Turn {
        if let Some(error) = self.value.refused() {
            return Turn::failed("template_error", error.to_string(), at);
        }
        let written = self.value.value(interpreter).and_then(|value| self.field.write(interpreter, value));
        match written {
            Ok(()) => Turn::next("set"),
            Err(why) if why.starts_with(GONE) => Turn::failed("field_missing", why, at),
            Err(why) => Turn::next(format!("not set: {why}")),
        }
    }
}
