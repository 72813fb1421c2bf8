//! Violations: errors in client input.

use std::collections::BTreeMap;

use crate::cut::cut;

/// Maximum number of violations in a response: a body with 10 000 errors must not produce 10 000 messages.
pub const MOST_VIOLATIONS: usize = 100;
/// Maximum length of a pointer in bytes. Clients choose their keys, and each violation below a key repeats it.
pub const MOST_PLACE: usize = 256;
/// Maximum length of a message in bytes.
pub const MOST_MESSAGE: usize = 512;
/// Maximum length of a value in [`Params`], in bytes.
pub const MOST_PARAM: usize = 128;

/// Values that a message names, by parameter.
pub type Params = BTreeMap<&'static str, String>;

/// An error in client input.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// RFC 6901 pointer into the input, `""` for its root; at most [`MOST_PLACE`] bytes.
    pub pointer: String,
    /// Error code, stable.
    pub code: &'static str,
    /// Message: the error, and the accepted form; at most [`MOST_MESSAGE`] bytes.
    pub message: String,
    /// The values that the message names, by parameter, such as `name`; at most [`MOST_PARAM`] bytes each.
    pub params: Params,
}

impl Violation {
    /// Creates a violation at `pointer`.
    pub fn new(pointer: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        let (pointer, message) = (cut(pointer.into(), MOST_PLACE), cut(message.into(), MOST_MESSAGE));
        Self { pointer, code, message, params: Params::new() }
    }

    /// Adds a value that the message names.
    pub fn with(mut self, param: &'static str, value: impl Into<String>) -> Self {
        self.params.insert(param, cut(value.into(), MOST_PARAM));
        self
    }

    /// Creates a violation of the value itself, before its place is known.
    pub fn at_root(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(String::new(), code, message)
    }

    /// Prepends the pointer of the parent value.
    pub fn under(mut self, parent: &str) -> Self {
        self.pointer.insert_str(0, parent);
        self.pointer = cut(self.pointer, MOST_PLACE);
        self
    }

    /// Prepends the key of the value in its parent.
    pub fn within(self, key: &str) -> Self {
        self.under(&pointer_to(key))
    }
}

/// Lets a reader with a single possible error use `?`.
impl From<Violation> for Vec<Violation> {
    fn from(violation: Violation) -> Self {
        vec![violation]
    }
}

/// Returns `/` and the key with `~` and `/` escaped (RFC 6901, section 3). Only the first [`MOST_PLACE`] bytes of a key
/// are used.
pub fn pointer_to(key: &str) -> String {
    let end = (0..=MOST_PLACE.min(key.len())).rev().find(|end| key.is_char_boundary(*end)).unwrap_or_default();
    let read = key.get(..end).unwrap_or(key);
    let escaped = format!("/{}", read.replace('~', "~0").replace('/', "~1"));
    if read.len() < key.len() { cut(format!("{escaped}…"), MOST_PLACE) } else { escaped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_keys_in_the_order_of_rfc_6901() {
        assert_eq!(pointer_to("a/b"), "/a~1b");
        assert_eq!(pointer_to("~1"), "/~01");
        assert_eq!(pointer_to(""), "/");
    }

    #[test]
    fn cuts_long_keys_and_messages() {
        let long = "é/".repeat(100_000);
        let pointer = pointer_to(&long);
        assert!(pointer.len() <= MOST_PLACE && pointer.starts_with("/é~1é~1") && pointer.ends_with('…'), "{pointer}");
        let within = (0..40).fold(Violation::at_root("wrong_type", &*long), |it, _| it.within(&long));
        assert!(within.pointer.len() <= MOST_PLACE && within.message.len() <= MOST_MESSAGE);
        assert!(Violation::new(&*long, "wrong_type", &*long).pointer.len() <= MOST_PLACE);
        assert_eq!(pointer_to("short"), "/short");
    }

    #[test]
    fn within_prepends_escaped_keys_to_the_pointer() {
        let violation = Violation::at_root("too_long", "…").within("3").within("tags/old");
        assert_eq!(violation.pointer, "/tags~1old/3");
    }
}
