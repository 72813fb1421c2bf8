//! Audited attributes of objects: an allowlist, and the differences between two versions.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{AuditChange, AuditObject, AuditedKind};

/// The longest value of an entry, in bytes of JSON. Longer values are cut.
const MAX_VALUE: usize = 512;
/// The maximum size of all values of an entry, in bytes, without names.
const MAX_VALUES: usize = 12 << 10;

/// An object that audit entries can describe.
pub trait Audited {
    /// The type.
    const KIND: AuditedKind;

    /// Returns the object's description in an entry. A name that can be personal data is missing.
    fn audited(&self) -> AuditObject;

    /// Returns the attributes that entries may contain.
    fn facts(&self) -> Facts;
}

#[derive(Debug, Clone, PartialEq)]
enum Fact {
    /// An attribute with a visible value.
    Shown(Value),
    /// An attribute with a hidden value: a secret, or a text that can be about contacts. Only its change is visible.
    Withheld(String),
}

/// The audited attributes of an object.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts(BTreeMap<&'static str, Fact>);

impl Facts {
    /// Returns an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an attribute with a visible value.
    #[must_use]
    pub fn shown(mut self, name: &'static str, value: &impl Serialize) -> Self {
        self.0.insert(name, Fact::Shown(serde_json::to_value(value).unwrap_or_default()));
        self
    }

    /// Adds an attribute with a hidden value. The value is compared and never stored.
    #[must_use]
    pub fn withheld(mut self, name: &'static str, value: &impl Serialize) -> Self {
        self.0.insert(name, Fact::Withheld(serde_json::to_string(value).unwrap_or_default()));
        self
    }

    /// Returns the changes of attributes. A created or deleted object has all its visible attributes that are set.
    pub(super) fn between(before: &Self, after: &Self) -> BTreeMap<String, AuditChange> {
        let mut left = MAX_VALUES;
        let names = before.0.keys().chain(after.0.keys().filter(|name| !before.0.contains_key(*name)));
        let differ = names.filter(|name| before.0.get(*name) != after.0.get(*name));
        let changes = differ.filter_map(|name| {
            let change = match (before.0.get(name), after.0.get(name)) {
                (Some(Fact::Withheld(_)), Some(_)) | (Some(_), Some(Fact::Withheld(_))) => AuditChange::withheld(),
                (Some(Fact::Withheld(_)), None) | (None, Some(Fact::Withheld(_))) => return None,
                (before, after) => bounded(value(before), value(after), &mut left),
            };
            (change.withheld || change.cut || change.before != change.after).then(|| ((*name).to_owned(), change))
        });
        changes.collect()
    }
}

fn value(fact: Option<&Fact>) -> Value {
    match fact {
        Some(Fact::Shown(value)) => value.clone(),
        Some(Fact::Withheld(_)) | None => Value::Null,
    }
}

/// Returns a change with values cut to the limit of a value and to the rest of the entry's limit.
fn bounded(before: Value, after: Value, left: &mut usize) -> AuditChange {
    let (before, before_is_cut) = cut(before, left);
    let (after, after_is_cut) = cut(after, left);
    AuditChange { before, after, cut: before_is_cut || after_is_cut, withheld: false }
}

/// Cuts a value if it is too long: its beginning as text.
fn cut(value: Value, left: &mut usize) -> (Value, bool) {
    let text = match &value {
        Value::Null | Value::Bool(_) | Value::Number(_) => return (value, false),
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => value.to_string(),
    };
    let most = MAX_VALUE.min(*left);
    // One byte can take up to six in JSON, so the written form counts.
    if json_length(&text) <= most {
        *left -= json_length(&text);
        return (value, false);
    }
    let mut short = String::new();
    let mut room = most;
    for letter in text.chars() {
        let size = json_length(letter.encode_utf8(&mut [0; 4]));
        if size > room {
            break;
        }
        room -= size;
        short.push(letter);
    }
    *left -= most - room;
    (Value::String(short), true)
}

/// Returns the size of a text in JSON without quotes, in bytes.
fn json_length(text: &str) -> usize {
    serde_json::to_string(text).map_or(0, |it| it.len().saturating_sub(2))
}
