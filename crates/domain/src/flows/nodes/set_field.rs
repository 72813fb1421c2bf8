//! `set_field`: writes a variable, an attribute or a custom field of the contact.

use super::kind::{Kind, NodeField};
use super::parts::{Source, Target};
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
        Source::FIELD,
        NodeField::NEXT,
    ];

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let field = Target::read(fields, "field");
        let value = Source::read(fields, "value");
        Some(Self { field: field?, value: value? })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> Turn {
        self.value.write(interpreter, at, |interpreter, value| self.field.write(interpreter, value).map(|()| "set"))
    }
}
