//! Stored conditions: the written text, and the objects that its names refer to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Mentions;
use crate::ids::{BotFieldId, FieldId, SecretId, TagId};
use crate::time::Timestamp;

/// An object that a name in a condition refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// A tag, by name or ID.
    Tag(TagId),
    /// A custom field, by key.
    Field(FieldId),
    /// A bot field, by key.
    BotField(BotFieldId),
    /// A secret, by name, in texts of flows.
    Secret(SecretId),
}

impl Meaning {
    fn id(self) -> String {
        match self {
            Self::Tag(id) => id.to_string(),
            Self::Field(id) => id.to_string(),
            Self::BotField(id) => id.to_string(),
            Self::Secret(id) => id.to_string(),
        }
    }

    pub(crate) fn field(self) -> Option<FieldId> {
        if let Self::Field(id) = self { Some(id) } else { None }
    }

    pub(crate) fn secret(self) -> Option<SecretId> {
        if let Self::Secret(id) = self { Some(id) } else { None }
    }

    pub(crate) fn bot_field(self) -> Option<BotFieldId> {
        if let Self::BotField(id) = self { Some(id) } else { None }
    }

    fn parse(id: &str) -> Option<Self> {
        let field = || id.parse().map(Self::Field);
        let bot_field = || id.parse().map(Self::BotField);
        let secret = || id.parse().map(Self::Secret);
        id.parse().map(Self::Tag).or_else(|_| field()).or_else(|_| bot_field()).or_else(|_| secret()).ok()
    }
}

/// The objects that a condition's names refer to, by JSON pointer. A name without an entry is lost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, String>", into = "BTreeMap<String, String>")]
pub struct Bindings(BTreeMap<String, Meaning>);

impl Bindings {
    pub(super) fn get(&self, pointer: &str) -> Option<Meaning> {
        self.0.get(pointer).copied()
    }

    pub(crate) fn insert(&mut self, pointer: impl Into<String>, meaning: Meaning) {
        self.0.insert(pointer.into(), meaning);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, Meaning)> {
        self.0.iter().map(|(pointer, meaning)| (pointer.as_str(), *meaning))
    }

    /// The names that refer to tags.
    pub(crate) fn tags(&self) -> impl Iterator<Item = (&str, TagId)> {
        self.iter().filter_map(|(pointer, meaning)| match meaning {
            Meaning::Tag(tag) => Some((pointer, tag)),
            Meaning::Field(_) | Meaning::BotField(_) | Meaning::Secret(_) => None,
        })
    }

    /// The tags that the text refers to by name rather than by ID.
    pub(crate) fn named_tags(&self, written: &Value) -> impl Iterator<Item = TagId> {
        self.tags().filter(|(pointer, _)| is_named(written, pointer)).map(|(_, tag)| tag)
    }

    /// Adds the bindings of the part at the pointer `at`.
    pub(crate) fn extend_under(&mut self, at: &str, part: &Self) {
        self.0.extend(part.0.iter().map(|(pointer, meaning)| (format!("{at}{pointer}"), *meaning)));
    }
}

impl From<Bindings> for BTreeMap<String, String> {
    fn from(bindings: Bindings) -> Self {
        bindings.0.into_iter().map(|(pointer, meaning)| (pointer, meaning.id())).collect()
    }
}

impl TryFrom<BTreeMap<String, String>> for Bindings {
    type Error = String;

    fn try_from(stored: BTreeMap<String, String>) -> Result<Self, String> {
        let read = |(pointer, id): (String, String)| {
            let meaning = Meaning::parse(&id).ok_or_else(|| format!("`{id}` is not the ID of a tag or field"))?;
            Ok((pointer, meaning))
        };
        stored.into_iter().map(read).collect::<Result<_, String>>().map(Self)
    }
}

fn is_named(written: &Value, pointer: &str) -> bool {
    written.pointer(pointer).and_then(Value::as_str).is_some_and(|word| word.parse::<TagId>().is_err())
}

