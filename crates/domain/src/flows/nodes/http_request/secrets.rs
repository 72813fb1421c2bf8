//! The secrets of one call, while it is made.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};

use super::forms;
use crate::secrets::Secret;

/// What stands for a secret where its value came back.
const MASK: &str = "••••";

/// Secrets with their values, for one call. It shows their names alone when it is printed.
#[derive(Clone, Default)]
pub struct OpenSecrets {
    open: Vec<(Secret, SecretString)>,
    /// What is masked in answers, the longest first: a form that is part of another one is masked behind it.
    forms: Vec<SecretString>,
}

impl OpenSecrets {
    /// Takes secrets with their values.
    pub fn new(open: Vec<(Secret, SecretString)>) -> Self {
        let mut forms: Vec<String> = open.iter().flat_map(|(_, value)| forms::of(value.expose_secret())).collect();
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms.dedup();
        Self { open, forms: forms.into_iter().map(SecretString::from).collect() }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.open.iter().any(|(secret, _)| secret.name == name)
    }

    /// The first one that may not be sent to this host.
    pub(super) fn not_for(&self, host: &str) -> Option<&str> {
        self.open.iter().find(|(secret, _)| !secret.is_for(host)).map(|(secret, _)| secret.name.as_str())
    }

    /// What templates see under `secrets`.
    pub(super) fn in_templates(&self) -> Value {
        let value = |value: &SecretString| Value::String(value.expose_secret().to_owned());
        Value::Object(self.open.iter().map(|(secret, text)| (secret.name.clone(), value(text))).collect())
    }

    /// The text without any value.
    pub fn mask_text(&self, text: &str) -> String {
        self.forms.iter().fold(text.to_owned(), |text, form| text.replace(form.expose_secret(), MASK))
    }

    /// The value without any of a secret, be it the name of a member or a number.
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
