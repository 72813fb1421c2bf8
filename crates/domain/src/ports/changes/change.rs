//! One change: a row that comes, changes or goes, or what a subject does beside.

use super::{Due, Object, Row, Touches};
use crate::access::{AccessChange, AccountChange, OutboundMode};
use crate::analytics::AnalyticsChange;
use crate::audit::AuditEntry;
use crate::broadcasts::BroadcastChange;
use crate::channels::ChannelChange;
use crate::contacts::ContactChange;
use crate::conversations::ConversationChange;
use crate::erasures::ErasureChange;
use crate::fields::FieldChange;
use crate::flows::FlowChange;
use crate::imports::ImportChange;
use crate::merges::MergeChange;
use crate::opt_outs::OptOutChange;
use crate::ports::JobChange;
use crate::references::ReferenceChange;
use crate::sandboxes::SandboxChange;
use crate::sequences::SequenceChange;
use crate::tags::TagChange;
use crate::webhooks::WebhookChange;

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Writes a row that was not there ([`crate::ports::Conflict::Exists`] otherwise).
    Insert(Row),
    /// Writes all of a row whose stored version is one less ([`crate::ports::Conflict::Stale`] otherwise), but what
    /// [`Row`] says that it leaves.
    Update(Row),
    /// Takes the row of an object that is there ([`crate::ports::Conflict::Stale`] otherwise).
    Delete(Object),
    /// Keys, invitations, and workspaces that begin.
    Access(AccessChange),
    /// Sessions and log-ins of people; of no workspace.
    Account(AccountChange),
    /// Channels.
    Channel(ChannelChange),
    /// What contacts have beside their row.
    Contact(ContactChange),
    /// Links of tags.
    Tag(TagChange),
    /// Values of custom fields, and their options.
    Field(FieldChange),
    /// What objects name.
    Reference(ReferenceChange),
    /// Last-seen stamps.
    Conversation(ConversationChange),
    /// People who are erased.
    Erasure(ErasureChange),
    /// Contacts that are merged.
    Merge(MergeChange),
    /// What is remembered of those who opted out.
    OptOut(OptOutChange),
    /// Versions and triggers of flows, and their runs all at once.
    Flow(FlowChange),
    /// Enrollments all at once.
    Sequence(SequenceChange),
    /// Recipients of broadcasts, and what is counted of them.
    Broadcast(BroadcastChange),
    /// Tables of imports, and what they rejected.
    Import(ImportChange),
    /// Health, counts, attempts and replays of webhooks.
    Webhook(WebhookChange),
    /// What is to be counted.
    Analytics(AnalyticsChange),
    /// Claimed jobs.
    Job(JobChange),
    /// A sandbox as a whole.
    Sandbox(SandboxChange),
    /// An entry of the audit log; nothing changes or removes one but its time.
    Audit(Box<AuditEntry>),
}

impl Change {
    /// What it does to rows that others may hold. Lock modes of guards, and which sets may share a transaction, follow
    /// from it.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Insert(_) | Self::Audit(_) => Touches::Beside,
            Self::Update(row) => Touches::Object(row.object()),
            Self::Delete(object) => Touches::Object(*object),
            Self::Access(it) => it.touches(),
            Self::Account(it) => it.touches(),
            Self::Channel(it) => it.touches(),
            Self::Contact(it) => it.touches(),
            Self::Tag(it) => it.touches(),
            Self::Field(it) => it.touches(),
            Self::Reference(it) => it.touches(),
            Self::Conversation(it) => it.touches(),
            Self::Erasure(it) => it.touches(),
            Self::Merge(it) => it.touches(),
            Self::OptOut(it) => it.touches(),
            Self::Flow(it) => it.touches(),
            Self::Sequence(it) => it.touches(),
            Self::Broadcast(it) => it.touches(),
            Self::Import(it) => it.touches(),
            Self::Webhook(it) => it.touches(),
            Self::Analytics(it) => it.touches(),
            Self::Job(it) => it.touches(),
            Self::Sandbox(it) => it.touches(),
        }
    }

    /// The queued work that it makes due.
    pub fn makes_due(&self) -> Due {
        match self {
            Self::Insert(Row::Delivery(it)) | Self::Update(Row::Delivery(it)) => Due::Deliveries(it.webhook),
            // It may end a pause of outbound sending.
            Self::Update(Row::Workspace(it)) if it.outbound == OutboundMode::Send => Due::All,
            Self::Access(it) => it.makes_due(),
            Self::Flow(it) => it.makes_due(),
            Self::Webhook(it) => it.makes_due(),
            Self::Job(it) => it.makes_due(),
            Self::Sandbox(it) => it.makes_due(),
            Self::Insert(_)
            | Self::Update(_)
            | Self::Delete(_)
            | Self::Account(_)
            | Self::Channel(_)
            | Self::Contact(_)
            | Self::Tag(_)
            | Self::Field(_)
            | Self::Reference(_)
            | Self::Conversation(_)
            | Self::Erasure(_)
            | Self::Merge(_)
            | Self::OptOut(_)
            | Self::Sequence(_)
            | Self::Broadcast(_)
            | Self::Import(_)
            | Self::Analytics(_)
            | Self::Audit(_) => Due::Nothing,
        }
    }

    /// Whether it comes after the events of its set: a delivery names its event, and an attempt its delivery.
    pub fn follows_events(&self) -> bool {
        matches!(self, Self::Insert(Row::Delivery(_)) | Self::Webhook(WebhookChange::InsertAttempt(_)))
    }

    /// How many rows it writes, of those that the set itself brings.
    pub(super) fn rows(&self) -> usize {
        match self {
            Self::Contact(it) => it.rows(),
            Self::Reference(it) => it.rows(),
            Self::Flow(it) => it.rows(),
            Self::Import(it) => it.rows(),
            Self::OptOut(it) => it.rows(),
            Self::Insert(_)
            | Self::Update(_)
            | Self::Delete(_)
            | Self::Access(_)
            | Self::Account(_)
            | Self::Channel(_)
            | Self::Tag(_)
            | Self::Field(_)
            | Self::Conversation(_)
            | Self::Erasure(_)
            | Self::Merge(_)
            | Self::Sequence(_)
            | Self::Broadcast(_)
            | Self::Webhook(_)
            | Self::Analytics(_)
            | Self::Job(_)
            | Self::Sandbox(_)
            | Self::Audit(_) => 1,
        }
    }
}
