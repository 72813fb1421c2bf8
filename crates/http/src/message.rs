//! What requests say in messages.

use tidings_domain::conversations::{
    Attachment, Content, MAX_ATTACHMENTS, MAX_QUICK_REPLIES, MAX_TEXT, MessageTemplate, MessageType, QuickReply,
};
use tidings_domain::read::{Fields, entries, list, object, text, word};

/// Reads the parts of a message from a body; they fit its type.
pub(crate) fn content(body: &mut Fields<'_>) -> Option<Content> {
    let kind = body.required("type", word(MessageType::WORDS, MessageType::parse));
    let words = body.nullable("text", text(1..=MAX_TEXT));
    let attachments = body.nullable("attachments", list(0..=MAX_ATTACHMENTS, object(attachment)));
    let quick_replies = body.nullable("quick_replies", list(0..=MAX_QUICK_REPLIES, object(quick_reply)));
    let template = body.nullable("template", object(template));
    if body.is_wrong() {
        return None;
    }
    let content = Content {
        kind: kind?,
        text: words,
        attachments: attachments.unwrap_or_default(),
        quick_replies: quick_replies.unwrap_or_default(),
        template,
    };
    for violation in content.check() {
        body.error(&violation.pointer, violation.code, violation.message);
    }
    Some(content)
}

fn attachment(it: &mut Fields<'_>) -> Option<Attachment> {
    let url = it.required("url", text(1..=2_048));
    let name = it.nullable("name", text(1..=200));
    let mime_type = it.nullable("mime_type", text(1..=100));
    Some(Attachment { url: url?, name, mime_type })
}

fn quick_reply(it: &mut Fields<'_>) -> Option<QuickReply> {
    let title = it.required("title", text(1..=80));
    let payload = it.nullable("payload", text(1..=200));
    Some(QuickReply { title: title?, payload })
}

fn template(it: &mut Fields<'_>) -> Option<MessageTemplate> {
    let name = it.required("name", text(1..=200));
    let language = it.nullable("language", text(1..=35));
    let parameters = it.nullable("parameters", entries(50, text(0..=MAX_TEXT)));
    Some(MessageTemplate { name: name?, language, parameters: parameters.unwrap_or_default().into_iter().collect() })
}
