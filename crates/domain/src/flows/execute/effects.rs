//! Turns what the interpreter wants into changes, events and jobs.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::RunExecutor;
use super::context::StepContext;
use crate::access::Access;
use crate::contacts::{Contact, ContactView, previous_attributes};
use crate::conversations::Conversation;
use crate::events::{EventDraft, EventKind};
use crate::flows::{Advance, TracedEffect};
use crate::ids::MessageId;
use crate::ports::{Change, ChangeSet, Guard, Ports, Row};
use crate::retry::AttemptError;

/// A step whose effects are being written, each by the file of its node.
pub(in crate::flows) struct StepWriter<'a> {
    pub(in crate::flows) ports: &'a Arc<Ports>,
    pub(in crate::flows) access: &'a Access,
    /// What the step found when it began.
    pub(in crate::flows) context: &'a StepContext,
    /// The contact as the step leaves it.
    pub(in crate::flows) contact: Contact,
    /// The variables as the step leaves them.
    pub(in crate::flows) vars: Map<String, Value>,
    /// The conversation after the acts that were done.
    pub(in crate::flows) conversation: Option<Conversation>,
    /// What the effects add to.
    pub(in crate::flows) set: &'a mut ChangeSet,
}

/// What came of an act, for the trace.
#[derive(Debug, Default)]
pub(in crate::flows) struct Done {
    pub(in crate::flows) outcome: Option<String>,
    /// The message that was added.
    pub(in crate::flows) message: Option<MessageId>,
}

impl Done {
    pub(in crate::flows) fn with(outcome: impl Into<String>) -> Self {
        Self { outcome: Some(outcome.into()), message: None }
    }
}

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
        writer.write_contact(&effects);
        for TracedEffect { trace, effect } in effects {
            let Done { outcome, message } = effect.act(&mut writer).await?;
            let Some(entry) = step.trace.get_mut(trace) else { continue };
            entry.message = message.or(entry.message);
            if let Some(outcome) = outcome {
                let separator = if entry.outcome.is_empty() { "" } else { "; " };
                entry.outcome.push_str(separator);
                entry.outcome.push_str(&outcome);
            }
        }
        step.contact = writer.contact;
        Ok(())
    }
}

impl StepWriter<'_> {
    /// Writes what changed about the contact, with one event for each fact.
    fn write_contact(&mut self, effects: &[TracedEffect]) {
        if !effects.iter().any(|traced| traced.effect.is_of_contact()) {
            return;
        }
        self.contact.touch(self.ports.clock.now());
        self.set.change(Change::Update(Row::Contact(Box::new(self.contact.clone()))));
        let view = ContactView::from(&self.contact);
        if effects.iter().any(|traced| traced.effect.is_of_row()) {
            let previous = previous_attributes(&ContactView::from(&self.context.contact), &view);
            self.tell(EventDraft::new(EventKind::ContactUpdated, &view).with("previous", &previous));
        }
        for traced in effects {
            traced.effect.write_fact(self, &view);
        }
    }

    /// Adds an event about the contact.
    pub(in crate::flows) fn tell(&mut self, event: EventDraft) {
        let event = event.about(self.contact.id);
        self.set.tell(event, self.access, &*self.ports.clock, &*self.ports.ids);
    }
}
