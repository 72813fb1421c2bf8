//! Bindings of names in drafts and versions to the IDs of workspace objects.

use std::collections::BTreeMap;

use serde_json::Value;

use super::analyse::named_members;
use super::definition::{Mentioned, Reading};
use super::{Flow, FlowService};
use crate::access::Access;
use crate::conditions::{Bindings, Condition, LostKind, Meaning, Mentions, Vocabulary, rename, vocabulary_for};
use crate::error::Violation;
use crate::ids::{SecretId, TagId};
use crate::ports::StoreError;
use crate::references::{LostReference, Referent, lost_members};
use crate::time::Timestamp;

/// Binds the names in a definition: tags, field keys and secret names in nodes, triggers, conditions and texts.
/// Unknown names stay text.
fn bind_definition(definition: &Value, vocabulary: &Vocabulary, secrets: &BTreeMap<String, SecretId>) -> Bindings {
    let reading = Reading::of(definition);
    let mut bindings = Bindings::default();
    for mention in &reading.found.mentions {
        let meaning = match mention.what {
            Mentioned::Tag => vocabulary.meaning_of_tag(&mention.word),
            Mentioned::Field => vocabulary.meaning_of_field(&mention.word),
            Mentioned::BotField => vocabulary.meaning_of_bot_field(&mention.word),
            // These are named by ID.
            Mentioned::Flow | Mentioned::Sequence | Mentioned::Channel | Mentioned::User | Mentioned::Media => None,
        };
        meaning.into_iter().for_each(|meaning| bindings.insert(&*mention.pointer, meaning));
    }
    for (at, condition) in &reading.found.conditions {
        if let Ok(read) = Condition::parse_stored(condition, vocabulary) {
            bindings.extend_under(at, read.bindings());
        }
    }
    for (at, template) in &reading.found.templates {
        for name in template.names() {
            let mut parts = name.split('.');
            let (Some(root), Some(key)) = (parts.next(), parts.next()) else { continue };
            let meaning = match root {
                "custom_fields" => vocabulary.meaning_of_field(key),
                "bot_fields" => vocabulary.meaning_of_bot_field(key),
                "secrets" => secrets.get(key).map(|secret| Meaning::Secret(*secret)),
                _ => None,
            };
            // A name inside a text has no JSON pointer, so the key is the text's pointer, `#` and the name.
            meaning.into_iter().for_each(|meaning| bindings.insert(format!("{at}#{root}.{key}"), meaning));
        }
    }
    bindings
}

/// Returns the names in a definition that may mean tags and fields, to load those objects.
fn mentions_of(definition: &Value) -> Mentions {
    let reading = Reading::of(definition);
    let mut mentions = Mentions::of(reading.found.conditions.iter().map(|(_, condition)| condition));
    mentions.tags.extend(reading.found.names_of(Mentioned::Tag).map(ToOwned::to_owned));
    mentions
}

/// A name of a deleted object in a draft.
struct LostOfDraft {
    pointer: String,
    kind: LostKind,
    name: String,
    meaning: Meaning,
}

impl FlowService {
    /// Binds the names in a definition to the objects that have them now.
    pub(super) async fn bound(&self, access: &Access, definition: &Value) -> Result<Bindings, StoreError> {
        let mentions = mentions_of(definition);
        let vocabulary = vocabulary_for(access, &*self.ports.fields, &*self.ports.tags, &mentions).await?;
        let secrets = self.secrets(access, definition).await?;
        Ok(bind_definition(definition, &vocabulary.with_vars().with_event(), &secrets))
    }

    async fn secrets(&self, access: &Access, definition: &Value) -> Result<BTreeMap<String, SecretId>, StoreError> {
        let secrets = match super::analyse::named_secrets(definition).is_empty() {
            true => Vec::new(),
            false => self.ports.workspace_secrets.all(access).await?,
        };
        Ok(secrets.into_iter().map(|secret| (secret.name, secret.id)).collect())
    }

    /// Writes the current names of its bound tags into a definition.
    pub(super) async fn renamed(
        &self,
        access: &Access,
        definition: &mut Value,
        bindings: Option<&Bindings>,
    ) -> Result<(), StoreError> {
        let Some(bindings) = bindings else { return Ok(()) };
        let tags: Vec<TagId> = bindings.named_tags(definition).collect();
        if !tags.is_empty() {
            let tags = self.ports.tags.by_ids(access, &tags).await?;
            let names: BTreeMap<TagId, String> = tags.into_iter().map(|tag| (tag.id, tag.name)).collect();
            rename(definition, bindings, |tag| names.get(&tag).cloned());
        }
        Ok(())
    }

