//! Use cases of conversations.

use std::sync::Arc;

use super::attached_files::complete_files;
use super::counts::views;
use super::fetch::is_pending;
use super::{Content, Conversation, ConversationFilter, InboxCounts, Message, Recipient};
use crate::access::Access;
use crate::channels::Channel;
use crate::contacts::{ContactRef, find_contact};
use crate::error::Error;
use crate::ids::{ChannelId, ContactId, ConversationId, MediaId, MessageId, UserId};
use crate::outcome::{Done, IdempotencyHook};
use crate::pagination::{Page, PageRequest, SortedPage, SortedRequest};
use crate::ports::{ChangeSet, ChannelQueries, ConversationQueries, Ports, StoreError};
use crate::retry::{commit_outcome, retry_on_conflict};

/// A message to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendMessage {
    /// The content, valid by [`Content::check`].
    pub content: Content,
    /// The channel. Default: the one last used with the contact, otherwise the workspace's default channel.
    pub channel: Option<ChannelId>,
    /// The message that it answers.
    pub reply_to: Option<MessageId>,
}

impl SendMessage {
    /// Creates the command for a message on the channel that was last used with the contact, otherwise on the default
    /// channel.
    pub fn new(content: Content) -> Self {
        Self { content, channel: None, reply_to: None }
    }
}

/// Use cases of conversations.
#[derive(Clone)]
pub struct ConversationService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl ConversationService {
    /// Returns a conversation.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, conversation: ConversationId) -> Result<Conversation, Error> {
        self.ports.conversations.get(access, conversation).await?.ok_or(Error::NotFound)
    }

    /// Returns the conversations that match a filter.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(
        &self,
        access: &Access,
        filter: &ConversationFilter,
        page: SortedRequest,
    ) -> Result<SortedPage<Conversation>, Error> {
        Ok(self.ports.conversations.list(access, filter, page).await?)
    }

    /// Counts the conversations in the views of an inbox, among those that match the filter.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn counts(&self, access: &Access, filter: &ConversationFilter) -> Result<InboxCounts, Error> {
        let totals = self.ports.conversations.counts(access, &views(filter, access.actor().as_user())).await?;
        let counts = InboxCounts::of(&totals);
        Ok(counts.ok_or_else(|| StoreError::Corrupt("a number of conversations is missing".to_owned()))?)
    }

    /// Returns a message.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn message(&self, access: &Access, message: MessageId) -> Result<Message, Error> {
        self.ports.conversations.message(access, message).await?.ok_or(Error::NotFound)
    }

    /// Whether a message waits for a file: the server is fetching it from the provider.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn is_file_pending(&self, access: &Access, media: MediaId) -> Result<bool, Error> {
        Ok(is_pending(&self.ports, access, media).await?)
    }

    /// Returns the messages of a conversation.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn messages(
        &self,
        access: &Access,
        conversation: ConversationId,
        page: PageRequest,
    ) -> Result<Page<Message>, Error> {
        self.get(access, conversation).await?;
        Ok(self.ports.conversations.messages(access, conversation, page).await?)
    }

    /// Sends a message to a contact. It is queued, or suppressed with a reason.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Invalid`] for an unknown channel, answered message or file, [`Error::NoChannel`],
    /// [`Error::NoPublicUrl`] if the provider must load a file from the server, [`Error::Store`].
    pub async fn send(
        &self,
        access: &Access,
        contact: &ContactRef,
        command: SendMessage,
        idempotency: IdempotencyHook<'_, Message>,
    ) -> Result<Done<Message>, Error> {
        retry_on_conflict(|| async {
            let contact = find_contact(&self.ports, access, contact).await?;
            let channel = match command.channel {
                Some(id) => self.ports.channels.get(access, id).await?.ok_or_else(|| {
                    Error::invalid("/channel_id", "unknown_channel", "no channel in this workspace has this ID")
                })?,
                None => usual_channel(&*self.ports.channels, &*self.ports.conversations, access, contact.id)
                    .await?
                    .ok_or(Error::NoChannel)?,
            };
            self.check_answered(access, (contact.id, channel.id), command.reply_to).await?;
            let content = complete_files(&self.ports, access, &channel, command.content.clone()).await?;
            let conversation = self.ports.conversations.between(access, contact.id, channel.id).await?;
            let mut set = ChangeSet::new(access.workspace());
            let recipient = Recipient { contact: &contact, channel: &channel, conversation: conversation.as_ref() };
            let content = (content, command.reply_to);
            let mut sent = recipient.add_reply(&mut set, content, access, &*self.ports.clock, &*self.ports.ids);
            if let Some(replier) = self.replier(access).await? {
                sent.assign_to(replier, &mut set, access, &*self.ports.clock, &*self.ports.ids);
            }
            let done = Done::accepted(sent.message);
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Checks that a message can be answered: one of the contact or to the contact, on this channel.
    ///
    /// # Errors
    /// [`Error::Invalid`] at `/reply_to`, [`Error::Store`].
    pub(super) async fn check_answered(
        &self,
        access: &Access,
        (contact, channel): (ContactId, ChannelId),
        reply_to: Option<MessageId>,
    ) -> Result<(), Error> {
        let Some(id) = reply_to else { return Ok(()) };
        let found = self.ports.conversations.message(access, id).await?;
        if found.is_some_and(|it| it.contact == contact && it.channel == channel && !it.is_private()) {
            return Ok(());
        }
        let message = "no message of this contact on this channel has this ID";
        Err(Error::invalid("/reply_to", "unknown_message", message))
    }

    /// Returns the new assignee of an unassigned conversation after a reply. Only replies of users assign.
    pub(super) async fn replier(&self, access: &Access) -> Result<Option<UserId>, StoreError> {
        let Some(user) = access.actor().as_user() else { return Ok(None) };
        let workspace = self.ports.access.workspace(access.workspace()).await?;
        Ok(workspace.is_some_and(|it| it.assign_on_reply).then_some(user))
    }
}

/// Returns the channel for a message that names none: the one last used with the contact, otherwise the workspace's
/// default.
///
/// # Errors
/// [`StoreError`].
pub async fn usual_channel(
    channels: &dyn ChannelQueries,
    conversations: &dyn ConversationQueries,
    access: &Access,
    contact: ContactId,
) -> Result<Option<Channel>, StoreError> {
    if let Some(conversation) = conversations.last_used(access, contact).await?
        && let Some(channel) = channels.get(access, conversation.channel).await?
    {
        return Ok(Some(channel));
    }
    channels.default_channel(access).await
}
