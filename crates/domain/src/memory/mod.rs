//! An in-memory store with minimal adapters, for evaluation, simulation and tests. It fulfils the contracts of the
//! ports within its [`Bounds`], but does not persist anything.
//!
//! Adapters without cryptography or address checks (`PlainSealer`, `PlainSigner`, `PlainPasswords`, `CountingSecrets`,
//! `CountingTokens`, `AnyAddress`) can be named only with the feature `mocks`. Without it, only ports over a
//! [`MemoryStore`] use them (`Ports::in_memory`).

mod access;
mod analytics;
mod apply;
mod bounds;
mod broadcasts;
mod contacts;
mod conversations;
mod environment;
mod events;
mod flows;
mod jobs;
mod sequences;
mod tables;
mod webhooks;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use bounds::Bounds;
pub use environment::ambient::{CountingIds, FixedClock, FixedRandomness};
#[cfg(any(test, feature = "mocks"))]
pub use environment::any_address::AnyAddress;
#[cfg(not(any(test, feature = "mocks")))]
pub(crate) use environment::credentials::PlainSealer;
#[cfg(any(test, feature = "mocks"))]
pub use environment::credentials::{CountingSecrets, CountingTokens, PlainPasswords, PlainSealer, PlainSigner};
pub use environment::files::MemoryFiles;
pub(crate) use environment::plain_environment;
pub use environment::{WillingProvider, WillingReceiver, WillingService};
use flows::compiled::Compiled;
use tables::StoredTables;
pub(crate) use tables::fill::{Contents, StoredFlow};

use async_trait::async_trait;
use uuid::Uuid;

use crate::access::attempts::LoginAttempts;
use crate::access::storage_usage::StorageUsage;
use crate::access::usage::UsageRecord;
use crate::access::{ApiKey, Invitation, Member, RefreshToken, Session, SigningKey, User, Workspace};
use crate::analytics::{Fact, Metric, ReplyMeasure};
use crate::audit::AuditEntry;
use crate::broadcasts::{Broadcast, Count};
use crate::bulk::BulkOperation;
use crate::channels::{Channel, ChannelHealth, UnparsedRequest};
use crate::contacts::{Contact, Identity};
use crate::conversations::{Conversation, Message};
use crate::custom_events::CustomEvent;
use crate::erasures::Erasure;
use crate::events::Event;
use crate::fields::{FieldValue, without_retired};
use crate::flows::{AwaitedKind, CompiledFlow, Flow, FlowSchedule, FlowVersion, NodeCount, Run};
use crate::ids::{
    AuditEntryId, BroadcastId, BulkOperationId, ChannelId, ContactId, ConversationId, CustomEventId, DeliveryId,
    EnrollmentId, EventId, FieldId, FlowId, ImportId, InvitationId, JobId, KeyId, MessageId, RunId, SegmentId,
    SequenceId, SessionId, SigningKeyId, TagId, UnparsedRequestId, UserId, WebhookId, WorkspaceId,
};
use crate::imports::{Import, RejectedRow};
use crate::merges::Merge;
use crate::ports::{
    ChangeSet, CommitError, HeldUntil, IdempotencyRecord, Ledger, MAX_ROWS, NewJob, StoreError, StoreHold,
};
use crate::references::{Referent, Referrer};
use crate::segments::SegmentCount;
use crate::sequences::{Enrollment, Sequence};
use crate::time::Timestamp;
use crate::webhooks::{Attempt, Delivery, Replay, Webhook};

/// Rows of one type, by workspace and ID.
type Rows<I, T> = BTreeMap<(WorkspaceId, I), T>;

/// A job with the state of its claims.
#[derive(Debug, Clone)]
struct JobRecord {
    workspace: WorkspaceId,
    queued: NewJob,
    claimed: bool,
    token: i64,
    claims: i32,
    attempts: i32,
    parked: bool,
    /// For a held message: the event that releases it, and its conversation.
    held: Option<(HeldUntil, Option<ConversationId>)>,
    /// When it was dead-lettered.
    dead: Option<Timestamp>,
    /// The last error.
    error: Option<String>,
}

