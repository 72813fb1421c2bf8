//! Which row a change writes over.

use tidings_domain::ports::{BroadcastChange, Change, ContactChange, FieldChange, WebhookChange};
use uuid::Uuid;

use crate::types::DbId;

/// The row that a change writes over, if a statement must contain it only once.
pub(super) fn target(change: &Change) -> Option<(Uuid, Uuid)> {
    match change {
        Change::Update(row) => Some((row.object().uuid(), Uuid::nil())),
        Change::Field(FieldChange::PutValue { contact, field, .. } | FieldChange::ClearValue { contact, field }) => {
            Some((DbId::from(*contact).0, DbId::from(*field).0))
        }
        Change::Contact(ContactChange::SetOptIn { contact, channel, .. }) => {
            Some((DbId::from(*contact).0, DbId::from(*channel).0))
        }
        Change::Broadcast(BroadcastChange::SettleRecipient { broadcast, contact, .. }) => {
            Some((DbId::from(*broadcast).0, DbId::from(*contact).0))
        }
        Change::Webhook(WebhookChange::UpdateHealth { webhook, .. }) => Some((DbId::from(*webhook).0, Uuid::nil())),
        Change::Webhook(WebhookChange::RecordAttempt(it)) => Some((DbId::from(it.delivery.id).0, Uuid::nil())),
        Change::Insert(_)
        | Change::Delete(_)
        | Change::Access(_)
        | Change::Account(_)
        | Change::Channel(_)
        | Change::Contact(
            ContactChange::InsertIdentity { .. }
            | ContactChange::Touch { .. }
            | ContactChange::ReleaseIdentities { .. }
            | ContactChange::Restore(_)
            | ContactChange::ReplaceIdentities { .. }
            | ContactChange::RecordEvent { .. },
        )
        | Change::Tag(_)
        | Change::Field(FieldChange::RetireOptions { .. } | FieldChange::SweepValues { .. })
        | Change::Reference(_)
        | Change::Conversation(_)
        | Change::Erasure(_)
        | Change::Merge(_)
        | Change::OptOut(_)
        | Change::Flow(_)
        | Change::Sequence(_)
        | Change::Broadcast(
            BroadcastChange::Freeze { .. }
            | BroadcastChange::FinishRecipient { .. }
            | BroadcastChange::RequireOpen { .. }
            | BroadcastChange::Count { .. },
        )
        | Change::Import(_)
        | Change::Webhook(
            WebhookChange::Stamp { .. }
            | WebhookChange::CountAttempt { .. }
            | WebhookChange::InsertAttempt(_)
            | WebhookChange::PutReplay(_)
            | WebhookChange::DropReplay(_),
        )
        | Change::Analytics(_)
        | Change::Job(_)
        | Change::Sandbox(_)
        | Change::Audit(_) => None,
    }
}
