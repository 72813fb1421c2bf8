//! A contact's message → the run that waits for it, else the flow that it triggers.

use std::sync::Arc;

use super::{Handler, Message};
use crate::access::Access;
use crate::contacts::{Contact, ContactRef};
use crate::error::Error;
use crate::flows::{RunExecutor, Starter};
use crate::ids::{MessageId, TypedId};
use crate::ports::{ChangeSet, ClaimedJob, Ports};
use crate::retry::{AttemptError, StartAttempt, retry_start_on_conflict};
use crate::work::unless_lost;

/// Routes inbound messages.
#[derive(Clone)]
pub struct InboundRouter {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl InboundRouter {
    /// Routes a message: to the run that waits for it, else to at most one flow. While people
    /// have the conversation, it goes nowhere.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn route(&self, access: &Access, job: &ClaimedJob, message: MessageId) -> Result<(), Error> {
        retry_start_on_conflict(|attempt| async move {
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.finish());
            let message = self.ports.conversations.message(access, message).await?;
            if let Some(message) = message {
                self.decide(access, &message, attempt, &mut set).await?;
            }
            unless_lost(self.ports.ledger.commit(set).await)
        })
        .await
    }

    async fn decide(
        &self,
        access: &Access,
        message: &Message,
        attempt: StartAttempt,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        let Some(conversation) = message.conversation else { return Ok(()) };
        let conversation = self.ports.conversations.get(access, conversation).await?;
        if conversation.is_none_or(|conversation| conversation.handler == Handler::Human) {
            return Ok(());
        }
        let Some(contact) = self.ports.contacts.find(access, &ContactRef::Id(message.contact)).await? else {
            return Ok(());
        };
        let text = said(message);
        let runs = RunExecutor { ports: self.ports.clone() };
        for run in self.ports.flows.awaiting_reply(access, contact.id).await? {
            let here = run.channel == Some(message.channel);
            if here && runs.reply(access, run, text, set).await? {
                return Ok(());
            }
        }
        self.trigger(access, contact, message, attempt, set).await
    }

    /// Starts the flow whose keyword fits best: exact before the beginning before anywhere, then
    /// the oldest flow.
    async fn trigger(
        &self,
        access: &Access,
        contact: Contact,
        message: &Message,
        attempt: StartAttempt,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        let triggers = self.ports.flows.keyword_triggers(access).await?;
        let fitting =
            triggers.iter().filter_map(|it| Some((it.trigger.fits(said(message), message.channel)?, it.flow)));
        // The triggers come in the order of their flows, and the first of the best is taken.
        let Some((_, flow)) = fitting.min_by_key(|(how, _)| *how) else { return Ok(()) };
        let cause = message.id.uuid();
        if !self.ports.flows.started_by(access, cause).await?.is_empty() {
            return Ok(());
        }
        let starter = Starter { ports: self.ports.clone() };
        let Some(mut plan) = starter.plan(access, flow, contact.id).await? else { return Ok(()) };
        (plan.channel, plan.cause) = (Some(message.channel), Some(cause));
        let by = access.acting_as(crate::access::Actor::contact(contact.id));
        starter.begin(&by, &plan, (None, attempt), Some(contact), set).await?;
        Ok(())
    }
}

/// What the contact said in words.
fn said(message: &Message) -> &str {
    message.content.text.as_deref().unwrap_or_default()
}
