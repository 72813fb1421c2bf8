//! `Idempotency-Key`, and the fingerprint of a request.

use ring::digest::{Context, SHA256};

/// The maximum length of a key in characters.
pub const MAX_LENGTH: usize = 255;

/// The error for a header that is not an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`Idempotency-Key` must be 1 to 255 visible ASCII characters, with or without double quotes")]
pub struct InvalidIdempotencyKey;

/// A key that the client chose for one request. The bare and the quoted form are the same key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Reads the header: bare, as most clients send it, or a String of structured fields (RFC 9651, section 3.3.3), as
    /// in draft-ietf-httpapi-idempotency-key-header. Parameters are rejected.
    ///
    /// # Errors
    /// [`InvalidIdempotencyKey`].
    pub fn parse(header: &[u8]) -> Result<Self, InvalidIdempotencyKey> {
        let text = std::str::from_utf8(header).map_err(|_| InvalidIdempotencyKey)?.trim_matches([' ', '\t']);
        let key = match text.strip_prefix('"') {
            Some(rest) => unquoted(rest).ok_or(InvalidIdempotencyKey)?,
            None => text.to_owned(),
        };
        let visible = key.bytes().all(|byte| byte.is_ascii_graphic());
        if visible && (1..=MAX_LENGTH).contains(&key.len()) { Ok(Self(key)) } else { Err(InvalidIdempotencyKey) }
    }

    /// Returns the key without quotes.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the text before the closing quote, which must be the last character; `\"` and `\\` are escapes.
fn unquoted(rest: &str) -> Option<String> {
    let mut key = String::new();
    let mut characters = rest.chars();
    loop {
        match characters.next()? {
            '"' => return characters.next().is_none().then_some(key),
            '\\' => key.push(characters.next().filter(|escaped| matches!(escaped, '"' | '\\'))?),
            c => key.push(c),
        }
    }
}

/// Returns the SHA-256 of path, query and body, each preceded by its length. Requests with the same fingerprint are
/// equal byte by byte.
pub fn fingerprint(path: &str, query: &str, body: &[u8]) -> [u8; 32] {
    let mut context = Context::new(&SHA256);
    for part in [path.as_bytes(), query.as_bytes(), body] {
        context.update(&(part.len() as u64).to_be_bytes());
        context.update(part);
    }
    let mut digest = [0; 32];
    digest.copy_from_slice(context.finish().as_ref());
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(header: &str) -> Option<String> {
        IdempotencyKey::parse(header.as_bytes()).ok().map(|key| key.as_str().to_owned())
    }

    #[test]
    fn reads_bare_and_quoted_keys_alike() {
        assert_eq!(read("8e03978e-40d5"), Some("8e03978e-40d5".into()));
        assert_eq!(read("\"8e03978e-40d5\""), read("8e03978e-40d5"));
        assert_eq!(read(r#""a\"b\\c""#), Some(r#"a"b\c"#.into()));
        assert_eq!(read(" a "), Some("a".into()));
    }

    #[test]
    fn rejects_invalid_lengths_and_characters() {
        assert!(read(&"k".repeat(255)).is_some());
        assert!(read(&format!("\"{}\"", "k".repeat(255))).is_some());
        let long = "k".repeat(256);
        for header in ["", "\"\"", "\"", "\"a", "\"a\"b", "\"a\";p=1", r#""a\b""#, "a b", "\"a b\"", "ä", "a\tb", &long]
        {
            assert_eq!(read(header), None, "{header}");
        }
        assert_eq!(IdempotencyKey::parse(b"\xff"), Err(InvalidIdempotencyKey));
    }

    #[test]
    fn fingerprints_differ_by_each_part_and_its_borders() {
        let own = fingerprint("/a", "b=1", b"c");
        assert_eq!(own, fingerprint("/a", "b=1", b"c"));
        for other in [
            fingerprint("/x", "b=1", b"c"),
            fingerprint("/a", "b=2", b"c"),
            fingerprint("/a", "b=1", b"d"),
            fingerprint("/a", "b=1c", b""),
            fingerprint("/ab", "=1", b"c"),
        ] {
            assert_ne!(own, other);
        }
    }
}
