//! Names in a condition that is not parsed yet.

use std::collections::BTreeSet;

use serde_json::Value;

use super::limits::{MAX_DEPTH, MAX_LEAVES};

/// The names in a condition as written. They determine the vocabulary to load, and whether a stored condition uses a
/// field or tag.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Keys of custom fields.
    pub custom_fields: BTreeSet<String>,
    /// Keys of bot fields.
    pub bot_fields: BTreeSet<String>,
    /// Tags, by ID or name.
    pub tags: BTreeSet<String>,
    /// Channels, by ID.
    pub channels: BTreeSet<String>,
    /// Members, by the IDs of their users.
    pub members: BTreeSet<String>,
}

/// Maximum number of names of each type. No valid condition has more.
const MOST: usize = MAX_LEAVES * 100;

impl Mentions {
    /// Collects the names in conditions. Invalid JSON has none.
    pub fn of<'c>(conditions: impl IntoIterator<Item = &'c Value>) -> Self {
        let mut mentions = Self::default();
        conditions.into_iter().for_each(|condition| mentions.look(condition, 1));
        mentions
    }

    fn look(&mut self, json: &Value, depth: usize) {
        let Value::Object(object) = json else { return };
        if depth > MAX_DEPTH {
            return;
        }
        for group in ["all", "any"] {
            let items = object.get(group).and_then(Value::as_array);
            items.into_iter().flatten().for_each(|item| self.look(item, depth + 1));
        }
        if let Some(inner) = object.get("not") {
            self.look(inner, depth + 1);
        }
        let note = |names: &mut BTreeSet<String>, name: &str| {
            if names.len() < MOST {
                names.insert(name.to_owned());
            }
        };
        let values = object.get("value").map(|value| value.as_array().map_or(std::slice::from_ref(value), |it| it));
        let values = values.into_iter().flatten().filter_map(Value::as_str);
        match object.get("field").and_then(Value::as_str) {
            Some("tags") => values.for_each(|tag| note(&mut self.tags, tag)),
            Some("conversation.channel_id") => values.for_each(|channel| note(&mut self.channels, channel)),
            Some("conversation.assignee_id") => values.for_each(|user| note(&mut self.members, user)),
            Some(field) => match field.split_once('.') {
                Some(("custom_fields", key)) => note(&mut self.custom_fields, key),
                Some(("bot_fields", key)) => note(&mut self.bot_fields, key),
                _ => {}
            },
            None => {}
        }
    }
}
