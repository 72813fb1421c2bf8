//! One value that holds everything a decision does, and the port that makes it true.

use async_trait::async_trait;
use uuid::Uuid;

use super::engine::{Claim, NewJob};
use super::errors::CommitError;
use crate::access::attempts::LoginAttempts;
use crate::access::{Access, ApiKey, Invitation, Member, RefreshToken, Session, SigningKey, User, Workspace};
use crate::analytics::Fact;
use crate::channels::Channel;
use crate::contacts::{Contact, Identity};
use crate::conversations::{Conversation, Message};
use crate::events::{Event, EventDraft};
use crate::fields::{BotField, CustomField, FieldValue};
use crate::flows::{Flow, FlowVersion, Run};
use crate::ids::{
    BotFieldId, ChannelId, ContactId, ConversationId, EnrollmentId, EventId, FieldId, FlowId, InvitationId, JobId,
    KeyId, MessageId, RunId, SequenceId, SessionId, TagId, TypedId, UserId, WebhookId, WorkspaceId,
};
use crate::ports::{Clock, Ids};
use crate::references::{Referent, Referrer};
use crate::sequences::{Enrollment, ExitReason, Sequence};
use crate::tags::Tag;
use crate::time::Timestamp;
use crate::webhooks::{Attempt, AttemptCount, Delivery, Health, Replay, Webhook};

/// A change set writes at most this many rows; larger work is a job.
pub const MAX_ROWS: usize = 1_000;
/// A change set holds at most about this many bytes of text.
pub const MAX_BYTES: usize = 1 << 20;

/// Something with a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    /// The workspace itself.
    Workspace(WorkspaceId),
    /// An API key that is not revoked.
    Key(KeyId),
    /// A channel that is not deleted.
    Channel(ChannelId),
    /// A contact that is not deleted.
    Contact(ContactId),
    /// A tag.
    Tag(TagId),
    /// A custom field.
    Field(FieldId),
    /// A bot field.
    BotField(BotFieldId),
    /// A conversation.
    Conversation(ConversationId),
    /// A message.
    Message(MessageId),
    /// A flow that is not deleted.
    Flow(FlowId),
    /// A run.
    Run(RunId),
    /// A sequence that is not deleted.
    Sequence(SequenceId),
    /// An enrollment.
    Enrollment(EnrollmentId),
    /// A webhook.
    Webhook(WebhookId),
    /// A delivery.
    Delivery(crate::ids::DeliveryId),
    /// A person who signs in; of no workspace.
    User(UserId),
    /// The place of a person in the workspace.
    Member(UserId),
    /// An invitation. It is never changed, so it stands as version 1.
    Invitation(InvitationId),
    /// A session that was not ended; of no workspace. Nothing else of it changes: version 1.
    Session(SessionId),
}

/// What there may be only so many of. The count locks its owner, so that it holds under concurrency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Tags of the workspace.
    Tags,
    /// Custom fields of the workspace.
    CustomFields,
    /// Bot fields of the workspace.
    BotFields,
    /// Flows of the workspace.
    Flows,
    /// Sequences of the workspace that are not deleted.
    Sequences,
    /// Webhooks of the workspace.
    Webhooks,
    /// Channels of the workspace.
    Channels,
    /// Keys of the workspace that are not revoked.
    Keys,
    /// Members of the workspace, and invitations to it.
    Members,
    /// Tags of the contact.
    TagsOf(ContactId),
    /// Starts of the flow for the contact since an instant.
    Starts {
        /// The flow.
        flow: FlowId,
        /// The contact.
        contact: ContactId,
        /// Starts at or after this instant count.
        since: Timestamp,
    },
}

