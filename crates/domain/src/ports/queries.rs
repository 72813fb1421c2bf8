//! What use cases read. Every query takes an [`Access`] and sees its workspace only; `Ok(None)`
//! and absent rows mean that nothing is there, another workspace's rows included.

use std::sync::Arc;

use async_trait::async_trait;

use super::changes::{IdempotencyRecord, RecordKey};
use super::errors::StoreError;
use crate::access::{Access, ApiKey, Invitation, KeyHolder, MemberEntry, Role, Workspace, WorkspaceCounts};
use crate::analytics::{Count, Metric, Part, ReplyTallies};
use crate::audit::{AuditEntry, AuditFilter};
use crate::catalog::Catalog;
use crate::channels::{Channel, ChannelStatus};
use crate::contacts::{Contact, ContactFilter, ContactRef};
use crate::conversations::{Conversation, ConversationFilter, Direction, Dispatch, Message};
use crate::custom_events::CustomEvent;
use crate::events::{EventKind, FeedRead, Listeners};
use crate::fields::{BotField, CustomField, FieldRef};
use crate::ids::{
    BotFieldId, ChannelId, ContactId, ConversationId, CustomEventId, DeliveryId, FieldId, InvitationId, JobId,
    MessageId, TagId, UserId, WebhookId, WorkspaceId,
};
use crate::jobs::QueuedJob;
use crate::list_filter::{ListFilter, NameFilter};
use crate::pagination::{Page, PageRequest, SortedPage, SortedRequest, Total};
use crate::references::{Dependent, LostReference, Referent, Referrer};
use crate::secrets::Secret;
use crate::tags::Tag;
use crate::time::Timestamp;
use crate::webhooks::{Attempt, AttemptCount, Delivery, DeliveryFilter, Replay, Webhook, WebhookStatus};

type Answer<T> = Result<T, StoreError>;

/// Credentials and workspaces; the only queries that come before an [`Access`].
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait AccessQueries: Send + Sync {
    /// The key with this SHA-256, revoked and expired ones included, with its workspace.
    async fn key_by_digest(&self, digest: [u8; 32]) -> Answer<Option<KeyHolder>>;
    /// A workspace.
    async fn workspace(&self, id: WorkspaceId) -> Answer<Option<Workspace>>;
    /// The sandbox of a workspace.
    async fn sandbox_of(&self, live: WorkspaceId) -> Answer<Option<Workspace>>;
    /// All workspaces with this name, oldest first; with `None`, all. At most 1 000.
    async fn workspaces(&self, name: Option<String>) -> Answer<Vec<Workspace>>;
    /// How many objects the workspace has, deleted or not.
    async fn counts(&self, workspace: WorkspaceId) -> Answer<WorkspaceCounts>;
    /// The keys of the workspace, revoked ones included, oldest first.
    async fn keys(&self, access: &Access) -> Answer<Vec<ApiKey>>;
}

/// Members of workspaces.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait MemberQueries: Send + Sync {
    /// The role of a user in the workspace; `None` for one who is no member.
    /// In a sandbox it is the role in its live workspace.
    async fn role(&self, access: &Access, user: UserId) -> Answer<Option<Role>>;
    /// A member with the person.
    async fn member(&self, access: &Access, user: UserId) -> Answer<Option<MemberEntry>>;
    /// All members, those who came first before the others: at most 200.
    async fn members(&self, access: &Access) -> Answer<Vec<MemberEntry>>;
    /// All open invitations, expired ones included, oldest first: at most 200.
    async fn invitations(&self, access: &Access) -> Answer<Vec<Invitation>>;
    /// The invitations that were accepted in vain at or after `since`, with the instant, open or not.
    async fn refused_invitations(&self, access: &Access, since: Timestamp) -> Answer<Vec<(InvitationId, Timestamp)>>;
}

/// The audit log.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait AuditQueries: Send + Sync {
    /// Entries that a filter admits, page by page, by the time of what they tell.
    async fn list(&self, access: &Access, filter: &AuditFilter, page: PageRequest) -> Answer<Page<AuditEntry>>;
}

