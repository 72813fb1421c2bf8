//! Contents of messages, and the parts that each type has.

mod attachment;
mod fallback;
mod original;
mod parts;
mod source;

use super::MessageType;
use crate::body;
use crate::error::Violation;
use crate::ids::MediaId;
#[cfg(feature = "openapi")]
use crate::read::schema::{Declare, Declared, Name, RefOrSchema};
use crate::read::{Body, Fields, Input, Read, list, nested, text, word};

use attachment::Files;
pub use attachment::{Attachment, AttachmentStatus, AttachmentView};
use fallback::Fallback;
pub use original::{MAX_ORIGINAL, Original};
use parts::length;
pub use parts::{MessageTemplate, QuickReply};

/// Maximum number of characters of a message's text.
pub const MAX_TEXT: usize = 4_096;
/// The text of a contact's message without a text that can be shown, such as one of an unknown type.
pub const UNSUPPORTED_TEXT: &str = "[unsupported message]";
/// Maximum number of characters of a message's subject.
pub const MAX_SUBJECT: usize = 200;
/// Maximum number of attachments of a message.
pub const MAX_ATTACHMENTS: usize = 10;
/// Maximum number of quick replies of a message.
pub const MAX_QUICK_REPLIES: usize = 10;

/// The content of a message. The type determines the parts; see [`Content::check`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The type.
    pub kind: MessageType,
    /// The subject, on channels with subjects.
    pub subject: Option<String>,
    /// The text; for images and files, their caption.
    pub text: Option<String>,
    /// The attachments.
    pub attachments: Vec<Attachment>,
    /// Quick replies to choose from.
    pub quick_replies: Vec<QuickReply>,
    /// For a template: its name and parameters.
    pub template: Option<MessageTemplate>,
    /// The template to send instead after the reply window of the channel.
    pub fallback: Option<MessageTemplate>,
    /// For a contact's message: the parts that the other fields leave out.
    pub original: Original,
}

impl Content {
    /// Creates an empty content of this type.
    pub fn of(kind: MessageType) -> Self {
        Self {
            kind,
            subject: None,
            text: None,
            attachments: Vec::new(),
            quick_replies: Vec::new(),
            template: None,
            fallback: None,
            original: Original::default(),
        }
    }

