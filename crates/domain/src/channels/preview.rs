//! Previews of messages: the parts that a channel would send. Pure.

use serde::Serialize;

use super::connector::Connector;
use super::model::Channel;
use super::segments::Segments;
use crate::conversations::{Attachment, Content, MessageType, PartKind};
use crate::words::words;

words! {
    /// A feature of a message that its channel does not support.
    DegradedFeature {
        /// Quick replies.
        QuickReplies = "quick_replies",
        /// Attachment.
        Attachment = "attachment",
        /// Location.
        Location = "location",
        /// Card: an attachment, a text and quick replies in one.
        Card = "card",
        /// Text.
        Text = "text",
    }
}

words! {
    /// Replacement of a feature that a channel does not support.
    Replacement {
        /// Numbered lines in the text.
        NumberedLines = "numbered_lines",
        /// A link in the text.
        Link = "link",
        /// A link to a map in the text.
        MapLink = "map_link",
        /// Several parts.
        Split = "split",
        /// The attachments, then the text.
        ImageText = "image_text",
    }
}

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

/// A feature of a message that is replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Degradation {
    /// The feature.
    pub what: DegradedFeature,
    /// Its replacement.
    pub to: Replacement,
    /// The reason.
    pub reason: &'static str,
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
    /// The segments by which the provider charges; `null` if it does not count them.
    pub segments: Option<Segments>,
}

impl MessagePreview {
    /// Returns the preview of a message on a channel of this connector.
    pub(super) fn of(connector: &dyn Connector, channel: &Channel, content: &Content) -> Self {
        let planned = connector.plan(channel, content);
        Self {
            parts: planned.iter().flat_map(parts).collect(),
            degraded: degraded(content, &planned),
            segments: connector.segments(channel, content),
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

fn degraded(content: &Content, planned: &[Content]) -> Vec<Degradation> {
    let has_replies = planned.iter().any(|part| !part.quick_replies.is_empty());
    let sent = |attachment: &Attachment| planned.iter().any(|part| part.attachments.contains(attachment));
    let is_location = content.kind == MessageType::Location;
    let is_whole = |part: &Content| !part.attachments.is_empty() && part.text.is_some();
    let is_divided =
        content.kind == MessageType::Card && content.attachments.iter().any(sent) && !planned.iter().any(is_whole);
    let of_replies = Degradation {
        what: DegradedFeature::QuickReplies,
        to: Replacement::NumberedLines,
        reason: "the channel has no buttons",
    };
    let of_attachment = match is_location {
        true => Degradation {
            what: DegradedFeature::Location,
            to: Replacement::MapLink,
            reason: "the channel cannot send locations",
        },
        false => Degradation {
            what: DegradedFeature::Attachment,
            to: Replacement::Link,
            reason: "the channel cannot send this file",
        },
    };
    let of_card = Degradation {
        what: DegradedFeature::Card,
        to: Replacement::ImageText,
        reason: "the channel sends attachments and text apart",
    };
    let of_text = Degradation {
        what: DegradedFeature::Text,
        to: Replacement::Split,
        reason: "the text is longer than the channel allows",
    };
    [
        (of_attachment, !content.attachments.iter().all(sent)),
        (of_card, is_divided),
        (of_replies, !content.quick_replies.is_empty() && !has_replies),
        (of_text, planned.iter().filter(|part| part.text.is_some()).count() > 1),
    ]
    .into_iter()
    .filter_map(|(degradation, applies)| applies.then_some(degradation))
    .collect()
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
        assert_eq!(degraded(&image, std::slice::from_ref(&image)), []);
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

    #[test]
    fn names_what_a_channel_replaces() {
        let changes = |content: &Content, planned: &[Content]| {
            let found = degraded(content, planned).into_iter();
            found.map(|it| (it.what.as_str(), it.to.as_str())).collect::<Vec<_>>()
        };
        let content = Content { quick_replies: replies(), ..Content::text("Sure?") };
        let planned = [Content::text("Sure?\n1. Yes")];
        assert_eq!(changes(&content, &planned), [("quick_replies", "numbered_lines")]);
        let file = Content { attachments: vec![attachment("https://a.example/1")], ..Content::of(MessageType::File) };
        let planned = [Content::text("https://a."), Content::text("example/1")];
        assert_eq!(changes(&file, &planned), [("attachment", "link"), ("text", "split")]);
        let place = Content { attachments: vec![attachment("geo:1,2")], ..Content::of(MessageType::Location) };
        assert_eq!(changes(&place, &[Content::text("https://map.example")]), [("location", "map_link")]);
        assert_eq!(changes(&place, std::slice::from_ref(&place)), []);

        let files = ["https://a.example/1", "http://a.example/2"].map(attachment);
        let card =
            Content { attachments: files.to_vec(), ..Content { kind: MessageType::Card, ..Content::text("Buy") } };
        let image = |at: usize| Content { attachments: vec![files[at].clone()], ..Content::of(MessageType::Image) };
        assert_eq!(changes(&card, &[image(0), image(1), Content::text("Buy")]), [("card", "image_text")]);
        let planned = [image(0), Content::text("Buy\nhttp://a.example/2")];
        assert_eq!(changes(&card, &planned), [("attachment", "link"), ("card", "image_text")]);
        assert_eq!(changes(&card, std::slice::from_ref(&card)), []);
    }
}
