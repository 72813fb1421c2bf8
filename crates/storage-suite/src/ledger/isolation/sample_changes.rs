//! The list of attempted changes.

use tidings_domain::ports::{
    AccessChange, AnalyticsChange, BroadcastChange, Change, ChannelChange, ContactChange, ConversationChange,
    ErasureChange, FieldChange, FlowChange, ImportChange, JobChange, MergeChange, OptOutChange, ReferenceChange, Row,
    SequenceChange, TagChange, WebhookChange,
};
use tidings_domain::sandboxes::SandboxChange;
use tidings_domain::stored::StoredRow;

/// Checks at compile time that each variant is attempted: the match has no wildcard arm.
pub(super) fn is_tried(change: &Change) {
    match change {
        Change::Insert(row) | Change::Update(row) => match row {
            Row::Workspace(_)
            | Row::Member(_)
            | Row::Channel(_)
            | Row::Contact(_)
            | Row::Stored(StoredRow::Tag(_) | StoredRow::CustomField(_)) => {}
            Row::Stored(StoredRow::BotField(_) | StoredRow::Secret(_))
            | Row::Conversation(_)
            | Row::Message(_)
            | Row::Flow(_)
            | Row::Run(_) => {}
            Row::Stored(StoredRow::Segment(_))
            | Row::Stored(StoredRow::SavedReply(_))
            | Row::Stored(StoredRow::Media(_))
            | Row::Broadcast(_)
            | Row::BulkOperation(_)
            | Row::Import(_)
            | Row::Sequence(_)
            | Row::Enrollment(_)
            | Row::Webhook(_)
            | Row::Delivery(_) => {}
            // Belongs to no workspace.
            Row::User(_) => {}
        },
        Change::Delete(_) | Change::Analytics(AnalyticsChange::Record(_) | AnalyticsChange::RecordReply(_)) => {}
        Change::Access(it) => match it {
            AccessChange::FoundWorkspace(_) | AccessChange::InsertKey(_) | AccessChange::ExpireKey { .. } => {}
            AccessChange::RevokeKey { .. } | AccessChange::InsertInvitation(_) => {}
            AccessChange::CountInvitation { .. } => {}
            AccessChange::DeleteWorkspace { .. } | AccessChange::RestoreWorkspace { .. } => {}
        },
        // Belongs to no workspace.
        Change::Account(_) => {}
        Change::Channel(
            ChannelChange::Delete { .. }
            | ChannelChange::KeepUnparsed(_)
            | ChannelChange::RecordEvent { .. }
            | ChannelChange::UpdateHealth { .. },
        ) => {}
        Change::Conversation(ConversationChange::Touch { .. } | ConversationChange::Adopt { .. }) => {}
        Change::Conversation(ConversationChange::UseMedia { .. } | ConversationChange::ReleaseMedia { .. }) => {}
        Change::Broadcast(it) => match it {
            BroadcastChange::Freeze { .. }
            | BroadcastChange::FinishRecipient { .. }
            | BroadcastChange::SettleRecipient { .. }
            | BroadcastChange::RequireOpen { .. }
            | BroadcastChange::Count { .. } => {}
        },
        Change::Import(it) => match it {
            ImportChange::PutTable { .. } | ImportChange::DropTable { .. } | ImportChange::Reject { .. } => {}
            ImportChange::DropRejected { .. } | ImportChange::Forget(_) => {}
        },
        Change::Contact(it) => match it {
            ContactChange::InsertIdentity { .. } | ContactChange::SetOptIn { .. } | ContactChange::Restore(_) => {}
            ContactChange::ReleaseIdentities { .. } | ContactChange::ReplaceIdentities { .. } => {}
            ContactChange::Touch { .. } | ContactChange::RecordEvent { .. } => {}
        },
        Change::Tag(it) => match it {
            TagChange::Link { .. } | TagChange::Unlink { .. } | TagChange::SweepLinks { .. } => {}
        },
        Change::Field(it) => match it {
            FieldChange::PutValue { .. } | FieldChange::ClearValue { .. } => {}
            FieldChange::RetireOptions { .. } | FieldChange::SweepValues { .. } => {}
        },
        Change::Reference(ReferenceChange::Put { .. } | ReferenceChange::Lose { .. }) => {}
        Change::Erasure(it) => match it {
            ErasureChange::Begin { .. } | ErasureChange::RemovePart { .. } | ErasureChange::End { .. } => {}
        },
        Change::Merge(it) => match it {
            MergeChange::Begin { .. } | MergeChange::MovePart { .. } | MergeChange::End { .. } => {}
        },
        Change::OptOut(it) => match it {
            OptOutChange::MakeKey { .. } | OptOutChange::Remember { .. } => {}
            OptOutChange::Lift { .. } | OptOutChange::Require { .. } => {}
        },
        Change::Flow(it) => match it {
            FlowChange::InsertVersion(_) | FlowChange::InterruptRuns { .. } | FlowChange::DropSteps { .. } => {}
            FlowChange::WakeCaller { .. } | FlowChange::InterruptCalled { .. } => {}
            FlowChange::Interrupt { .. } | FlowChange::MigrateRuns { .. } | FlowChange::WakeRuns { .. } => {}
            FlowChange::PutTriggers { .. } | FlowChange::PutAwaited { .. } | FlowChange::Delete { .. } => {}
            FlowChange::PutSchedule(_) | FlowChange::FreezeAudience { .. } => {}
            FlowChange::TakeRecipient { .. } | FlowChange::DropRecipients { .. } => {}
            FlowChange::Count { .. } => {}
        },
        Change::Sandbox(it) => match it {
            SandboxChange::Hold { .. } | SandboxChange::Release { .. } => {}
            SandboxChange::Advance { .. } | SandboxChange::Empty { .. } => {}
        },
        Change::Sequence(SequenceChange::ExitEnrollments { .. }) | Change::Audit(_) => {}
        Change::Webhook(it) => match it {
            WebhookChange::UpdateHealth { .. } | WebhookChange::Stamp { .. } | WebhookChange::CountAttempt { .. } => {}
            WebhookChange::RecordAttempt(_) | WebhookChange::InsertAttempt(_) => {}
            WebhookChange::PutReplay(_) | WebhookChange::DropReplay(_) => {}
        },
        Change::Job(it) => match it {
            JobChange::Finish { .. } | JobChange::Reschedule { .. } | JobChange::Park { .. } => {}
            JobChange::Hold { .. } | JobChange::ReleaseHeld { .. } => {}
            JobChange::Release { .. } | JobChange::Bury { .. } | JobChange::DropDead { .. } => {}
        },
    }
}
