//! The names of all variants of all changes.

use tidings_domain::ports::{
    AccessChange, AccountChange, AnalyticsChange, BroadcastChange, Change, ChannelChange, ContactChange,
    ConversationChange, ErasureChange, FieldChange, FlowChange, ImportChange, JobChange, MergeChange, Object,
    OptOutChange, ReferenceChange, Row, SandboxChange, SequenceChange, TagChange, WebhookChange,
};
use tidings_domain::stored::{StoredId, StoredRow};

/// Declares [`NAMES`] and [`name`] from one list. A variant that is missing here does not compile, because the match
/// has no arm for all others; a variant that is listed needs a sample, because a case compares the samples with the
/// names.
macro_rules! variants {
    (
        [
            rows { $($row:ident)* }
            objects { $($object:ident)* }
            $($subject:ident($change:ident) { $($variant:ident)* })*
        ]
        [$($(#[$doc:meta])* $stored:ident in $module:ident { $($rest:tt)* })*]
    ) => {
        /// The names of all variants.
        pub(super) const NAMES: &[&str] = &[
            $(concat!("Insert ", stringify!($row)), concat!("Update ", stringify!($row)),)*
            $(concat!("Delete ", stringify!($object)),)*
            $(
                concat!("Insert ", stringify!($stored)),
                concat!("Update ", stringify!($stored)),
                concat!("Delete ", stringify!($stored)),
            )*
            $($(concat!(stringify!($subject), " ", stringify!($variant)),)*)*
            "Audit",
        ];

        /// The name of the change's variant.
        pub(super) fn name(change: &Change) -> &'static str {
            match change {
                $(
                    Change::Insert(Row::$row(_)) => concat!("Insert ", stringify!($row)),
                    Change::Update(Row::$row(_)) => concat!("Update ", stringify!($row)),
                )*
                $(Change::Delete(Object::$object(_)) => concat!("Delete ", stringify!($object)),)*
                $(
                    Change::Insert(Row::Stored(StoredRow::$stored(_))) => concat!("Insert ", stringify!($stored)),
                    Change::Update(Row::Stored(StoredRow::$stored(_))) => concat!("Update ", stringify!($stored)),
                    Change::Delete(Object::Stored(StoredId::$stored(_))) => concat!("Delete ", stringify!($stored)),
                )*
                $($(
                    Change::$subject($change::$variant { .. }) => {
                        concat!(stringify!($subject), " ", stringify!($variant))
                    }
                )*)*
                Change::Audit(_) => "Audit",
            }
        }
    };
}

tidings_domain::for_each_stored!(variants {
    rows {
        Workspace User Member Channel Contact Conversation Broadcast BulkOperation Import
        Message Flow Run Sequence Enrollment Webhook Delivery
    }
    objects {
        Workspace Key Channel Contact Conversation Message Flow Run
        Broadcast BulkOperation Import Sequence Enrollment Webhook Delivery User Member Invitation Session
    }
    Access(AccessChange) {
        FoundWorkspace DeleteWorkspace RestoreWorkspace InsertKey ExpireKey RevokeKey InsertInvitation CountInvitation
    }
    Account(AccountChange) {
        InsertSession RevokeSession RevokeSessionsOf InsertRefreshToken RotateRefreshToken InsertSigningKey CountLogin
        ForgetLogins
    }
    Channel(ChannelChange) { Delete KeepUnparsed RecordEvent UpdateHealth }
    Contact(ContactChange) {
        InsertIdentity SetOptIn Touch ReleaseIdentities Restore ReplaceIdentities RecordEvent
    }
    Tag(TagChange) { Link Unlink SweepLinks }
    Field(FieldChange) { PutValue ClearValue RetireOptions SweepValues }
    Reference(ReferenceChange) { Put Lose }
    Conversation(ConversationChange) { Touch Adopt UseMedia ReleaseMedia }
    Erasure(ErasureChange) { Begin RemovePart End }
    Merge(MergeChange) { Begin MovePart End }
    OptOut(OptOutChange) { MakeKey Remember Lift Require }
    Flow(FlowChange) {
        InsertVersion InterruptRuns DropSteps WakeCaller InterruptCalled Interrupt MigrateRuns WakeRuns PutTriggers
        PutAwaited PutSchedule FreezeAudience TakeRecipient DropRecipients Count Delete
    }
    Sequence(SequenceChange) { ExitEnrollments }
    Broadcast(BroadcastChange) { Freeze FinishRecipient SettleRecipient RequireOpen Count }
    Import(ImportChange) { PutTable DropTable Reject DropRejected Forget }
    Webhook(WebhookChange) {
        UpdateHealth Stamp CountAttempt RecordAttempt InsertAttempt PutReplay DropReplay
    }
    Analytics(AnalyticsChange) { Record RecordReply }
    Job(JobChange) { Finish Reschedule Park Hold ReleaseHeld Release Bury DropDead }
    Sandbox(SandboxChange) { Hold Release Advance Empty }
});
