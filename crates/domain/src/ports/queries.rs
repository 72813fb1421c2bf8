//! Queries of use cases. Each query takes an [`Access`] and sees only its workspace. `Ok(None)` and absent rows mean
//! that the object does not exist, or belongs to another workspace.

use std::sync::Arc;

use async_trait::async_trait;

use super::changes::{IdempotencyRecord, RecordKey};
use super::errors::StoreError;
use crate::access::{Access, ApiKey, Invitation, KeyHolder, MemberEntry, Role, Workspace, WorkspaceCounts};
use crate::analytics::{Count, Metric, Part, ReplyTallies};
use crate::audit::{AuditEntry, AuditFilter};
use crate::catalog::Catalog;
use crate::channels::{Channel, ChannelHealth, ChannelStatus, UnparsedRequest};
use crate::contacts::{ChannelReach, Contact, ContactFilter, ContactRef};
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

/// Credentials and workspaces: the queries that run before there is an [`Access`].
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait AccessQueries: Send + Sync {
    /// Returns the key with this SHA-256, even a revoked or expired one, with its workspace.
    async fn key_by_digest(&self, digest: [u8; 32]) -> Answer<Option<KeyHolder>>;
    /// Returns a workspace.
    async fn workspace(&self, id: WorkspaceId) -> Answer<Option<Workspace>>;
    /// Returns the sandbox of a workspace.
    async fn sandbox_of(&self, live: WorkspaceId) -> Answer<Option<Workspace>>;
    /// Returns all workspaces, or those with this name, oldest first, at most 1 000.
    async fn workspaces(&self, name: Option<String>) -> Answer<Vec<Workspace>>;
    /// Counts the objects of the workspace, deleted ones included.
    async fn counts(&self, workspace: WorkspaceId) -> Answer<WorkspaceCounts>;
    /// Returns the keys of the workspace, revoked ones included, oldest first.
    async fn keys(&self, access: &Access) -> Answer<Vec<ApiKey>>;
}

/// Members of workspaces.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait MemberQueries: Send + Sync {
    /// Returns the role of a user in the workspace; `None` for a non-member. In a sandbox it is the role in its live
    /// workspace.
    async fn role(&self, access: &Access, user: UserId) -> Answer<Option<Role>>;
    /// Returns a member with the user.
    async fn member(&self, access: &Access, user: UserId) -> Answer<Option<MemberEntry>>;
    /// Returns all members, the earliest member first, at most 200.
    async fn members(&self, access: &Access) -> Answer<Vec<MemberEntry>>;
    /// Returns all open invitations, expired ones included, oldest first, at most 200.
    async fn invitations(&self, access: &Access) -> Answer<Vec<Invitation>>;
    /// Returns the invitations whose acceptance created an account or was refused at or after `since`, with the time,
    /// open or not.
    async fn counted_invitations(&self, access: &Access, since: Timestamp) -> Answer<Vec<(InvitationId, Timestamp)>>;
}

/// The audit log.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait AuditQueries: Send + Sync {
    /// Returns a page of the entries that match a filter, by the time of the logged action.
    async fn list(&self, access: &Access, filter: &AuditFilter, page: PageRequest) -> Answer<Page<AuditEntry>>;
}

/// Analytics counters.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait AnalyticsQueries: Send + Sync {
    /// Returns the counters of the quarter-hours that begin at or after `from` and before `to`, for all subjects.
    async fn counts(&self, access: &Access, from: Timestamp, to: Timestamp) -> Answer<Vec<Count>>;
    /// Returns the sums of the same quarter-hours by subject, if the subject is known.
    async fn parts(&self, access: &Access, from: Timestamp, to: Timestamp) -> Answer<Vec<Part>>;
    /// Returns the sums of these metrics over all quarter-hours that begin before `before`. Metrics without a count are
    /// absent.
    async fn sums(&self, access: &Access, metrics: Vec<Metric>, before: Timestamp) -> Answer<Vec<(Metric, i64)>>;
    /// Returns the reply times that ended in the quarter-hours that begin at or after `from` and before `to`, by member
    /// and by channel, in any order.
    async fn reply_times(&self, access: &Access, from: Timestamp, to: Timestamp) -> Answer<ReplyTallies>;
    /// Returns the time of the oldest fact that is not yet counted.
    async fn oldest_fact(&self, access: &Access) -> Answer<Option<Timestamp>>;
}

