//! `note`: adds an internal note to the conversation.

use super::kind::{Kind, NodeField};
use crate::conversations::Content;
use crate::flows::definition::{Fields, FlowFields};
use crate::flows::interpret::{Interpreter, NodeOutcome};
use crate::flows::{Effect, Template};

/// Adds a note.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// The text of the note.
    pub text: Template,
}

impl Kind for Note {
    const WORD: &'static str = "note";
    const ABOUT: &'static str = "Adds a note to the conversation. The contact does not see it.";
    const FIELDS: &'static [NodeField] =
        &[NodeField::must("text", "The text of the note, a template."), NodeField::NEXT];

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        fields.template("text").map(|text| Self { text })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
        match interpreter.render(&self.text) {
            Ok(text) => {
                interpreter.effect(Effect::Note(Box::new(Content::note(text))));
                NodeOutcome::next("")
            }
            Err(error) => NodeOutcome::failed("template_error", error, at),
        }
    }
}
