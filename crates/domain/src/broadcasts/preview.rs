//! The preview of a broadcast: a sample of its messages, and the number of contacts that would get none.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::BroadcastService;
use super::render::Renderer;
use super::view::content_json;
use crate::access::{Access, Actor};
use crate::channels::Channel;
use crate::contacts::{ContactFilter, ContactRef};
use crate::conversations::{Message, Recipient, Suppression};
use crate::error::{Error, Violation};
use crate::ids::{BroadcastId, ContactId};
use crate::outcome::{Done, IdempotencyHook};
use crate::pagination::SortedRequest;
use crate::ports::ChangeSet;
use crate::retry::{commit_outcome, retry_on_conflict};

const SAMPLE: u32 = 5;

/// The message for one contact.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecipientPreview {
    /// ID of the contact.
    pub contact_id: ContactId,
    /// The rendered message; `null` if none would be sent.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub message: Option<Value>,
    /// Why the message would be suppressed.
    pub suppressed: Option<Suppression>,
    /// Why the texts cannot be rendered for this contact.
    pub error: Option<String>,
}

/// The preview of a broadcast.
#[derive(Debug, Clone, PartialEq)]
pub struct BroadcastPreview {
    /// Number of contacts in the audience.
    pub contacts: u64,
    /// Number of contacts without a message, by reason.
    pub suppressed: BTreeMap<&'static str, u64>,
    /// Up to five of the newest contacts, with their messages.
    pub sample: Vec<RecipientPreview>,
}

/// The preview of a broadcast.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = BroadcastPreview))]
#[non_exhaustive]
pub struct BroadcastPreviewView {
    /// Number of contacts in the audience: the `expected_count` of `send`.
    pub contact_count: u64,
    /// Number of contacts without a message, by reason.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, u64>))]
    pub suppressed: BTreeMap<&'static str, u64>,
    /// Up to five of the newest contacts, each with its message.
    pub sample: Vec<RecipientPreview>,
}

impl From<BroadcastPreview> for BroadcastPreviewView {
    fn from(it: BroadcastPreview) -> Self {
        Self { contact_count: it.contacts, suppressed: it.suppressed, sample: it.sample }
    }
}

impl BroadcastService {
    /// Returns what the broadcast would do if it were sent now. Changes nothing.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::NoChannel`], [`Error::Invalid`] if its segment was deleted, [`Error::Store`].
    pub async fn preview(&self, access: &Access, broadcast: BroadcastId) -> Result<BroadcastPreview, Error> {
        let it = self.find(access, broadcast).await?;
        let channel = self.channel(access, it.channel).await?;
        let everybody = self.chosen(access, &it, channel.id, self.ports.clock.now()).await?;
        let gone =
            || Error::invalid("/audience", "unknown_segment", "the segment was deleted; choose another audience");
        let everybody = everybody.ok_or_else(gone)?;
        let request = SortedRequest { limit: SAMPLE, ..SortedRequest::default() };
        let some = self.ports.contacts.list(access, &everybody, request).await?.items;
        let renderer = Renderer::load(&self.ports, access).await?;
        let (sender, mut sample) = (Actor::broadcast(broadcast), Vec::new());
        for contact in &some {
            let conversation = self.ports.conversations.between(access, contact.id, channel.id).await?;
            let recipient = Recipient { contact, channel: &channel, conversation: conversation.as_ref() };
            let suppressed = recipient.suppression(&sender);
            let rendered = renderer.rendered(&it.message, contact, conversation.as_ref());
            let (message, error) = match rendered {
                Ok(content) => (Some(content_json(&content)).filter(|_| suppressed.is_none()), None),
                Err(why) => (None, Some(why)),
            };
            sample.push(RecipientPreview { contact_id: contact.id, message, suppressed, error });
        }
        let (contacts, suppressed) = self.count_recipients(access, &everybody, &channel).await?;
        Ok(BroadcastPreview { contacts, suppressed, sample })
    }

    /// Counts the contacts, and those that would get no message on the channel, by reason, as
    /// [`crate::conversations::suppression`] decides.
    async fn count_recipients(
        &self,
        access: &Access,
        everybody: &ContactFilter,
        channel: &Channel,
    ) -> Result<(u64, BTreeMap<&'static str, u64>), Error> {
        let reach = self.ports.contacts.reach(access, everybody, channel.id).await?;
        let unsubscribed = (reach.not_blocked - reach.subscribed) + (reach.with_address - reach.opted_in);
        let off = if channel.accepts_messages() { 0 } else { reach.opted_in };
        let all = [
            (Suppression::Blocked, reach.contacts - reach.not_blocked),
            (Suppression::Unsubscribed, unsubscribed),
            (Suppression::NoAddress, reach.subscribed - reach.with_address),
            (Suppression::ChannelDisconnected, off),
        ];
        let suppressed = all.into_iter().filter(|(_, count)| *count > 0);
        Ok((reach.contacts, suppressed.map(|(reason, count)| (reason.as_str(), count)).collect()))
    }

    /// Sends the message of a broadcast, as it is now, to a few contacts. They are ordinary messages of the caller.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Invalid`] for unknown contacts and for texts that cannot be rendered for them,
    /// [`Error::NoChannel`], [`Error::Store`].
    pub async fn test(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        contacts: &[ContactId],
        idempotency: IdempotencyHook<'_, Vec<Message>>,
    ) -> Result<Done<Vec<Message>>, Error> {
        retry_on_conflict(|| async {
            let it = self.find(access, broadcast).await?;
            let channel = self.channel(access, it.channel).await?;
            let renderer = Renderer::load(&self.ports, access).await?;
            let (mut set, mut messages, mut wrong) = (ChangeSet::new(access.workspace()), Vec::new(), Vec::new());
            for (place, id) in contacts.iter().enumerate() {
                let at = format!("/contact_ids/{place}");
                let Some(contact) = self.ports.contacts.find(access, &ContactRef::Id(*id)).await? else {
                    wrong.push(Violation::new(at, "unknown_contact", "no contact in this workspace has this ID"));
                    continue;
                };
                let conversation = self.ports.conversations.between(access, *id, channel.id).await?;
                let recipient = Recipient { contact: &contact, channel: &channel, conversation: conversation.as_ref() };
                match renderer.rendered(&it.message, &contact, conversation.as_ref()) {
                    Ok(content) => {
                        let (clock, ids) = (&*self.ports.clock, &*self.ports.ids);
                        messages.push(recipient.add_message(&mut set, content, access, clock, ids).message);
                    }
                    Err(why) => wrong.push(Violation::new(at, "template_error", why)),
                }
            }
            if !wrong.is_empty() {
                return Err(Error::Invalid(wrong).into());
            }
            let done = Done::accepted(messages);
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Returns the channel of a broadcast, or the default channel of the workspace.
    pub(super) async fn channel(
        &self,
        access: &Access,
        channel: Option<crate::ids::ChannelId>,
    ) -> Result<Channel, Error> {
        let found = match channel {
            Some(channel) => self.ports.channels.get(access, channel).await?,
            None => self.ports.channels.default_channel(access).await?,
        };
        found.ok_or(Error::NoChannel)
    }
}
