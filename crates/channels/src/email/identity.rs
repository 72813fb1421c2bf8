//! IDs of mails, and the IDs under which they are stored.

use ring::digest::{SHA256, digest};

/// Maximum length of a stored ID in bytes.
const LONGEST: usize = 255;

/// Returns the ID under which a contact's mail is stored: its `Message-ID` and the sender, because another sender may use
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

#[cfg(test)]
mod tests {
    use super::*;

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