#[derive(Debug, Clone, Default)]
struct State {
    workspaces: BTreeMap<WorkspaceId, Workspace>,
    keys: BTreeMap<KeyId, ApiKey>,
    channels: Rows<ChannelId, Channel>,
    gone_channels: BTreeSet<(WorkspaceId, ChannelId)>,
    channel_health: Rows<ChannelId, ChannelHealth>,
    unparsed: Rows<UnparsedRequestId, UnparsedRequest>,
    provider_events: Rows<(ChannelId, [u8; 32]), Timestamp>,
    contacts: Rows<ContactId, Contact>,
    identities: Rows<ContactId, Vec<(Identity, bool)>>,
    links: Rows<(ContactId, TagId), Timestamp>,
    values: Rows<(ContactId, FieldId), FieldValue>,
    custom_events: Rows<CustomEventId, CustomEvent>,
    erasures: Rows<ContactId, Erasure>,
    merges: Rows<ContactId, Merge>,
    opt_out_keys: BTreeMap<WorkspaceId, contacts::opt_outs::KeptKey>,
    /// With the channel of each opt-out.
    opt_outs: Rows<[u8; 32], Option<ChannelId>>,
    /// With the name and the deletion time of a lost target.
    references: Rows<(Referrer, Referent), Option<(String, Timestamp)>>,
    conversations: Rows<ConversationId, Conversation>,
    messages: Rows<MessageId, Message>,
    flows: Rows<FlowId, Flow>,
    versions: Rows<(FlowId, i64), FlowVersion>,
    /// Versions that were added in compiled form, without their definition.
    filled: Rows<(FlowId, i64), Arc<CompiledFlow>>,
    triggers: Rows<FlowId, Vec<serde_json::Value>>,
    awaited: Rows<FlowId, BTreeSet<AwaitedKind>>,
    schedules: Rows<FlowId, FlowSchedule>,
    flow_recipients: BTreeSet<(WorkspaceId, FlowId, Timestamp, ContactId)>,
    runs: Rows<RunId, Run>,
    node_counts: Rows<(FlowId, Timestamp, i64, String, NodeCount), i64>,
    stored: BTreeMap<WorkspaceId, StorageUsage>,
    sandboxes: BTreeMap<WorkspaceId, access::sandboxes::KeptClock>,
    leases: BTreeMap<&'static str, (Uuid, Timestamp)>,
    segment_counts: Rows<SegmentId, SegmentCount>,
    segment_refreshes: Rows<SegmentId, Timestamp>,
    bulk_operations: Rows<BulkOperationId, BulkOperation>,
    imports: Rows<ImportId, Import>,
    import_tables: Rows<ImportId, Arc<[u8]>>,
    import_rejects: Rows<(ImportId, i64), RejectedRow>,
    tables: StoredTables,
    broadcasts: Rows<BroadcastId, Broadcast>,
    broadcast_recipients: Rows<(BroadcastId, i64), broadcasts::StoredRecipient>,
    broadcast_counts: Rows<(BroadcastId, &'static str), (Count, i64)>,
    sequences: Rows<SequenceId, Sequence>,
    enrollments: Rows<EnrollmentId, Enrollment>,
    webhooks: Rows<WebhookId, Webhook>,
    events: Rows<EventId, Event>,
    positions: Rows<i64, EventId>,
    sequencer: Option<(Uuid, Timestamp)>,
    /// Events in the order of their commits that have no position yet.
    unnumbered: Vec<(WorkspaceId, EventId)>,
    deliveries: Rows<DeliveryId, Delivery>,
    counts: Rows<(WebhookId, Timestamp, bool, i32), i64>,
    replays: Rows<JobId, Replay>,
    attempts: Rows<(DeliveryId, i32), Attempt>,
    jobs: BTreeMap<JobId, JobRecord>,
    facts: Rows<Uuid, Fact>,
    counters: Rows<(Timestamp, Metric, String), i64>,
    reply_times: Rows<(Timestamp, ReplyMeasure, ChannelId, UserId, i32), i64>,
    answers: Rows<(String, String, String), IdempotencyRecord>,
    audit: Rows<AuditEntryId, AuditEntry>,
    users: BTreeMap<UserId, User>,
    members: Rows<UserId, Member>,
    invitations: Rows<InvitationId, Invitation>,
    refused_invitations: Rows<InvitationId, Timestamp>,
    sessions: BTreeMap<SessionId, Session>,
    refresh_tokens: BTreeMap<[u8; 32], RefreshToken>,
    signing_keys: BTreeMap<SigningKeyId, SigningKey>,
    logins: BTreeMap<String, LoginAttempts>,
    usage: Vec<UsageRecord>,
    canary: Option<Vec<u8>>,
    hold: Option<StoreHold>,
    /// An upper bound of the stored text in bytes.
    written: usize,
}

/// An in-memory store.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
    bounds: Bounds,
    compiled: Mutex<Compiled>,
}

