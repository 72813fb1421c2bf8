//! The quick reply that a contact chose. Pure.

use serde::{Deserialize, Serialize};

use super::{Content, MessageType, QuickReply};
use crate::ids::MessageId;
use crate::text::fold;

/// Maximum number of bytes of a text that is compared with the offered quick replies.
const MAX_COMPARED: usize = 1_024;

/// The quick reply that a contact chose: by a button, by its title, or by its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MessageChoice))]
pub struct Choice {
    /// The title of the quick reply.
    pub title: String,
    /// The payload of the quick reply.
    pub payload: Option<String>,
    /// ID of the message that offered it.
    pub message_id: MessageId,
}

/// A button that a contact pressed, as its provider names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PressedButton {
    /// A quick reply of a message.
    QuickReply {
        /// ID of the message.
        message: MessageId,
        /// Index of the quick reply.
        index: usize,
    },
    /// A button whose title and payload the provider states, such as one of a template that the provider stores.
    Template {
        /// The provider's ID of the message, or the message's own ID.
        provider_message_id: String,
        /// The title of the button.
        title: String,
        /// The payload of the button.
        payload: Option<String>,
    },
}

impl Choice {
    /// Returns the quick reply of a pressed button, from the message with the button; `None` if the message has no such
    /// quick reply.
    pub(super) fn by_button(button: &PressedButton, (message_id, offered): (MessageId, &[QuickReply])) -> Option<Self> {
        let (title, payload) = match button {
            PressedButton::QuickReply { index, .. } => {
                let QuickReply { title, payload } = offered.get(*index)?.clone();
                (title, payload)
            }
            PressedButton::Template { title, payload, .. } => (title.clone(), payload.clone()),
        };
        Some(Self { title, payload, message_id })
    }

    /// Whether a content can choose a quick reply.
    pub(super) fn is_possible(content: &Content) -> bool {
        let text = content.text.as_deref().filter(|_| content.kind == MessageType::Text);
        text.is_some_and(|text| (1..=MAX_COMPARED).contains(&text.len()))
    }

    /// Returns the quick reply that a text chooses from a message: by its title, otherwise by its payload, otherwise by
    /// its number.
    pub(super) fn by_text(text: &str, (message_id, offered): (MessageId, &[QuickReply])) -> Option<Self> {
        let said = fold(text);
        let by_title = || offered.iter().find(|it| fold(&it.title) == said);
        let by_payload = || offered.iter().find(|it| it.payload.as_deref().is_some_and(|it| fold(it) == said));
        let by_number = || offered.get(choice_number(text)?.checked_sub(1)?);
        let QuickReply { title, payload } = by_title().or_else(by_payload).or_else(by_number)?.clone();
        Some(Self { title, payload, message_id })
    }
}

/// Returns the number in a text such as `2` or `2.`. Contacts choose from numbered lines by such a text.
pub(crate) fn choice_number(text: &str) -> Option<usize> {
    text.trim().trim_end_matches(['.', ')']).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypedId;

    #[test]
    fn a_text_chooses_by_title_payload_or_number() {
        let reply = |title: &str, payload: Option<&str>| QuickReply {
            title: title.to_owned(),
            payload: payload.map(str::to_owned),
        };
        let offered = [reply("Red", None), reply("Blue", Some("b")), reply("1", Some("one"))];
        let offer = MessageId::from_uuid(uuid::Uuid::from_u128(7));
        for (text, expected) in [
            ("2", Some("Blue")),
            (" 2. ", Some("Blue")),
            ("2)", Some("Blue")),
            ("BLUE", Some("Blue")),
            ("b", Some("Blue")),
            ("1", Some("1")),
            ("3", Some("1")),
            ("0", None),
            ("4", None),
            ("-1", None),
            ("2 reds", None),
            ("", None),
        ] {
            let chosen = Choice::by_text(text, (offer, &offered[..]));
            assert_eq!(chosen.as_ref().map(|it| it.title.as_str()), expected, "{text}");
            assert!(chosen.is_none_or(|it| it.message_id == offer), "{text}");
        }
        assert_eq!(Choice::by_text("2", (offer, &offered[..])).unwrap().payload.as_deref(), Some("b"));
    }

    #[test]
    fn a_button_chooses_by_its_index_or_has_its_own_title() {
        let offered = [QuickReply { title: "Red".to_owned(), payload: Some("r".to_owned()) }];
        let message = MessageId::from_uuid(uuid::Uuid::from_u128(7));
        let chosen = |button: &PressedButton| Choice::by_button(button, (message, &offered[..]));
        let reply = |index: usize| PressedButton::QuickReply { message, index };
        let red = Choice { title: "Red".to_owned(), payload: Some("r".to_owned()), message_id: message };
        assert_eq!((chosen(&reply(0)), chosen(&reply(1))), (Some(red), None));
        let (provider_message_id, title) = ("wamid.1".to_owned(), "Yes".to_owned());
        let yes = Choice { title: title.clone(), payload: None, message_id: message };
        assert_eq!(chosen(&PressedButton::Template { provider_message_id, title, payload: None }), Some(yes));
    }

    #[test]
    fn only_short_texts_can_choose() {
        assert!(Choice::is_possible(&Content::text("2")));
        assert!(!Choice::is_possible(&Content::text("x".repeat(MAX_COMPARED + 1))));
        assert!(!Choice::is_possible(&Content { kind: MessageType::Image, ..Content::text("2") }));
        assert!(!Choice::is_possible(&Content::of(MessageType::File)));
    }
}
