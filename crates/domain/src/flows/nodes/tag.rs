//! `add_tag` and `remove_tag`: add or remove a tag of the contact.

use super::kind::{Kind, NodeField};
use crate::contacts::{AppliedTag, MAX_TAGS};
use crate::events::EventKind;
use crate::flows::Effect;
use crate::flows::definition::{Fields, FlowFields, Mentioned};
use crate::flows::immediate_effect::ImmediateEffect;
use crate::flows::interpret::{Interpreter, NodeOutcome};
use crate::ids::TagId;
use crate::step_outcome::StepOutcome;
use crate::tags::Tag;

/// Adds a tag to the contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddTag {
    /// Name or ID of the tag.
    pub tag: String,
}

/// Removes a tag from the contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoveTag {
    /// Name or ID of the tag.
    pub tag: String,
}

impl Kind for AddTag {
    const WORD: &'static str = "add_tag";
    const ABOUT: &'static str = "Adds a tag to the contact.";
    const FIELDS: &'static [NodeField] = FIELDS;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        read(fields).map(|tag| Self { tag })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
        let Some(tag) = tag(interpreter, &self.tag) else { return missing(&self.tag, at) };
        if interpreter.contact.has_tag(tag.id) {
            return NodeOutcome::next(StepOutcome::AlreadyPresent.text());
        }
        if i64::try_from(interpreter.contact.tags.len()).unwrap_or(i64::MAX) >= MAX_TAGS {
            return NodeOutcome::failed("too_many_tags", format!("the contact already has {MAX_TAGS} tags"), at);
        }
        interpreter.contact.tags.push(AppliedTag {
            id: tag.id,
            name: tag.name.clone(),
            applied_at: interpreter.environment.now,
        });
        interpreter.effect(Effect::AddTag(tag.id));
        NodeOutcome::next(StepOutcome::Added.text())
    }

    fn immediate_effects(&self) -> Vec<ImmediateEffect> {
        vec![tag_event(EventKind::ContactTagAdded, &self.tag)]
    }
}

impl Kind for RemoveTag {
    const WORD: &'static str = "remove_tag";
    const ABOUT: &'static str = "Removes a tag from the contact.";
    const FIELDS: &'static [NodeField] = FIELDS;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        read(fields).map(|tag| Self { tag })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
        let Some(tag) = tag(interpreter, &self.tag) else { return missing(&self.tag, at) };
        match interpreter.contact.tags.iter().position(|link| link.id == tag.id) {
            None => NodeOutcome::next(StepOutcome::NotPresent.text()),
            Some(place) => {
                interpreter.contact.tags.remove(place);
                interpreter.effect(Effect::RemoveTag(tag.id));
                NodeOutcome::next(StepOutcome::Removed.text())
            }
        }
    }

    fn immediate_effects(&self) -> Vec<ImmediateEffect> {
        vec![tag_event(EventKind::ContactTagRemoved, &self.tag)]
    }
}

const FIELDS: &[NodeField] = &[NodeField::must("tag", "The name or ID of the tag."), NodeField::NEXT];

fn read(fields: &mut Fields<'_>) -> Option<String> {
    let word = fields.text("tag")?;
    fields.mention(Mentioned::Tag, "tag", word);
    Some(word.to_owned())
}

/// Returns the event for a change of this tag.
fn tag_event(kind: EventKind, word: &str) -> ImmediateEffect {
    let path = if word.parse::<TagId>().is_ok() { "event.tag.id" } else { "event.tag.name" };
    ImmediateEffect::Event(kind, vec![(path, word.to_owned())])
}

fn tag<'a>(interpreter: &Interpreter<'a>, word: &str) -> Option<&'a Tag> {
    interpreter.environment.tags.get(word)
}

fn missing(word: &str, at: &str) -> NodeOutcome {
    NodeOutcome::failed("tag_missing", format!("the tag {word} no longer exists"), at)
}
