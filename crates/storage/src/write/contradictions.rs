//! Recent conflicts of change sets. A set that may have the same conflict again does not share a transaction.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use quick_cache::sync::Cache;
use tidings_domain::ports::{
    Change, ChangeSet, ChannelChange, Conflict, ContactChange, Guard, JobChange, Object, Row, UniqueKey, WebhookChange,
};
use uuid::Uuid;

use crate::queries::types::DbId;

/// Maximum number of remembered conflicts.
const REMEMBERED: usize = 8_192;

/// A value or object that can cause a conflict: it must be unique, or it must exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ConflictKey<'s> {
    /// A text with a unique key, or an address on a channel.
    Text(UniqueKey, Option<Uuid>, &'s str),
    /// An event of a provider: its channel and digest.
    Event(Uuid, &'s [u8; 32]),
    Delivery(Uuid, Uuid),
    Object(Object),
    Claim(Uuid),
    Answer(&'s str, &'s str, &'s str),
}

impl ConflictKey<'_> {
    /// Returns true if the conflict may be caused by it.
    fn is_at(self, conflict: &Conflict) -> bool {
        match (self, conflict) {
            (Self::Text(key, ..), Conflict::Exists(violated)) => key == *violated,
            (Self::Event(..), Conflict::Exists(violated)) => *violated == UniqueKey::ProviderEvent,
            (Self::Delivery(..), Conflict::Exists(violated)) => *violated == UniqueKey::Delivery,
            (Self::Object(object), Conflict::Stale(stale)) => object == *stale,
            (Self::Claim(_), Conflict::ClaimLost) | (Self::Answer(..), Conflict::IdempotencyKeyUsed) => true,
            (
                Self::Text(..)
                | Self::Event(..)
                | Self::Delivery(..)
                | Self::Object(_)
                | Self::Claim(_)
                | Self::Answer(..),
                Conflict::Stale(_)
                | Conflict::Exists(_)
                | Conflict::NoLink
                | Conflict::LastOwner
                | Conflict::Standing
                | Conflict::IdempotencyKeyUsed
                | Conflict::InUse(_)
                | Conflict::ListenersChanged
                | Conflict::CatalogChanged
                | Conflict::LaneBusy
                | Conflict::ClaimLost
                | Conflict::Full { .. },
            ) => false,
        }
    }
}

/// Returns all possible causes of a conflict of a set.
fn stakes(set: &ChangeSet) -> Vec<ConflictKey<'_>> {
    let mut all = Vec::new();
    for guard in &set.guards {
        if let Guard::Live(object) = guard {
            all.push(ConflictKey::Object(*object));
        }
    }
    for change in &set.changes {
        match change {
            Change::Job(JobChange::Finish { job, .. }) => all.push(ConflictKey::Claim(DbId::from(*job).0)),
            Change::Insert(Row::Contact(it)) => {
                let texts = [
                    (UniqueKey::ContactExternalId, it.external_id.as_ref().map(|it| it.as_str())),
                    (UniqueKey::ContactEmail, it.email.as_ref().map(|it| it.key())),
                    (UniqueKey::ContactPhone, it.phone.as_ref().map(|it| it.as_str())),
                ];
                all.extend(texts.into_iter().filter_map(|(key, text)| Some(ConflictKey::Text(key, None, text?))));
            }
            Change::Contact(ContactChange::InsertIdentity { identity, .. }) => {
                let channel = DbId::from(identity.channel).0;
                all.push(ConflictKey::Text(UniqueKey::Identity, Some(channel), &identity.address));
            }
            Change::Channel(ChannelChange::RecordEvent { channel, digest, .. }) => {
                all.push(ConflictKey::Event(DbId::from(*channel).0, digest));
            }
            Change::Insert(Row::Delivery(it)) => {
                all.push(ConflictKey::Delivery(DbId::from(it.event).0, DbId::from(it.webhook).0));
            }
            Change::Webhook(WebhookChange::RecordAttempt(it)) => {
                all.push(ConflictKey::Claim(DbId::from(it.delivery.id).0));
                all.push(ConflictKey::Object(Object::Delivery(it.delivery.id)));
            }
            Change::Update(Row::Delivery(it)) => all.push(ConflictKey::Object(Object::Delivery(it.id))),
            Change::Insert(
                Row::Workspace(_)
                | Row::User(_)
                | Row::Member(_)
                | Row::Channel(_)
                | Row::Conversation(_)
                | Row::Broadcast(_)
                | Row::BulkOperation(_)
                | Row::Import(_)
                | Row::Message(_)
                | Row::Flow(_)
                | Row::Run(_)
                | Row::Stored(_)
                | Row::Sequence(_)
                | Row::Enrollment(_)
                | Row::Webhook(_),
            )
            | Change::Update(
                Row::Workspace(_)
                | Row::User(_)
                | Row::Member(_)
                | Row::Channel(_)
                | Row::Contact(_)
                | Row::Conversation(_)
                | Row::Broadcast(_)
                | Row::BulkOperation(_)
                | Row::Import(_)
                | Row::Message(_)
                | Row::Flow(_)
                | Row::Run(_)
                | Row::Stored(_)
                | Row::Sequence(_)
                | Row::Enrollment(_)
                | Row::Webhook(_),
            )
            | Change::Contact(
                ContactChange::SetOptIn { .. }
                | ContactChange::Touch { .. }
                | ContactChange::ReleaseIdentities { .. }
                | ContactChange::Restore(_)
                | ContactChange::ReplaceIdentities { .. }
                | ContactChange::RecordEvent { .. },
            )
            | Change::Webhook(
                WebhookChange::UpdateHealth { .. }
                | WebhookChange::Stamp { .. }
                | WebhookChange::CountAttempt { .. }
                | WebhookChange::InsertAttempt(_)
                | WebhookChange::PutReplay(_)
                | WebhookChange::DropReplay(_),
            )
            | Change::Job(
                JobChange::Reschedule { .. }
                | JobChange::Park { .. }
                | JobChange::Hold { .. }
                | JobChange::Release { .. }
                | JobChange::ReleaseHeld { .. }
                | JobChange::Bury { .. }
                | JobChange::DropDead { .. },
            )
            | Change::Delete(_)
            | Change::Access(_)
            | Change::Account(_)
            | Change::Channel(
                ChannelChange::Delete { .. } | ChannelChange::KeepUnparsed(_) | ChannelChange::UpdateHealth { .. },
            )
            | Change::Tag(_)
            | Change::Field(_)
            | Change::Reference(_)
            | Change::Conversation(_)
            | Change::Erasure(_)
            | Change::Merge(_)
            | Change::OptOut(_)
            | Change::Flow(_)
            | Change::Sequence(_)
            | Change::Broadcast(_)
            | Change::Import(_)
            | Change::Analytics(_)
            | Change::Sandbox(_)
            | Change::Audit(_) => {}
        }
    }
    all.extend(set.idempotency.iter().map(|it| ConflictKey::Answer(&it.method, &it.route, &it.key)));
    all
}

