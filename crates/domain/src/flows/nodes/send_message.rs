//! `send_message`: sends a message to the contact.

use super::kind::{Holds, Kind, NodeField};
use crate::events::EventKind;
use crate::flows::Words;
use crate::flows::definition::Fields;
use crate::flows::interpret::{Interpreter, Turn};
use crate::flows::sets_off::SetsOff;

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
        NodeField::must("message", "The message, as in `send-message`; its texts are templates.").of(Holds::Message),
        NodeField::NEXT,
    ];

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        fields.message("message").map(|message| Self { message })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> Turn {
        match interpreter.say(at, &self.message) {
            Ok(()) => Turn::next(""),
            Err(turn) => turn,
        }
    }

    fn sets_off(&self) -> Vec<SetsOff> {
        vec![SetsOff::Event(EventKind::MessageSent, Vec::new())]
    }
}
