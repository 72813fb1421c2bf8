//! `set_field`: sets or changes a variable, an attribute or a custom field of the contact.

use super::kind::{Kind, NodeField};
use super::parts::{Operation, Source, Target};
use crate::events::EventKind;
use crate::flows::definition::Fields;
use crate::flows::immediate_effect::ImmediateEffect;
use crate::flows::interpret::{Interpreter, NodeOutcome};

/// Sets or changes a variable, an attribute or a custom field of the contact.
#[derive(Debug, Clone, PartialEq)]
pub struct SetField {
    /// The target of the value.
    pub field: Target,
    /// The change.
    pub operation: Operation,
}

impl Kind for SetField {
    const WORD: &'static str = "set_field";
    const ABOUT: &'static str = "Sets a variable, an attribute or a custom field of the contact.";
    const FIELDS: &'static [NodeField] = &[
        NodeField::must("field", "`vars.KEY`, `contact.ATTRIBUTE` or `custom_fields.KEY`."),
        Operation::FIELD,
        Operation::VALUE,
        NodeField::NEXT,
    ];

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let field = Target::read(fields, "field");
        let operation = Operation::read(fields);
        Some(Self { field: field?, operation: operation? })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
        self.operation.apply(interpreter, at, &self.field)
    }

    fn immediate_effects(&self) -> Vec<ImmediateEffect> {
        let again = match &self.operation {
            Operation::Set(Source::Literal(_)) => false,
            Operation::Set(Source::Template(_))
            | Operation::Increment(_)
            | Operation::Append(_)
            | Operation::Toggle => true,
        };
        match &self.field {
            Target::Var(_) => Vec::new(),
            Target::Attribute(_) | Target::Field(_) if !again => Vec::new(),
            Target::Attribute(_) => vec![ImmediateEffect::Event(EventKind::ContactUpdated, Vec::new())],
            Target::Field(key) => {
                vec![ImmediateEffect::Event(EventKind::ContactFieldChanged, vec![("event.field.key", key.clone())])]
            }
        }
    }
}