/// Hashes of the causes of recent conflicts. A hash collision only costs a separate transaction.
pub(crate) struct Contradictions {
    seen: Cache<u64, ()>,
    given_up: AtomicU64,
}

impl Contradictions {
    pub(crate) fn new() -> Self {
        Self { seen: Cache::new(REMEMBERED), given_up: AtomicU64::new(0) }
    }

    /// Returns true if the set may have a conflict that another set had before.
    pub(crate) fn may_concern(&self, set: &ChangeSet) -> bool {
        !self.seen.is_empty() && stakes(set).iter().any(|it| self.seen.get(&hash(set, it)).is_some())
    }

    /// Records the cause of a set's conflict.
    pub(crate) fn note(&self, set: &ChangeSet, conflict: &Conflict) {
        stakes(set).iter().filter(|it| it.is_at(conflict)).for_each(|it| self.seen.insert(hash(set, it), ()));
    }

    pub(crate) fn count(&self) {
        self.given_up.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn given_up(&self) -> u64 {
        self.given_up.load(Ordering::Relaxed)
    }

    /// Removes the possible causes of a committed set's conflicts.
    pub(crate) fn forget(&self, set: &ChangeSet) {
        if !self.seen.is_empty() {
            for it in stakes(set) {
                self.seen.remove(&hash(set, &it));
            }
        }
    }
}

fn hash(set: &ChangeSet, stake: &ConflictKey<'_>) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    (DbId::from(set.workspace).0, stake).hash(&mut hasher);
    hasher.finish()
}
