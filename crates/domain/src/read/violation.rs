//! One thing that is wrong with what a client wrote.

use std::collections::BTreeMap;

use crate::text::cut;

/// How many violations one answer lists at the most: a body that is wrong in 10 000 places must not make the server
/// write 10 000 sentences.
pub const MOST_VIOLATIONS: usize = 100;
/// How many bytes a place has at the most: a client chooses its keys, and each violation below a key repeats it.
pub const MOST_PLACE: usize = 256;
/// How many bytes a sentence has at the most.
pub const MOST_MESSAGE: usize = 512;
/// The maximum length of a value in [`Params`], in bytes.
pub const MOST_PARAM: usize = 128;

/// Values that a message names, by parameter.
pub type Params = BTreeMap<&'static str, String>;

/// One thing that is wrong with what a client wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Where: an RFC 6901 pointer into what was read, `""` for the whole of it; at most [`MOST_PLACE`] bytes.
    pub pointer: String,
    /// Error code, stable.
    pub code: &'static str,
    /// What, for people: what is wrong and what would be right; at most [`MOST_MESSAGE`] bytes.
    pub message: String,
    /// The values that the message names, by parameter, such as `name`; at most [`MOST_PARAM`] bytes each.
    pub params: Params,
}

impl Violation {
    /// A violation at `pointer`.
    pub fn new(pointer: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        let (pointer, message) = (cut(pointer.into(), MOST_PLACE), cut(message.into(), MOST_MESSAGE));
        Self { pointer, code, message, params: Params::new() }
    }

    /// The same one, with a value that its message names.
    pub fn with(mut self, param: &'static str, value: impl Into<String>) -> Self {
        self.params.insert(param, cut(value.into(), MOST_PARAM));
        self
    }

    /// A violation of the value itself, before it is known where the value stands.
    pub fn here(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(String::new(), code, message)
    }

    /// The same one, inside the value at `parent`.
    pub fn under(mut self, parent: &str) -> Self {
        self.pointer.insert_str(0, parent);
        self.pointer = cut(self.pointer, MOST_PLACE);
        self
    }

    /// The same one, seen from the object or array that holds the value under `key`.
    pub fn within(self, key: &str) -> Self {
        self.under(&pointer_to(key))
    }
}

/// So that a reader may end with `?` wherever one thing alone can be wrong.
impl From<Violation> for Vec<Violation> {
    fn from(violation: Violation) -> Self {
        vec![violation]
    }
}

/// `/` and the key with `~` and `/` escaped (RFC 6901, section 3), at most [`MOST_PLACE`] bytes of it:
/// of a longer key, nothing more is looked at.
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
    fn keys_are_escaped_in_the_order_that_rfc_6901_demands() {
        assert_eq!(pointer_to("a/b"), "/a~1b");
        assert_eq!(pointer_to("~1"), "/~01");
        assert_eq!(pointer_to(""), "/");
    }

    #[test]
    fn long_keys_are_cut_wherever_they_stand() {
        let long = "é/".repeat(100_000);
        let pointer = pointer_to(&long);
        assert!(pointer.len() <= MOST_PLACE && pointer.starts_with("/é~1é~1") && pointer.ends_with('…'), "{pointer}");
        let within = (0..40).fold(Violation::here("wrong_type", &*long), |it, _| it.within(&long));
        assert!(within.pointer.len() <= MOST_PLACE && within.message.len() <= MOST_MESSAGE);
        assert!(Violation::new(&*long, "wrong_type", &*long).pointer.len() <= MOST_PLACE);
        assert_eq!(pointer_to("short"), "/short");
    }

    #[test]
    fn a_violation_keeps_its_place_while_it_is_handed_outwards() {
        let violation = Violation::here("too_long", "…").within("3").within("tags/old");
        assert_eq!(violation.pointer, "/tags~1old/3");
    }
}