/// Idempotency records.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait IdempotencyQueries: Send + Sync {
    /// Returns the record of this method, route and name, if it is at most 24 hours old at `now`. If there is none,
    /// returns the record with the earlier name, unless its response contains a secret.
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
    /// Returns the contact with this identifier, if it is not deleted.
    async fn find(&self, access: &Access, contact: &ContactRef) -> Answer<Option<Contact>>;
    /// Returns the existing ones of these contacts, deleted ones included, in any order.
    async fn by_ids(&self, access: &Access, contacts: &[ContactId]) -> Answer<Vec<Contact>>;
    /// Returns a contact, even a deleted one.
    async fn find_even_deleted(&self, access: &Access, contact: ContactId) -> Answer<Option<Contact>>;
    /// Returns a deleted contact as a restore would make it: with its former addresses.
    async fn find_deleted(&self, access: &Access, contact: ContactId) -> Answer<Option<Contact>>;
    /// Returns the contact with this address on the channel, if it is not deleted.
    async fn by_identity(&self, access: &Access, channel: ChannelId, address: &str) -> Answer<Option<Contact>>;
    /// Whether all stored names have sort keys. Until then lists are sorted by folded names
    /// ([`SortedRequest::in_served_order`]).
    async fn names_have_sort_keys(&self) -> Answer<bool>;
    /// Returns a page of the contacts that match a filter, by one of [`Contact::SORTS`] or by folded name.
    async fn list(&self, access: &Access, filter: &ContactFilter, page: SortedRequest) -> Answer<SortedPage<Contact>>;
    /// Counts the contacts that match a filter, up to `most`.
    async fn count(&self, access: &Access, filter: &ContactFilter, most: u64) -> Answer<u64>;
    /// Counts the contacts that match a filter, by whether a message on a channel can reach them.
    async fn reach(&self, access: &Access, filter: &ContactFilter, channel: ChannelId) -> Answer<ChannelReach>;
    /// Returns a custom event, even of a deleted contact.
    async fn custom_event(&self, access: &Access, event: CustomEventId) -> Answer<Option<CustomEvent>>;
}

/// Tags.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait TagQueries: Send + Sync {
    /// Returns a tag.
    async fn get(&self, access: &Access, tag: TagId) -> Answer<Option<Tag>>;
    /// Returns the existing ones of these tags; `contact_count` is 0.
    async fn by_ids(&self, access: &Access, tags: &[TagId]) -> Answer<Vec<Tag>>;
    /// Returns the tags with these folded names; `contact_count` is 0.
    async fn by_name_keys(&self, access: &Access, names: &[String]) -> Answer<Vec<Tag>>;
    /// Whether all stored names have sort keys, as for contacts.
    async fn names_have_sort_keys(&self) -> Answer<bool>;
    /// Returns a page of the tags that match a filter, by one of [`Tag::SORTS`] or by folded name.
    async fn list(&self, access: &Access, filter: &NameFilter, page: SortedRequest) -> Answer<SortedPage<Tag>>;
    /// Whether links to this tag are left, even if the tag is deleted.
    async fn has_links(&self, access: &Access, tag: TagId) -> Answer<bool>;
}

/// Custom fields and bot fields.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait FieldQueries: Send + Sync {
    /// Returns a custom field.
    async fn get(&self, access: &Access, field: &FieldRef<FieldId>) -> Answer<Option<CustomField>>;
    /// Returns all custom fields of the workspace, by key, at most 200.
    async fn all(&self, access: &Access) -> Answer<Vec<CustomField>>;
    /// Returns a page of custom fields.
    async fn list(&self, access: &Access, page: PageRequest) -> Answer<Page<CustomField>>;
    /// Whether values of this field are left, even if the field is deleted.
    async fn has_values(&self, access: &Access, field: FieldId) -> Answer<bool>;
    /// Counts the contacts that are not deleted and have one of these options of the field, up to `most`.
    async fn carriers(&self, access: &Access, field: &CustomField, options: &[String], most: u64) -> Answer<u64>;
    /// Returns contacts with one of these options of the field, deleted ones included, with the stored values: by ID
    /// after `after`, at most `limit`.
    async fn carrying(
        &self,
        access: &Access,
        field: &CustomField,
        options: &[String],
        after: Option<ContactId>,
        limit: u32,
    ) -> Answer<Vec<(ContactId, serde_json::Value)>>;
    /// Returns a bot field.
    async fn bot(&self, access: &Access, field: &FieldRef<BotFieldId>) -> Answer<Option<BotField>>;
    /// Returns all bot fields of the workspace, by key, at most 200.
    async fn bot_all(&self, access: &Access) -> Answer<Vec<BotField>>;
    /// Returns a page of bot fields.
    async fn bot_list(&self, access: &Access, page: PageRequest) -> Answer<Page<BotField>>;
}