/// Replaces the names of tags by their current names. A tag without a name keeps the written one.
pub(crate) fn rename(written: &mut Value, bindings: &Bindings, name: impl Fn(TagId) -> Option<String>) {
    for (pointer, tag) in bindings.tags() {
        if is_named(written, pointer)
            && let (Some(word), Some(name)) = (written.pointer_mut(pointer), name(tag))
        {
            *word = json!(name);
        }
    }
}

/// A condition as stored. Its names are resolved by their bindings, even if another object has the name now.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundCondition {
    written: Value,
    bindings: Option<Bindings>,
}

impl From<Value> for BoundCondition {
    /// A condition from a client, with its names not yet bound.
    fn from(written: Value) -> Self {
        Self { written, bindings: None }
    }
}

impl BoundCondition {
    /// A condition from a store; without bindings if an earlier release wrote it.
    pub fn stored(written: Value, bindings: Option<Bindings>) -> Self {
        Self { written, bindings }
    }

    /// The condition as written, with the tag names of the last read.
    pub fn source_json(&self) -> &Value {
        &self.written
    }

    /// The objects that its names refer to, if it is bound.
    pub fn bindings(&self) -> Option<&Bindings> {
        self.bindings.as_ref()
    }

    /// The names that must be loaded to parse it.
    pub fn mentions(&self) -> Mentions {
        let mut mentions = Mentions::of([&self.written]);
        if let Some(bindings) = &self.bindings {
            mentions.tags = bindings.tags().map(|(_, tag)| tag.to_string()).collect();
        }
        mentions
    }

    /// The tags that it refers to by name.
    pub fn named_tags(&self) -> impl Iterator<Item = TagId> {
        self.bindings.iter().flat_map(|bindings| bindings.named_tags(&self.written))
    }

    /// Replaces the names of tags by their current names. A tag without a name keeps the written one.
    pub fn rename(&mut self, name: impl Fn(TagId) -> Option<String>) {
        if let Some(bindings) = &self.bindings {
            rename(&mut self.written, bindings, name);
        }
    }

    /// The condition with IDs instead of names. It changes exactly if the meaning changes.
    pub fn by_id(&self) -> Value {
        let mut written = self.written.clone();
        for (pointer, meaning) in self.bindings.iter().flat_map(|it| &it.0) {
            if let Some(word) = written.pointer_mut(pointer) {
                *word = json!(meaning.id());
            }
        }
        written
    }
}

/// A name in a stored condition whose object no longer exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostWord {
    /// JSON pointer to it.
    pub pointer: String,
    /// The type of the object.
    pub kind: LostKind,
    /// The name as written.
    pub name: String,
    /// The object, if known.
    pub meaning: Option<Meaning>,
    /// When the object was deleted, if known.
    pub at: Option<Timestamp>,
}

/// The type of a lost object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LostKind {
    /// A tag.
    Tag,
    /// A custom field.
    Field,
    /// A bot field.
    BotField,
    /// An option of a custom field.
    Option,
    /// A channel, by its ID.
    Channel,
    /// A secret.
    Secret,
}

impl LostKind {
    /// The name of the type in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tag => "tag",
            Self::Field => "custom_field",
            Self::BotField => "bot_field",
            Self::Option => "option",
            Self::Channel => "channel",
            Self::Secret => "secret",
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::conditions::{Condition, Vocabulary};
    use crate::fields::{CustomField, FieldKind};
    use crate::ids::TypedId;
    use crate::tags::Tag;

    fn tag(number: u128, name: &str) -> Tag {
        Tag::new(TagId::from_uuid(Uuid::from_u128(number)), name, Timestamp::EPOCH_2026)
    }

    fn field(number: u128, key: &str, options: &[&str]) -> CustomField {
        CustomField {
            options: options.iter().map(|it| (*it).to_owned()).collect(),
            ..CustomField::new(
                FieldId::from_uuid(Uuid::from_u128(number)),
                key,
                FieldKind::Select,
                Timestamp::EPOCH_2026,
            )
        }
    }

