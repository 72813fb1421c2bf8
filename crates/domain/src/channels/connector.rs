//! The port that sends messages to providers and receives their requests.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::channel_type::{Capabilities, ChannelType};
use super::inbound_request::{Handshake, InboundRequest, Unverified};
use super::media::{FetchFailure, FetchedMedia};
use super::model::{Channel, ChannelKind, Config, PlainSecrets};
use super::pace::SendPace;
use super::polling::{PollFailure, Polled};
use super::provider_templates::ProviderTemplate;
use super::segments::Segments;
use super::send_outcome::SendOutcome;
use super::setup::{Health, SetupFailure};
use crate::conversations::{Content, InboundEvent, InboundMessage};
use crate::error::Violation;
use crate::ids::{MessageId, WorkspaceId};
use crate::ports::FilePlace;
use crate::read::Refusal;
use crate::time::Timestamp;
use crate::trial::TestAnswer;

/// A message to send to a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outbound {
    /// The channel.
    pub channel: Channel,
    /// ID of the message: the idempotency key for providers that support one.
    pub message: MessageId,
    /// The contact's address on the channel.
    pub address: String,
    /// The contact's external ID. The sandbox chooses its simulated behavior by it.
    pub external_id: Option<String>,
    /// The content.
    pub content: Content,
    /// When the message was created.
    pub created_at: Timestamp,
    /// Number of earlier attempts at the message, or at its current part, that the provider deferred.
    pub attempts: i32,
    /// The sender, the conversation and the files, if messages of the provider contain them.
    pub context: SendContext,
}

/// The sender, the conversation and the files of an outbound message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SendContext {
    /// Whether a person wrote the message.
    pub by_person: bool,
    /// Whether it belongs to a flow, a sequence or a broadcast.
    pub is_bulk: bool,
    /// The URL with which the contact opts out of the channel. Only set for messages of flows, sequences and broadcasts,
    /// if [`Connector::offers_unsubscribe_link`] is true and the server has a public URL.
    pub unsubscribe_url: Option<String>,
    /// The latest messages of its thread before `reply_to`, oldest first. Only loaded if [`Connector::shows_threads`] is
    /// true.
    pub earlier: Vec<EarlierMessage>,
    /// The message that it answers: the one that its sender selected. If [`Connector::shows_threads`] is true, otherwise
    /// the latest one of the contact, unless it has its own subject.
    pub reply_to: Option<EarlierMessage>,
    /// The files of the server that the attachments name, in their order.
    pub files: Vec<LinkedFile>,
    /// Index of the part to send, in the order of [`Connector::parts`].
    pub part: usize,
}

/// A file of the server in an outbound message. The URL of its attachment is a link to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkedFile {
    /// Index of its attachment in the content.
    pub attachment: usize,
    /// The place of its bytes.
    pub place: FilePlace,
    /// Size in bytes.
    pub size: u64,
}

/// An earlier message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierMessage {
    /// Whether the contact sent it.
    pub is_inbound: bool,
    /// The provider's ID of the message.
    pub provider_message_id: String,
    /// The subject.
    pub subject: Option<String>,
    /// The reply address that the contact chose, if it is another one.
    pub answers_to: Option<String>,
}

/// An action of a simulated contact or provider, some time after a message was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduledAct {
    /// Time after the message was sent.
    pub after: Duration,
    /// The action.
    pub act: Act,
}

/// An action of a simulated contact or provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// The message is delivered.
    Deliver,
    /// The provider reports that the message failed, for this reason.
    Fail(String),
    /// The contact reads the message.
    Read,
    /// The contact sends this text.
    Say(String),
    /// The contact opts out, with the first opt-out word.
    Leave,
}

