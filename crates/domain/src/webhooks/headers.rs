//! Custom headers of a webhook's deliveries.

/// The maximum number of custom headers of a webhook.
pub const MAX_HEADERS: usize = 20;
/// In bytes.
const MAX_VALUE: usize = 1_024;
/// In bytes.
const MAX_NAME: usize = 100;

/// Headers that the service or the connection sets (RFC 9110, section 7.6.1), and those that frame a message.
const RESERVED: [&str; 14] = [
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "http2-settings",
];
/// Prefixes of names that belong to the service or to proxies.
const RESERVED_PREFIXES: [&str; 3] = ["x-service-", "webhook-", "proxy-"];

/// An error in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderFault {
    /// Error code, stable.
    pub code: &'static str,
    /// Description of the error.
    pub message: String,
}

/// Whether a text is a header name: a token of RFC 9110, section 5.6.2, of at most 100 characters.
pub(crate) fn is_header_name(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.len() <= MAX_NAME && name.bytes().all(is_token)
}

/// Custom headers as given, in order, with unique names. Its `Debug` output omits the values, to keep them out of logs.
/// The stored form is [`SealedHeaders`](super::SealedHeaders).
#[derive(Clone, Default, PartialEq, Eq)]
pub struct CustomHeaders(Vec<(String, String)>);

impl CustomHeaders {
    /// Creates the list from headers that each passed [`check`](Self::check). If two names differ only in case, the
    /// first header stays.
    pub fn new(headers: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut kept: Vec<(String, String)> = Vec::new();
        for (name, value) in headers {
            if !kept.iter().any(|(earlier, _)| earlier.eq_ignore_ascii_case(&name)) {
                kept.push((name, value));
            }
        }
        Self(kept)
    }

    /// Checks whether a delivery may have this header.
    ///
    /// # Errors
    /// [`HeaderFault`].
    pub fn check(name: &str, value: &str) -> Result<(), HeaderFault> {
        let fault = |code, message: &str| Err(HeaderFault { code, message: message.to_owned() });
        if !is_header_name(name) {
            return fault(
                "invalid_name",
                "is not a valid header name (RFC 9110, section 5.1) of at most 100 characters",
            );
        }
        let lower = name.to_ascii_lowercase();
        let is_reserved =
            RESERVED.contains(&lower.as_str()) || RESERVED_PREFIXES.iter().any(|prefix| lower.starts_with(prefix));
        if is_reserved {
            return fault("reserved_name", "is set by the server or reserved for the connection; use another name");
        }
        if value.len() > MAX_VALUE {
            return fault("too_long", "must be at most 1024 characters long");
        }
        let is_clean = value.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && value.trim() == value;
        if value.is_empty() || !is_clean {
            return fault(
                "invalid_format",
                "must contain only visible ASCII characters, without leading or trailing spaces",
            );
        }
        Ok(())
    }

    /// Returns the headers, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl std::fmt::Debug for CustomHeaders {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_reserved_names_and_invalid_values() {
        let code = |name: &str, value: &str| CustomHeaders::check(name, value).err().map_or("", |fault| fault.code);
        for (name, value) in [("Authorization", "Bearer abc"), ("x-tenant", "7"), ("X_Odd.Name!", "a\"b, c")] {
            assert_eq!(code(name, value), "", "{name}");
        }
        for name in ["", "a b", "a:b", "naïve", "a\r\nb", "(x)", &"x".repeat(101)] {
            assert_eq!(code(name, "v"), "invalid_name", "{name}");
        }
        for name in [
            "Host",
            "CONTENT-TYPE",
            "X-Service-Event",
            "Webhook-Id",
            "Connection",
            "transfer-encoding",
            "Proxy-Anything",
        ] {
            assert_eq!(code(name, "v"), "reserved_name", "{name}");
        }
        for value in ["", " a", "a ", "a\nb", "a\0", "é", "a\tb"] {
            assert_eq!(code("x", value), "invalid_format", "{value}");
        }
        assert_eq!(code("x", &"v".repeat(1_025)), "too_long");
    }

    #[test]
    fn debug_output_contains_no_values() {
        let headers = CustomHeaders::new([("X-Key".to_owned(), "geheim".to_owned())]);
        assert_eq!(format!("{headers:?}"), r#"["X-Key"]"#);
    }
}
