//! What is told of an object: a list of attributes that are allowed, and what differs between two of them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{AuditChange, AuditObject, AuditedKind};

/// The longest value that an entry holds, in bytes of its JSON; what is longer is cut.
const MAX_VALUE: usize = 512;
/// How many bytes of values one entry holds at the most, names aside.
const MAX_VALUES: usize = 12 << 10;

/// What an entry may tell of an object.
pub trait Audited {
    /// Of which kind it is.
    const KIND: AuditedKind;

    /// Its id, as the API has it.
    fn audited_id(&self) -> String;

    /// What people call it, where that is no personal data.
    fn audited_name(&self) -> Option<String>;

    /// Its attributes, those that are allowed alone.
    fn facts(&self) -> Facts;

    /// The object as an entry names it.
    fn audited(&self) -> AuditObject {
        AuditObject { kind: Self::KIND, id: Some(self.audited_id()), name: self.audited_name() }
    }
}

/// One attribute.
#[derive(Debug, Clone, PartialEq)]
enum Fact {
    /// Its value is told.
    Shown(Value),
    /// That it changed is told, and no value: a secret, or what may hold words about people.
    Withheld(String),
}

/// The attributes of an object.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts(BTreeMap<&'static str, Fact>);

impl Facts {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// With an attribute whose value is told.
    #[must_use]
    pub fn shown(mut self, name: &'static str, value: &impl Serialize) -> Self {
        self.0.insert(name, Fact::Shown(serde_json::to_value(value).unwrap_or_default()));
        self
    }

    /// With an attribute of which it is told only that it changed. The value is compared, and goes nowhere.
    #[must_use]
    pub fn withheld(mut self, name: &'static str, value: &impl Serialize) -> Self {
        self.0.insert(name, Fact::Withheld(serde_json::to_string(value).unwrap_or_default()));
        self
    }

    /// What the attributes became from `before` to `after`; of what begins or ends, all that are told and set.
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

/// A change whose values take no more than they may, and no more than is left for the entry.
fn bounded(before: Value, after: Value, left: &mut usize) -> AuditChange {
    let (before, before_is_cut) = cut(before, left);
    let (after, after_is_cut) = cut(after, left);
    AuditChange { before, after, cut: before_is_cut || after_is_cut, withheld: false }
}

/// A value; the beginning of its text where it is too long.
fn cut(value: Value, left: &mut usize) -> (Value, bool) {
    let text = match &value {
        Value::Null | Value::Bool(_) | Value::Number(_) => return (value, false),
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => value.to_string(),
    };
    let most = MAX_VALUE.min(*left);
    // What stands for one byte in JSON are six at the most: counted as written.
    if written(&text) <= most {
        *left -= written(&text);
        return (value, false);
    }
    let mut short = String::new();
    let mut room = most;
    for letter in text.chars() {
        let size = written(letter.encode_utf8(&mut [0; 4]));
        if size > room {
            break;
        }
        room -= size;
        short.push(letter);
    }
    *left -= most - room;
    (Value::String(short), true)
}

/// How many bytes a text takes in JSON, without its quotes.
fn written(text: &str) -> usize {
    serde_json::to_string(text).map_or(0, |it| it.len().saturating_sub(2))
}