/// Serves one type of channel: the only code that knows its provider. Methods with a default are for features that not
/// every provider has.
///
/// | Feature | Methods |
/// |---|---|
/// | every type | `channel_type`, `send` |
/// | every type with a provider | `test` |
/// | services that drop repeated messages, by a setting of the channel | `drops_repeats` |
/// | types that always recognise repeated messages | `is_idempotent` |
/// | limits of calls by workspace | `for_workspace`, for every type that calls its provider |
/// | messages and reports of the provider | `is_signed`, `verify`, `parse`, and [`ChannelType::inbound`] |
/// | the request that checks the inbound address | `handshake` |
/// | messages that the provider could not deliver | `catches_up`, `received_since` |
/// | requests that the server fetches | `polls`, `poll`, and `parse` |
/// | set-up by the server | `connect`, `disconnect`, `account`, and [`ChannelType::registers`] |
/// | rules of the settings | `check` |
/// | templates | `templates` |
/// | health | `health`, for types that [register](ChannelType::registers) |
/// | messages in several parts | `plan`, `parts`, `segments` |
/// | files of contacts | `fetch_media` |
/// | messages with an unknown outcome | `look_up`, `look_up_waits` |
/// | limits of calls in a time | `pace` |
/// | a limit of automatic messages to a contact | `max_automatic_per_hour` |
/// | confirmation of a contact's action | `acknowledges`, `acknowledge` |
/// | threads, or a link to opt out, in a message | `shows_threads`, `offers_unsubscribe_link` |
/// | channels with fewer capabilities than their type | `capabilities` |
/// | a simulated provider | `is_local`, `plays` |
///
/// No method is called inside a transaction. `handshake`, `is_signed`, `verify`, `parse`, `plan` and `parts` do no
/// I/O.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait Connector: Send + Sync {
    /// Describes the type of channel that it serves.
    fn channel_type(&self) -> &'static ChannelType;

    /// Returns the type of channel that it serves.
    fn kind(&self) -> ChannelKind {
        self.channel_type().kind
    }

    /// Returns the capabilities of a channel: all of its type, or fewer.
    fn capabilities(&self, channel: &Channel) -> Capabilities {
        let _ = channel;
        self.channel_type().capabilities
    }

    /// Returns the limits of a channel for calls that send messages. The default is the limits of its type. Not used if
    /// the connector is idempotent.
    fn pace(&self, channel: &Channel) -> SendPace {
        let _ = channel;
        self.channel_type().pace
    }

    /// Returns this connector for the calls of a workspace, if it limits them by workspace.
    fn for_workspace(&self, workspace: WorkspaceId) -> Option<Arc<dyn Connector>> {
        let _ = workspace;
        None
    }

    /// Whether sending a message ID twice always delivers one message. Then the start of a send is not stored before the
    /// call. The default is false.
    fn is_idempotent(&self) -> bool {
        false
    }

    /// Whether the service behind this channel promises to drop repeated messages. Then a message is sent again if its
    /// outcome is unknown, also after a crash. Its start is stored before the call, and the contact is checked again.
    /// Only for messages of one part. The default is false.
    fn drops_repeats(&self, channel: &Channel) -> bool {
        let _ = channel;
        false
    }

    /// Whether each message to a contact belongs to a thread and names earlier messages of it. Then
    /// [`SendContext::earlier`] is loaded. A message without a subject answers the latest one of the contact.
    fn shows_threads(&self) -> bool {
        false
    }

    /// Whether a message offers a link to opt out. Then [`SendContext::unsubscribe_url`] is set.
    fn offers_unsubscribe_link(&self) -> bool {
        false
    }

    /// Returns the largest number of automatic messages that a contact may get within an hour. A limit ends a loop with a
    /// program that answers for the contact. `None` if there is no limit.
    fn max_automatic_per_hour(&self) -> Option<usize> {
        None
    }

    /// Whether messages stay within the process. If so, the server sends many at once. Such a provider must be
    /// idempotent.
    fn is_local(&self) -> bool {
        false
    }

    /// Returns the simulated actions after this message was accepted or its outcome became unknown; always the same for
    /// a message. Real providers report such events when they happen.
    fn plays(&self, message: &Outbound) -> Vec<ScheduledAct> {
        let _ = message;
        Vec::new()
    }

    /// Returns the provider's account that the configuration and the secrets name. Two channels of a workspace cannot
    /// use the same account, and new secrets of a channel must belong to the same one. `None` if they do not name it.
    fn account(&self, config: &Config, secrets: &PlainSecrets) -> Option<String> {
        let _ = (config, secrets);
        None
    }

    /// Returns violations of rules that the declared members do not express, such as the form of an ID or members that
    /// exclude each other. `config` is complete, and `secrets` are the new ones. Pointers begin with `/config` or
    /// `/secrets`.
    fn check(&self, config: &Config, secrets: &PlainSecrets) -> Vec<Violation> {
        let _ = (config, secrets);
        Vec::new()
    }

    /// Sets up the provider, and registers the channel's inbound address with this public URL. A repeated call changes
    /// nothing. Only called for types that [register](ChannelType::registers). Returns members of `config` that the
    /// provider reports.
    ///
    /// # Errors
    /// [`SetupFailure`] with the failed step.
    async fn connect(&self, channel: &Channel, inbound_url: &str) -> Result<Config, SetupFailure> {
        let _ = (channel, inbound_url);
        Ok(Config::new())
    }

    /// Removes the inbound address of the channel at the provider, if the provider can be reached. The address of
    /// another channel stays.
    async fn disconnect(&self, channel: &Channel) {
        let _ = channel;
    }

    /// Asks the provider for the templates of the channel: the first ones, if there are too many. Empty for types without
    /// templates.
    ///
    /// # Errors
    /// [`SetupFailure`] if the provider does not return them.
    async fn templates(&self, channel: &Channel) -> Result<Vec<ProviderTemplate>, SetupFailure> {
        let _ = channel;
        Ok(Vec::new())
    }

    /// Asks the provider for the health of the channel.
    async fn health(&self, channel: &Channel) -> Health {
        let _ = channel;
        Health::default()
    }

    /// Returns the response to the GET request that checks the inbound address. `None`, for a 405 response, if the
    /// provider sends no such request.
    fn handshake(&self, channel: &Channel, request: &InboundRequest) -> Option<Handshake> {
        let _ = (channel, request);
        None
    }

    /// Whether a request has a signature. The server calls this before it reads the body, so `request.body` is empty.
    fn is_signed(&self, request: &InboundRequest) -> bool {
        let _ = request;
        false
    }

    /// Checks that the provider sent the request: verifies the signature over the raw body, in constant time.
    ///
    /// # Errors
    /// [`Unverified`]; the server then stores nothing of the request.
    fn verify(&self, channel: &Channel, request: &InboundRequest) -> Result<(), Unverified> {
        let _ = (channel, request);
        Err(Unverified::Signature)
    }

    /// Parses the events of a verified request, in their order. Events that are deliberately ignored are omitted.
    ///
    /// # Errors
    /// [`Refusal`] if the body is not understood.
    fn parse(&self, channel: &Channel, request: &InboundRequest) -> Result<Vec<InboundEvent>, Refusal> {
        let _ = (channel, request);
        Ok(Vec::new())
    }

    /// Whether the provider lists the messages of contacts, and does not repeat those that it could not deliver.
    fn catches_up(&self) -> bool {
        false
    }

    /// Returns the messages of contacts that the provider has received since a time, the oldest first, also those that
    /// it has delivered. `None` if the provider gave no answer. Only called if the connector
    /// [catches up](Connector::catches_up).
    async fn received_since(&self, channel: &Channel, since: Timestamp) -> Option<Vec<InboundMessage>> {
        let _ = (channel, since);
        Some(Vec::new())
    }

    /// Whether the server fetches the requests of the provider for this channel. Then the provider does not call the
    /// inbound address. Only for types that [register](ChannelType::registers).
    fn polls(&self, channel: &Channel) -> bool {
        let _ = channel;
        false
    }

    /// Fetches requests of the provider with a greater number than `after`. If it has none, it waits for one, at most
    /// this time. The provider may delete the others. The server passes each request to [`Connector::parse`]. Only
    /// called if the channel [polls](Connector::polls).
    ///
    /// # Errors
    /// [`PollFailure`].
    async fn poll(&self, channel: &Channel, after: Option<i64>, wait: Duration) -> Result<Polled, PollFailure> {
        let _ = (channel, after, wait);
        Ok(Polled::default())
    }

    /// Whether the provider waits for [`Connector::acknowledge`] after this verified request.
    fn acknowledges(&self, request: &InboundRequest) -> bool {
        let _ = request;
        false
    }

    /// Calls the provider after the events of a request were stored, and shows the effect to the contact. It runs
    /// beside the response, and its failure has no effect.
    async fn acknowledge(&self, channel: &Channel, request: &InboundRequest) {
        let _ = (channel, request);
    }

    /// Fetches a file of a contact's message. `reference` is the [provider's reference] of its attachment, and `limit`
    /// the largest file in bytes. The provider's secrets are only sent to its own addresses.
    ///
    /// # Errors
    /// [`FetchFailure`].
    ///
    /// [provider's reference]: crate::conversations::Attachment::provider_reference
    async fn fetch_media(&self, channel: &Channel, reference: &str, limit: u64) -> Result<FetchedMedia, FetchFailure> {
        let _ = (channel, reference, limit);
        Err(FetchFailure::Gone("Channels of this type store no files of contacts.".to_owned()))
    }

    /// Splits a message into the parts that the provider accepts on this channel: attachments, then the text. The last
    /// part has the quick replies. Each part is one call; there is at least one.
    fn plan(&self, channel: &Channel, content: &Content) -> Vec<Content> {
        let _ = channel;
        vec![content.clone()]
    }

    /// Splits a message to its recipient, as [`Connector::plan`]. After the first part of a message was sent, its plan
    /// must not change.
    fn parts(&self, message: &Outbound) -> Vec<Content> {
        self.plan(&message.channel, &message.content)
    }

    /// Returns the charged segments of the parts of a message; `None` if the provider does not count segments.
    fn segments(&self, parts: &[Content]) -> Option<Segments> {
        let _ = parts;
        None
    }

    /// Returns the waits before each look-up of a message with an unknown outcome. Empty if the provider cannot be asked.
    fn look_up_waits(&self) -> &'static [Duration] {
        &[]
    }

    /// Asks the provider for the part of a message at the index [`SendContext::part`], if the outcome is unknown. `began`
    /// is the time of the first call of the message. Returns the provider's IDs of all messages that can be this one;
    /// `None` if the provider gave no answer.
    async fn look_up(&self, message: &Outbound, began: Timestamp) -> Option<Vec<String>> {
        let _ = (message, began);
        None
    }

    /// Asks the provider whether it would accept a message, without sending one. A type without a provider accepts every
    /// message.
    async fn test(&self, channel: &Channel) -> TestAnswer {
        let _ = channel;
        TestAnswer::default()
    }

    /// Sends one part of a message to the provider: the one at the index [`SendContext::part`], by one call. The server
    /// stores the outcome before it sends the next part. Errors are outcomes, too. A connector that is idempotent sends
    /// the whole message.
    async fn send(&self, message: Outbound) -> SendOutcome;
}
