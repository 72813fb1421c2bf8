//! What the conditions of a workspace may speak of.

use std::collections::{BTreeMap, BTreeSet};

use super::bound::Meaning;
use crate::fields::{BotField, CustomField};
use crate::ids::{ChannelId, FieldId, TagId};
use crate::tags::Tag;
use crate::text::fold;

/// What the conditions of a workspace may speak of: always the contact, its tags, custom fields and
/// conversations, and bot fields; where a flow asks, also its variables and an event.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    pub(super) custom_fields: BTreeMap<String, CustomField>,
    pub(super) bot_fields: BTreeMap<String, BotField>,
    tags_by_key: BTreeMap<String, TagId>,
    pub(super) tag_names: Vec<String>,
    channels: Option<BTreeSet<ChannelId>>,
    pub(super) vars: bool,
    pub(super) event: bool,
}

impl Vocabulary {
    /// With these fields and tags. All fields of the workspace should be here, as there are at most
    /// 200; of its tags those that a condition [mentions](super::Mentions), others only serve as hints.
    pub fn new(
        custom_fields: impl IntoIterator<Item = CustomField>,
        bot_fields: impl IntoIterator<Item = BotField>,
        tags: impl IntoIterator<Item = Tag>,
    ) -> Self {
        let vocabulary = Self {
            custom_fields: custom_fields.into_iter().map(|field| (field.key.clone(), field)).collect(),
            bot_fields: bot_fields.into_iter().map(|field| (field.key.clone(), field)).collect(),
            ..Self::default()
        };
        vocabulary.with_tags(tags)
    }

    /// Also these tags.
    pub fn with_tags(mut self, tags: impl IntoIterator<Item = Tag>) -> Self {
        for tag in tags {
            if self.tags_by_key.insert(tag.name_key(), tag.id).is_none() {
                self.tag_names.push(tag.name);
            }
        }
        self
    }

    /// Without the custom fields of which this does not hold.
    pub(crate) fn keep_fields(mut self, is_kept: impl Fn(&str, FieldId) -> bool) -> Self {
        self.custom_fields.retain(|key, field| is_kept(key, field.id));
        self
    }

    /// With these channels: a condition that names another one is refused, or has lost it.
    pub fn with_channels(self, channels: impl IntoIterator<Item = ChannelId>) -> Self {
        Self { channels: Some(channels.into_iter().collect()), ..self }
    }

    /// Whether it has this channel, or does not know any.
    pub(super) fn has_channel(&self, id: ChannelId) -> bool {
        self.channels.as_ref().is_none_or(|channels| channels.contains(&id))
    }

    /// Also `vars.*`, as in the branches of a flow.
    pub fn with_vars(self) -> Self {
        Self { vars: true, ..self }
    }

    /// Also `event.*`, as in the trigger of a flow and behind it.
    pub fn with_event(self) -> Self {
        Self { event: true, ..self }
    }

    /// The tag with this id or name.
    pub(super) fn tag(&self, id_or_name: &str) -> Option<TagId> {
        match id_or_name.parse::<TagId>() {
            Ok(id) => self.tags_by_key.values().find(|known| **known == id).copied(),
            Err(_) => self.tags_by_key.get(&fold(id_or_name)).copied(),
        }
    }

    /// The tag with this id or name, as a meaning.
    pub(crate) fn meaning_of_tag(&self, id_or_name: &str) -> Option<Meaning> {
        self.tag(id_or_name).map(Meaning::Tag)
    }

    /// The custom field with this key, as a meaning.
    pub(crate) fn meaning_of_field(&self, key: &str) -> Option<Meaning> {
        self.custom_fields.get(key).map(|field| Meaning::Field(field.id))
    }

    /// The bot field with this key, as a meaning.
    pub(crate) fn meaning_of_bot_field(&self, key: &str) -> Option<Meaning> {
        self.bot_fields.get(key).map(|field| Meaning::BotField(field.id))
    }

    /// Whether it has this tag.
    pub(super) fn has_tag(&self, id: TagId) -> bool {
        self.tags_by_key.values().any(|known| *known == id)
    }

    /// The name of a tag, folded.
    pub(super) fn tag_name(&self, id: TagId) -> Option<&str> {
        self.tags_by_key.iter().find(|(_, known)| **known == id).map(|(name, _)| name.as_str())
    }

    /// Values of the bot fields that have one, by key, as [`Facts`](super::Facts) want them.
    pub fn bot_values(&self) -> serde_json::Map<String, serde_json::Value> {
        let values = self.bot_fields.values();
        values.filter_map(|field| Some((field.key.clone(), field.value.clone()?))).collect()
    }
}
