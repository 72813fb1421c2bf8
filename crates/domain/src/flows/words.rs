//! Messages of flows: contents with templates as texts.

use serde_json::{Map, Value};

use super::{Template, TemplateError};
use crate::conversations::{Content, MessageType, QuickReply};
use crate::error::Violation;
use crate::ids::MediaId;
use crate::read::Input;

/// A message with templates as texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Words(Content);

impl Words {
    /// Reads a message to a contact; notes are rejected.
    ///
    /// # Errors
    /// All violations; pointers are relative to the message.
    pub fn parse<'a>(written: impl Into<Input<'a>>) -> Result<Self, Vec<Violation>> {
        let content = Content::parse(written)?;
        if content.kind == MessageType::Note {
            let message = "a note is only visible to members; use a node of type note";
            return Err(vec![Violation::new("/type", "invalid_value", message)]);
        }
        Ok(Self(content))
    }

    /// Returns the templates of its texts, with their pointers in the message.
    pub fn templates(&self) -> Vec<(String, Template)> {
        self.0.texts().map(|(place, text)| (place, Template::read(text))).collect()
    }

    /// Returns its files, with their pointers in the message.
    pub fn files(&self) -> impl Iterator<Item = (String, MediaId)> {
        self.0.files()
    }

    /// Returns the number of quick replies in the message itself.
    pub fn offers(&self) -> usize {
        self.0.quick_replies.len()
    }

    /// Returns its quick replies with rendered titles; omits quick replies that cannot be rendered.
    pub fn quick_replies(&self, context: &Map<String, Value>) -> Vec<QuickReply> {
        let rendered = self.0.quick_replies.iter().filter_map(|reply| {
            let title = Template::read(&reply.title).render(context).ok()?;
            Some(QuickReply { title, payload: reply.payload.clone() })
        });
        rendered.collect()
    }

    /// Renders the texts of the message.
    ///
    /// # Errors
    /// The error of a text, or of the rendered message.
    pub fn render(&self, context: &Map<String, Value>) -> Result<Content, TemplateError> {
        rendered(&self.0, context)
    }
}

/// Renders the texts of a message.
///
/// # Errors
/// See [`Words::render`].
pub(crate) fn rendered(content: &Content, context: &Map<String, Value>) -> Result<Content, TemplateError> {
    let content = content.clone().try_map_texts(|text| Template::read(text).render(context))?;
    // The rendered text may be too long although the template was not.
    match content.check().first() {
        Some(wrong) => Err(TemplateError(format!("{}: {}", wrong.pointer.trim_start_matches('/'), wrong.message))),
        None => Ok(content),
    }
}
