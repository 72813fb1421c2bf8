//! Previews of messages: the parts that a channel would send. Pure.

use serde::Serialize;

use super::connector::Connector;
use super::degradation::{Degradation, degraded_features};
use super::model::Channel;
use super::segments::Segments;
use crate::conversations::{Attachment, Content, MessageType, PartKind};

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PartPreview {
    /// The kind.
    pub kind: PartKind,
    /// The text.
    pub text: Option<String>,
    /// The attachment.
    pub attachment: Option<Attachment>,
}

/// A message as its channel would send it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct MessagePreview {
    /// The parts, in order.
    pub parts: Vec<PartPreview>,
    /// Features that the channel does not support.
    pub degraded: Vec<Degradation>,
    /// The charged segments; `null` if the provider does not count them.
    pub segments: Option<Segments>,
}

impl MessagePreview {
    /// Returns the preview of a message on a channel of this connector.
    pub(super) fn of(connector: &dyn Connector, channel: &Channel, content: &Content) -> Self {
        let planned = connector.plan(channel, content);
        Self {
            parts: planned.iter().flat_map(parts).collect(),
            degraded: degraded_features(content, &planned).into_iter().map(Degradation::from).collect(),
            segments: connector.segments(&planned),
        }
    }
}

/// Returns the parts of a content: its attachments, then its text or template. The text of a single file is its
/// caption.
fn parts(content: &Content) -> Vec<PartPreview> {
    let kind = match content.kind {
        MessageType::Image | MessageType::Card => PartKind::Image,
        MessageType::Video => PartKind::Video,
        MessageType::Audio => PartKind::Audio,
        MessageType::File => PartKind::File,
        MessageType::Location => PartKind::Location,
        MessageType::Template => PartKind::Template,
        MessageType::Text | MessageType::Note => PartKind::Text,
    };
    if let [file] = &content.attachments[..]
        && content.text.is_some()
        && content.kind != MessageType::Location
    {
        let kind = if content.quick_replies.is_empty() { kind } else { PartKind::Choices };
        return vec![PartPreview { kind, text: content.text.clone(), attachment: Some(file.clone()) }];
    }
    let attachments = content.attachments.iter().cloned();
    let mut parts: Vec<PartPreview> =
        attachments.map(|it| PartPreview { kind, text: None, attachment: Some(it) }).collect();
    if content.template.is_some() {
        parts.push(PartPreview { kind: PartKind::Template, text: None, attachment: None });
    }
    if content.text.is_some() || !content.quick_replies.is_empty() {
        let kind = if content.quick_replies.is_empty() { PartKind::Text } else { PartKind::Choices };
        parts.push(PartPreview { kind, text: content.text.clone(), attachment: None });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversations::QuickReply;

    fn attachment(url: &str) -> Attachment {
        Attachment { url: url.to_owned(), name: None, mime_type: None }
    }

    fn replies() -> Vec<QuickReply> {
        vec![QuickReply { title: "Yes".to_owned(), payload: None }]
    }

    #[test]
    fn lists_attachments_before_the_text() {
        let image = Content {
            text: Some("Look".to_owned()),
            attachments: vec![attachment("https://a.example/1"), attachment("https://a.example/2")],
            quick_replies: replies(),
            ..Content::of(MessageType::Image)
        };
        let shown: Vec<_> = parts(&image).into_iter().map(|part| (part.kind, part.text, part.attachment)).collect();
        let expected = [
            (PartKind::Image, None, Some(attachment("https://a.example/1"))),
            (PartKind::Image, None, Some(attachment("https://a.example/2"))),
            (PartKind::Choices, Some("Look".to_owned()), None),
        ];
        assert_eq!(shown, expected);
        assert_eq!(degraded_features(&image, std::slice::from_ref(&image)), []);
    }

    #[test]
    fn a_single_file_has_its_text_as_the_caption() {
        let shown = |content: &Content| parts(content).into_iter().map(|it| (it.kind, it.text)).collect::<Vec<_>>();
        let of = |kind| Content {
            text: Some("Look".to_owned()),
            attachments: vec![attachment("https://a.example/1")],
            ..Content::of(kind)
        };
        assert_eq!(shown(&of(MessageType::File)), [(PartKind::File, Some("Look".to_owned()))]);
        let card = Content { quick_replies: replies(), ..of(MessageType::Card) };
        assert_eq!(shown(&card), [(PartKind::Choices, Some("Look".to_owned()))]);
        let place = Content { attachments: vec![attachment("geo:1,2")], ..of(MessageType::Location) };
        assert_eq!(shown(&place), [(PartKind::Location, None), (PartKind::Text, Some("Look".to_owned()))]);
    }
}
