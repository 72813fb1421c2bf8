//! Actions of members on a conversation: write, resolve, reopen, snooze, assign, read.

use super::attached_files::complete_files;
use super::measured::resolution;
use super::{
    Content, Conversation, ConversationService, ConversationStatus, ConversationView, Handler, Message, Recipient,
};
use crate::access::Access;
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::{ConversationId, JobId, MessageId, TypedId, UserId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::ports::{Change, ChangeSet, Job, NewJob, Row};
use crate::retry::{commit_outcome, retry_on_conflict};
use crate::time::Timestamp;

impl ConversationService {
    /// Sends a message in a conversation. A note is stored but not sent.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the conversation or its contact was deleted, [`Error::NoChannel`] if its channel was
    /// deleted, [`Error::Invalid`] for an unknown answered message or file, [`Error::NoPublicUrl`] if the provider must
    /// load a file from the server, [`Error::Store`].
    pub async fn write(
        &self,
        access: &Access,
        conversation: ConversationId,
        (content, reply_to): (Content, Option<MessageId>),
        idempotency: IdempotencyHook<'_, Message>,
    ) -> Result<Done<Message>, Error> {
        retry_on_conflict(|| async {
            let conversation = self.get(access, conversation).await?;
            let contact = self.ports.contacts.find_even_deleted(access, conversation.contact).await?;
            let contact = contact.filter(|contact| contact.deleted_at.is_none()).ok_or(Error::NotFound)?;
            let channel = self.ports.channels.get(access, conversation.channel).await?.ok_or(Error::NoChannel)?;
            self.check_answered(access, (contact.id, channel.id), reply_to).await?;
            let content = complete_files(&self.ports, access, &channel, content.clone()).await?;
            let mut set = ChangeSet::new(access.workspace());
            let recipient = Recipient { contact: &contact, channel: &channel, conversation: Some(&conversation) };
            let content = (content, reply_to);
            let mut sent = recipient.add_reply(&mut set, content, access, &*self.ports.clock, &*self.ports.ids);
            if let Some(replier) = self.replier(access).await? {
                sent.assign_to(replier, &mut set, access, &*self.ports.clock, &*self.ports.ids);
            }
            let done = Done::accepted(sent.message);
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Resolves a conversation.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn resolve(
        &self,
        access: &Access,
        conversation: ConversationId,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Conversation>,
    ) -> Result<Done<Conversation>, Error> {
        self.act(access, conversation, expected, idempotency, |it, set| {
            let (had_people, now) = (it.handler == Handler::Human, self.ports.clock.now());
            let before = it.opening;
            let resolved = it.resolve(now);
            if resolved && had_people {
                let wake = Job::WakeConversation { conversation: it.id };
                set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), wake, now));
            }
            if resolved {
                set.changes.extend(resolution(before, it, access, || self.ports.ids.next()));
                let event = EventDraft::new(EventKind::ConversationResolved, &ConversationView::from(&*it));
                self.ports.add_event(event.about(it.contact), access, set);
            }
            Ok(resolved)
        })
        .await
    }

    /// Reopens a resolved or snoozed conversation.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn reopen(
        &self,
        access: &Access,
        conversation: ConversationId,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Conversation>,
    ) -> Result<Done<Conversation>, Error> {
        self.act(access, conversation, expected, idempotency, |it, _| Ok(it.reopen(self.ports.clock.now()))).await
    }

    /// Snoozes a conversation until a time, or until the contact writes.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Invalid`] at `/until` for a time in the past, [`Error::ConversationResolved`],
    /// [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn snooze(
        &self,
        access: &Access,
        conversation: ConversationId,
        until: Timestamp,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Conversation>,
    ) -> Result<Done<Conversation>, Error> {
        self.act(access, conversation, expected, idempotency, |it, set| {
            let now = self.ports.clock.now();
            if it.status == ConversationStatus::Resolved {
                return Err(Error::ConversationResolved);
            }
            if until <= now {
                return Err(Error::invalid("/until", "out_of_range", "must be in the future"));
            }
            let snoozed = it.snooze(until, now);
            if snoozed {
                let wake = Job::WakeConversation { conversation: it.id };
                set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), wake, until));
            }
            Ok(snoozed)
        })
        .await
    }

    /// Assigns a conversation to a member, or removes the assignee.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Invalid`] at `/assignee_id` for a viewer or a user who is not a member,
    /// [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn assign(
        &self,
        access: &Access,
        conversation: ConversationId,
        assignee: Option<UserId>,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Conversation>,
    ) -> Result<Done<Conversation>, Error> {
        self.get(access, conversation).await?;
        if let Some(user) = assignee {
            let fault = match self.ports.members.role(access, user).await? {
                None => Some(("unknown_member", "no member of this workspace has this ID")),
                Some(role) if !role.is_assignable() => {
                    Some(("not_assignable", "must be a member with the role `member`, `admin` or `owner`"))
                }
                Some(_) => None,
            };
            if let Some((code, message)) = fault {
                return Err(Error::invalid("/assignee_id", code, message));
            }
        }
        self.act(access, conversation, expected, idempotency, |it, set| {
            let previous = serde_json::json!({"assignee_id": it.assignee});
            let assigned = it.assign(assignee, self.ports.clock.now());
            if assigned {
                let event = EventDraft::new(EventKind::ConversationAssigned, &ConversationView::from(&*it));
                let event = event.with("previous", &previous).about(it.contact);
                self.ports.add_event(event, access, set);
            }
            Ok(assigned)
        })
        .await
    }

    /// Marks the contact's messages as read.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn read(
        &self,
        access: &Access,
        conversation: ConversationId,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Conversation>,
    ) -> Result<Done<Conversation>, Error> {
        self.act(access, conversation, expected, idempotency, |it, _| Ok(it.read(self.ports.clock.now()))).await
    }

    /// Applies a change to a conversation. A change without effect causes no event.
    async fn act(
        &self,
        access: &Access,
        conversation: ConversationId,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Conversation>,
        change: impl Fn(&mut Conversation, &mut ChangeSet) -> Result<bool, Error> + Send + Sync,
    ) -> Result<Done<Conversation>, Error> {
        retry_on_conflict(|| async {
            let mut conversation = self.get(access, conversation).await?;
            expected.check(conversation.version)?;
            let mut set = ChangeSet::new(access.workspace());
            let done = if change(&mut conversation, &mut set)? {
                set.change(Change::Update(Row::Conversation(conversation.clone())));
                Done::changed(conversation)
            } else {
                Done::unchanged(conversation)
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }
}