/// Counters of what happened.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait AnalyticsQueries: Send + Sync {
    /// The counters of the quarters that begin at or after `from` and before `to`, whatever was counted of.
    async fn counts(&self, access: &Access, from: Timestamp, to: Timestamp) -> Answer<Vec<Count>>;
    /// The sums of the same quarters, by what was counted of, where that is known.
    async fn parts(&self, access: &Access, from: Timestamp, to: Timestamp) -> Answer<Vec<Part>>;
    /// The sums of these metrics over all quarters that begin before `before`; those that were never
    /// counted are absent.
    async fn sums(&self, access: &Access, metrics: Vec<Metric>, before: Timestamp) -> Answer<Vec<(Metric, i64)>>;
    /// The reply times that ended in the quarters that begin at or after `from` and before `to`, by member and by channel, in
    /// any order.
    async fn reply_times(&self, access: &Access, from: Timestamp, to: Timestamp) -> Answer<ReplyTallies>;
    /// When the oldest fact happened that is not in the counters yet.
    async fn oldest_fact(&self, access: &Access) -> Answer<Option<Timestamp>>;
}

/// Idempotency records.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait IdempotencyQueries: Send + Sync {
    /// The record of this method, route and name, if it is not older than 24 hours at `now`. If there is none, the record
    /// of the earlier name, unless its answer has a secret.
    async fn find(
        &self,
        access: &Access,
        method: &str,
        route: &str,
        key: &RecordKey,
        now: Timestamp,
    ) -> Answer<Option<IdempotencyRecord>>;
}

/// Contacts.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ContactQueries: Send + Sync {
    /// The living contact that is named so.
    async fn find(&self, access: &Access, contact: &ContactRef) -> Answer<Option<Contact>>;
    /// Those of the contacts that are there, the deleted ones, too, in any order.
    async fn by_ids(&self, access: &Access, contacts: &[ContactId]) -> Answer<Vec<Contact>>;
    /// A contact, even one that is deleted.
    async fn find_even_deleted(&self, access: &Access, contact: ContactId) -> Answer<Option<Contact>>;
    /// A deleted contact as it would be if it were restored: with the addresses that it had.
    async fn find_deleted(&self, access: &Access, contact: ContactId) -> Answer<Option<Contact>>;
    /// The living contact who has this address on the channel.
    async fn by_identity(&self, access: &Access, channel: ChannelId, address: &str) -> Answer<Option<Contact>>;
    /// Whether all stored names have their sort keys: until then lists go by folded names ([`SortedRequest::in_served_order`]).
    async fn names_have_sort_keys(&self) -> Answer<bool>;
    /// Contacts that satisfy a filter, by one of [`Contact::SORTS`] or by folded name.
    async fn list(&self, access: &Access, filter: &ContactFilter, page: SortedRequest) -> Answer<SortedPage<Contact>>;
    /// How many contacts satisfy a filter; counting ends at `most`.
    async fn count(&self, access: &Access, filter: &ContactFilter, most: u64) -> Answer<u64>;
    /// What a client told that happened to a contact, be it deleted or not.
    async fn custom_event(&self, access: &Access, event: CustomEventId) -> Answer<Option<CustomEvent>>;
}

/// Tags.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait TagQueries: Send + Sync {
    /// A tag.
    async fn get(&self, access: &Access, tag: TagId) -> Answer<Option<Tag>>;
    /// Those of the tags that are there; `contact_count` is 0.
    async fn by_ids(&self, access: &Access, tags: &[TagId]) -> Answer<Vec<Tag>>;
    /// Those tags whose folded names are among these; `contact_count` is 0.
    async fn by_name_keys(&self, access: &Access, names: &[String]) -> Answer<Vec<Tag>>;
    /// Whether all stored names have their sort keys, as of contacts.
    async fn names_have_sort_keys(&self) -> Answer<bool>;
    /// Tags that a filter admits, page by page, by one of [`Tag::SORTS`] or by folded name.
    async fn list(&self, access: &Access, filter: &NameFilter, page: SortedRequest) -> Answer<SortedPage<Tag>>;
    /// Whether links to this tag are left, be it there or not.
    async fn has_links(&self, access: &Access, tag: TagId) -> Answer<bool>;
}

