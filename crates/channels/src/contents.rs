//! Contents of messages of contacts, within the limits of messages.

use tidings_domain::conversations::{Attachment, Content, MAX_TEXT, MessageType};

/// The text of a message without a text that can be shown.
pub(crate) const UNSUPPORTED: &str = "[unsupported message]";
/// Maximum number of characters of a name.
pub(crate) const LONGEST_NAME: usize = 100;

/// Returns a text within the limits of messages.
pub(crate) fn text_content(text: &str) -> Content {
    let text: String = clean(text.trim_end()).chars().take(MAX_TEXT).collect();
    let content = Content::text(text);
    if content.check().is_empty() { content } else { Content::text(UNSUPPORTED) }
}

/// Returns a place with its name; `None` if the coordinates are wrong.
pub(crate) fn place_content((latitude, longitude): (f64, f64), name: Option<&str>) -> Option<Content> {
    let name = name.map(|name| clean(name).chars().take(LONGEST_NAME).collect());
    let attachment = Attachment { url: format!("geo:{latitude},{longitude}"), name, mime_type: None };
    let content = Content { attachments: vec![attachment], ..Content::of(MessageType::Location) };
    content.check().is_empty().then_some(content)
}

/// Removes the character that databases cannot store.
fn clean(text: &str) -> String {
    text.replace('\0', "")
}