    /// Creates a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::of(MessageType::Text) }
    }

    /// Whether it is a contact's message without a text that can be shown.
    pub fn is_unsupported(&self) -> bool {
        self.kind == MessageType::Text && self.text.as_deref() == Some(UNSUPPORTED_TEXT)
    }

    /// Creates a note.
    pub fn note(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::of(MessageType::Note) }
    }

    /// Parses `{"type", "subject", "text", "attachments", "quick_replies", "template", "fallback"}`.
    ///
    /// # Errors
    /// All violations, with pointers relative to the value.
    pub fn parse<'a>(written: impl Into<Input<'a>>) -> Result<Self, Vec<Violation>> {
        nested().read(written.into())
    }

    /// Sets quick replies with these titles, if the content has none, may have them, and all fit within `most`. An
    /// incomplete list would look complete to the contact.
    pub fn offer(&mut self, titles: &[String], most: usize) {
        if !self.quick_replies.is_empty() || titles.len() > most {
            return;
        }
        let replies = titles.iter().map(|title| QuickReply { title: title.clone(), payload: None });
        let offering = Self { quick_replies: replies.collect(), ..self.clone() };
        if offering.check().is_empty() {
            *self = offering;
        }
    }

    /// All violations of the content, with pointers relative to it.
    pub fn check(&self) -> Vec<Violation> {
        self.violations(Files::Public)
    }

    /// All violations of the content of a contact's message. Its files may be stored by the provider of the channel.
    pub fn check_inbound(&self) -> Vec<Violation> {
        self.violations(Files::AtProvider)
    }

    fn violations(&self, files: Files) -> Vec<Violation> {
        use MessageType::{Audio, Card, File, Image, Location, Note, Template, Text, Video};
        let mut wrong = Vec::new();
        let needs_text = matches!(self.kind, Text | Card | Note);
        match &self.subject {
            Some(_) if matches!(self.kind, Template | Note) => wrong.push(not_allowed("/subject", self.kind)),
            Some(subject) => length(subject, "/subject", MAX_SUBJECT, &mut wrong),
            None => {}
        }
        match &self.text {
            None if needs_text => wrong.push(Violation::new("/text", "required", "is required")),
            Some(_) if self.kind == Template => wrong.push(not_allowed("/text", self.kind)),
            Some(text) => length(text, "/text", MAX_TEXT, &mut wrong),
            None => {}
        }
        let attachments = match self.kind {
            Image | Video | Audio | File => 1..=MAX_ATTACHMENTS,
            Location => 1..=1,
            Card => 0..=MAX_ATTACHMENTS,
            Text | Template | Note => 0..=0,
        };
        let count = self.attachments.len();
        if count > 0 && *attachments.end() == 0 {
            wrong.push(not_allowed("/attachments", self.kind));
        } else if count == 0 && *attachments.start() > 0 {
            wrong.push(Violation::new("/attachments", "required", "is required"));
        } else if count > *attachments.end() {
            wrong.push(Violation::new(
                "/attachments",
                "too_many",
                format!("at most {} attachments", attachments.end()),
            ));
        }
        for (place, attachment) in self.attachments.iter().enumerate() {
            attachment.check((self.kind, files), &format!("/attachments/{place}"), &mut wrong);
        }
        if !self.quick_replies.is_empty() && matches!(self.kind, Template | Note) {
            wrong.push(not_allowed("/quick_replies", self.kind));
        } else if self.quick_replies.len() > MAX_QUICK_REPLIES {
            wrong.push(Violation::new(
                "/quick_replies",
                "too_many",
                format!("at most {MAX_QUICK_REPLIES} quick replies"),
            ));
        }
        for (place, reply) in self.quick_replies.iter().enumerate() {
            reply.check(&format!("/quick_replies/{place}"), &mut wrong);
        }
        match (&self.template, self.kind == Template) {
            (None, true) => wrong.push(Violation::new("/template", "required", "is required")),
            (Some(_), false) => wrong.push(not_allowed("/template", self.kind)),
            (Some(template), true) => template.check("/template", &mut wrong),
            (None, false) => {}
        }
        match &self.fallback {
            Some(_) if matches!(self.kind, Template | Note) => wrong.push(not_allowed("/fallback", self.kind)),
            Some(template) => template.check("/fallback/template", &mut wrong),
            None => {}
        }
        wrong
    }

    /// Returns the files of the server that its attachments name, with their pointers in the content.
    pub fn files(&self) -> impl Iterator<Item = (String, MediaId)> {
        let attachments = self.attachments.iter().enumerate();
        attachments.filter_map(|(place, it)| Some((format!("/attachments/{place}/media_id"), it.media()?)))
    }

    /// The texts for the contact, each with its RFC 6901 pointer in the content.
    pub fn texts(&self) -> impl Iterator<Item = (String, &str)> {
        let subject = self.subject.as_deref().map(|subject| ("/subject".to_owned(), subject));
        let text = self.text.as_deref().map(|text| ("/text".to_owned(), text));
        let titles = self.quick_replies.iter().enumerate();
        let titles = titles.map(|(index, reply)| (format!("/quick_replies/{index}/title"), reply.title.as_str()));
        let template = self.template.iter().flat_map(|it| it.texts("/template"));
        let fallback = self.fallback.iter().flat_map(|it| it.texts("/fallback/template"));
        subject.into_iter().chain(text).chain(titles).chain(template).chain(fallback)
    }

    /// Replaces each text for the contact by the result of `render`: the subject, the text, the titles of quick replies
    /// and the parameters of its templates.
    ///
    /// # Errors
    /// The first error of `render`.
    pub fn try_map_texts<E>(mut self, mut render: impl FnMut(&str) -> Result<String, E>) -> Result<Self, E> {
        self.subject = self.subject.as_deref().map(&mut render).transpose()?;
        self.text = self.text.as_deref().map(&mut render).transpose()?;
        for reply in &mut self.quick_replies {
            reply.title = render(&reply.title)?;
        }
        let templates = self.template.iter_mut().chain(&mut self.fallback);
        for parameter in templates.flat_map(|template| template.parameters.values_mut()) {
            *parameter = render(parameter)?;
        }
        Ok(self)
    }
}

body! {
    /// The content of a message.
    struct Parts {
        /// Type of the message, which determines the other fields.
        required kind as "type": MessageType = word(MessageType::WORDS, MessageType::parse);
        /// The subject, for channels with subjects, such as `email`. Other channels ignore it.
        nullable subject: String = text(1..=MAX_SUBJECT);
        /// The text; for images and files, their caption.
        nullable text: String = text(1..=MAX_TEXT);
        /// For `image`, `video`, `audio`, `file`, `location` (one, `geo:…`) and `card`.
        nullable attachments: Vec<Attachment> = list(0..=MAX_ATTACHMENTS, nested());
        /// Quick replies to choose from.
        nullable quick_replies: Vec<QuickReply> = list(0..=MAX_QUICK_REPLIES, nested());
        /// For `template`: its name and parameters.
        nullable template: MessageTemplate = nested();
        /// Sent instead after the reply window of the channel, as on `whatsapp`. Not for `template` and `note`.
        nullable fallback: Fallback = nested();
    }
}

impl Body for Content {
    const READ_ONLY: &'static [&'static str] = Parts::READ_ONLY;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let parts = Parts::read(fields);
        if fields.is_wrong() {
            return None;
        }
        let Parts { kind, subject, text, attachments, quick_replies, template, fallback } = parts?;
        let (attachments, quick_replies) = (attachments.unwrap_or_default(), quick_replies.unwrap_or_default());
        let fallback = fallback.map(|it| it.template);
        let content = Self { subject, text, attachments, quick_replies, template, fallback, ..Self::of(kind) };
        fields.adopt(content.check());
        Some(content)
    }
}

#[cfg(feature = "openapi")]
impl Declare for Content {
    fn declared() -> Declared {
        Parts::declared()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Content {
    fn schema() -> RefOrSchema {
        Self::declared().schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Content {
    fn name() -> Name {
        "MessageContent".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOrSchema)>) {
        schemas.extend(Self::declared().components());
    }
}

fn not_allowed(pointer: &str, kind: MessageType) -> Violation {
    Violation::new(pointer, "not_allowed", format!("is not allowed in a message of type {}", kind.as_str()))
}

#[cfg(test)]
mod tests;
