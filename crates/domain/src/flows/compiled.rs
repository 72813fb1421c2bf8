//! A published version in the form that runs use; it is immutable, so it is parsed once.

use std::collections::BTreeMap;

use super::definition::{Mentioned, Reading};
use super::nodes::NodeType;
use super::{Definition, FlowVersion, Template};
use crate::conditions::{Bindings, Meaning};
use crate::fields::{BotField, CustomField};
use crate::ids::{BotFieldId, FieldId, FlowId, MediaId, SecretId, SequenceId, TagId};
use crate::ports::StoreError;
use crate::secrets::Secret;

/// A parsed published version.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledFlow {
    /// The graph.
    pub definition: Definition,
    /// The tags that its names mean.
    pub tags: BTreeMap<String, TagId>,
    /// The custom fields that its keys mean. Another field with the same key is foreign to it.
    pub fields: BTreeMap<String, FieldId>,
    /// The bot fields that its keys mean.
    pub bot_fields: BTreeMap<String, BotFieldId>,
    /// The secrets that its texts mean, by name.
    pub secrets: BTreeMap<String, SecretId>,
    /// The flows that its nodes name.
    pub flows: Vec<FlowId>,
    /// The sequences that its nodes name.
    pub sequences: Vec<SequenceId>,
    /// The files of its messages.
    pub media: Vec<MediaId>,
    /// Length of its definition as text, in bytes: an estimate of its memory use.
    pub bytes: usize,
    /// Whether it may name bot fields.
    pub names_bot_fields: bool,
    /// Whether it contains conditions.
    pub has_conditions: bool,
    /// Whether its runs wait for events.
    pub awaits_events: bool,
    /// Whether it needs the workspace settings: the time zone, for a wait, a text or a condition on days, or the
    /// default country.
    pub asks_settings: bool,
}

impl CompiledFlow {
    /// Whether a bot field is one that it means; false if the field only shares a key with it.
    pub(super) fn is_own(&self, field: &BotField) -> bool {
        self.bot_fields.get(&field.key).is_none_or(|id| *id == field.id)
    }

    /// Whether a secret is one that it means; false if the secret only shares a name with it.
    pub(super) fn is_own_secret(&self, secret: &Secret) -> bool {
        self.secrets.get(&secret.name).is_none_or(|id| *id == secret.id)
    }

    /// Returns the custom fields without the foreign ones; `None` if none is foreign.
    pub(super) fn without_foreign(&self, fields: &[CustomField]) -> Option<Vec<CustomField>> {
        let is_own = |field: &CustomField| self.fields.get(&field.key).is_none_or(|id| *id == field.id);
        (!fields.iter().all(is_own)).then(|| fields.iter().filter(|field| is_own(field)).cloned().collect())
    }
}

impl FlowVersion {
    /// Returns the objects that its names mean, by field key or secret name.
    fn keys(&self) -> impl Iterator<Item = (String, Meaning)> {
        self.bindings.iter().flat_map(Bindings::iter).filter_map(|(pointer, meaning)| {
            let word = match pointer.split_once('#') {
                Some((_, word)) => word,
                None => self.definition.pointer(pointer)?.as_str()?,
            };
            Some((word.rsplit('.').next()?.to_owned(), meaning))
        })
    }

    /// Parses the definition.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if the definition is invalid.
    pub fn compile(&self) -> Result<CompiledFlow, StoreError> {
        let Reading { definition, found, .. } = Reading::of(&self.definition);
        let corrupt = || StoreError::Corrupt(format!("version {} of {} cannot be read", self.number, self.flow));
        let definition = definition.ok_or_else(corrupt)?;
        let text = self.definition.to_string();
        let has = |is: fn(NodeType) -> bool| definition.nodes.values().any(|node| is(node.action.node_type()));
        Ok(CompiledFlow {
            bytes: text.len(),
            // Templates and conditions use this name too.
            names_bot_fields: text.contains("bot_field"),
            has_conditions: has(|kind| kind.asks_conditions),
            awaits_events: has(|kind| kind.awaits_events),
            asks_settings: has(|kind| kind.asks_settings) || Template::asks_zone(&text) || text.contains("within_last"),
            tags: self.tags.clone(),
            fields: self.keys().filter_map(|(key, it)| Some((key, it.field()?))).collect(),
            secrets: self.keys().filter_map(|(name, it)| Some((name, it.secret()?))).collect(),
            bot_fields: self.keys().filter_map(|(key, it)| Some((key, it.bot_field()?))).collect(),
            flows: found.names_of(Mentioned::Flow).filter_map(|word| word.parse().ok()).collect(),
            sequences: found.names_of(Mentioned::Sequence).filter_map(|word| word.parse().ok()).collect(),
            media: found.names_of(Mentioned::Media).filter_map(|word| word.parse().ok()).collect(),
            definition,
        })
    }
}