impl MemoryStore {
    /// Creates an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty store with these limits.
    pub fn bounded(bounds: Bounds) -> Self {
        Self { bounds, ..Self::default() }
    }

    /// Returns all events of a workspace, sorted by ID.
    pub fn events(&self, workspace: WorkspaceId) -> Vec<Event> {
        let state = self.lock();
        state.events.iter().filter(|((ws, _), _)| *ws == workspace).map(|(_, event)| event.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn compiled(&self) -> MutexGuard<'_, Compiled> {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Ledger for MemoryStore {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        if set.rows() > MAX_ROWS {
            return Err(StoreError::Corrupt(format!("a change set has too many rows: {}", set.rows())).into());
        }
        let written = bounds::texts::written_by(&set);
        let mut state = self.lock();
        // Changes apply to a copy, so a failed set changes nothing.
        let mut next = state.clone();
        next.apply(set)?;
        self.bounds.admit(&state, &mut next, written)?;
        *state = next;
        Ok(())
    }
}

impl State {
    /// A contact with its addresses, tags and values.
    fn whole(&self, workspace: WorkspaceId, contact: &Contact) -> Contact {
        let id = contact.id;
        let mut whole = contact.clone();
        let identities = self.identities.get(&(workspace, id)).into_iter().flatten();
        whole.identities = identities.filter(|(_, live)| *live).map(|(identity, _)| identity.clone()).collect();
        whole.identities.sort_by(|a, b| (a.channel, &a.address).cmp(&(b.channel, &b.address)));
        let links = self.links.iter().filter(|((ws, (of, _)), _)| *ws == workspace && *of == id);
        whole.tags = links
            .filter_map(|((ws, (_, tag)), at)| {
                let tag = self.tables.tags.get(&(*ws, *tag))?;
                Some(crate::contacts::AppliedTag { id: tag.id, name: tag.name.clone(), applied_at: *at })
            })
            .collect();
        whole.tags.sort_by_key(|tag| (tag.applied_at, tag.id));
        let values = self.values.iter().filter(|((ws, (of, _)), _)| *ws == workspace && *of == id);
        whole.custom_fields = values
            .filter_map(|((ws, (_, field)), value)| {
                let field = self.tables.custom_fields.get(&(*ws, *field))?;
                Some((field.key.clone(), without_retired(value.json.clone(), &field.retired)?))
            })
            .collect();
        whole
    }

    /// The next job of each lane: the claimed one, otherwise the first.
    fn heads(&self) -> BTreeSet<JobId> {
        let mut heads: BTreeMap<Uuid, (bool, JobId)> = BTreeMap::new();
        for (id, job) in self.jobs.iter().filter(|(_, job)| job.dead.is_none()) {
            let Some(lane) = job.queued.job.columns().lane else { continue };
            let next = (!job.claimed, *id);
            heads.entry(lane).and_modify(|head| *head = next.min(*head)).or_insert(next);
        }
        heads.into_values().map(|(_, id)| id).collect()
    }
}