/// Secrets of workspaces, sealed.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SecretQueries: Send + Sync {
    /// Returns the secret with this name.
    async fn get(&self, access: &Access, name: &str) -> Answer<Option<Secret>>;
    /// Returns all secrets of the workspace, by name, at most 50.
    async fn all(&self, access: &Access) -> Answer<Vec<Secret>>;
    /// Returns a page of secrets.
    async fn list(&self, access: &Access, page: PageRequest) -> Answer<Page<Secret>>;
}

/// Unfinished jobs.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait JobQueries: Send + Sync {
    /// Returns a job. A delivery's own row is not one.
    async fn get(&self, access: &Access, job: JobId) -> Answer<Option<QueuedJob>>;
    /// Returns a page of dead-lettered jobs, by the time at which they were dead-lettered.
    async fn dead(&self, access: &Access, page: PageRequest) -> Answer<Page<QueuedJob>>;
}

/// References between objects.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ReferenceQueries: Send + Sync {
    /// Returns the objects that refer to this one, with their current names, by kind and ID, at most 100.
    async fn dependents(&self, access: &Access, target: Referent) -> Answer<Vec<Dependent>>;
    /// Returns the existing objects to which an object refers, by kind and ID.
    async fn targets(&self, access: &Access, owner: Referrer) -> Answer<Vec<Referent>>;
    /// Returns the references that an object lost since its references were last stored, by kind and ID.
    async fn lost_references(&self, access: &Access, owner: Referrer) -> Answer<Vec<LostReference>>;
}

/// Channels.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ChannelQueries: Send + Sync {
    /// Returns a channel.
    async fn get(&self, access: &Access, channel: ChannelId) -> Answer<Option<Channel>>;
    /// Returns the workspace's default channel.
    async fn default_channel(&self, access: &Access) -> Answer<Option<Channel>>;
    /// Returns a page of the channels that match a filter.
    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<ChannelStatus>,
        page: PageRequest,
    ) -> Answer<Page<Channel>>;
    /// Returns the health of a channel; the default if nothing is known, or if the channel does not exist.
    async fn health(&self, access: &Access, channel: ChannelId) -> Answer<ChannelHealth>;
    /// Returns the health of the channels of the workspace, in any order. Those of which nothing is known are omitted.
    async fn healths(&self, access: &Access) -> Answer<Vec<(ChannelId, ChannelHealth)>>;
    /// Returns the channel whose inbound token has this SHA-256, with its workspace. A provider's request finds its
    /// workspace by it, before there is an [`Access`].
    async fn by_inbound_digest(&self, digest: [u8; 32]) -> Answer<Option<(WorkspaceId, Channel)>>;
    /// Returns a page of the kept requests of a channel that were not understood, by the time at which they were
    /// received.
    async fn unparsed(&self, access: &Access, channel: ChannelId, page: PageRequest) -> Answer<Page<UnparsedRequest>>;
    /// As `unparsed`, of all channels of the workspace.
    async fn all_unparsed(&self, access: &Access, page: PageRequest) -> Answer<Page<UnparsedRequest>>;
}

