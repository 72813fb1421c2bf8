//! The secrets of one request.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};

use super::forms;
use crate::secrets::Secret;

/// The replacement for secrets in responses.
const MASK: &str = "••••";

/// Decrypted secrets for one request. `Debug` shows only their names.
#[derive(Clone, Default)]
pub struct OpenSecrets {
    open: Vec<(Secret, SecretString)>,
    /// The forms to mask in responses, longest first, because one form may contain another.
    forms: Vec<SecretString>,
}

impl OpenSecrets {
    /// Creates it from secrets and their values.
    pub fn new(open: Vec<(Secret, SecretString)>) -> Self {
        let mut forms: Vec<String> = open.iter().flat_map(|(_, value)| forms::of(value.expose_secret())).collect();
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms.dedup();
        Self { open, forms: forms.into_iter().map(SecretString::from).collect() }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.open.iter().any(|(secret, _)| secret.name == name)
    }

    /// Returns the name of the first secret that may not be sent to this host.
    pub(super) fn not_for(&self, host: &str) -> Option<&str> {
        self.open.iter().find(|(secret, _)| !secret.is_for(host)).map(|(secret, _)| secret.name.as_str())
    }

    /// Returns the value of `secrets` in templates.
    pub(super) fn in_templates(&self) -> Value {
        let value = |value: &SecretString| Value::String(value.expose_secret().to_owned());
        Value::Object(self.open.iter().map(|(secret, text)| (secret.name.clone(), value(text))).collect())
    }

    /// Masks all secrets in a text.
    pub fn mask_text(&self, text: &str) -> String {
        self.forms.iter().fold(text.to_owned(), |text, form| text.replace(form.expose_secret(), MASK))
    }

    /// Masks all secrets in a value, including member names and numbers.
    pub(super) fn mask(&self, value: Value) -> Value {
        match value {
            Value::Null | Value::Bool(_) => value,
            Value::Number(number) => {
                let text = number.to_string();
                match self.open.iter().any(|(_, value)| forms::is_in_number(value.expose_secret(), &text)) {
                    true => Value::String(MASK.to_owned()),
                    false => Value::Number(number),
                }
            }
            Value::String(text) => Value::String(self.mask_text(&text)),
            Value::Array(list) => Value::Array(list.into_iter().map(|value| self.mask(value)).collect()),
            Value::Object(members) => {
                let masked = members.into_iter().map(|(name, value)| (self.mask_text(&name), self.mask(value)));
                Value::Object(masked.collect::<Map<_, _>>())
            }
        }
    }
}

impl fmt::Debug for OpenSecrets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.open.iter().map(|(secret, _)| &secret.name)).finish()
    }
}
