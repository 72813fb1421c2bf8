use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value, json};

use crate::events::EventKind;
use crate::ids::{ContactId, CustomEventId};
use crate::time::Timestamp;

/// Maximum size of the data of a custom event, in bytes of JSON.
pub const MAX_DATA: usize = 16 * 1024;
const MAX_NAME: usize = 64;

/// An event of a contact that happened outside the service.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomEvent {
    /// The ID.
    pub id: CustomEventId,
    /// ID of the contact.
    pub contact: ContactId,
    /// Name of the event.
    pub name: CustomEventName,
    /// Data of the event.
    pub data: Map<String, Value>,
    /// When it was recorded.
    pub at: Timestamp,
}

impl CustomEvent {
    /// Returns the value of `event` in templates and conditions.
    pub fn in_templates(&self) -> Value {
        json!({
            "type": "custom_event",
            "id": self.id,
            "name": self.name.as_str(),
            "data": self.data,
            "timestamp": self.at,
        })
    }
}

/// The name of a custom event: `^[a-z][a-z0-9_.]{0,63}$`, except the names of built-in events.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CustomEventName(String);

/// Why a text is not a valid name of a custom event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidName {
    /// The form is wrong.
    Form,
    /// A built-in event has this name.
    Taken,
}

impl CustomEventName {
    /// The form of all names, as a regular expression.
    pub const PATTERN: &str = "^[a-z][a-z0-9_.]{0,63}$";

    /// Returns a name from the store, without a check.
    pub fn from_store(name: String) -> Self {
        Self(name)
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for CustomEventName {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let begins = text.starts_with(|first: char| first.is_ascii_lowercase());
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '.');
        if !begins || text.len() > MAX_NAME || !text.chars().all(fits) {
            return Err(InvalidName::Form);
        }
        if EventKind::parse(text).is_some() {
            return Err(InvalidName::Taken);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for CustomEventName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl InvalidName {
    /// Returns the code of the violation.
    pub fn code(self) -> &'static str {
        match self {
            Self::Form => "invalid_format",
            Self::Taken => "not_allowed",
        }
    }
}

impl fmt::Display for InvalidName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Form => {
                "expected 1 to 64 lower-case letters, digits, _ and ., starting with a letter, such as order.paid"
            }
            Self::Taken => {
                "this name belongs to a built-in event; use another name, such as order.paid, or use the type `event`"
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_malformed_and_reserved_names() {
        let longest = "a".repeat(MAX_NAME);
        for name in ["a", "order.paid", "a1_b.c", "contact.created2", &longest] {
            assert_eq!(name.parse::<CustomEventName>().map(|it| it.to_string()), Ok(name.to_owned()));
        }
        let too_long = "a".repeat(MAX_NAME + 1);
        for name in ["", "1a", ".a", "_a", "Order", "order paid", "order-paid", "bücher", "a\n", "a\0", &too_long] {
            assert_eq!(name.parse::<CustomEventName>(), Err(InvalidName::Form), "{name:?}");
        }
        for kind in EventKind::ALL {
            assert_eq!(kind.as_str().parse::<CustomEventName>(), Err(InvalidName::Taken));
        }
    }
}
