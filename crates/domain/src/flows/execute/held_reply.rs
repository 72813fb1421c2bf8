//! Replies that arrive while their run does not accept them, because the flow is paused or a member handles the
//! conversation. The run keeps the last reply, and uses it when the flow is resumed or the conversation is handed
//! back.

use super::context::StepContext;
use super::{Prefetched, RunExecutor};
use crate::access::Access;
use crate::conversations::{Conversation, Handler, Message};
use crate::flows::{FlowStatus, Run, WaitKind, expires_at};
use crate::ids::{JobId, TypedId};
use crate::ports::{Change, ChangeSet, FlowChange, Guard, NewJob, Object, Row};
use crate::retry::AttemptError;
use crate::time::Timestamp;

/// The reply that a run kept for its next step.
pub(super) enum KeptReply {
    /// The run has no reply.
    None,
    /// The run has this reply.
    Reply(String),
    /// The run has a reply, but a member handles the conversation while this guard holds. Handing it back queues the
    /// step.
    Waits(Guard),
}

impl RunExecutor {
    /// Stores the message in the first run that waits for a reply on its channel but does not accept it now. Returns
    /// whether there is such a run. `conversation` contains the message.
    ///
    /// # Errors
    /// [`AttemptError`].
    pub(crate) async fn hold(
        &self,
        system: &Access,
        message: &Message,
        conversation: &Conversation,
        set: &mut ChangeSet,
    ) -> Result<bool, AttemptError> {
        let now = self.ports.clock.now();
        for run in self.ports.flows.awaiting_reply(system, message.contact).await? {
            let waits = run.wait.as_ref().is_some_and(|wait| wait.kind == WaitKind::Reply);
            if !waits || run.channel != Some(message.channel) {
                continue;
            }
            let Some(flow) = self.ports.flows.get(system, run.flow).await? else { continue };
            let is_silent = conversation.handler == Handler::Human && flow.status == FlowStatus::Active;
            if !is_silent && flow.status != FlowStatus::Paused {
                continue;
            }
            let context = self.load(system, run, Prefetched::default()).await?;
            if expires_at(&context.flow.definition, &context.run) <= now {
                continue;
            }
            // Resuming the flow, or handing the conversation back, must see the stored reply.
            set.guard(Guard::Version(Object::Flow(flow.id), flow.version));
            set.guard(Guard::Version(Object::Conversation(conversation.id), conversation.version));
            let mut run = context.run;
            if flow.status == FlowStatus::Paused {
                // Resuming the flow makes its queued steps due.
                self.queue_step(&run, Timestamp::END, set);
            }
            if let Some(wait) = &mut run.wait {
                wait.reply = Some(message.id);
            }
            run.updated_at = now.max(run.updated_at);
            run.version += 1;
            set.change(Change::Update(Row::Run(Box::new(run))));
            return Ok(true);
        }
        Ok(false)
    }

    /// Queues steps for the runs that kept a reply of a conversation, after members handed the conversation back.
    ///
    /// # Errors
    /// [`AttemptError`].
    pub(crate) async fn hand_back(
        &self,
        system: &Access,
        conversation: &Conversation,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        for run in self.ports.flows.awaiting_reply(system, conversation.contact).await? {
            let has_reply = run.wait.as_ref().is_some_and(|wait| wait.reply.is_some());
            if has_reply && run.channel == Some(conversation.channel) {
                self.queue_step(&run, self.ports.clock.now(), set);
            }
        }
        Ok(())
    }

    /// Replaces the queued steps of a run with one step.
    fn queue_step(&self, run: &Run, due_at: Timestamp, set: &mut ChangeSet) {
        set.change(Change::Flow(FlowChange::DropSteps { run: run.id }));
        set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), run.next_step(), due_at));
    }

    /// Returns the reply that the run kept.
    pub(super) async fn load_kept_reply(
        &self,
        system: &Access,
        context: &StepContext,
    ) -> Result<KeptReply, AttemptError> {
        let kept = context.run.wait.as_ref().and_then(|wait| wait.reply);
        let is_over = expires_at(&context.flow.definition, &context.run) <= self.ports.clock.now();
        let Some(message) = kept.filter(|_| !is_over) else { return Ok(KeptReply::None) };
        // The message is deleted together with its contact.
        let Some(message) = self.ports.conversations.message(system, message).await? else {
            return Ok(KeptReply::None);
        };
        if let Some(held) = context.conversation.as_ref().filter(|it| it.handler == Handler::Human) {
            return Ok(KeptReply::Waits(Guard::Version(Object::Conversation(held.id), held.version)));
        }
        Ok(KeptReply::Reply(message.content.text.unwrap_or_default()))
    }
}