    fn bind(written: Value, vocabulary: &Vocabulary) -> BoundCondition {
        Condition::parse(&written, vocabulary).unwrap_or_else(|wrong| panic!("{wrong:?}")).bound()
    }

    fn lost_words(bound: &BoundCondition, vocabulary: &Vocabulary) -> Vec<(LostKind, String, String)> {
        let read = Condition::parse_bound(bound, vocabulary).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        read.lost_words().iter().map(|it| (it.kind, it.pointer.clone(), it.name.clone())).collect()
    }

    #[test]
    fn follows_a_renamed_tag_and_ignores_its_old_name() {
        let written = json!({"all": [
            {"not": {"field": "tags", "op": "has", "value": "NoMail"}},
            {"field": "tags", "op": "in", "value": ["vip", tag(2, "").id.to_string()]},
        ]});
        let mut bound = bind(written, &Vocabulary::new([], [], [tag(1, "NoMail"), tag(2, "VIP")]));
        // The first tag is renamed, and another one gets its old name.
        let later = Vocabulary::new([], [], [tag(1, "Quiet"), tag(3, "NoMail"), tag(2, "Gold")]);
        let read = Condition::parse_bound(&bound, &later).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        assert_eq!(read.names().tags, [tag(1, "").id, tag(2, "").id].into());
        assert_eq!(lost_words(&bound, &later), []);
        bound.rename(|id| [tag(1, "Quiet"), tag(2, "Gold")].into_iter().find(|it| it.id == id).map(|it| it.name));
        let shown = json!({"all": [
            {"not": {"field": "tags", "op": "has", "value": "Quiet"}},
            {"field": "tags", "op": "in", "value": ["Gold", tag(2, "").id.to_string()]},
        ]});
        assert_eq!(*bound.source_json(), shown);
        assert_eq!(bind(shown, &later).bindings(), bound.bindings(), "the shown condition has the same bindings");
    }

    #[test]
    fn reports_a_recreated_tag_or_field_as_lost() {
        let written = json!({"any": [
            {"field": "tags", "op": "has", "value": "VIP"},
            {"field": "custom_fields.plan", "op": "eq", "value": "pro"},
        ]});
        let bound = bind(written, &Vocabulary::new([field(1, "plan", &["pro"])], [], [tag(1, "VIP")]));
        let later = Vocabulary::new([field(2, "plan", &["pro"])], [], [tag(2, "VIP")]);
        let expected = [
            (LostKind::Tag, "/any/0/value".to_owned(), "VIP".to_owned()),
            (LostKind::Field, "/any/1/field".to_owned(), "plan".to_owned()),
        ];
        assert_eq!(lost_words(&bound, &later), expected);
    }

    #[test]
    fn reports_a_removed_option_as_lost() {
        let written = json!({"field": "custom_fields.plan", "op": "not_in", "value": ["pro", "free"]});
        let bound = bind(written, &Vocabulary::new([field(1, "plan", &["pro", "free"])], [], []));
        let later = Vocabulary::new([field(1, "plan", &["pro"])], [], []);
        assert_eq!(lost_words(&bound, &later), [(LostKind::Option, "/value/1".to_owned(), "free".to_owned())]);
    }

    #[test]
    fn bindings_are_stored_as_ids() {
        let bound =
            bind(json!({"field": "tags", "op": "has", "value": "VIP"}), &Vocabulary::new([], [], [tag(1, "VIP")]));
        let stored = serde_json::to_value(bound.bindings()).unwrap_or_default();
        assert_eq!(stored, json!({"/value": tag(1, "").id}));
        let read: Bindings = serde_json::from_value(stored).unwrap_or_default();
        assert_eq!(Some(&read), bound.bindings());
        assert!(serde_json::from_value::<Bindings>(json!({"/value": "VIP"})).is_err());
    }
}
