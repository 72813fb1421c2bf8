//! What the workspace has, as definitions and conditions name it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{CompiledFlow, Conditions, EvalContext, Neighbours, Rival};
use crate::access::Role;
use crate::catalog::Catalog;
use crate::channels::Capabilities;
use crate::conditions::{Comparison, Condition, Facts, Vocabulary};
use crate::fields::{BotField, CustomField};
use crate::ids::{ChannelId, FlowId, SequenceId, TagId, UserId};
use crate::secrets::Secret;
use crate::tags::Tag;

/// What the workspace has of that which a definition names.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The tags that its words may mean, and some that its author may have meant.
    pub tags: Vec<Tag>,
    /// All custom fields.
    pub fields: Vec<CustomField>,
    /// All bot fields.
    pub bot_fields: Vec<BotField>,
    /// Those of the flows that it names.
    pub flows: BTreeSet<FlowId>,
    /// Those of the sequences that it names.
    pub sequences: BTreeSet<SequenceId>,
    /// The channels: all, or those that it names.
    pub channels: BTreeSet<ChannelId>,
    /// Those of the secrets: all, where it names any.
    pub secrets: Vec<Secret>,
    /// Which of the addresses that are written out in it may never be called, and why.
    pub forbidden_urls: BTreeMap<String, String>,
    /// Capabilities of the channels on which its runs send messages; `None` if they are not known.
    pub carriers: Option<Vec<Capabilities>>,
    /// Those of the members that it names, with their roles.
    pub members: BTreeMap<UserId, Role>,
    /// The published flows that it may set off without a wait.
    pub neighbours: Neighbours,
    /// Triggers of older active flows that have keywords of its own.
    pub rivals: Vec<Rival>,
    /// The flow whose definition it is, where it was saved already.
    pub own: Option<FlowId>,
}

impl Known {
    /// What conditions may speak of; variables only where a run asks.
    pub(super) fn vocabulary(&self, with_vars: bool) -> Vocabulary {
        let vocabulary = self.vocabulary_of_contacts().with_event();
        if with_vars { vocabulary.with_vars() } else { vocabulary }
    }

    /// What a condition may speak of that chooses contacts, without a run or an event.
    pub(super) fn vocabulary_of_contacts(&self) -> Vocabulary {
        let (fields, bot_fields) = (self.fields.iter().cloned(), self.bot_fields.iter().cloned());
        Vocabulary::new(fields, bot_fields, self.tags.iter().cloned())
    }

    /// The tags by the words that mean them: their ids, and their folded names.
    pub(super) fn tags_by_word(&self) -> BTreeMap<String, &Tag> {
        self.tags.iter().flat_map(|tag| [(tag.name_key(), tag), (tag.id.to_string(), tag)]).collect()
    }
}

/// Conditions of published versions, held against a workspace.
#[derive(Debug, Clone)]
pub(crate) struct WorkspaceConditions {
    vocabulary: Vocabulary,
    words: BTreeMap<String, TagId>,
}

impl WorkspaceConditions {
    /// With the fields of the workspace, and the tags that the version's words mean.
    pub(crate) fn new(
        fields: &[CustomField],
        bot_fields: &[BotField],
        tags: &[Tag],
        words: &BTreeMap<String, TagId>,
    ) -> Self {
        let (fields, bot_fields) = (fields.iter().cloned(), bot_fields.iter().cloned());
        let vocabulary = Vocabulary::new(fields, bot_fields, tags.iter().cloned()).with_vars().with_event();
        Self { vocabulary, words: words.clone() }
    }

    /// Those of a version, without the fields that were created with the key of one that it means.
    pub(crate) fn of_version(flow: &CompiledFlow, catalog: &Catalog, bot_fields: &[BotField]) -> Self {
        let own = flow.without_foreign(&catalog.fields);
        let bot_fields: Vec<BotField> = bot_fields.iter().filter(|field| flow.is_own(field)).cloned().collect();
        let tags: Vec<Tag> = flow.tags.values().filter_map(|tag| catalog.tags.get(tag)).cloned().collect();
        Self::new(own.as_ref().unwrap_or(&catalog.fields), &bot_fields, &tags, &flow.tags)
    }

    /// Values of the bot fields.
    pub(crate) fn bot_values(&self) -> serde_json::Map<String, Value> {
        self.vocabulary.bot_values()
    }

    /// Whether a condition holds and has all that it names.
    pub(crate) fn holds_whole(&self, condition: &Value, eval: &EvalContext<'_>) -> bool {
        self.read(condition).is_ok_and(|it| it.lost().is_empty() && it.holds(&facts(eval)))
    }

    /// With what the conditions themselves name.
    pub(crate) fn of(vocabulary: Vocabulary) -> Self {
        Self { vocabulary, words: BTreeMap::new() }
    }
}

impl Conditions for WorkspaceConditions {
    fn holds(&self, condition: &Value, eval: &EvalContext<'_>) -> Result<bool, String> {
        Ok(self.read(condition)?.holds(&facts(eval)))
    }

    fn explain(&self, condition: &Value, eval: &EvalContext<'_>) -> Vec<Comparison> {
        self.read(condition).map(|it| it.explain(condition, &facts(eval))).unwrap_or_default()
    }
}

impl WorkspaceConditions {
    fn read(&self, condition: &Value) -> Result<Condition, String> {
        let pinned = pinned(condition, &self.words);
        let condition = Condition::parse_stored(&pinned, &self.vocabulary);
        condition.map_err(|wrong| wrong.first().map(|it| it.message.clone()).unwrap_or_default())
    }
}

fn facts<'a>(eval: &EvalContext<'a>) -> Facts<'a> {
    Facts {
        contact: eval.contact,
        conversations: eval.conversation.map(std::slice::from_ref).unwrap_or_default(),
        bot_fields: eval.bot_fields,
        vars: Some(eval.vars),
        event: eval.event,
        now: eval.now,
        zone: eval.zone,
    }
}

/// The condition with tags by their ids, so that renaming a tag changes nothing.
pub(super) fn pinned(condition: &Value, words: &BTreeMap<String, TagId>) -> Value {
    let by_id = |value: &Value| match value.as_str().and_then(|word| words.get(word)) {
        Some(tag) => json!(tag.to_string()),
        None => value.clone(),
    };
    let Value::Object(object) = condition else { return condition.clone() };
    let of_tags = object.get("field").and_then(Value::as_str) == Some("tags");
    let members = object.iter().map(|(name, value)| {
        let value = match (name.as_str(), value) {
            ("value", Value::Array(list)) if of_tags => Value::Array(list.iter().map(by_id).collect()),
            ("value", value) if of_tags => by_id(value),
            ("all" | "any", Value::Array(list)) => {
                Value::Array(list.iter().map(|inner| pinned(inner, words)).collect())
            }
            ("not", inner) => pinned(inner, words),
            (_, value) => value.clone(),
        };
        (name.clone(), value)
    });
    Value::Object(members.collect())
}
