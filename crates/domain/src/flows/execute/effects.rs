//! Turns what the interpreter wants into changes, events and jobs.

use serde_json::{Map, Value};

use super::RunExecutor;
use super::context::StepContext;
use crate::access::Access;
use crate::contacts::{ContactView, TagLinkView, previous_attributes, tag_event};
use crate::events::{EventDraft, EventKind};
use crate::fields::CustomFieldView;
use crate::flows::{Advance, Effect, StartPlan, Started, Starter, TracedEffect};
use crate::ids::TypedId;
use crate::ports::{Change, ChangeSet, FieldChange, Guard, Object, Row, TagChange};
use crate::retry::AttemptError;
use crate::sequences::FlowEnrollments;

impl RunExecutor {
    /// Adds all that a step does, and notes in its trace what came of it.
    pub(super) async fn apply(
        &self,
        access: &Access,
        context: &StepContext,
        step: &mut Advance,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        set.guard(Guard::Catalog(context.catalog.revision));
        self.write_contact(access, context, step, set);
        let mut conversation = context.conversation.clone();
        for TracedEffect { trace, effect } in step.effects.clone() {
            let outcome = match effect {
                Effect::Send(content) | Effect::Note(content) => {
                    let said = self.say(access, (context, &step.contact), &mut conversation, *content, set);
                    if let Some(entry) = step.trace.get_mut(trace) {
                        entry.message = said.as_ref().map(|(id, _)| *id);
                    }
                    said.map(|(_, outcome)| outcome)
                }
                Effect::SetBotField(field) => {
                    set.change(Change::Update(Row::BotField(field)));
                    None
                }
                Effect::EnrollSequence(sequence) => Some(self.enroll(access, context, &sequence, true, set).await?),
                Effect::ExitSequence(sequence) => Some(self.enroll(access, context, &sequence, false, set).await?),
                Effect::StartFlow(flow) => Some(self.go_over(access, context, step.vars.clone(), &flow, set).await?),
                Effect::ResolveConversation | Effect::AssignConversation(_) => {
                    Some(self.change_conversation(access, &mut conversation, &effect, set))
                }
                Effect::AddTag(_) | Effect::RemoveTag(_) | Effect::SetAttribute(..) | Effect::SetValue(..) => None,
            };
            if let Some(outcome) = outcome {
                append(step, trace, &outcome);
            }
        }
        Ok(())
    }

    /// Writes what changed about the contact, with one event for each fact.
    fn write_contact(&self, access: &Access, context: &StepContext, step: &mut Advance, set: &mut ChangeSet) {
        let before = &context.contact;
        let touches = |traced: &TracedEffect| {
            matches!(
                traced.effect,
                Effect::AddTag(_) | Effect::RemoveTag(_) | Effect::SetAttribute(..) | Effect::SetValue(..)
            )
        };
        if !step.effects.iter().any(touches) {
            return;
        }
        step.contact.touch(self.ports.clock.now());
        let contact = &step.contact;
        set.change(Change::Update(Row::Contact(Box::new(contact.clone()))));
        let view = ContactView::from(contact);
        let tell = |set: &mut ChangeSet, event: EventDraft| {
            set.tell(event.about(contact.id), access, &*self.ports.clock, &*self.ports.ids);
        };
        if step.effects.iter().any(|traced| matches!(traced.effect, Effect::SetAttribute(..))) {
            let previous = previous_attributes(&ContactView::from(before), &view);
            tell(set, EventDraft::new(EventKind::ContactUpdated, &view).with("previous", &previous));
        }
        for traced in &step.effects {
            match &traced.effect {
                Effect::AddTag(id) | Effect::RemoveTag(id) => {
                    let Some(tag) = context.tags.values().find(|tag| tag.id == *id) else { continue };
                    let applied_at = self.ports.clock.now();
                    let link = TagLinkView { id: tag.id, name: tag.name.clone(), applied_at };
                    let kind = if matches!(traced.effect, Effect::AddTag(_)) {
                        set.guard(Guard::Live(Object::Tag(tag.id)));
                        set.change(Change::Tag(TagChange::Link { contact: contact.id, tag: tag.id, at: applied_at }));
                        EventKind::ContactTagAdded
                    } else {
                        set.change(Change::Tag(TagChange::Unlink { contact: contact.id, tag: tag.id }));
                        EventKind::ContactTagRemoved
                    };
                    tell(set, tag_event(kind, &view, &link));
                }
                Effect::SetValue(id, value) => {
                    let Some(field) = context.catalog.fields.iter().find(|field| field.id == *id) else { continue };
                    set.guard(field.held());
                    set.change(match value {
                        Some(value) => Change::Field(FieldChange::PutValue {
                            contact: contact.id,
                            field: *id,
                            value: value.clone(),
                        }),
                        None => Change::Field(FieldChange::ClearValue { contact: contact.id, field: *id }),
                    });
                    let event = EventDraft::new(EventKind::ContactFieldChanged, &view)
                        .with("field", &CustomFieldView::from(field))
                        .with("value", &value.as_ref().map_or(Value::Null, |value| value.json.clone()))
                        .with("previous", &before.custom_fields.get(&field.key));
                    tell(set, event);
                }
                _ => {}
            }
        }
    }

    async fn enroll(
        &self,
        access: &Access,
        context: &StepContext,
        sequence: &str,
        enters: bool,
        set: &mut ChangeSet,
    ) -> Result<String, AttemptError> {
        let Ok(sequence) = sequence.parse() else { return Ok("failed: unknown_sequence".to_owned()) };
        let enrollments = FlowEnrollments { ports: self.ports.clone() };
        let contact = context.contact.id;
        match enters {
            true => enrollments.enroll(access, contact, sequence, set).await,
            false => enrollments.exit(access, contact, sequence, set).await,
        }
    }

    /// Starts the flow to which the run goes over.
    async fn go_over(
        &self,
        access: &Access,
        context: &StepContext,
        vars: Map<String, Value>,
        flow: &str,
        set: &mut ChangeSet,
    ) -> Result<String, AttemptError> {
        let found = match flow.parse() {
            Ok(flow) => self.ports.flows.get(access, flow).await?,
            Err(_) => None,
        };
        let Some(flow) = found else { return Ok("failed: unknown_flow".to_owned()) };
        if flow.id == context.run.flow {
            return Ok("failed: a flow does not go over to itself".to_owned());
        }
        let plan = StartPlan {
            flow: &flow,
            contact: context.contact.id,
            vars,
            channel: context.channel.as_ref().map(|channel| channel.id),
            cause: Some(context.run.id.uuid()),
            event: None,
        };
        let started = Starter { ports: self.ports.clone() }.add(access, &plan, None, set).await?;
        Ok(match started {
            Started::Began(run) => format!("started {}", run.id),
            Started::Lives(run) => format!("lives already: {}", run.id),
            Started::NotActive => "failed: flow_not_active".to_owned(),
            Started::TooOften { .. } => "failed: start_limit".to_owned(),
            Started::TooDeep => "failed: loop_guard".to_owned(),
        })
    }
}

/// Adds to what came of the node at this place.
fn append(step: &mut Advance, trace: usize, outcome: &str) {
    if let Some(entry) = step.trace.get_mut(trace) {
        if !entry.outcome.is_empty() {
            entry.outcome.push_str("; ");
        }
        entry.outcome.push_str(outcome);
    }
}
