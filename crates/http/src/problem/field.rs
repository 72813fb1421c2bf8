//! What is wrong with one part of a request.

use serde::Serialize;

/// How many errors one answer lists at the most: a body that is wrong in 10 000 places must not
/// make the server write 10 000 sentences.
pub const MOST_ERRORS: usize = 100;

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
        Self { pointer: Some(pointer.into()), parameter: None, code, message: message.into() }
    }

    /// An error in a parameter.
    pub fn in_parameter(parameter: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self { pointer: None, parameter: Some(parameter.into()), code, message: message.into() }
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
        Self { at: String::new(), code, message: message.into() }
    }

    /// The same fault, seen from the object or array that holds the value under `key`.
    pub fn within(mut self, key: &str) -> Self {
        self.at.insert_str(0, &pointer_to(key));
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

/// `/` and the key with `~` and `/` escaped (RFC 6901, section 3).
pub(crate) fn pointer_to(key: &str) -> String {
    format!("/{}", key.replace('~', "~0").replace('/', "~1"))
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
    fn a_fault_keeps_its_place_while_it_is_handed_outwards() {
        let fault = Fault::new("too_long", "…").within("3").within("tags/old");
        assert_eq!(fault.at, "/tags~1old/3");
    }
}