    async fn lost_bindings(
        &self,
        access: &Access,
        definition: &Value,
        bindings: Option<&Bindings>,
    ) -> Result<Vec<LostOfDraft>, StoreError> {
        let Some(bindings) = bindings else { return Ok(Vec::new()) };
        let tags: Vec<TagId> = bindings.tags().map(|(_, tag)| tag).collect();
        let tags = if tags.is_empty() { Vec::new() } else { self.ports.tags.by_ids(access, &tags).await? };
        let (fields, bot_fields) =
            futures::try_join!(self.ports.fields.all(access), self.ports.fields.bot_all(access))?;
        let secrets = self.secrets(access, definition).await?;
        let mut lost = Vec::new();
        for (pointer, meaning) in bindings.iter() {
            let (is_there, kind) = match meaning {
                Meaning::Tag(id) => (tags.iter().any(|it| it.id == id), LostKind::Tag),
                Meaning::Field(id) => (fields.iter().any(|it| it.id == id), LostKind::Field),
                Meaning::BotField(id) => (bot_fields.iter().any(|it| it.id == id), LostKind::BotField),
                Meaning::Secret(id) => (secrets.values().any(|it| *it == id), LostKind::Secret),
            };
            if !is_there {
                let (pointer, in_text) = pointer.split_once('#').unwrap_or((pointer, ""));
                let word = definition.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
                let name = if in_text.is_empty() { word } else { in_text };
                let name = name.split_once('.').filter(|_| kind != LostKind::Tag).map_or(name, |(_, key)| key);
                lost.push(LostOfDraft { pointer: pointer.to_owned(), kind, name: name.to_owned(), meaning });
            }
        }
        Ok(lost)
    }

    /// Returns a violation for each name of a deleted object in a draft. A new object with the same name does not
    /// replace the deleted one.
    pub(super) async fn lost_words(
        &self,
        access: &Access,
        definition: &Value,
        bindings: Option<&Bindings>,
    ) -> Result<Vec<Violation>, StoreError> {
        let lost = self.lost_bindings(access, definition, bindings).await?;
        let wrong = lost.into_iter().map(|it| {
            let what = it.kind.as_str().replace('_', " ");
            let message = format!("the {what} “{}” was deleted; update the definition to use another one", it.name);
            Violation::new(it.pointer, "lost_reference", message)
        });
        Ok(wrong.collect())
    }

    /// Returns the deleted objects that the draft of a flow names.
    pub(super) async fn lost_of_draft(&self, access: &Access, flow: &Flow) -> Result<Vec<LostReference>, StoreError> {
        let lost = self.lost_bindings(access, &flow.definition, flow.bindings.as_ref()).await?;
        let members = named_members(&flow.definition);
        let members = lost_members(&*self.ports.members, access, members, flow.updated_at).await?;
        Ok(lost.into_iter().map(|it| it.into_lost_reference(flow.updated_at)).chain(members).collect())
    }

    /// Returns the deleted objects that the published version of a flow names, and removed options in its conditions.
    pub(super) async fn lost_of_published(
        &self,
        access: &Access,
        flow: &Flow,
    ) -> Result<Vec<LostReference>, StoreError> {
        let Some(number) = flow.version_published else { return Ok(Vec::new()) };
        let Some(version) = self.ports.flows.version(access, flow.id, number).await? else { return Ok(Vec::new()) };
        let lost = self.lost_bindings(access, &version.definition, version.bindings.as_ref()).await?;
        let mut told: Vec<_> = lost.into_iter().map(|it| it.into_lost_reference(version.created_at)).collect();
        let members = named_members(&version.definition);
        told.extend(lost_members(&*self.ports.members, access, members, version.created_at).await?);
        let vocabulary = vocabulary_for(access, &*self.ports.fields, &*self.ports.tags, &Mentions::default()).await?;
        let vocabulary = vocabulary.with_vars().with_event();
        for (_, condition) in &Reading::of(&version.definition).found.conditions {
            let Ok(read) = Condition::parse_stored(condition, &vocabulary) else { continue };
            told.extend(read.lost_words().iter().filter(|it| it.kind == LostKind::Option).map(|it| LostReference {
                kind: it.kind.as_str(),
                target: None,
                name: it.name.clone(),
                at: it.at.unwrap_or(version.created_at),
            }));
        }
        Ok(told)
    }
}

impl LostOfDraft {
    fn into_lost_reference(self, at: Timestamp) -> LostReference {
        let target = match self.meaning {
            Meaning::Tag(id) => Referent::Tag(id),
            Meaning::Field(id) => Referent::Field(id),
            Meaning::BotField(id) => Referent::BotField(id),
            Meaning::Secret(id) => Referent::Secret(id),
        };
        LostReference { kind: self.kind.as_str(), target: Some(target), name: self.name, at }
    }
}
