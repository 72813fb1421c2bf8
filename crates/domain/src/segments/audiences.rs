//! Stored conditions that select contacts: binding, references, losses and selection.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::Audience;
use crate::access::Access;
use crate::conditions::{
    BoundCondition, Condition, LostKind, LostWord, Mentions, Names, Selection, Vocabulary, vocabulary_for,
};
use crate::error::Violation;
use crate::ids::TagId;
use crate::ports::{Ports, StoreError};
use crate::references::Referent;
use crate::sequences::zone_of;
use crate::time::Timestamp;

/// The contacts that a condition selects, and its references.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The selection.
    pub selection: Selection,
    /// The objects that it refers to.
    pub names: Names,
}

/// Access to the conditions that select contacts.
#[derive(Clone)]
pub struct Audiences {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl Audiences {
    /// Binds a client's condition to the current objects, or returns its violations with pointers under `pointer`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn bind(
        &self,
        access: &Access,
        written: &Value,
        pointer: &str,
    ) -> Result<Result<BoundCondition, Vec<Violation>>, StoreError> {
        let vocabulary = self.vocabulary(access, &Mentions::of([written])).await?;
        match Condition::parse(written, &vocabulary).map(Condition::bound) {
            Ok(mut bound) => {
                self.rename(access, [&mut bound]).await?;
                Ok(Ok(bound))
            }
            Err(wrong) => Ok(Err(wrong.into_iter().map(|violation| violation.under(pointer)).collect())),
        }
    }

    /// Binds a client's audience in the same way.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn bind_audience(
        &self,
        access: &Access,
        audience: &Audience,
        pointer: &str,
    ) -> Result<Result<Audience, Vec<Violation>>, StoreError> {
        match audience {
            Audience::Condition(condition) => {
                Ok(self.bind(access, condition.source_json(), pointer).await?.map(Audience::Condition))
            }
            Audience::Segment(segment) => match self.ports.segments.get(access, *segment).await? {
                Some(_) => Ok(Ok(audience.clone())),
                None => {
                    let pointer = format!("{pointer}/segment_id");
                    let message = "no segment in this workspace has this ID";
                    Ok(Err(vec![Violation::new(pointer, "unknown_segment", message)]))
                }
            },
        }
    }

    /// The existing objects that a stored condition refers to.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn names(&self, access: &Access, condition: &BoundCondition) -> Result<Vec<Referent>, StoreError> {
        let condition = self.read(access, condition).await?.0;
        let mut names = condition.names();
        for channel in condition.lost_words().iter().filter_map(|it| it.name.parse().ok()) {
            names.channels.remove(&channel);
        }
        let tags = names.tags.into_iter().map(Referent::Tag);
        let fields = names.custom_fields.into_iter().map(Referent::Field);
        let bot_fields = names.bot_fields.into_iter().map(Referent::BotField);
        let channels = names.channels.into_iter().map(Referent::Channel);
        Ok(tags.chain(fields).chain(bot_fields).chain(channels).collect())
    }

    /// The current condition of an audience; `None` if its segment was deleted.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn condition(&self, access: &Access, audience: &Audience) -> Result<Option<BoundCondition>, StoreError> {
        Ok(match audience {
            Audience::Condition(condition) => Some(condition.clone()),
            Audience::Segment(segment) => self.ports.segments.get(access, *segment).await?.map(|it| it.condition),
        })
    }

    /// The contacts that a condition selects at `now`; or violations for its lost names, which would change the
    /// selection.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn choice(
        &self,
        access: &Access,
        condition: &BoundCondition,
        now: Timestamp,
    ) -> Result<Result<Choice, Vec<Violation>>, StoreError> {
        let (condition, vocabulary) = self.read(access, condition).await?;
        if !condition.lost_words().is_empty() {
            return Ok(Err(condition.lost_words().iter().map(violation).collect()));
        }
        let zone = zone_of(&*self.ports.access, access).await?;
        Ok(Ok(Choice {
            selection: condition.selection(&vocabulary.bot_values(), now, zone).without_retired(&vocabulary),
            names: condition.names(),
        }))
    }

    /// The contacts that a stored condition selects at `now`. A lost name has no value.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn selection(
        &self,
        access: &Access,
        condition: &BoundCondition,
        now: Timestamp,
    ) -> Result<Selection, StoreError> {
        let (condition, vocabulary) = self.read(access, condition).await?;
        let zone = zone_of(&*self.ports.access, access).await?;
        Ok(condition.selection(&vocabulary.bot_values(), now, zone).without_retired(&vocabulary))
    }

    /// The names in a stored condition that no longer have an object.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn lost_words(&self, access: &Access, condition: &BoundCondition) -> Result<Vec<LostWord>, StoreError> {
        Ok(self.read(access, condition).await?.0.lost_words().to_vec())
    }

    /// Replaces the names of tags in stored conditions by their current names.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn rename<'c>(
        &self,
        access: &Access,
        conditions: impl IntoIterator<Item = &'c mut BoundCondition>,
    ) -> Result<(), StoreError> {
        let conditions: Vec<_> = conditions.into_iter().collect();
        let tags: BTreeSet<TagId> = conditions.iter().flat_map(|it| it.named_tags()).collect();
        if tags.is_empty() {
            return Ok(());
        }
        let tags: Vec<TagId> = tags.into_iter().collect();
        let tags = self.ports.tags.by_ids(access, &tags).await?;
        let names: BTreeMap<TagId, String> = tags.into_iter().map(|tag| (tag.id, tag.name)).collect();
        conditions.into_iter().for_each(|it| it.rename(|tag| names.get(&tag).cloned()));
        Ok(())
    }

    async fn vocabulary(&self, access: &Access, mentions: &Mentions) -> Result<Vocabulary, StoreError> {
        let vocabulary = vocabulary_for(access, &*self.ports.fields, &*self.ports.tags, mentions).await?;
        let mut channels = Vec::new();
        for channel in mentions.channels.iter().filter_map(|word| word.parse().ok()) {
            channels.extend(self.ports.channels.get(access, channel).await?.map(|it| it.id));
        }
        Ok(vocabulary.with_channels(channels))
    }

    async fn read(&self, access: &Access, condition: &BoundCondition) -> Result<(Condition, Vocabulary), StoreError> {
        let vocabulary = self.vocabulary(access, &condition.mentions()).await?;
        let corrupt = |_| StoreError::Corrupt("a stored condition cannot be read".to_owned());
        let read = Condition::parse_bound(condition, &vocabulary).map_err(corrupt)?;
        Ok((read, vocabulary))
    }
}

/// Converts a lost name to a violation.
fn violation(lost: &LostWord) -> Violation {
    let code = match lost.kind {
        LostKind::Tag => "unknown_tag",
        LostKind::Field | LostKind::BotField => "unknown_field",
        LostKind::Option => "invalid_value",
        LostKind::Channel => "unknown_channel",
        LostKind::Secret => "unknown_secret",
    };
    let kind = lost.kind.as_str().replace('_', " ");
    Violation::new(lost.pointer.clone(), code, format!("the {kind} was deleted; update the condition"))
}
