//! The workspace objects that definitions and conditions name.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{CompetingTrigger, CompiledFlow, Conditions, EvalContext, ReachableFlows};
use crate::access::Role;
use crate::catalog::Catalog;
use crate::channels::Capabilities;
use crate::conditions::{Comparison, Condition, Facts, Vocabulary};
use crate::fields::{BotField, CustomField};
use crate::ids::{ChannelId, FlowId, MediaId, SequenceId, TagId, UserId};
use crate::secrets::Secret;
use crate::tags::Tag;

/// The workspace objects that a definition names.
#[derive(Debug, Clone, Default)]
pub struct KnownObjects {
    /// The tags that its names may mean, and some recent tags for suggestions.
    pub tags: Vec<Tag>,
    /// All custom fields.
    pub fields: Vec<CustomField>,
    /// All bot fields.
    pub bot_fields: Vec<BotField>,
    /// The existing flows among those that it names.
    pub flows: BTreeSet<FlowId>,
    /// The existing sequences among those that it names.
    pub sequences: BTreeSet<SequenceId>,
    /// The channels: all, or those that it names.
    pub channels: BTreeSet<ChannelId>,
    /// The existing files among those that it names.
    pub media: BTreeSet<MediaId>,
    /// All secrets, if it names any.
    pub secrets: Vec<Secret>,
    /// The URLs in it that may never be called, each with the reason.
    pub forbidden_urls: BTreeMap<String, String>,
    /// Capabilities of the channels on which its runs send messages; `None` if they are not known.
    pub carriers: Option<Vec<Capabilities>>,
    /// The existing members among those that it names, with their roles.
    pub members: BTreeMap<UserId, Role>,
    /// The published flows that it may start without a wait.
    pub neighbours: ReachableFlows,
    /// Keyword triggers of older active flows that share keywords with it.
    pub rivals: Vec<CompetingTrigger>,
    /// The flow that the definition belongs to, if it was saved already.
    pub own: Option<FlowId>,
}

impl KnownObjects {
    /// Returns the names that conditions may use; variables only for conditions that a run evaluates.
    pub(super) fn vocabulary(&self, with_vars: bool) -> Vocabulary {
        let vocabulary = self.vocabulary_of_contacts().with_event();
        if with_vars { vocabulary.with_vars() } else { vocabulary }
    }

    /// Returns the names that a condition may use that selects contacts without a run or an event.
    pub(super) fn vocabulary_of_contacts(&self) -> Vocabulary {
        let (fields, bot_fields) = (self.fields.iter().cloned(), self.bot_fields.iter().cloned());
        Vocabulary::new(fields, bot_fields, self.tags.iter().cloned())
    }

    /// Returns the tags by the names that mean them: their IDs and their folded names.
    pub(super) fn tags_by_word(&self) -> BTreeMap<String, &Tag> {
        self.tags.iter().flat_map(|tag| [(tag.name_key(), tag), (tag.id.to_string(), tag)]).collect()
    }
}

/// Evaluates conditions of published versions in a workspace.
#[derive(Debug, Clone)]
pub(crate) struct WorkspaceConditions {
    vocabulary: Vocabulary,
    words: BTreeMap<String, TagId>,
}

impl WorkspaceConditions {
    /// Creates it from the fields of the workspace and the tags that the version's names mean.
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

    /// Creates it for a version, without fields that only share a key with a field that the version means.
    pub(crate) fn of_version(flow: &CompiledFlow, catalog: &Catalog, bot_fields: &[BotField]) -> Self {
        let own = flow.without_foreign(&catalog.fields);
        let bot_fields: Vec<BotField> = bot_fields.iter().filter(|field| flow.is_own(field)).cloned().collect();
        let tags: Vec<Tag> = flow.tags.values().filter_map(|tag| catalog.tags.get(tag)).cloned().collect();
        Self::new(own.as_ref().unwrap_or(&catalog.fields), &bot_fields, &tags, &flow.tags)
    }

    /// Returns the values of the bot fields.
    pub(crate) fn bot_values(&self) -> serde_json::Map<String, Value> {
        self.vocabulary.bot_values()
    }

    /// Whether a condition holds and all objects that it names exist.
    pub(crate) fn holds_whole(&self, condition: &Value, eval: &EvalContext<'_>) -> bool {
        self.read(condition).is_ok_and(|it| it.lost_words().is_empty() && it.holds(&facts(eval)))
    }

    /// Creates it without tag bindings of a version: the names in the conditions decide.
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

/// Replaces tag names in a condition with IDs, so renaming a tag changes nothing.
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