/// Custom fields and bot fields.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait FieldQueries: Send + Sync {
    /// A custom field.
    async fn get(&self, access: &Access, field: &FieldRef<FieldId>) -> Answer<Option<CustomField>>;
    /// All custom fields of the workspace, by key: at most 200.
    async fn all(&self, access: &Access) -> Answer<Vec<CustomField>>;
    /// Custom fields, page by page.
    async fn list(&self, access: &Access, page: PageRequest) -> Answer<Page<CustomField>>;
    /// Whether values of this field are left, be it there or not.
    async fn has_values(&self, access: &Access, field: FieldId) -> Answer<bool>;
    /// How many living contacts carry one of these options of the field; counting ends at `most`.
    async fn carriers(&self, access: &Access, field: &CustomField, options: &[String], most: u64) -> Answer<u64>;
    /// Contacts, deleted ones included, that carry one of these options of the field, behind `after` by id, with the
    /// values as they are stored; at most `limit`.
    async fn carrying(
        &self,
        access: &Access,
        field: &CustomField,
        options: &[String],
        after: Option<ContactId>,
        limit: u32,
    ) -> Answer<Vec<(ContactId, serde_json::Value)>>;
    /// A bot field.
    async fn bot(&self, access: &Access, field: &FieldRef<BotFieldId>) -> Answer<Option<BotField>>;
    /// All bot fields of the workspace, by key: at most 200.
    async fn bot_all(&self, access: &Access) -> Answer<Vec<BotField>>;
    /// Bot fields, page by page.
    async fn bot_list(&self, access: &Access, page: PageRequest) -> Answer<Page<BotField>>;
}

/// Secrets of workspaces, as they are kept: sealed.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SecretQueries: Send + Sync {
    /// The secret of this name.
    async fn get(&self, access: &Access, name: &str) -> Answer<Option<Secret>>;
    /// All secrets of the workspace, by name: at most 50.
    async fn all(&self, access: &Access) -> Answer<Vec<Secret>>;
    /// Secrets, page by page.
    async fn list(&self, access: &Access, page: PageRequest) -> Answer<Page<Secret>>;
}

/// Jobs that are not done yet.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait JobQueries: Send + Sync {
    /// A job. A delivery's own place in the queue is none.
    async fn get(&self, access: &Access, job: JobId) -> Answer<Option<QueuedJob>>;
    /// The jobs that were put aside, page by page, by the time at which they were.
    async fn dead(&self, access: &Access, page: PageRequest) -> Answer<Page<QueuedJob>>;
}

/// What names what.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ReferenceQueries: Send + Sync {
    /// The objects that name this one, with their names of now, by kind and id; at most 100.
    async fn dependents(&self, access: &Access, target: Referent) -> Answer<Vec<Dependent>>;
    /// What an object named and has lost since it was last asked what it names, by kind and id.
    async fn lost(&self, access: &Access, owner: Referrer) -> Answer<Vec<LostReference>>;
}

/// Channels.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ChannelQueries: Send + Sync {
    /// A channel.
    async fn get(&self, access: &Access, channel: ChannelId) -> Answer<Option<Channel>>;
    /// The channel that messages take where nothing else is said.
    async fn default_channel(&self, access: &Access) -> Answer<Option<Channel>>;
    /// Channels that a filter admits, page by page.
    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<ChannelStatus>,
        page: PageRequest,
    ) -> Answer<Page<Channel>>;
    /// The channel whose inbound token has this SHA-256, with its workspace: the look-up by which a
    /// provider's request finds its workspace, so that it comes before an [`Access`].
    async fn by_inbound_digest(&self, digest: [u8; 32]) -> Answer<Option<(WorkspaceId, Channel)>>;
}

