//! What each change does that others may wait for. The match is exhaustive: a new change is decided on here.

use tidings_domain::ports::{Change, ChangeSet, Guard, Object};

/// What a change does that others may wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It writes or deletes the row of an object: who guards that, too, takes the stronger lock at once. Two sets that
    /// share a row first, and then both want to write it, would wait for one another.
    Writes(Object),
    /// The rows of two objects.
    WritesBoth(Object, Object),
    /// It ends a worker's claim: nobody waits for it at the other end of a request.
    EndsClaim,
    /// It writes rows that no guard holds: new ones, links, counters, and those of many objects at once.
    Beside,
}

impl Effect {
    pub(crate) fn of(change: &Change) -> Self {
        match change {
            Change::UpdateWorkspace(it) => Self::Writes(Object::Workspace(it.id)),
            Change::ExpireKey { key, .. } | Change::RevokeKey { key, .. } => Self::Writes(Object::Key(*key)),
            Change::UpdateUser(it) => Self::Writes(Object::User(it.id)),
            Change::UpdateMember(it) => Self::Writes(Object::Member(it.user)),
            Change::DeleteMember(user) => Self::Writes(Object::Member(*user)),
            Change::DeleteInvitation(id) => Self::Writes(Object::Invitation(*id)),
            Change::RevokeSession { session, .. } => Self::Writes(Object::Session(*session)),
            Change::UpdateChannel(it) => Self::Writes(Object::Channel(it.id)),
            Change::DeleteChannel { channel, .. } => Self::Writes(Object::Channel(*channel)),
            Change::UpdateContact(it) | Change::RestoreContact(it) => Self::Writes(Object::Contact(it.id)),
            Change::UpdateTag(it) => Self::Writes(Object::Tag(it.id)),
            Change::DeleteTag(id) => Self::Writes(Object::Tag(*id)),
            Change::UpdateField(it) => Self::Writes(Object::Field(it.id)),
            Change::DeleteField(id) => Self::Writes(Object::Field(*id)),
            Change::RetireOptions { field, .. } => Self::Writes(Object::Field(*field)),
            Change::UpdateBotField(it) => Self::Writes(Object::BotField(it.id)),
            Change::DeleteBotField(id) => Self::Writes(Object::BotField(*id)),
            Change::UpdateConversation(it) => Self::Writes(Object::Conversation(it.id)),
            Change::UpdateMessage(it) => Self::Writes(Object::Message(it.id)),
            Change::TouchConversation { conversation, contact, .. } => {
                Self::WritesBoth(Object::Conversation(*conversation), Object::Contact(*contact))
            }
            Change::UpdateFlow(it) => Self::Writes(Object::Flow(it.id)),
            Change::DeleteFlow { flow, .. } => Self::Writes(Object::Flow(*flow)),
            Change::UpdateRun(it) => Self::Writes(Object::Run(it.id)),
            Change::UpdateSequence(it) => Self::Writes(Object::Sequence(it.id)),
            Change::UpdateEnrollment(it) => Self::Writes(Object::Enrollment(it.id)),
            Change::UpdateWebhook(it) => Self::Writes(Object::Webhook(it.id)),
            Change::UpdateWebhookHealth { webhook, .. }
            | Change::StampWebhook { webhook, .. }
            | Change::DeleteWebhook(webhook) => Self::Writes(Object::Webhook(*webhook)),
            Change::UpdateDelivery(it) => Self::Writes(Object::Delivery(it.id)),
            Change::FinishJob { .. }
            | Change::RescheduleJob { .. }
            | Change::ParkJob { .. }
            | Change::BuryJob { .. } => Self::EndsClaim,
            Change::InsertWorkspace(_)
            | Change::FoundWorkspace(_)
            | Change::InsertKey(_)
            | Change::InsertUser(_)
            | Change::InsertMember(_)
            | Change::InsertInvitation(_)
            | Change::InsertSession(_)
            | Change::RevokeSessionsOf { .. }
            | Change::InsertRefreshToken(_)
            | Change::RotateRefreshToken { .. }
            | Change::InsertSigningKey(_)
            | Change::CountLogin { .. }
            | Change::ForgetLogins { .. }
            | Change::InsertChannel(_)
            | Change::InsertContact(_)
            | Change::InsertIdentity { .. }
            | Change::SetOptIn { .. }
            | Change::ReleaseIdentities { .. }
            | Change::ReplaceIdentities { .. }
            | Change::LinkTag { .. }
            | Change::UnlinkTag { .. }
            | Change::PutValue { .. }
            | Change::ClearValue { .. }
            | Change::InsertTag(_)
            | Change::SweepTagLinks { .. }
            | Change::InsertField(_)
            | Change::SweepValues { .. }
            | Change::InsertBotField(_)
            | Change::PutReferences { .. }
            | Change::LoseReferences { .. }
            | Change::InsertConversation(_)
            | Change::InsertMessage(_)
            | Change::InsertFlow(_)
            | Change::InsertFlowVersion(_)
            | Change::InsertRun(_)
            | Change::InterruptRuns { .. }
            | Change::DropSteps { .. }
            | Change::InterruptFlow { .. }
            | Change::MigrateRuns { .. }
            | Change::WakeRuns { .. }
            | Change::PutTriggers { .. }
            | Change::InsertSequence(_)
            | Change::InsertEnrollment(_)
            | Change::ExitEnrollments { .. }
            | Change::InsertWebhook(_)
            | Change::CountAttempt(_)
            | Change::PutReplay(_)
            | Change::DropReplay(_)
            | Change::InsertDelivery(_)
            | Change::InsertAttempt(_)
            | Change::RecordFact(_)
            | Change::ReleaseJobs { .. } => Self::Beside,
        }
    }

    pub(crate) fn writes(self, object: Object) -> bool {
        match self {
            Self::Writes(it) => it == object,
            Self::WritesBoth(one, other) => one == object || other == object,
            Self::EndsClaim | Self::Beside => false,
        }
    }
}

/// Whether a worker made the set: requests go before it.
pub(crate) fn is_of_a_worker(set: &ChangeSet) -> bool {
    let is_claimed = set.guards.iter().any(|guard| match guard {
        Guard::Claim(_) => true,
        Guard::Live(_) | Guard::Version(..) | Guard::OwnerBeside(_) | Guard::Room { .. } | Guard::Unused(_) => false,
    });
    is_claimed || set.changes.iter().any(|change| Effect::of(change) == Effect::EndsClaim)
}
