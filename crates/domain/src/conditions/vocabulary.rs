//! The names that conditions of a workspace can use.

use std::collections::{BTreeMap, BTreeSet};

use super::bound::Meaning;
use crate::fields::{BotField, CustomField};
use crate::ids::{ChannelId, FieldId, TagId};
use crate::tags::Tag;
use crate::text::fold;

/// The names that conditions of a workspace can use: always the contact, its tags, custom fields and conversations, and
/// bot fields; in a flow also its variables and an event.
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
    /// Creates a vocabulary. It should contain all fields of the workspace (at most 200) and the tags that a condition
    /// [mentions](super::Mentions). Other tags only serve as suggestions.
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

    /// Adds tags.
    pub fn with_tags(mut self, tags: impl IntoIterator<Item = Tag>) -> Self {
        for tag in tags {
            if self.tags_by_key.insert(tag.name_key(), tag.id).is_none() {
                self.tag_names.push(tag.name);
            }
        }
        self
    }

    /// Removes the custom fields that do not satisfy the predicate.
    pub(crate) fn keep_fields(mut self, is_kept: impl Fn(&str, FieldId) -> bool) -> Self {
        self.custom_fields.retain(|key, field| is_kept(key, field.id));
        self
    }

    /// Sets the known channels. A reference to another channel is an error, or lost in a stored condition.
    pub fn with_channels(self, channels: impl IntoIterator<Item = ChannelId>) -> Self {
        Self { channels: Some(channels.into_iter().collect()), ..self }
    }

    /// Whether it has this channel. True if no channels were set.
    pub(super) fn has_channel(&self, id: ChannelId) -> bool {
        self.channels.as_ref().is_none_or(|channels| channels.contains(&id))
    }

    /// Adds `vars.*`, for the branches of a flow.
    pub fn with_vars(self) -> Self {
        Self { vars: true, ..self }
    }

    /// Adds `event.*`, for the trigger of a flow and the nodes after it.
    pub fn with_event(self) -> Self {
        Self { event: true, ..self }
    }

    /// The tag with this ID or name.
    pub(super) fn tag(&self, id_or_name: &str) -> Option<TagId> {
        match id_or_name.parse::<TagId>() {
            Ok(id) => self.tags_by_key.values().find(|known| **known == id).copied(),
            Err(_) => self.tags_by_key.get(&fold(id_or_name)).copied(),
        }
    }

    pub(crate) fn meaning_of_tag(&self, id_or_name: &str) -> Option<Meaning> {
        self.tag(id_or_name).map(Meaning::Tag)
    }

    pub(crate) fn meaning_of_field(&self, key: &str) -> Option<Meaning> {
        self.custom_fields.get(key).map(|field| Meaning::Field(field.id))
    }

    pub(crate) fn meaning_of_bot_field(&self, key: &str) -> Option<Meaning> {
        self.bot_fields.get(key).map(|field| Meaning::BotField(field.id))
    }

    pub(super) fn has_tag(&self, id: TagId) -> bool {
        self.tags_by_key.values().any(|known| *known == id)
    }

    /// The folded name of a tag.
    pub(super) fn tag_name(&self, id: TagId) -> Option<&str> {
        self.tags_by_key.iter().find(|(_, known)| **known == id).map(|(name, _)| name.as_str())
    }

    /// The values of bot fields by key, for [`Facts`](super::Facts). Fields without a value are absent.
    pub fn bot_values(&self) -> serde_json::Map<String, serde_json::Value> {
        let values = self.bot_fields.values();
        values.filter_map(|field| Some((field.key.clone(), field.value.clone()?))).collect()
    }
}
