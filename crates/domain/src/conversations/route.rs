//! Routing of a contact's message: to a waiting run, otherwise to a triggered flow, otherwise to members.

use std::sync::Arc;

use super::inbound::{Wish, leave};
use super::{Handler, Message, OptOutWords};
use crate::access::{Access, Actor};
use crate::contacts::{Contact, ContactRef, OptOutSource};
use crate::error::Error;
use crate::events::EventKind;
use crate::flows::{ActiveTrigger, AwaitedKind, RunExecutor, Starter};
use crate::ids::{ContactId, FlowId, MessageId, TypedId};
use crate::ports::{Change, ChangeSet, ClaimedJob, Ports, Row};
use crate::retry::{AttemptError, StartAttempt, retry_start_on_conflict};
use crate::work::ignore_lost_claim;

/// Routes inbound messages.
#[derive(Clone)]
pub struct InboundRouter {
    /// The ports.
    pub ports: Arc<Ports>,
    /// The words of contacts that opt them out.
    pub words: OptOutWords,
}

impl InboundRouter {
    /// Routes a message to the run that waits for it, otherwise to at most one flow. If the flow of a run is paused, or
    /// members handle the conversation, the message is kept for the run. A message that no flow handles opens the
    /// conversation for members, with automation still as the handler. An opt-out word that answered a question when it
    /// arrived, but no longer does, opts the contact out. A message that the contact deleted in the meantime is not
    /// routed. A message of an unsupported type answers no question and starts no flow by its text.
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
            ignore_lost_claim(self.ports.ledger.commit(set).await)
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
        let Some(conversation) = message.conversation.filter(|_| !message.is_deleted_by_contact()) else {
            return Ok(());
        };
        let Some(mut conversation) = self.ports.conversations.get(access, conversation).await? else { return Ok(()) };
        let Some(contact) = self.ports.contacts.find(access, &ContactRef::Id(message.contact)).await? else {
            return Ok(());
        };
        let place = (&contact, message.channel, Some(&conversation));
        if self.words.wish(&self.ports, access, place, &message.content).await? == Wish::Leave {
            let by = access.acting_as(Actor::contact(contact.id));
            leave(&self.ports, &by, contact, (message.channel, OptOutSource::Keyword), set);
            return Ok(());
        }
        let runs = RunExecutor { ports: self.ports.clone() };
        let is_unsupported = message.content.is_unsupported();
        if conversation.handler == Handler::Human {
            if !is_unsupported {
                runs.hold(access, message, &conversation, set).await?;
            }
            return Ok(());
        }
        // A question recognizes its own choices, and may ask for a number.
        let text = message.content.text.as_deref().unwrap_or_default();
        let awaiting =
            if is_unsupported { Vec::new() } else { self.ports.flows.awaiting_reply(access, contact.id).await? };
        for run in awaiting {
            let here = run.channel == Some(message.channel);
            if here && runs.reply(access, run, text, set).await? {
                return Ok(());
            }
        }
        let is_new = contact.created_at >= message.created_at;
        let is_taken = !is_unsupported
            && (self.trigger(access, contact, message, attempt, set).await?
                || runs.hold(access, message, &conversation, set).await?);
        if is_taken || self.has_listeners(access, message.contact, is_new).await? {
            return Ok(());
        }
        if conversation.call_people(self.ports.clock.now()) {
            set.change(Change::Update(Row::Conversation(conversation)));
        }
        Ok(())
    }

    /// Whether flows react to the events of the message: of any message, or of a contact's first one.
    async fn has_listeners(&self, access: &Access, contact: ContactId, is_new: bool) -> Result<bool, AttemptError> {
        let flows = &self.ports.flows;
        let received = AwaitedKind::Event(EventKind::MessageReceived);
        Ok(!flows.event_triggers(access, EventKind::MessageReceived).await?.is_empty()
            || (is_new && !flows.event_triggers(access, EventKind::ContactCreated).await?.is_empty())
            || !flows.awaiting_event(access, contact, &received).await?.is_empty())
    }

    /// Starts the flow with the best matching trigger: exact, then prefix, then anywhere in the text; among equals the
    /// referral before keywords, then the oldest flow. Returns false if no trigger matches.
    async fn trigger(
        &self,
        access: &Access,
        contact: Contact,
        message: &Message,
        attempt: StartAttempt,
        set: &mut ChangeSet,
    ) -> Result<bool, AttemptError> {
        let triggers = self.ports.flows.keyword_triggers(access).await?;
        let of_referrals = match &message.referral {
            Some(_) => self.ports.flows.referral_triggers(access).await?,
            None => Vec::new(),
        };
        let fitting =
            triggers.iter().filter_map(|it| Some((it.trigger.fits(words_of(message), message.channel)?, it.flow)));
        let referral = message.referral.as_ref();
        let referred = of_referrals.iter().filter_map(|it| Some((it.trigger.fits_referral(referral?)?, it.flow)));
        // Triggers are sorted by flow, and the first of the best ones is taken.
        let best = referred.chain(fitting).min_by_key(|(how, _)| *how).map(|(_, flow)| flow);
        let Some(flow) = best.or_else(|| only_search_fit(&triggers, message)) else { return Ok(false) };
        let cause = message.id.uuid();
        if !self.ports.flows.started_by(access, cause).await?.is_empty() {
            return Ok(true);
        }
        let starter = Starter { ports: self.ports.clone() };
        let Some(mut plan) = starter.plan(access, flow, contact.id).await? else { return Ok(true) };
        (plan.channel, plan.cause) = (Some(message.channel), Some(cause));
        let by = access.acting_as(Actor::contact(contact.id));
        starter.begin(&by, &plan, (None, attempt), Some(contact), set).await?;
        Ok(true)
    }
}

/// Returns the flow that a search in the message's text finds, if there is exactly one.
fn only_search_fit(triggers: &[ActiveTrigger], message: &Message) -> Option<FlowId> {
    let fits = |it: &&ActiveTrigger| it.trigger.fits_as_search(words_of(message), message.channel);
    let mut flows = triggers.iter().filter(fits).map(|it| it.flow);
    let first = flows.next()?;
    flows.all(|flow| flow == first).then_some(first)
}

/// The text of the message, or the title of the chosen quick reply.
fn words_of(message: &Message) -> &str {
    message.shown_text().unwrap_or_default()
}