/// Conversations and messages.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ConversationQueries: Send + Sync {
    /// Returns a conversation.
    async fn get(&self, access: &Access, conversation: ConversationId) -> Answer<Option<Conversation>>;
    /// Returns the conversation with a contact on a channel.
    async fn between(&self, access: &Access, contact: ContactId, channel: ChannelId) -> Answer<Option<Conversation>>;
    /// Returns the conversations with these contacts on a channel, in any order.
    async fn between_all(
        &self,
        access: &Access,
        contacts: &[ContactId],
        channel: ChannelId,
    ) -> Answer<Vec<Conversation>>;
    /// Returns all conversations with a contact, the one with the newest message first, those without messages last.
    async fn with(&self, access: &Access, contact: ContactId) -> Answer<Vec<Conversation>>;
    /// Returns a page of conversations, by one of [`Conversation::SORTS`].
    async fn list(
        &self,
        access: &Access,
        filter: &ConversationFilter,
        page: SortedRequest,
    ) -> Answer<SortedPage<Conversation>>;
    /// Returns the number of conversations that match each filter, in the order of the filters, in one snapshot.
    async fn counts(&self, access: &Access, filters: &[ConversationFilter]) -> Answer<Vec<Total>>;
    /// Returns a page of the messages of a conversation.
    async fn messages(&self, access: &Access, conversation: ConversationId, page: PageRequest)
    -> Answer<Page<Message>>;
    /// Returns a message.
    async fn message(&self, access: &Access, message: MessageId) -> Answer<Option<Message>>;
    /// Returns a message with the data that its sending needs, in one snapshot.
    async fn dispatch(&self, access: &Access, message: MessageId) -> Answer<Option<Dispatch>>;
    /// Returns the message of this direction with this provider message ID on the channel, the newest of several
    /// outbound ones.
    async fn by_provider_id(
        &self,
        access: &Access,
        channel: ChannelId,
        direction: Direction,
        provider_message_id: &str,
    ) -> Answer<Option<Message>>;
    /// Returns the outbound message on the channel with a part that has this provider message ID, other than its last
    /// part.
    async fn by_part(&self, access: &Access, channel: ChannelId, provider_message_id: &str) -> Answer<Option<Message>>;
    /// Returns the conversation of the contact with the newest message, in either direction.
    async fn last_used(&self, access: &Access, contact: ContactId) -> Answer<Option<Conversation>>;
    /// Returns the number of [automatic](crate::conversations::is_automatic) messages in a conversation that changed at or
    /// after `since`, and that the contact [may have](crate::conversations::may_have_arrived). Messages that were created
    /// more than [`LONGEST_QUEUED`](crate::conversations::LONGEST_QUEUED) before `since` are not counted.
    async fn automatic_since(&self, access: &Access, conversation: ConversationId, since: Timestamp) -> Answer<usize>;
    /// Returns a page of the messages that a channel sent to its provider: outbound ones that are `sent`, `delivered`
    /// or `read`.
    async fn captured(&self, access: &Access, channel: ChannelId, page: PageRequest) -> Answer<Page<Message>>;
}

/// Webhooks and deliveries.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait WebhookQueries: Send + Sync {
    /// Returns a webhook.
    async fn get(&self, access: &Access, webhook: WebhookId) -> Answer<Option<Webhook>>;
    /// Returns a page of the webhooks that match a filter.
    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<WebhookStatus>,
        page: PageRequest,
    ) -> Answer<Page<Webhook>>;
    /// Returns the enabled webhooks that subscribe to events of this kind.
    async fn subscribers(&self, access: &Access, kind: EventKind) -> Answer<Vec<Webhook>>;
    /// Returns a page of the deliveries to a webhook.
    async fn deliveries(
        &self,
        access: &Access,
        webhook: WebhookId,
        filter: &DeliveryFilter,
        page: PageRequest,
    ) -> Answer<Page<Delivery>>;
    /// Returns a delivery.
    async fn delivery(&self, access: &Access, delivery: DeliveryId) -> Answer<Option<Delivery>>;
    /// Returns the newest [`MAX_SHOWN_ATTEMPTS`](crate::webhooks::MAX_SHOWN_ATTEMPTS) attempts of a delivery, oldest first.
    async fn attempts(&self, access: &Access, delivery: DeliveryId) -> Answer<Vec<Attempt>>;
    /// Returns the attempt counters of these webhooks from the hour `since` on, in any order.
    async fn counts(&self, access: &Access, webhooks: Vec<WebhookId>, since: Timestamp) -> Answer<Vec<AttemptCount>>;
    /// Returns an unfinished replay.
    async fn replay(&self, access: &Access, replay: JobId) -> Answer<Option<Replay>>;
}

/// Numbered events, by position.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait EventQueries: Send + Sync {
    /// Returns the numbered events after position `after` of these kinds (no kinds: all), the lowest positions first,
    /// at most `limit`, up to the event with which the envelopes exceed `max_bytes` together. Also returns the highest
    /// position of the workspace at that time, 0 if there is none.
    async fn feed(
        &self,
        access: &Access,
        after: i64,
        kinds: Vec<EventKind>,
        limit: u32,
        max_bytes: usize,
    ) -> Answer<FeedRead>;
    /// Returns the highest position of the workspace, 0 if there is none.
    async fn head(&self, access: &Access) -> Answer<i64>;
}

/// Listeners of events, cached if that is worthwhile.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ListenerQueries: Send + Sync {
    /// Returns the listeners of a workspace's events, of any revision except `outdated`, which a commit found to be
    /// superseded.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn listeners(&self, workspace: WorkspaceId, outdated: Option<i64>) -> Answer<Arc<Listeners>>;
}

/// The objects of workspaces that flows can refer to, cached if that is worthwhile.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait CatalogQueries: Send + Sync {
    /// Returns the catalog of a workspace, of any revision: [`crate::ports::Guard::Catalog`] checks that it is current.
    /// A commit that finds it superseded invalidates the cache.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn catalog(&self, workspace: WorkspaceId) -> Answer<Arc<Catalog>>;
}