impl Counted {
    /// What is counted, for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Tags => "tags in a workspace",
            Self::CustomFields => "custom fields in a workspace",
            Self::BotFields => "bot fields in a workspace",
            Self::Flows => "flows in a workspace",
            Self::Sequences => "sequences in a workspace",
            Self::Webhooks => "webhooks in a workspace",
            Self::Channels => "channels in a workspace",
            Self::Keys => "API keys in a workspace",
            Self::Members => "members and invitations in a workspace",
            Self::TagsOf(_) => "tags on a contact",
            Self::Starts { .. } => "starts of a flow for a contact in an hour",
        }
    }
}

/// What must hold when the changes are made. Its row stays locked until the commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// The object is there, whatever its version; else [`super::Conflict::Stale`].
    Live(Object),
    /// The object is there with this version; else [`super::Conflict::Stale`].
    Version(Object, i64),
    /// The claim is still held; else [`super::Conflict::ClaimLost`].
    Claim(Claim),
    /// The workspace has an owner beside this user; else [`super::Conflict::LastOwner`].
    OwnerBeside(UserId),
    /// With what the set adds there are at most so many; else [`super::Conflict::Full`].
    Room {
        /// Of what.
        what: Counted,
        /// How many the set adds.
        adding: i64,
        /// The most there may be.
        most: i64,
    },
    /// The object, which the set deletes, is there and nothing names it; else [`super::Conflict::Stale`],
    /// [`super::Conflict::InUse`].
    Unused(Referent),
}

