//! Inbound messages of contacts, and status reports of providers.
//!
//! [`InboundService::receive`] stores a message with its contact and its conversation, in one change set. The job
//! [`Job::RouteInbound`](crate::ports::Job::RouteInbound) then passes it to flows and members: see `route.rs`.
//!
//! | File | Content |
//! |---|---|
//! | `inbound/apply_event.rs` | passes an event of a provider to its use case |
//! | `inbound/receive.rs` | commits a message with its immediate effects |
//! | `inbound/sender.rs` | finds the contact of a message, or creates it |
//! | `inbound/choices.rs` | recognises chosen quick replies |
//! | `inbound/answered.rs` | finds the message that a message answers |
//! | `inbound/marketing.rs` | contacts who stop or resume marketing messages |
//! | `inbound/opt_out.rs` | words that opt out and in |
//! | `inbound/confirmation.rs` | the message that confirms an opt-out |
//! | `inbound/recorded_event.rs` | applies other events once |
//! | `inbound/revise.rs` | edits, deletions and reactions |
//! | `inbound/status_reports.rs` | reports on messages to contacts |
//! | `inbound/unblock.rs` | contacts who unblock the sender |
//! | `inbound/unsubscribe.rs` | the link in a message |

mod address_change;
mod answered;
mod apply_event;
mod choices;
mod confirmation;
mod marketing;
mod opt_out;
mod receive;
mod recorded_event;
mod revise;
mod sender;
mod status_reports;
mod unblock;
mod unsubscribe;

use std::sync::Arc;

pub use confirmation::ConfirmationTexts;
pub use opt_out::{MAX_OWN_WORDS, OptOutWords};
pub(super) use opt_out::{Wish, leave};
pub(super) use unsubscribe::leave_sender;

use super::received::InboundMessage;
use super::received_files::{discard_unused, store_files};
use super::{Direction, Message, PressedButton};
use crate::access::Access;
use crate::channels::{Channel, Connector};
use crate::error::Error;
use crate::ids::WorkspaceId;
use crate::outcome::Done;
use crate::ports::{ClaimedJob, Ports, StoreError};
use crate::retry::retry_on_conflict;

/// The author of an inbound message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Author<'p> {
    /// The contact, with a pressed button.
    Person(Option<&'p PressedButton>),
    /// The contact, whose message the provider took as an opt-out.
    OptingOut,
    /// A program that answers for the contact.
    Program,
}

/// Use cases of inbound messages and reports.
#[derive(Clone)]
pub struct InboundService {
    /// The ports.
    pub ports: Arc<Ports>,
    /// The words of contacts that opt them out and in.
    pub words: OptOutWords,
}

impl InboundService {
    /// Returns the channel with this digest of its inbound address, and its workspace. Deleted workspaces receive no
    /// messages.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn channel(&self, digest: [u8; 32]) -> Result<(WorkspaceId, Channel), Error> {
        let (workspace, channel) = self.ports.channels.by_inbound_digest(digest).await?.ok_or(Error::NotFound)?;
        match self.ports.outbound.deleted_until(workspace).await? {
            Some(_) => Err(Error::NotFound),
            None => Ok((workspace, channel)),
        }
    }

    /// Returns the connector that parses requests to the channel's inbound address.
    ///
    /// # Errors
    /// [`Error::Store`] if the server does not serve channels of this type.
    pub fn connector(&self, workspace: WorkspaceId, channel: &Channel) -> Result<Arc<dyn Connector>, Error> {
        let connector = self.ports.connectors.for_workspace(channel.kind, workspace);
        Ok(connector.ok_or_else(|| StoreError::Corrupt(format!("no connector for {}", channel.id)))?)
    }

    /// Stores a contact's message with its immediate effects: a new contact, the conversation, and an opt-out. Flows
    /// receive the message unless it is an opt-out. The result is `Accepted` the first time and `Unchanged` for a
    /// repetition.
    ///
    /// # Errors
    /// [`Error::Invalid`] at `/contact` if a sandbox's contact ID is unknown; [`Error::Store`].
    pub async fn receive(
        &self,
        access: &Access,
        channel: &Channel,
        message: InboundMessage,
    ) -> Result<Done<Message>, Error> {
        self.receive_from(access, channel, (&message, Author::Person(None))).await
    }

    /// Same as [`InboundService::receive`] for the message of a contact that pressed a button. The message has the title
    /// of the button as its text, and the choice. If the message with the button is unknown, its own text is used.
    ///
    /// # Errors
    /// Same as [`InboundService::receive`].
    pub async fn receive_press(
        &self,
        access: &Access,
        channel: &Channel,
        message: InboundMessage,
        button: &PressedButton,
    ) -> Result<Done<Message>, Error> {
        self.receive_from(access, channel, (&message, Author::Person(Some(button)))).await
    }

    /// Same as [`InboundService::receive`] for a message that a program sent for the contact. No flow reacts to it or
    /// to the new contact, and its text is never an opt-out word. Webhooks get its events.
    ///
    /// # Errors
    /// Same as [`InboundService::receive`].
    pub async fn receive_automatic(
        &self,
        access: &Access,
        channel: &Channel,
        message: InboundMessage,
    ) -> Result<Done<Message>, Error> {
        let access = access.without_automation();
        self.receive_from(&access, channel, (&message, Author::Program)).await
    }

    /// Same as [`InboundService::receive`] for a message that the provider took as an opt-out, with any text.
    ///
    /// # Errors
    /// Same as [`InboundService::receive`].
    pub async fn receive_opt_out(
        &self,
        access: &Access,
        channel: &Channel,
        message: InboundMessage,
    ) -> Result<Done<Message>, Error> {
        self.receive_from(access, channel, (&message, Author::OptingOut)).await
    }

    /// Same as [`InboundService::receive`], finishing a job in the same commit.
    ///
    /// # Errors
    /// Same as [`InboundService::receive`].
    pub(crate) async fn receive_by(
        &self,
        access: &Access,
        job: &ClaimedJob,
        channel: &Channel,
        message: InboundMessage,
    ) -> Result<Done<Message>, Error> {
        retry_on_conflict(|| self.try_receive(access, channel, (&message, Author::Person(None), &[]), Some(job))).await
    }

    /// Stores a message and its files. A file is stored once, also if the commit of the message is repeated.
    async fn receive_from(
        &self,
        access: &Access,
        channel: &Channel,
        (inbound, author): (&InboundMessage, Author<'_>),
    ) -> Result<Done<Message>, Error> {
        let is_new = !inbound.files.is_empty() && self.known(access, channel, inbound).await?.is_none();
        let files = if is_new { store_files(&self.ports, access, &inbound.files).await? } else { Vec::new() };
        let received = retry_on_conflict(|| self.try_receive(access, channel, (inbound, author, &files), None)).await;
        discard_unused(&self.ports, access, &files, &received).await;
        received
    }

    /// Returns the stored message with the provider's ID of this one.
    async fn known(
        &self,
        access: &Access,
        channel: &Channel,
        inbound: &InboundMessage,
    ) -> Result<Option<Message>, StoreError> {
        self.ports.conversations.by_provider_id(access, channel.id, Direction::Inbound, &inbound.id).await
    }
}

#[cfg(test)]
mod tests;
