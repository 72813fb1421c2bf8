//! Features of messages that a channel replaces. Pure.

use serde::Serialize;

use crate::conversations::{Attachment, Content, MessageType};
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

impl From<DegradedFeature> for Degradation {
    fn from(what: DegradedFeature) -> Self {
        let (to, reason) = match what {
            DegradedFeature::QuickReplies => (Replacement::NumberedLines, "the channel has no buttons"),
            DegradedFeature::Attachment => (Replacement::Link, "the channel cannot send this file"),
            DegradedFeature::Location => (Replacement::MapLink, "the channel cannot send locations"),
            DegradedFeature::Card => (Replacement::ImageText, "the channel sends attachments and text apart"),
            DegradedFeature::Text => (Replacement::Split, "the text is longer than the channel allows"),
        };
        Self { what, to, reason }
    }
}

/// Returns the features of a message that these parts replace.
pub(crate) fn degraded_features(content: &Content, planned: &[Content]) -> Vec<DegradedFeature> {
    let has_replies = planned.iter().any(|part| !part.quick_replies.is_empty());
    let sent = |attachment: &Attachment| planned.iter().any(|part| part.attachments.contains(attachment));
    let is_whole = |part: &Content| !part.attachments.is_empty() && part.text.is_some();
    let is_divided =
        content.kind == MessageType::Card && content.attachments.iter().any(sent) && !planned.iter().any(is_whole);
    let of_attachment = match content.kind == MessageType::Location {
        true => DegradedFeature::Location,
        false => DegradedFeature::Attachment,
    };
    [
        (of_attachment, !content.attachments.iter().all(sent)),
        (DegradedFeature::Card, is_divided),
        (DegradedFeature::QuickReplies, !content.quick_replies.is_empty() && !has_replies),
        (DegradedFeature::Text, planned.iter().filter(|part| part.text.is_some()).count() > 1),
    ]
    .into_iter()
    .filter_map(|(feature, applies)| applies.then_some(feature))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversations::QuickReply;

    fn attachment(url: &str) -> Attachment {
        Attachment { url: url.to_owned(), name: None, mime_type: None }
    }

    #[test]
    fn names_what_a_channel_replaces() {
        let changes = |content: &Content, planned: &[Content]| {
            let found = degraded_features(content, planned).into_iter().map(Degradation::from);
            found.map(|it| (it.what.as_str(), it.to.as_str())).collect::<Vec<_>>()
        };
        let content = Content {
            quick_replies: vec![QuickReply { title: "Yes".to_owned(), payload: None }],
            ..Content::text("Sure?")
        };
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