/// One change. An insert writes a row that was not there ([`super::Conflict::Exists`] otherwise);
/// an update writes all of a row whose stored version is one less than the new one, and a delete
/// takes a row that is there ([`super::Conflict::Stale`] otherwise).
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "verb and noun say all there is to say")]
pub enum Change {
    InsertWorkspace(Workspace),
    UpdateWorkspace(Workspace),
    /// Makes another workspace with all that it begins with. Its live workspace, if it has one,
    /// must be the set's own.
    FoundWorkspace(Box<Founding>),
    InsertKey(ApiKey),
    /// From `end` on the key opens nothing; [`super::Conflict::Stale`] where it is revoked. It becomes its next version,
    /// as a key that is revoked does.
    ExpireKey {
        key: KeyId,
        end: Timestamp,
        at: Timestamp,
    },
    RevokeKey {
        key: KeyId,
        at: Timestamp,
    },
    /// A person; of no workspace, as are their sessions.
    InsertUser(User),
    UpdateUser(User),
    InsertMember(Member),
    UpdateMember(Member),
    DeleteMember(UserId),
    InsertInvitation(Invitation),
    DeleteInvitation(InvitationId),
    InsertSession(Session),
    RevokeSession {
        session: SessionId,
        at: Timestamp,
    },
    /// Ends all live sessions of a person but this one.
    RevokeSessionsOf {
        user: UserId,
        except: Option<SessionId>,
        at: Timestamp,
    },
    InsertRefreshToken(RefreshToken),
    /// Marks a token as used; [`super::Conflict::NoLink`] where it is not there or used already.
    RotateRefreshToken {
        digest: [u8; 32],
        at: Timestamp,
    },
    InsertSigningKey(SigningKey),
    /// Counts a log-in on top of a count of `before`, 0 where none is kept;
    /// [`super::Conflict::NoLink`] or `Exists` where it is another by now.
    CountLogin {
        before: i64,
        attempts: LoginAttempts,
    },
    /// Forgets the log-ins that were tried on this account.
    ForgetLogins {
        account: String,
    },
    InsertChannel(Channel),
    UpdateChannel(Channel),
    /// Hides the channel; its conversations stay readable.
    DeleteChannel {
        channel: ChannelId,
        at: Timestamp,
    },
    /// Without tags, values and identities, which are links of their own.
    InsertContact(Box<Contact>),
    /// Without tags, values, identities and the last-seen stamp.
    UpdateContact(Box<Contact>),
    InsertIdentity {
        contact: ContactId,
        identity: Identity,
    },
    /// Notes whether the contact takes messages at its addresses on the channel.
    SetOptIn {
        contact: ContactId,
        channel: ChannelId,
        opted_in: bool,
    },
    /// Frees the addresses of a deleted contact for others.
    ReleaseIdentities {
        contact: ContactId,
    },
    /// Writes all of a contact that is deleted, as [`Change::UpdateContact`] does of a living one.
    RestoreContact(Box<Contact>),
    /// The contact's addresses become these, whatever they were.
    ReplaceIdentities {
        contact: ContactId,
        identities: Vec<Identity>,
    },
    /// [`super::Conflict::Stale`] where the workspace has no such tag; guard it, too, or it may be
    /// deleted meanwhile.
    LinkTag {
        contact: ContactId,
        tag: TagId,
        at: Timestamp,
    },
    /// [`super::Conflict::NoLink`] where there is none.
    UnlinkTag {
        contact: ContactId,
        tag: TagId,
    },
    /// Sets or replaces; [`super::Conflict::Stale`] where the workspace has no such field.
    PutValue {
        contact: ContactId,
        field: FieldId,
        value: FieldValue,
    },
    ClearValue {
        contact: ContactId,
        field: FieldId,
    },
    InsertTag(Tag),
    UpdateTag(Tag),
    DeleteTag(TagId),
    /// Removes at most `limit` links that a deleted tag left behind.
    SweepTagLinks {
        tag: TagId,
        limit: u32,
    },
    InsertField(CustomField),
    /// Without the options that are being taken off contacts.
    UpdateField(CustomField),
    DeleteField(FieldId),
    /// The options that are being taken off contacts become `to`; [`super::Conflict::Stale`] where they are not
    /// `from`. No new version: nothing that is shown changes by it alone. Where they are to be `unused`,
    /// [`super::Conflict::InUse`] if a contact carries one of those that come new: who sets a value guards the version
    /// of the field, so nobody sets one meanwhile.
    RetireOptions {
        field: FieldId,
        from: Vec<String>,
        to: Vec<String>,
        unused: bool,
    },
    /// Removes at most `limit` values that a deleted field left behind.
    SweepValues {
        field: FieldId,
        limit: u32,
    },
    InsertBotField(BotField),
    UpdateBotField(BotField),
    DeleteBotField(BotFieldId),
    /// All that an object names becomes this, and what it had lost is forgotten;
    /// [`super::Conflict::Stale`] where one of them is not there.
    PutReferences {
        owner: Referrer,
        targets: Vec<Referent>,
    },
    /// What named an object that is deleted all the same has lost it: the references stay as lost.
    LoseReferences {
        target: Referent,
        name: String,
        at: Timestamp,
    },
    InsertConversation(Conversation),
    /// Without the last-seen stamp.
    UpdateConversation(Conversation),
    InsertMessage(Box<Message>),
    UpdateMessage(Box<Message>),
    /// Moves the last-seen stamps of the conversation and its contact forward, never back.
    TouchConversation {
        conversation: ConversationId,
        contact: ContactId,
        at: Timestamp,
    },
    InsertFlow(Flow),
    UpdateFlow(Flow),
    InsertFlowVersion(FlowVersion),
    InsertRun(Box<Run>),
    UpdateRun(Box<Run>),
    /// Ends all live runs of a contact that is being deleted, as `interrupted`.
    InterruptRuns {
        contact: ContactId,
        at: Timestamp,
    },
    /// Takes back the steps of a run that are queued and not claimed.
    DropSteps {
        run: RunId,
    },
    /// Ends all live runs of a flow, as `interrupted`, and takes their queued steps back.
    InterruptFlow {
        flow: FlowId,
        at: Timestamp,
    },
    /// Moves the live runs of a flow that have not begun, or are at one of these nodes, to a version.
    MigrateRuns {
        flow: FlowId,
        to: i64,
        nodes: Vec<String>,
        at: Timestamp,
    },
    /// Makes due the queued steps of a flow's live runs whose time came while it was paused.
    WakeRuns {
        flow: FlowId,
        at: Timestamp,
    },
    /// Puts these triggers, as they are written in the definition, in the place of the flow's.
    PutTriggers {
        flow: FlowId,
        triggers: Vec<serde_json::Value>,
    },
    /// Hides a flow for good; its versions and runs stay for whoever looks back.
    DeleteFlow {
        flow: FlowId,
        at: Timestamp,
    },
    InsertSequence(Box<Sequence>),
    /// Writes the deletion, too: what is deleted is not updated again.
    UpdateSequence(Box<Sequence>),
    /// [`super::Conflict::Exists`] where the contact is in the sequence already.
    InsertEnrollment(Box<Enrollment>),
    UpdateEnrollment(Box<Enrollment>),
    /// Ends all living enrollments of a contact, as `exited` for this reason.
    ExitEnrollments {
        contact: ContactId,
        reason: ExitReason,
        at: Timestamp,
    },
    InsertWebhook(Webhook),
    /// Without its health.
    UpdateWebhook(Webhook),
    /// Its health alone, whose stored version is one less; [`super::Conflict::Stale`] otherwise.
    UpdateWebhookHealth {
        webhook: WebhookId,
        health: Health,
    },
    /// The receiver took a delivery at `at`: kept where no success of the second before it is, whatever the version
    /// of its health; a webhook that is gone is none.
    StampWebhook {
        webhook: WebhookId,
        at: Timestamp,
    },
    DeleteWebhook(WebhookId),
    /// Adds to the counter of this hour, outcome and duration; it commutes.
    CountAttempt(AttemptCount),
    /// Inserts or replaces: only who holds the replay's job may.
    PutReplay(Replay),
    DropReplay(JobId),
    InsertDelivery(Delivery),
    UpdateDelivery(Delivery),
    InsertAttempt(Attempt),
    /// Notes something to be counted.
    RecordFact(Fact),
    /// Ends a claimed job; [`super::Conflict::ClaimLost`] where the token is not the claim's.
    FinishJob {
        job: JobId,
        token: i64,
    },
    /// Gives a claimed job back, due at `due_at`; [`super::Conflict::ClaimLost`] as above.
    RescheduleJob {
        job: JobId,
        token: i64,
        due_at: Timestamp,
        error: Option<String>,
    },
    /// Gives a claimed job back, due when its group is called for; [`super::Conflict::ClaimLost`] as above.
    ParkJob {
        job: JobId,
        token: i64,
    },
    /// Calls for all jobs of a group that were parked: they are due at `due_at`.
    ReleaseJobs {
        group: Uuid,
        due_at: Timestamp,
    },
    /// Puts a claimed job aside for people to look at; [`super::Conflict::ClaimLost`] as above.
    BuryJob {
        job: JobId,
        token: i64,
        error: String,
        at: Timestamp,
    },
}

