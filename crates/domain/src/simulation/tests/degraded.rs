//! Tests of the replaced features in simulated messages.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};

use super::setup::{Acme, acme};
use crate::Tidings;
use crate::channels::{
    Channel, ChannelType, Connector, Connectors, DegradedFeature, Outbound, Replacement, SANDBOX, SendOutcome,
};
use crate::conversations::{Content, MessageType};
use crate::ports::Ports;

/// A provider of texts. Quick replies become lines, and files become links unless their URL begins with `https:`.
struct TextProvider;

#[async_trait]
impl Connector for TextProvider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn plan(&self, _: &Channel, content: &Content) -> Vec<Content> {
        let (files, links): (Vec<_>, Vec<_>) =
            content.attachments.iter().cloned().partition(|file| file.url.starts_with("https:"));
        let replies = content.quick_replies.iter().map(|reply| reply.title.clone());
        let lines: Vec<String> =
            content.text.iter().cloned().chain(links.into_iter().map(|it| it.url)).chain(replies).collect();
        let kind = if files.is_empty() { MessageType::Text } else { content.kind };
        vec![Content { text: Some(lines.join("\n")), attachments: files, ..Content::of(kind) }]
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        unreachable!("a simulation sends nothing")
    }
}

/// The first message of a flow that sends this message, with its replaced features.
fn replaced(acme: &Acme, message: &Value) -> Vec<(DegradedFeature, Replacement)> {
    let nodes = json!([{"id": "say", "type": "send_message", "message": message, "next": "end"},
        {"id": "end", "type": "end"}]);
    let simulated = acme.tried(&json!({"start": "say", "nodes": nodes}), json!({})).unwrap();
    let nodes = simulated.only().nodes();
    let message = nodes[0].message.as_ref().unwrap();
    message.degraded.iter().map(|it| (it.what, it.to)).collect()
}

#[test]
fn names_what_the_channel_would_replace() {
    let plain = acme();
    let connectors = Connectors::one(Arc::new(TextProvider));
    let tidings = Tidings::new(Ports { connectors, ..(*plain.tidings.ports).clone() });
    let acme = Acme { tidings, ..plain };
    let choices = json!({"type": "text", "text": "Which?", "quick_replies": [{"title": "Red"}, {"title": "Blue"}]});
    assert_eq!(replaced(&acme, &choices), [(DegradedFeature::QuickReplies, Replacement::NumberedLines)]);
    let image = |url: &str| json!({"type": "image", "text": "Look", "attachments": [{"url": url}]});
    assert_eq!(replaced(&acme, &image("http://a.example/1")), [(DegradedFeature::Attachment, Replacement::Link)]);
    assert_eq!(replaced(&acme, &image("https://a.example/1")), []);
}
