//! Opaque cursors. Only this service can create them.
//!
//! A cursor is `version (1 byte, 1) ‖ payload ‖ tag (16)` in base64url without padding. The tag is HMAC-SHA256,
//! truncated to 128 bits (RFC 2104, section 5), over the workspace, the binding and the payload, each preceded by its
//! length. The payload is authenticated but not encrypted: it contains only data from the response.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;

const VERSION: u8 = 1;
const TAG_LENGTH: usize = 16;

/// The maximum length of a cursor in characters.
pub const MAX_LENGTH: usize = 1_024;

/// The error for a text that is not a cursor of this list, filter and workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the cursor is not from this list")]
pub struct InvalidCursor;

/// A key that creates and checks cursors. Every instance must have the same key.
#[derive(Clone)]
pub struct CursorKey {
    present: hmac::Key,
    /// Earlier keys; their cursors are still accepted.
    earlier: Vec<hmac::Key>,
}

impl CursorKey {
    /// Creates a key from 32 unguessable bytes.
    pub fn new(key: [u8; 32]) -> Self {
        Self { present: hmac::Key::new(hmac::HMAC_SHA256, &key), earlier: Vec::new() }
    }

    /// Also accepts cursors of these keys, for a rotation without downtime.
    pub fn opening(mut self, earlier: &[[u8; 32]]) -> Self {
        self.earlier.extend(earlier.iter().map(|key| hmac::Key::new(hmac::HMAC_SHA256, key)));
        self
    }

    /// Returns the cursor for `payload`, valid only for `workspace` and `binding`. The binding is the route with its
    /// filters and order in a normal form, so that a cursor does not work in another list. [`open`](Self::open) rejects
    /// the cursor of a payload above 700 bytes.
    pub fn seal(&self, binding: &str, workspace: &str, payload: &[u8]) -> String {
        let tag = tag(&self.present, binding, workspace, payload);
        let tag = tag.as_ref().iter().take(TAG_LENGTH);
        let bytes: Vec<u8> = std::iter::once(&VERSION).chain(payload).chain(tag).copied().collect();
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Returns the payload of a cursor that [`seal`](Self::seal) created for the same binding and workspace.
    ///
    /// # Errors
    /// [`InvalidCursor`] for all other texts. The time it takes reveals nothing about the correct tag.
    pub fn open(&self, binding: &str, workspace: &str, cursor: &str) -> Result<Vec<u8>, InvalidCursor> {
        if cursor.len() > MAX_LENGTH {
            return Err(InvalidCursor);
        }
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| InvalidCursor)?;
        let (version, rest) = bytes.split_first().ok_or(InvalidCursor)?;
        let (payload, given) = rest.split_last_chunk::<TAG_LENGTH>().ok_or(InvalidCursor)?;
        let is_of = |key: &hmac::Key| {
            let right = tag(key, binding, workspace, payload);
            // ring only compares whole tags. Comparing the tags of both tags takes constant time.
            let right = right.as_ref().first_chunk::<TAG_LENGTH>();
            right.is_some_and(|right| hmac::verify(key, given, hmac::sign(key, right).as_ref()).is_ok())
        };
        let known = is_of(&self.present) || self.earlier.iter().any(is_of);
        if known && *version == VERSION { Ok(payload.to_vec()) } else { Err(InvalidCursor) }
    }
}

fn tag(key: &hmac::Key, binding: &str, workspace: &str, payload: &[u8]) -> hmac::Tag {
    let mut context = hmac::Context::with_key(key);
    for part in [b"tidings cursor v1", workspace.as_bytes(), binding.as_bytes(), payload] {
        context.update(&(part.len() as u64).to_be_bytes());
        context.update(part);
    }
    context.sign()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BINDING: &str = "/api/v1/contacts?tag=vip&sort=-created_at";

    fn a_key() -> CursorKey {
        CursorKey::new([7; 32])
    }

    #[test]
    fn opens_a_cursor_only_for_its_list_and_workspace() {
        let cursor = a_key().seal(BINDING, "ws_1", b"1750000000000:contact_1");
        assert_eq!(a_key().open(BINDING, "ws_1", &cursor), Ok(b"1750000000000:contact_1".to_vec()));
        assert_eq!(a_key().open(BINDING, "ws_2", &cursor), Err(InvalidCursor));
        assert_eq!(a_key().open("/api/v1/contacts", "ws_1", &cursor), Err(InvalidCursor));
        assert_eq!(CursorKey::new([8; 32]).open(BINDING, "ws_1", &cursor), Err(InvalidCursor));
    }

    #[test]
    fn opens_a_cursor_of_a_replaced_key() {
        let cursor = a_key().seal(BINDING, "ws_1", b"payload");
        let both = CursorKey::new([8; 32]).opening(&[[7; 32]]);
        assert_eq!(both.open(BINDING, "ws_1", &cursor), Ok(b"payload".to_vec()));
        assert_eq!(both.open(BINDING, "ws_2", &cursor), Err(InvalidCursor));
        let cursor = both.seal(BINDING, "ws_1", b"payload");
        assert_eq!(CursorKey::new([8; 32]).open(BINDING, "ws_1", &cursor), Ok(b"payload".to_vec()));
    }

    #[test]
    fn rejects_parts_with_shifted_borders() {
        let cursor = a_key().seal("ab", "c", b"d");
        assert_eq!(a_key().open("b", "ca", &cursor), Err(InvalidCursor));
        assert_eq!(a_key().open("a", "cb", &cursor), Err(InvalidCursor));
    }

    #[test]
    fn rejects_a_cursor_with_any_changed_character() {
        let cursor = a_key().seal(BINDING, "ws_1", b"payload");
        for place in 0..cursor.len() {
            for other in ["A", "B", "_", "-", "é", "=", ""] {
                let changed = format!("{}{other}{}", &cursor[..place], &cursor[place + 1..]);
                if changed != cursor {
                    assert_eq!(a_key().open(BINDING, "ws_1", &changed), Err(InvalidCursor), "{changed}");
                }
            }
        }
    }

    #[test]
    fn rejects_texts_that_are_not_cursors() {
        let long = "A".repeat(MAX_LENGTH + 4);
        for text in ["", "A", "AQ", "!!!!", "25", "AAAAAAAAAAAAAAAAAAAAAAAAAAA", &long] {
            assert_eq!(a_key().open(BINDING, "ws_1", text), Err(InvalidCursor), "{text}");
        }
    }

    #[test]
    fn accepts_a_payload_of_700_bytes() {
        let cursor = a_key().seal(BINDING, "ws_1", &[b'x'; 700]);
        assert!(a_key().open(BINDING, "ws_1", &cursor).is_ok());
    }
}