/// A workspace with all that it begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct Founding {
    /// The workspace.
    pub workspace: Workspace,
    /// Its first channel.
    pub channel: Channel,
    /// Its first owner.
    pub owner: Option<Member>,
}

/// The body of a kept answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredBody {
    /// As it was sent.
    Plain(Vec<u8>),
    /// Sealed, because it holds a secret.
    Sealed(Vec<u8>),
}

/// An answer kept under an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// The HTTP method.
    pub method: String,
    /// The route's template.
    pub route: String,
    /// The caller's key.
    pub key: String,
    /// SHA-256 of path, query and body.
    pub fingerprint: [u8; 32],
    /// The status that was answered.
    pub status: u16,
    /// The `Location` that was answered.
    pub location: Option<String>,
    /// The `ETag` that was answered.
    pub etag: Option<String>,
    /// The body that was answered.
    pub body: StoredBody,
    /// When it was made; it is kept for 24 hours.
    pub created_at: Timestamp,
}

impl IdempotencyRecord {
    /// To what a sealed body is bound: workspace, route and the caller's key. Outside of all workspaces the name under
    /// which it is kept has the person and a space before the key, which holds none.
    pub fn seal_context(workspace: WorkspaceId, route: &str, kept_as: &str) -> String {
        let key = kept_as.split_once(' ').map_or(kept_as, |(_, key)| key);
        format!("idempotency:{workspace}:{route}:{key}")
    }
}

