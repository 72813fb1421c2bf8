//! Checks of the names that refer to workspace objects.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use super::finding::Findings;
use crate::conditions::Mentions;
use crate::flows::KnownObjects;
use crate::flows::definition::{Mention, Mentioned, Reading};
use crate::ids::TagId;
use crate::references::Referent;
use crate::text::fold;

/// Checks the names in nodes and triggers, and returns the tags that the names mean.
pub(super) fn check(reading: &Reading, known: &KnownObjects, findings: &mut Findings) -> BTreeMap<String, TagId> {
    let mut tags = BTreeMap::new();
    let by_word = known.tags_by_word();
    let tag = |word: &str| by_word.get(word).or_else(|| by_word.get(&fold(word))).map(|tag| tag.id);
    for mention in &reading.found.mentions {
        if mention.what == Mentioned::Tag
            && let Some(id) = tag(&mention.word)
        {
            tags.insert(mention.word.clone(), id);
        } else if !findings.is_full() {
            unknown(mention, known, findings).into_iter().for_each(|finding| findings.push(finding));
        }
    }
    for word in Mentions::of(reading.found.conditions.iter().map(|(_, condition)| condition)).tags {
        if let Some(id) = tag(&word) {
            tags.insert(word, id);
        }
    }
    tags
}

/// Returns all existing objects that it names.
pub(super) fn uses(reading: &Reading, known: &KnownObjects, tags: &BTreeMap<String, TagId>) -> BTreeSet<Referent> {
    let field = |key: &str| known.fields.iter().find(|field| field.key == key).map(|field| Referent::Field(field.id));
    let bot_field =
        |key: &str| known.bot_fields.iter().find(|field| field.key == key).map(|field| Referent::BotField(field.id));
    let secret = |name: &str| known.secrets.iter().find(|secret| secret.name == name).map(|it| Referent::Secret(it.id));
    let mut uses: BTreeSet<Referent> = tags.values().copied().map(Referent::Tag).collect();
    uses.extend(reading.found.mentions.iter().filter_map(|mention| match mention.what {
        Mentioned::Tag | Mentioned::User => None,
        Mentioned::Field => field(&mention.word),
        Mentioned::BotField => bot_field(&mention.word),
        Mentioned::Flow => mention.word.parse().ok().map(Referent::Flow),
        Mentioned::Sequence => mention.word.parse().ok().map(Referent::Sequence),
        Mentioned::Channel => mention.word.parse().ok().map(Referent::Channel),
        Mentioned::Media => mention.word.parse().ok().map(Referent::Media),
    }));
    let in_conditions = Mentions::of(reading.found.conditions.iter().map(|(_, condition)| condition));
    uses.extend(in_conditions.custom_fields.iter().filter_map(|key| field(key)));
    uses.extend(in_conditions.bot_fields.iter().filter_map(|key| bot_field(key)));
    let names: BTreeSet<String> = reading.found.templates.iter().flat_map(|(_, template)| template.names()).collect();
    for name in names {
        let mut parts = name.split('.');
        uses.extend(match (parts.next(), parts.next()) {
            (Some("custom_fields"), Some(key)) => field(key),
            (Some("bot_fields"), Some(key)) => bot_field(key),
            (Some("secrets"), Some(name)) => secret(name),
            _ => None,
        });
    }
    uses
}

fn unknown(mention: &Mention, known: &KnownObjects, findings: &mut Findings) -> Option<Finding> {
    let Mention { what, word, pointer } = mention;
    let wrong =
        |code, message: String| Some(Finding::error(pointer.clone(), code, message).with("name", word.as_str()));
    match what {
        Mentioned::Tag => {
            // Tag names ignore case, so suggestions do too.
            let keys: Vec<String> = known.tags.iter().map(crate::tags::Tag::name_key).collect();
            let near = findings.nearest(&fold(word), keys.iter().map(String::as_str));
            let near = known.tags.iter().zip(&keys).filter(|(_, key)| near.contains(&key.as_str()));
            let near = near.map(|(tag, _)| tag.name.as_str()).collect();
            wrong("unknown_tag", format!("no tag has the name or ID {word}")).map(|finding| finding.near(near))
        }
        Mentioned::Field if known.fields.iter().all(|field| field.key != *word) => {
            let near = findings.nearest(word, known.fields.iter().map(|field| field.key.as_str()));
            wrong("unknown_field", format!("no custom field has the key {word}")).map(|finding| finding.near(near))
        }
        Mentioned::BotField if known.bot_fields.iter().all(|field| field.key != *word) => {
            let near = findings.nearest(word, known.bot_fields.iter().map(|field| field.key.as_str()));
            wrong("unknown_field", format!("no bot field has the key {word}")).map(|finding| finding.near(near))
        }
        Mentioned::Flow => {
            let flow = word.parse().ok()?;
            if known.own == Some(flow) {
                let message = "a flow cannot start or call itself";
                return Some(Finding::error(pointer.clone(), "recursion", message));
            }
            let missing = !known.flows.contains(&flow);
            missing.then(|| wrong("unknown_flow", format!("no flow in this workspace has the ID {word}")))?
        }
        Mentioned::Sequence => {
            let missing = !known.sequences.contains(&word.parse().ok()?);
            missing.then(|| wrong("unknown_sequence", format!("no sequence in this workspace has the ID {word}")))?
        }
        Mentioned::Channel => {
            let missing = !known.channels.contains(&word.parse().ok()?);
            missing.then(|| wrong("unknown_channel", format!("no channel in this workspace has the ID {word}")))?
        }
        Mentioned::Media => {
            let missing = !known.media.contains(&word.parse().ok()?);
            missing.then(|| wrong("unknown_media", format!("no file in this workspace has the ID {word}")))?
        }
        Mentioned::Field | Mentioned::BotField | Mentioned::User => None,
    }
}
