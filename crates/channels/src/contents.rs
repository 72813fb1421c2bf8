//! Contents of messages of contacts, within the limits of messages.

use serde_json::{Value, json};
use tidings_domain::conversations::{Attachment, Content, MAX_TEXT, MessageType, PressedButton};
use tidings_domain::time::Timestamp;

pub(crate) use tidings_domain::conversations::UNSUPPORTED_TEXT as UNSUPPORTED;

use crate::media::essence;

/// Maximum number of characters of a name.
pub(crate) const LONGEST_NAME: usize = 100;
/// Larger times are not in seconds: these are in the year 5138.
const MOST_SECONDS: u64 = 100_000_000_000;
/// Maximum size in bytes of the fields of a contact card, a poll, an order or a form, as JSON.
const MAX_DATA: usize = 8 * 1_024;
/// Maximum number of levels of these fields. JSON with more than 127 levels cannot be read again, and messages and events
/// contain the fields in further levels.
const MAX_LEVELS: usize = 32;
/// Maximum number of characters of a file name.
const LONGEST_FILE_NAME: usize = 120;

/// Returns a text within the limits of messages.
pub(crate) fn text_content(text: &str) -> Content {
    let (text, is_truncated) = fitting(text);
    let mut content = Content::text(text);
    content.original.is_truncated = is_truncated;
    if content.check().is_empty() { content } else { Content::text(UNSUPPORTED) }
}

/// Adds the fields of a contact card, a poll, an order or a form to the text that shows it, under this name. Empty, large
/// and deeply nested fields are left out, and those with a character that databases cannot store.
pub(crate) fn with_data(mut content: Content, name: &str, fields: &Value) -> Content {
    let has_fields = match fields {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    };
    if has_fields {
        let data = json!({name: fields});
        let written = data.to_string();
        let fits = written.len() <= MAX_DATA && nests_at_most(fields, MAX_LEVELS) && !written.contains("\\u0000");
        content.original.data = Some(data).filter(|_| fits);
    }
    content
}

