//! Checks of member and channel IDs in nodes and in conditions on conversations.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Finding;
use super::finding::Findings;
use crate::flows::KnownObjects;
use crate::flows::definition::{Mention, Mentioned, Reading};

/// Returns the member and channel IDs in conditions, with their pointers.
pub(super) fn in_conditions(reading: &Reading) -> Vec<Mention> {
    let mut found = Vec::new();
    reading.found.conditions.iter().for_each(|(pointer, condition)| look(condition, pointer, 1, &mut found));
    found
}

const MAX_DEPTH: usize = crate::conditions::MAX_DEPTH;

fn look(written: &Value, at: &str, depth: usize, found: &mut Vec<Mention>) {
    let Value::Object(members) = written else { return };
    if depth > MAX_DEPTH {
        return;
    }
    for group in ["all", "any"] {
        let items = members.get(group).and_then(Value::as_array).into_iter().flatten();
        items.enumerate().for_each(|(place, item)| look(item, &format!("{at}/{group}/{place}"), depth + 1, found));
    }
    if let Some(inner) = members.get("not") {
        look(inner, &format!("{at}/not"), depth + 1, found);
    }
    let what = match members.get("field").and_then(Value::as_str) {
        Some("conversation.channel_id") => Mentioned::Channel,
        Some("conversation.assignee_id") => Mentioned::User,
        Some(_) | None => return,
    };
    let mut note = |value: &Value, pointer: String| {
        let word = value.as_str().map(ToOwned::to_owned);
        found.extend(word.map(|word| Mention { what, word, pointer }));
    };
    match members.get("value") {
        Some(Value::Array(list)) => {
            list.iter().enumerate().for_each(|(place, value)| note(value, format!("{at}/value/{place}")));
        }
        Some(value) => note(value, format!("{at}/value")),
        None => {}
    }
}

/// Returns the IDs of the members that nodes and conditions name.
pub(super) fn members(reading: &Reading) -> BTreeSet<String> {
    let in_conditions = in_conditions(reading);
    let all = reading.found.mentions.iter().chain(&in_conditions);
    all.filter(|mention| mention.what == Mentioned::User).map(|mention| mention.word.clone()).collect()
}

/// Checks all member IDs, and the channel IDs in conditions; those in triggers are checked with the names.
pub(super) fn check(reading: &Reading, known: &KnownObjects, findings: &mut Findings) {
    let in_nodes = reading.found.mentions.iter().filter(|mention| mention.what == Mentioned::User);
    let in_conditions = in_conditions(reading);
    let all = in_nodes.map(|mention| (mention, true)).chain(in_conditions.iter().map(|mention| (mention, false)));
    for (Mention { what, word, pointer }, assigns) in all {
        let error = |code, message| Some(Finding::error(pointer.clone(), code, message).with("name", word.as_str()));
        let finding = match what {
            Mentioned::User => match word.parse().map(|id| known.members.get(&id)) {
                Ok(None) => error("unknown_member", format!("no member of this workspace has the ID {word}")),
                Ok(Some(role)) if assigns && !role.is_assignable() => {
                    let role = role.as_str();
                    error("not_assignable", format!("{word} has the role `{role}`, and cannot be assigned"))
                }
                Ok(Some(_)) | Err(_) => None,
            },
            Mentioned::Channel if word.parse().is_ok_and(|id| !known.channels.contains(&id)) => {
                error("unknown_channel", format!("no channel in this workspace has the ID {word}"))
            }
            Mentioned::Channel
            | Mentioned::Tag
            | Mentioned::Field
            | Mentioned::BotField
            | Mentioned::Flow
            | Mentioned::Sequence
            | Mentioned::Media => None,
        };
        findings.extend(finding);
    }
}
