//! IDs of mails, in their headers and in the store.

use mail_parser::Message;
use ring::digest::{SHA256, digest};
use tidings_domain::ids::MessageId;

use super::settings::Settings;

/// The header with the `Message-ID` of each mail of a channel. Some mail servers replace the `Message-ID` itself.
pub(super) const OWN_ID: &str = "X-Tidings-Message";
/// Maximum length of a stored ID in bytes.
const LONGEST: usize = 255;

/// Returns the stored ID of a contact's mail: its `Message-ID` and the sender, because another sender may use
/// the same `Message-ID`. A mail without one, or with a long one, is stored under its SHA-256.
pub(super) fn stored_id(message_id: Option<&str>, from: &str, raw: &[u8]) -> String {
    let Some(id) = message_id.filter(|id| !id.is_empty()) else { return hashed(raw) };
    let stored = format!("<{id}> {from}");
    let is_plain = id.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '<' | '>'));
    if stored.len() <= LONGEST && is_plain { stored } else { hashed(stored.as_bytes()) }
}

fn hashed(bytes: &[u8]) -> String {
    let digest = digest(&SHA256, bytes);
    let hex: String = digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

/// Returns the `Message-ID` of a stored ID, with angle brackets. `None` if it has none.
pub(super) fn message_id_of(stored: &str) -> Option<&str> {
    let id = stored.split(' ').next().filter(|id| id.starts_with('<') && id.ends_with('>'))?;
    id.bytes().all(|byte| byte.is_ascii_graphic()).then_some(id)
}

/// Returns the message of a mail that the channel sent.
pub(super) fn own_message(mail: &Message<'_>, settings: &Settings) -> Option<MessageId> {
    let marked = mail.header(OWN_ID).and_then(|it| it.as_text()).map(|it| it.trim().trim_matches(['<', '>']));
    mail.message_id().into_iter().chain(marked).find_map(|id| {
        let (id, domain) = id.split_once('@')?;
        id.parse().ok().filter(|_| domain.eq_ignore_ascii_case(settings.domain()))
    })
}

#[cfg(test)]
mod tests {
    use mail_parser::MessageParser;

    use super::*;
    use crate::email::test_settings::{message_id, settings};

    #[test]
    fn knows_the_mails_of_the_channel() {
        let own = format!("{}@Shop.example", message_id());
        let of = |headers: &str| {
            let raw = format!("From: list@example.com\r\n{headers}\r\n\r\nHi");
            own_message(&MessageParser::default().parse(&raw).unwrap(), &settings("basic"))
        };
        assert_eq!(of(&format!("Message-ID: <{own}>")), Some(message_id()));
        assert_eq!(of(&format!("Message-ID: <1@mail.example>\r\n{OWN_ID}: <{own}>")), Some(message_id()));
        for foreign in [format!("{}@other.example", message_id()), "x@shop.example".to_owned(), String::new()] {
            assert_eq!(of(&format!("Message-ID: <{foreign}>\r\n{OWN_ID}: <{foreign}>")), None, "{foreign}");
        }
        assert_eq!(of(&format!("References: <{own}>\r\nIn-Reply-To: <{own}>")), None, "it is an answer");
    }

    #[test]
    fn stores_a_mail_by_message_id_and_sender() {
        let stored = stored_id(Some("a@b.example"), "ada@example.com", b"raw");
        assert_eq!(stored, "<a@b.example> ada@example.com");
        assert_eq!(message_id_of(&stored), Some("<a@b.example>"));
        assert_ne!(stored, stored_id(Some("a@b.example"), "eve@example.com", b"raw"));
    }

    #[test]
    fn stores_other_mails_by_their_hash() {
        let of = |id: Option<&str>| stored_id(id, "ada@example.com", b"raw");
        let long = "x".repeat(300);
        let expected = "sha256:d7439bee24773bcbfa2d0a97947ee36227b10d1022b1a55847e928965bb6bfde";
        assert_eq!((of(None).as_str(), of(Some("")).as_str()), (expected, expected));
        for id in [long.as_str(), "a b", "a>\r\nX: 1"] {
            let stored = of(Some(id));
            assert!(stored.starts_with("sha256:") && stored != of(None), "{stored}");
            assert_eq!(message_id_of(&stored), None);
        }
        assert_eq!(message_id_of("<a@b\u{7}> x"), None);
    }
}
