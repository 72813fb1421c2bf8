//! One change: to a row, or to other data of a subject.

use super::{Due, Object, Row, RowEffect};
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
    /// Inserts a row; [`crate::ports::Conflict::Exists`] if it exists.
    Insert(Row),
    /// Updates a row whose stored version is one less ([`crate::ports::Conflict::Stale`] otherwise), except the columns
    /// that [`Row`] excludes.
    Update(Row),
    /// Deletes the row of an existing object ([`crate::ports::Conflict::Stale`] otherwise).
    Delete(Object),
    /// Keys, invitations and new workspaces.
    Access(AccessChange),
    /// Sessions and sign-ins of users; they belong to no workspace.
    Account(AccountChange),
    /// Channels.
    Channel(ChannelChange),
    /// Data of contacts outside their row.
    Contact(ContactChange),
    /// Links of tags.
    Tag(TagChange),
    /// Values of custom fields, and their options.
    Field(FieldChange),
    /// References between objects.
    Reference(ReferenceChange),
    /// Last-seen stamps.
    Conversation(ConversationChange),
    /// Erasures of contacts.
    Erasure(ErasureChange),
    /// Merges of contacts.
    Merge(MergeChange),
    /// Opt-outs of deleted contacts.
    OptOut(OptOutChange),
    /// Versions and triggers of flows, and all runs of a flow.
    Flow(FlowChange),
    /// All enrollments of a sequence.
    Sequence(SequenceChange),
    /// Recipients of broadcasts, and their counters.
    Broadcast(BroadcastChange),
    /// Tables and rejected rows of imports.
    Import(ImportChange),
    /// Health, counts, attempts and replays of webhooks.
    Webhook(WebhookChange),
    /// Facts to count.
    Analytics(AnalyticsChange),
    /// Claimed jobs.
    Job(JobChange),
    /// A sandbox as a whole.
    Sandbox(SandboxChange),
    /// An entry of the audit log. It never changes, and is only removed by age.
    Audit(Box<AuditEntry>),
}

impl Change {
    /// Returns its effect on rows that others may lock. This determines the lock modes of guards, and which sets may
    /// share a transaction.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::Insert(_) | Self::Audit(_) => RowEffect::Unguarded,
            Self::Update(row) => RowEffect::Object(row.object()),
            Self::Delete(object) => RowEffect::Object(*object),
            Self::Access(it) => it.row_effect(),
            Self::Account(it) => it.row_effect(),
            Self::Channel(it) => it.row_effect(),
            Self::Contact(it) => it.row_effect(),
            Self::Tag(it) => it.row_effect(),
            Self::Field(it) => it.row_effect(),
            Self::Reference(it) => it.row_effect(),
            Self::Conversation(it) => it.row_effect(),
            Self::Erasure(it) => it.row_effect(),
            Self::Merge(it) => it.row_effect(),
            Self::OptOut(it) => it.row_effect(),
            Self::Flow(it) => it.row_effect(),
            Self::Sequence(it) => it.row_effect(),
            Self::Broadcast(it) => it.row_effect(),
            Self::Import(it) => it.row_effect(),
            Self::Webhook(it) => it.row_effect(),
            Self::Analytics(it) => it.row_effect(),
            Self::Job(it) => it.row_effect(),
            Self::Sandbox(it) => it.row_effect(),
        }
    }

    /// Returns the queued work that it makes due.
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

    /// Whether it must be written after the events of its set: a delivery refers to its event, and an attempt to its
    /// delivery.
    pub fn follows_events(&self) -> bool {
        matches!(self, Self::Insert(Row::Delivery(_)) | Self::Webhook(WebhookChange::InsertAttempt(_)))
    }

    /// Returns how many rows of the set's own data it writes.
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