/// Conversations and messages.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ConversationQueries: Send + Sync {
    /// A conversation.
    async fn get(&self, access: &Access, conversation: ConversationId) -> Answer<Option<Conversation>>;
    /// The conversation with a contact on a channel.
    async fn between(&self, access: &Access, contact: ContactId, channel: ChannelId) -> Answer<Option<Conversation>>;
    /// The conversations with these contacts on a channel, in any order.
    async fn between_all(
        &self,
        access: &Access,
        contacts: &[ContactId],
        channel: ChannelId,
    ) -> Answer<Vec<Conversation>>;
    /// All conversations with a contact: the one in which a message last went either way first, those without a message
    /// last.
    async fn with(&self, access: &Access, contact: ContactId) -> Answer<Vec<Conversation>>;
    /// Conversations, page by page, by one of [`Conversation::SORTS`].
    async fn list(
        &self,
        access: &Access,
        filter: &ConversationFilter,
        page: SortedRequest,
    ) -> Answer<SortedPage<Conversation>>;
    /// The number of conversations that each of the filters admits, in the order of the filters, as of one moment.
    async fn counts(&self, access: &Access, filters: &[ConversationFilter]) -> Answer<Vec<Total>>;
    /// The messages of a conversation, page by page.
    async fn messages(&self, access: &Access, conversation: ConversationId, page: PageRequest)
    -> Answer<Page<Message>>;
    /// A message.
    async fn message(&self, access: &Access, message: MessageId) -> Answer<Option<Message>>;
    /// A message with all that its sending depends on, as of one moment.
    async fn dispatch(&self, access: &Access, message: MessageId) -> Answer<Option<Dispatch>>;
    /// The message of this direction that the provider of the channel calls by this name; of several
    /// outbound ones the newest.
    async fn by_provider_id(
        &self,
        access: &Access,
        channel: ChannelId,
        direction: Direction,
        provider_message_id: &str,
    ) -> Answer<Option<Message>>;
    /// The conversation in which a message last went either way with the contact.
    async fn last_used(&self, access: &Access, contact: ContactId) -> Answer<Option<Conversation>>;
    /// What a channel handed to its provider, page by page: outbound messages that are `sent`,
    /// `delivered` or `read`.
    async fn captured(&self, access: &Access, channel: ChannelId, page: PageRequest) -> Answer<Page<Message>>;
}

/// Webhooks and deliveries.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait WebhookQueries: Send + Sync {
    /// A webhook.
    async fn get(&self, access: &Access, webhook: WebhookId) -> Answer<Option<Webhook>>;
    /// Webhooks that a filter admits, page by page.
    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<WebhookStatus>,
        page: PageRequest,
    ) -> Answer<Page<Webhook>>;
    /// The webhooks that want events of this kind and are not disabled.
    async fn subscribers(&self, access: &Access, kind: EventKind) -> Answer<Vec<Webhook>>;
    /// The deliveries to a webhook, page by page.
    async fn deliveries(
        &self,
        access: &Access,
        webhook: WebhookId,
        filter: &DeliveryFilter,
        page: PageRequest,
    ) -> Answer<Page<Delivery>>;
    /// A delivery.
    async fn delivery(&self, access: &Access, delivery: DeliveryId) -> Answer<Option<Delivery>>;
    /// The attempts of a delivery, first to last.
    async fn attempts(&self, access: &Access, delivery: DeliveryId) -> Answer<Vec<Attempt>>;
    /// The counters of attempts at these webhooks from the hour `since` on, in no order.
    async fn counts(&self, access: &Access, webhooks: Vec<WebhookId>, since: Timestamp) -> Answer<Vec<AttemptCount>>;
    /// A replay that is under way.
    async fn replay(&self, access: &Access, replay: JobId) -> Answer<Option<Replay>>;
}

/// Events, in the order in which they were numbered.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait EventQueries: Send + Sync {
    /// The numbered events behind position `after`, of these kinds (of all where there are none),
    /// the lowest positions first, at most `limit`; and the highest position of the workspace that
    /// was given when they were read, 0 where none was.
    async fn feed(&self, access: &Access, after: i64, kinds: Vec<EventKind>, limit: u32) -> Answer<FeedRead>;
    /// The highest position of the workspace that was given, 0 where none was.
    async fn head(&self, access: &Access) -> Answer<i64>;
}

/// Who listens to events, held in memory where that is worth it.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ListenerQueries: Send + Sync {
    /// Who listens to the events of a workspace: as of any revision but `outdated`, which a commit found to be over.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn listeners(&self, workspace: WorkspaceId, outdated: Option<i64>) -> Answer<Arc<Listeners>>;
}

/// What a workspace has that flows name, held in memory where that is worth it.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait CatalogQueries: Send + Sync {
    /// The catalog of a workspace, as of some revision: [`crate::ports::Guard::Catalog`] tells whether it still is so. A
    /// commit that finds it over has it read anew for whoever asks next.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn catalog(&self, workspace: WorkspaceId) -> Answer<Arc<Catalog>>;
}
