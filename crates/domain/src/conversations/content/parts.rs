//! The parts of a message other than its text. Each limit is one constant for the readers, which also document it in
//! the OpenAPI description, and for the checks of generated content such as rendered templates.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::MAX_TEXT;
use crate::body;
use crate::read::{Violation, entries, map, text};

/// Maximum number of characters of the name of an attachment or a template.
pub(super) const MAX_NAME: usize = 200;
/// Maximum number of characters of a quick reply's title.
const MAX_TITLE: usize = 80;
/// Maximum number of characters of a quick reply's payload.
const MAX_PAYLOAD: usize = 200;
/// Maximum number of characters of a language.
const MAX_LANGUAGE: usize = 35;
/// Maximum number of parameters of a template.
const MAX_PARAMETERS: usize = 50;
/// Maximum number of characters of a parameter's name.
const MAX_PARAMETER_NAME: usize = 100;

body! {
    /// A quick reply.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct QuickReply {
        /// Text that the contact sees, and sends by choosing it.
        required title: String = text(1..=MAX_TITLE);
        /// Value that is returned with the choice, if the provider supports it.
        nullable payload: String = text(1..=MAX_PAYLOAD);
    }
}

body! {
    /// A template that the provider stores.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct MessageTemplate {
        /// Name of the template at the provider.
        required name: String = text(1..=MAX_NAME);
        /// Language of the template.
        nullable language: String = text(1..=MAX_LANGUAGE);
        /// Values for the placeholders.
        #[serde(default)]
        or_default parameters: BTreeMap<String, String> = map(entries(MAX_PARAMETERS, text(0..=MAX_TEXT)), BTreeMap::from_iter);
    }
}

impl QuickReply {
    pub(super) fn check(&self, at: &str, wrong: &mut Vec<Violation>) {
        length(&self.title, &format!("{at}/title"), MAX_TITLE, wrong);
        optional(&self.payload, &format!("{at}/payload"), MAX_PAYLOAD, wrong);
    }
}

impl MessageTemplate {
    /// The texts for the contact, each with its RFC 6901 pointer below `at`.
    pub(super) fn texts(&self, at: &'static str) -> impl Iterator<Item = (String, &str)> {
        self.parameters.iter().map(move |(name, parameter)| (parameter_pointer(at, name), parameter.as_str()))
    }

    pub(super) fn check(&self, at: &str, wrong: &mut Vec<Violation>) {
        length(&self.name, &format!("{at}/name"), MAX_NAME, wrong);
        optional(&self.language, &format!("{at}/language"), MAX_LANGUAGE, wrong);
        if self.parameters.len() > MAX_PARAMETERS {
            let most = format!("at most {MAX_PARAMETERS} parameters");
            wrong.push(Violation::new(format!("{at}/parameters"), "too_many", most));
        }
        for (name, value) in &self.parameters {
            if name.chars().count() > MAX_PARAMETER_NAME || value.chars().count() > MAX_TEXT {
                let pointer = parameter_pointer(at, name);
                let most = format!("at most {MAX_PARAMETER_NAME} characters in the name and {MAX_TEXT} in the value");
                wrong.push(Violation::new(pointer, "too_long", most));
            }
        }
    }
}

/// Returns the RFC 6901 pointer of a parameter of the template at this pointer.
fn parameter_pointer(at: &str, name: &str) -> String {
    format!("{at}/parameters/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Reports a text that is blank, too long, or contains U+0000.
pub(super) fn length(text: &str, pointer: &str, most: usize, wrong: &mut Vec<Violation>) {
    if text.trim().is_empty() {
        wrong.push(Violation::new(pointer, "blank", "must not be blank"));
    } else if text.chars().count() > most {
        wrong.push(Violation::new(pointer, "too_long", format!("at most {most} characters")));
    } else if text.contains('\0') {
        wrong.push(Violation::new(pointer, "invalid_character", "must not contain U+0000"));
    }
}

pub(super) fn optional(text: &Option<String>, pointer: &str, most: usize, wrong: &mut Vec<Violation>) {
    if let Some(text) = text {
        length(text, pointer, most, wrong);
    }
}
