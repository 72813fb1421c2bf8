//! Names that must mean something in the workspace.

use std::collections::BTreeMap;

use super::Finding;
use crate::conditions::{Condition, Mentions};
use crate::flows::Known;
use crate::flows::definition::{Mention, Mentioned, Reading};
use crate::ids::TagId;
use crate::text::{fold, nearest};

/// Checks the names of nodes and triggers, and tells which tags its words mean.
pub(super) fn check(reading: &Reading, known: &Known, findings: &mut Vec<Finding>) -> BTreeMap<String, TagId> {
    let mut tags = BTreeMap::new();
    for mention in &reading.mentions {
        if mention.what == Mentioned::Tag
            && let Some(tag) = known.tag(&mention.word)
        {
            tags.insert(mention.word.clone(), tag.id);
        } else {
            findings.extend(unknown(mention, known));
        }
    }
    for word in Mentions::of(reading.conditions.iter().map(|(_, condition)| condition)).tags {
        if let Some(tag) = known.tag(&word) {
            tags.insert(word, tag.id);
        }
    }
    tags
}

fn unknown(mention: &Mention, known: &Known) -> Option<Finding> {
    let Mention { what, word, pointer } = mention;
    let wrong = |code, message: String| Some(Finding::error(pointer.clone(), code, message));
    match what {
        Mentioned::Tag => {
            // Letter case does not count in names of tags, so neither does it in their likeness.
            let keys: Vec<String> = known.tags.iter().map(crate::tags::Tag::name_key).collect();
            let near = nearest(&fold(word), keys.iter().map(String::as_str));
            let near = known.tags.iter().zip(&keys).filter(|(_, key)| near.contains(&key.as_str()));
            let near = near.map(|(tag, _)| tag.name.as_str()).collect();
            wrong("unknown_tag", format!("no tag is called {word}")).map(|finding| finding.near(near))
        }
        Mentioned::Field if known.fields.iter().all(|field| field.key != *word) => {
            let near = nearest(word, known.fields.iter().map(|field| field.key.as_str()));
            wrong("unknown_field", format!("no custom field has the key {word}")).map(|finding| finding.near(near))
        }
        Mentioned::BotField if known.bot_fields.iter().all(|field| field.key != *word) => {
            let near = nearest(word, known.bot_fields.iter().map(|field| field.key.as_str()));
            wrong("unknown_field", format!("no bot field has the key {word}")).map(|finding| finding.near(near))
        }
        Mentioned::Flow => {
            let flow = word.parse().ok()?;
            if known.own == Some(flow) {
                return wrong("recursion", "a flow does not go over to itself".to_owned());
            }
            let missing = !known.flows.contains(&flow);
            missing.then(|| wrong("unknown_flow", "no flow of the workspace has this id".to_owned()))?
        }
        Mentioned::Sequence => {
            let missing = !known.sequences.contains(&word.parse().ok()?);
            missing.then(|| wrong("unknown_sequence", "no sequence of the workspace has this id".to_owned()))?
        }
        Mentioned::Channel => {
            let missing = !known.channels.contains(&word.parse().ok()?);
            missing.then(|| wrong("unknown_channel", "no channel of the workspace has this id".to_owned()))?
        }
        Mentioned::Field | Mentioned::BotField | Mentioned::User => None,
    }
}

/// Checks conditions: of branches, which see variables, and of triggers, which do not.
pub(super) fn check_conditions(reading: &Reading, known: &Known, findings: &mut Vec<Finding>) {
    let (of_nodes, of_triggers) = (known.vocabulary(true), known.vocabulary(false));
    for (pointer, condition) in &reading.conditions {
        let vocabulary = if pointer.starts_with("/nodes") { &of_nodes } else { &of_triggers };
        for violation in Condition::parse(condition, vocabulary).err().into_iter().flatten() {
            findings.push(Finding::of_violation(&violation.under(pointer)));
        }
    }
}
