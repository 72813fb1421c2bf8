//! The stored part of a receiver's response, as text that every store accepts.

use tidings_egress::HeaderMap;

/// The number of headers that are stored.
const HEADERS: usize = 64;
/// The number of bytes of a header's value that are stored.
const HEADER_VALUE: usize = 1024;

/// Converts bytes to text. Invalid UTF-8 is replaced, and so is NUL, because PostgreSQL's `text` rejects it.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}")
}

/// Returns the first 64 headers, each value cut at 1 KiB.
pub(crate) fn headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let cut = |value: &[u8]| text(value.get(..HEADER_VALUE).unwrap_or(value));
    headers.iter().take(HEADERS).map(|(name, value)| (name.to_string(), cut(value.as_bytes()))).collect()
}

#[cfg(test)]
mod tests {
    use tidings_egress::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn replaces_bytes_that_a_store_rejects() {
        assert_eq!(text("Zoë 🦀".as_bytes()), "Zoë 🦀");
        assert_eq!(text(b"a\xffb\0c"), "a\u{fffd}b\u{fffd}c");
    }

    #[test]
    fn limits_headers_in_number_and_length() {
        let mut many = HeaderMap::new();
        for number in 0..65 {
            let name = HeaderName::from_bytes(format!("x-{number}").as_bytes()).unwrap();
            many.insert(name, HeaderValue::from_bytes(&[b'v'; 1025]).unwrap());
        }
        let kept = headers(&many);
        assert_eq!(kept.len(), 64);
        assert!(kept.iter().all(|(_, value)| value.len() == 1024));
    }
}
