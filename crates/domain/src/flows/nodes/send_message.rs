//! `send_message`: sends a message to the contact.

use super::kind::{FieldContent, Kind, NodeField};
use super::parts::MessageFields;
use crate::events::EventKind;
use crate::flows::Words;
use crate::flows::definition::Fields;
use crate::flows::immediate_effect::ImmediateEffect;
use crate::flows::interpret::{Interpreter, NodeOutcome};

/// Sends a message.
#[derive(Debug, Clone, PartialEq)]
pub struct SendMessage {
    /// The message.
    pub message: Words,
}

impl Kind for SendMessage {
    const WORD: &'static str = "send_message";
    const ABOUT: &'static str = "Sends a message to the contact.";
    const FIELDS: &'static [NodeField] = &[
        NodeField::must("message", "The message, as in `send-message`; its texts are templates.")
            .of(FieldContent::Message),
        NodeField::NEXT,
    ];

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        fields.message("message").map(|message| Self { message })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
        match interpreter.say(at, &self.message) {
            Ok(()) => NodeOutcome::next(""),
            Err(turn) => turn,
        }
    }

    fn immediate_effects(&self) -> Vec<ImmediateEffect> {
        vec![ImmediateEffect::Event(EventKind::MessageSent, Vec::new())]
    }
}
