//! User agents of sessions.

/// In characters.
const MOST: usize = 200;

/// The user agent of a session. Users recognize their sessions by it. It is only shown, never used for a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserAgent(String);

impl UserAgent {
    /// Reads a `User-Agent` header: its printable ASCII characters, at most 200. Returns `None` if it has none.
    pub fn read(value: &[u8]) -> Option<Self> {
        let printable = value.iter().filter(|byte| matches!(byte, b' '..=b'~')).map(|byte| char::from(*byte));
        let text: String = printable.skip_while(|it| *it == ' ').take(MOST).collect();
        let text = text.trim_end();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// Restores a stored value.
    pub fn from_store(text: String) -> Self {
        Self(text)
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_at_most_200_printable_ascii_characters() {
        let long = "x".repeat(201);
        let table: [(&[u8], Option<&str>); 7] = [
            (b"Mozilla/5.0 (X11; Linux x86_64)", Some("Mozilla/5.0 (X11; Linux x86_64)")),
            (b"  spaces around  ", Some("spaces around")),
            (b"a\x00b\x1b[31mc\td\x7f", Some("ab[31mcd")),
            ("left\u{202e}right \u{e9}".as_bytes(), Some("leftright")),
            (b"\xff\xfe", None),
            (b"   ", None),
            (long.as_bytes(), long.get(..200)),
        ];
        for (value, kept) in table {
            assert_eq!(UserAgent::read(value).as_ref().map(UserAgent::as_str), kept, "{value:?}");
        }
    }
}
