//! Turns effects into changes, events and jobs. The code for each effect is in the file of its subject.

mod bot_field;
mod conversation;
mod message;
mod sequence;
mod start_flow;
mod tag;
mod value;

use std::sync::Arc;

use serde_json::{Map, Value};

use super::RunExecutor;
use super::context::StepContext;
use crate::access::Access;
use crate::contacts::{Contact, ContactView, previous_attributes};
use crate::conversations::Conversation;
use crate::events::{EventDraft, EventKind};
use crate::flows::{Call, Effect, StepResult, TracedEffect};
use crate::ids::{MessageId, RunId};
use crate::opt_outs::OptOuts;
use crate::ports::{Change, ChangeSet, ContactChange, Guard, Ports, Row};
use crate::retry::AttemptError;
use crate::step_outcome::SEPARATOR;

/// A step with effects that are being written.
struct StepWriter<'a> {
    ports: &'a Arc<Ports>,
    access: &'a Access,
    /// The data that the step loaded.
    context: &'a StepContext,
    /// The contact after the step.
    contact: Contact,
    /// The variables after the step.
    vars: Map<String, Value>,
    /// The conversation after the acts so far.
    conversation: Option<Conversation>,
    set: &'a mut ChangeSet,
}

/// The result of an act, for the trace.
#[derive(Debug, Default)]
struct ActionTrace {
    outcome: Option<String>,
    message: Option<MessageId>,
    run: Option<RunId>,
    /// The result of the call that the step ends with.
    call: Option<Call>,
}

impl ActionTrace {
    fn with(outcome: impl Into<String>) -> Self {
        Self { outcome: Some(outcome.into()), ..Self::default() }
    }

    /// Returns the result with an error before its outcome.
    fn after(self, fault: &str) -> Self {
        let outcome = self.outcome.map_or_else(|| fault.to_owned(), |outcome| format!("{fault}; {outcome}"));
        Self { outcome: Some(outcome), ..self }
    }
}

/// Attributes are written in the contact's row and one common event. Facts are written after that row, each with its own
/// event. Acts are written after all of these, in the order of visits, with an outcome for the trace.
impl Effect {
    /// Whether it changes the contact.
    fn is_of_contact(&self) -> bool {
        match self {
            Self::SetAttribute(..) | Self::AddTag(_) | Self::RemoveTag(_) | Self::SetValue(..) => true,
            Self::Send(_) | Self::Note(_) | Self::SetBotField(_) | Self::EnrollSequence(_) | Self::ExitSequence(_) => {
                false
            }
            Self::ResolveConversation | Self::AssignConversation(_) | Self::StartFlow(_) | Self::CallFlow(_) => false,
        }
    }

    /// Whether the common event about the contact's row covers it.
    fn is_of_row(&self) -> bool {
        matches!(self, Self::SetAttribute(..))
    }

    /// Writes a fact about the contact, after its row.
    fn write_fact(&self, step: &mut StepWriter<'_>, view: &ContactView) {
        match self {
            Self::AddTag(tag) => tag::link(step, view, tag),
            Self::RemoveTag(tag) => tag::unlink(step, view, tag),
            Self::SetValue(field, value) => value::write(step, view, field, value),
            Self::SetAttribute(..) | Self::Send(_) | Self::Note(_) | Self::SetBotField(_) => {}
            Self::EnrollSequence(_) | Self::ExitSequence(_) | Self::ResolveConversation => {}
            Self::AssignConversation(_) | Self::StartFlow(_) | Self::CallFlow(_) => {}
        }
    }

    /// Writes an act and returns its result.
    async fn act(self, step: &mut StepWriter<'_>) -> Result<ActionTrace, AttemptError> {
        match self {
            Self::Send(content) | Self::Note(content) => message::send(step, content).await,
            Self::SetBotField(field) => bot_field::write(step, field).await,
            Self::EnrollSequence(sequence) => sequence::enroll(step, sequence).await,
            Self::ExitSequence(sequence) => sequence::exit(step, sequence).await,
            Self::ResolveConversation => conversation::resolve(step).await,
            Self::AssignConversation(user) => conversation::assign(step, user).await,
            Self::StartFlow(flow) => start_flow::start(step, flow).await,
            Self::CallFlow(flow) => start_flow::call(step, flow).await,
            Self::SetAttribute(..) | Self::AddTag(_) | Self::RemoveTag(_) | Self::SetValue(..) => {
                Ok(ActionTrace::default())
            }
        }
    }
}

impl RunExecutor {
    /// Adds all effects of a step, and records their outcomes in its trace.
    pub(super) async fn apply(
        &self,
        access: &Access,
        context: &StepContext,
        step: &mut StepResult,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        set.guard(Guard::Catalog(context.catalog.revision));
        let effects = step.effects.clone();
        let mut writer = StepWriter {
            ports: &self.ports,
            access,
            context,
            contact: step.contact.clone(),
            vars: step.vars.clone(),
            conversation: context.conversation.clone(),
            set,
        };
        writer.write_contact(&effects).await?;
        for TracedEffect { trace, effect } in effects {
            let ActionTrace { outcome, message, run, call } = effect.act(&mut writer).await?;
            if let Some(call) = call {
                step.ending.calls(call, self.ports.clock.now());
            }
            let Some(entry) = step.trace.get_mut(trace) else { continue };
            entry.message = message.or(entry.message);
            entry.run = run.or(entry.run);
            if let Some(outcome) = outcome {
                let separator = if entry.outcome.is_empty() { "" } else { SEPARATOR };
                entry.outcome.push_str(separator);
                entry.outcome.push_str(&outcome);
            }
        }
        step.contact = writer.contact;
        Ok(())
    }
}

impl StepWriter<'_> {
    /// Writes the changes of the contact, with one event per fact.
    async fn write_contact(&mut self, effects: &[TracedEffect]) -> Result<(), AttemptError> {
        if !effects.iter().any(|traced| traced.effect.is_of_contact()) {
            return Ok(());
        }
        let (ports, access, before) = (self.ports, self.access, &self.context.contact);
        let found = OptOuts { ports, access }.carry(before, &mut self.contact, self.set).await?;
        self.contact.touch(self.ports.clock.now());
        self.set.change(Change::Update(Row::Contact(Box::new(self.contact.clone()))));
        for (was, is) in before.identities.iter().zip(&self.contact.identities).filter(|(was, is)| was != is) {
            let (contact, channel, opted_in) = (self.contact.id, was.channel, is.opted_in);
            self.set.change(Change::Contact(ContactChange::SetOptIn { contact, channel, opted_in }));
        }
        if let Some(found) = found {
            found.require(self.set);
        }
        let view = ContactView::from(&self.contact);
        if effects.iter().any(|traced| traced.effect.is_of_row()) {
            let previous = previous_attributes(&ContactView::from(&self.context.contact), &view);
            self.tell(EventDraft::new(EventKind::ContactUpdated, &view).with("previous", &previous));
        }
        for traced in effects {
            traced.effect.write_fact(self, &view);
        }
        Ok(())
    }

    /// Adds an event about the contact.
    fn tell(&mut self, event: EventDraft) {
        let event = event.about(self.contact.id);
        self.ports.add_event(event, self.access, self.set);
    }
}