/// Everything that one decision does, in one workspace: all of it happens, or none.
///
/// The order is guards, then changes in their order, then events, jobs and the idempotency record.
/// The first contradiction in that order is the one that is reported.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeSet {
    /// The workspace of every row.
    pub workspace: WorkspaceId,
    /// What must hold.
    pub guards: Vec<Guard>,
    /// What changes.
    pub changes: Vec<Change>,
    /// What is to be told.
    pub events: Vec<Event>,
    /// What is to be done later.
    pub jobs: Vec<NewJob>,
    /// The answer to keep.
    pub idempotency: Option<IdempotencyRecord>,
}

impl ChangeSet {
    /// A set that does nothing yet.
    pub fn new(workspace: WorkspaceId) -> Self {
        Self { workspace, guards: vec![], changes: vec![], events: vec![], jobs: vec![], idempotency: None }
    }

    /// A set that touches no workspace: people, their sessions, and workspaces that are founded.
    pub fn outside() -> Self {
        Self::new(WorkspaceId::from_uuid(uuid::Uuid::nil()))
    }

    /// Adds a guard.
    pub fn guard(&mut self, guard: Guard) -> &mut Self {
        self.guards.push(guard);
        self
    }

    /// Adds a change.
    pub fn change(&mut self, change: Change) -> &mut Self {
        self.changes.push(change);
        self
    }

    /// Adds an event, and the job that relays it to the subscribers.
    pub fn tell(&mut self, draft: EventDraft, access: &Access, clock: &dyn Clock, ids: &dyn Ids) -> EventId {
        let now = clock.now();
        let mut event = draft.seal(EventId::from_uuid(ids.next()), now, access);
        let told: usize = self.events.iter().map(|event| event.full.len() + event.thin.len()).sum();
        if told > MAX_BYTES {
            // Many facts about one large object: the later ones tell its id only.
            event.full.clone_from(&event.thin);
        }
        let id = event.id;
        let relay = NewJob::relay_event(JobId::from_uuid(ids.next()), id, now);
        self.jobs.push(NewJob { mark: access.depth(), ..relay });
        self.events.push(event);
        id
    }

    /// Whether it would change nothing at all.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.events.is_empty() && self.jobs.is_empty() && self.idempotency.is_none()
    }

    /// How many rows it writes.
    pub fn rows(&self) -> usize {
        let rows = |change: &Change| match change {
            Change::ReplaceIdentities { identities, .. } => identities.len().max(1),
            Change::PutReferences { targets, .. } => targets.len().max(1),
            _ => 1,
        };
        let rest = self.events.len() + self.jobs.len() + usize::from(self.idempotency.is_some());
        self.changes.iter().map(rows).sum::<usize>() + rest
    }
}

/// Makes decisions true.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait Ledger: Send + Sync {
    /// Writes all of the set in one transaction and returns after it is durable.
    ///
    /// # Errors
    /// [`CommitError::Conflict`] where a guard, a version or a unique key does not hold: nothing
    /// was written. [`CommitError::Store`] where the store did not do its part: nothing was written,
    /// unless it says [`super::StoreError::OutcomeUnknown`]. A set above [`MAX_ROWS`] rows is refused as
    /// [`super::StoreError::Corrupt`]: its maker is wrong.
    ///
    /// Where another attempt is worth it (a row was changed meanwhile, or others were at it), a store that is shared answers
    /// after a random wait, the longer the more of the workspace lost, too.
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError>;
}
