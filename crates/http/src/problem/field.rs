//! What is wrong with one part of a request.

use serde::Serialize;

/// How many errors one answer lists at the most: a body that is wrong in 10 000 places must not
/// make the server write 10 000 sentences.
pub const MOST_ERRORS: usize = 100;
/// How many bytes a pointer, or the name of a parameter, has at the most: a client chooses its keys,
/// and each error below a key repeats it.
pub const MOST_PLACE: usize = 256;
/// How many bytes a sentence has at the most.
const MOST_MESSAGE: usize = 512;
/// What stands at the end of what was cut.
const CUT: char = '…';

/// The last place at or before `most` where a character begins.
fn boundary(text: &str, most: usize) -> usize {
    (0..=most.min(text.len())).rev().find(|place| text.is_char_boundary(*place)).unwrap_or_default()
}

/// The text, or its beginning with `…` in at most `most` bytes.
fn bounded(mut text: String, most: usize) -> String {
    if text.len() > most {
        text.truncate(boundary(&text, most - CUT.len_utf8()));
        text.push(CUT);
    }
    text
}

/// One entry of a problem's `errors`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// Where in the body: an RFC 6901 pointer, `""` for the body as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// Which parameter of the query or the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// What, for machines; stable.
    pub code: &'static str,
    /// What, for people: what is wrong and what would be right.
    pub message: String,
}

impl FieldError {
    /// An error at a place in the body.
    pub fn at_pointer(pointer: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        let (pointer, message) = (bounded(pointer.into(), MOST_PLACE), bounded(message.into(), MOST_MESSAGE));
        Self { pointer: Some(pointer), parameter: None, code, message }
    }

    /// An error in a parameter.
    pub fn in_parameter(parameter: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        let (parameter, message) = (bounded(parameter.into(), MOST_PLACE), bounded(message.into(), MOST_MESSAGE));
        Self { pointer: None, parameter: Some(parameter), code, message }
    }
}

/// What a reader finds wrong with a value, before it is known where the value stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where inside the value: an RFC 6901 pointer, `""` for the value itself.
    pub at: String,
    /// What, for machines; stable.
    pub code: &'static str,
    /// What, for people.
    pub message: String,
}

impl Fault {
    /// A fault of the value itself.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { at: String::new(), code, message: bounded(message.into(), MOST_MESSAGE) }
    }

    /// The same fault, seen from the object or array that holds the value under `key`.
    pub fn within(mut self, key: &str) -> Self {
        self.at.insert_str(0, &pointer_to(key));
        self.at = bounded(self.at, MOST_PLACE);
        self
    }
}

/// Everything that a reader finds wrong with a value; at least one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Self(vec![fault])
    }
}

impl From<(&'static str, String)> for Faults {
    fn from((code, message): (&'static str, String)) -> Self {
        Fault::new(code, message).into()
    }
}

/// `/` and the key with `~` and `/` escaped (RFC 6901, section 3), at most [`MOST_PLACE`] bytes of it:
/// of a longer key, nothing more is looked at.
pub(crate) fn pointer_to(key: &str) -> String {
    let read = key.get(..boundary(key, MOST_PLACE)).unwrap_or(key);
    let escaped = format!("/{}", read.replace('~', "~0").replace('/', "~1"));
    if read.len() < key.len() { bounded(format!("{escaped}{CUT}"), MOST_PLACE) } else { escaped }
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
        assert!(pointer.len() <= MOST_PLACE && pointer.starts_with("/é~1é~1") && pointer.ends_with(CUT), "{pointer}");
        let within = (0..40).fold(Fault::new("wrong_type", &*long), |fault, _| fault.within(&long));
        assert!(within.at.len() <= MOST_PLACE && within.message.len() <= MOST_MESSAGE);
        let error = FieldError::at_pointer(&*long, "wrong_type", &*long);
        assert_eq!(error.pointer.map(|it| it.len() <= MOST_PLACE), Some(true));
        let error = FieldError::in_parameter(&*long, "unknown_parameter", &*long);
        assert_eq!(error.parameter.map(|it| it.len() <= MOST_PLACE), Some(true));
        assert_eq!(pointer_to("short"), "/short");
    }

    #[test]
    fn a_fault_keeps_its_place_while_it_is_handed_outwards() {
        let fault = Fault::new("too_long", "…").within("3").within("tags/old");
        assert_eq!(fault.at, "/tags~1old/3");
    }
}
