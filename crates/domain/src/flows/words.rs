//! Messages of flows: contents whose texts are templates.

use serde_json::{Map, Value};

use super::{Template, TemplateError};
use crate::conversations::{Content, MessageType};
use crate::error::Violation;

/// A message whose texts are templates, each known to parse.
#[derive(Debug, Clone, PartialEq)]
pub struct Words(Content);

impl Words {
    /// Reads a message; what goes to a contact is no note.
    ///
    /// # Errors
    /// Everything that is wrong; pointers are relative to the message.
    pub fn parse(value: &Value) -> Result<Self, Vec<Violation>> {
        let content = Content::parse(value)?;
        if content.kind == MessageType::Note {
            let message = "a note goes to colleagues only: use a node of type note";
            return Err(vec![Violation::new("/type", "invalid_value", message)]);
        }
        let pointer = if content.text.is_some() { "/text" } else { "" };
        let parsed = content.clone().try_map_texts(|text| Template::parse(text).map(|_| String::new()));
        match parsed {
            Ok(_) => Ok(Self(content)),
            Err(error) => Err(vec![Violation::new(pointer, "template_error", format!("does not parse: {error}"))]),
        }
    }

    /// The templates of its texts.
    pub fn templates(&self) -> Vec<Template> {
        let mut templates = Vec::new();
        let gathered = self.0.clone().try_map_texts(|text| {
            templates.push(Template::parse(text)?);
            Ok::<String, TemplateError>(String::new())
        });
        if gathered.is_ok() { templates } else { Vec::new() }
    }

    /// The message, with its texts rendered.
    ///
    /// # Errors
    /// What went wrong with a text, or with the message that came of it.
    pub fn render(&self, context: &Map<String, Value>) -> Result<Content, TemplateError> {
        let content = self.0.clone().try_map_texts(|text| Template::parse(text)?.render(context))?;
        match content.check().first() {
            Some(wrong) => Err(TemplateError(format!("{}: {}", wrong.pointer.trim_start_matches('/'), wrong.message))),
            None => Ok(content),
        }
    }
}