/// Whether a value has at most this many levels of arrays and objects.
fn nests_at_most(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels > 0 && items.iter().all(|it| nests_at_most(it, levels - 1)),
        Value::Object(members) => levels > 0 && members.values().all(|it| nests_at_most(it, levels - 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// Returns the quick reply that the ID of a button names: `c:`, the ID of the message, and the index.
pub(crate) fn pressed_reply(id: &str) -> Option<PressedButton> {
    let mut members = id.strip_prefix("c:")?.splitn(3, ':');
    Some(PressedButton::QuickReply { message: members.next()?.parse().ok()?, index: members.next()?.parse().ok()? })
}

/// Returns a place with its name; `None` if the coordinates are wrong.
pub(crate) fn place_content((latitude, longitude): (f64, f64), name: Option<&str>) -> Option<Content> {
    let name = name.map(|name| clean(name).chars().take(LONGEST_NAME).collect());
    let attachment = Attachment { url: format!("geo:{latitude},{longitude}"), name, mime_type: None };
    let content = Content { attachments: vec![attachment], ..Content::of(MessageType::Location) };
    content.check().is_empty().then_some(content)
}

/// Returns a file of a contact that its provider stores under this reference. `None` if the reference cannot be stored.
pub(crate) fn file_at_provider(reference: &str, name: Option<&str>, mime_type: Option<&str>) -> Option<Attachment> {
    Attachment::at_provider(reference, name.and_then(file_name), mime_type.and_then(essence))
}

/// Returns files of one type with their caption; `None` without files.
pub(crate) fn files_content(kind: MessageType, files: Vec<Attachment>, caption: Option<&str>) -> Option<Content> {
    let (caption, is_truncated) = caption.map(fitting).unwrap_or_default();
    let text = Some(caption).filter(|it| !it.trim().is_empty());
    let mut content = Content { text, attachments: files, ..Content::of(kind) };
    content.original.is_truncated = is_truncated;
    content.check_inbound().is_empty().then_some(content)
}

/// Returns the time that a provider states in seconds since the Unix epoch. WhatsApp sometimes sends milliseconds.
pub(crate) fn provider_time(number: i64) -> Timestamp {
    let is_in_seconds = number.unsigned_abs() < MOST_SECONDS;
    Timestamp::from_millis(if is_in_seconds { number.saturating_mul(1_000) } else { number })
}

/// Returns the name of a file without its path, and without characters that control the output or the direction of a
/// text. `None` if nothing is left.
pub(crate) fn file_name(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = last.chars().filter(|c| !is_hidden(*c)).take(LONGEST_FILE_NAME).collect();
    Some(name).filter(|name| !name.trim().is_empty())
}

/// Whether a character changes the direction of a text, or controls the output.
fn is_hidden(c: char) -> bool {
    let changes_direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || changes_direction || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

/// Returns the beginning of a text that a message can contain, and whether the text is longer.
fn fitting(text: &str) -> (String, bool) {
    let text = clean(text.trim_end());
    let beginning: String = text.chars().take(MAX_TEXT).collect();
    let is_longer = beginning.len() < text.len();
    (beginning, is_longer)
}

/// Removes the character that databases cannot store.
fn clean(text: &str) -> String {
    text.replace('\0', "")
}

#[cfg(test)]
mod tests {
    use tidings_domain::ids::{MessageId, TypedId};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_file_name_has_no_path_and_no_hidden_characters() {
        for (name, expected) in [
            ("bill.pdf", Some("bill.pdf")),
            ("../../etc/a\r\nX: b", Some("aX: b")),
            ("C:\\temp\\a.txt", Some("a.txt")),
            ("gpj.\u{202e}exe", Some("gpj.exe")),
            ("a\u{61c}b\u{2028}c\u{feff}.txt", Some("abc.txt")),
            ("a/", None),
            (" \n", None),
        ] {
            assert_eq!(file_name(name).as_deref(), expected, "{name:?}");
        }
        assert_eq!(file_name(&"ä".repeat(500)).map(|it| it.chars().count()), Some(120));
    }

    #[test]
    fn the_id_of_a_button_names_a_quick_reply() {
        let message: MessageId = MessageId::from_uuid(Uuid::from_u128(7));
        let second = Some(PressedButton::QuickReply { message, index: 1 });
        assert_eq!(pressed_reply(&format!("c:{message}:1")), second);
        assert_eq!(pressed_reply(&format!("c:{message}:1:Yes: now")), second);
        for other in [format!("{message}:1"), format!("c:{message}"), format!("c:{message}:x"), "c:m:1".to_owned()] {
            assert_eq!(pressed_reply(&other), None, "{other}");
        }
    }

    #[test]
    fn fields_are_left_out_if_they_are_empty_large_or_nested() {
        let data = |fields: &Value| with_data(text_content("[order]"), "order", fields).original.data;
        let order = json!({"catalog_id": "7", "product_items": []});
        assert_eq!(data(&order), Some(json!({"order": order})));
        let sized = |length: usize| json!({"text": "x".repeat(length)});
        let others = json!({"order": sized(0)}).to_string().len();
        assert!(data(&sized(8_192 - others)).is_some() && data(&sized(8_193 - others)).is_none());
        let nested = |levels: usize| (0..levels).fold(json!(7), |inner, _| json!([inner]));
        assert!(data(&nested(32)).is_some() && data(&nested(33)).is_none(), "the stored message could not be read");
        for none in [json!({}), json!([]), json!("x"), json!(7), Value::Null, json!({"text": "a\u{0}b"})] {
            assert_eq!(data(&none), None, "{none}");
        }
    }

    #[test]
    fn reads_seconds_and_milliseconds() {
        assert_eq!(provider_time(1_767_225_600), Timestamp::EPOCH_2026);
        assert_eq!(provider_time(1_767_225_600_000), Timestamp::EPOCH_2026);
        assert!(provider_time(i64::MIN) < provider_time(0) && provider_time(i64::MAX) > Timestamp::EPOCH_2026);
    }

    #[test]
    fn a_text_that_is_too_long_is_marked() {
        let text = |length: usize| text_content(&"🦀".repeat(length));
        assert!(text(MAX_TEXT + 1).original.is_truncated);
        assert_eq!(text(MAX_TEXT + 1).text, text(MAX_TEXT).text);
        assert!(!text(MAX_TEXT).original.is_truncated);
        let padded = format!("{}\0 \n", "a".repeat(MAX_TEXT));
        assert!(!text_content(&padded).original.is_truncated, "nothing that can be seen is missing");
    }

    #[test]
    fn files_need_a_reference_and_may_have_a_caption() {
        let file = file_at_provider("AgAC", Some("a.png"), Some("image/png; x=y")).unwrap();
        assert_eq!((file.url.as_str(), file.mime_type.as_deref()), ("provider:AgAC", Some("image/png")));
        assert_eq!(file_at_provider("", None, None), None);
        let content = |caption: &str| files_content(MessageType::Image, vec![file.clone()], Some(caption));
        assert_eq!(content("My\0 cat \n").unwrap().text.as_deref(), Some("My cat"));
        assert_eq!(content(" ").unwrap().text, None);
        let long = content(&"🦀".repeat(5_000)).unwrap();
        assert_eq!((long.text.unwrap().chars().count(), long.original.is_truncated), (MAX_TEXT, true));
        assert_eq!(files_content(MessageType::Image, Vec::new(), Some("My cat")), None);
    }
}
