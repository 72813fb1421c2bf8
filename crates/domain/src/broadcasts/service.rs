use std::sync::Arc;

use super::{
    Audience, Broadcast, BroadcastPatch, BroadcastRecipient, BroadcastStats, BroadcastStatus, NewBroadcast,
    RecipientStatus,
};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::conditions::Selection;
use crate::contacts::ContactFilter;
use crate::conversations::describe_files;
use crate::error::{Error, Violation};
use crate::flows::TextNames;
use crate::ids::{BroadcastId, ChannelId, TypedId};
use crate::list_filter::ListFilter;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::pagination::{Page, PageRequest};
use crate::ports::{Change, ChangeSet, Counted, Guard, Object, Ports, ReferenceChange, Row, StoreError};
use crate::references::{LostReference, Referent, Referrer};
use crate::retry::{AttemptError, commit_outcome, retry_on_conflict};
use crate::segments::Audiences;
use crate::time::Timestamp;

/// Maximum number of broadcasts per workspace that have not ended.
const MAX_BROADCASTS: i64 = 1_000;

/// A broadcast with the counts of its messages.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedBroadcast {
    /// The broadcast.
    pub broadcast: Broadcast,
    /// The counts.
    pub stats: BroadcastStats,
}

/// Use cases of broadcasts.
#[derive(Clone)]
pub struct BroadcastService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl BroadcastService {
    /// Returns a broadcast.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, broadcast: BroadcastId) -> Result<CountedBroadcast, Error> {
        let broadcast = self.find(access, broadcast).await?;
        Ok(self.counted(access, broadcast).await?)
    }

    /// Returns the deleted objects that a broadcast uses, directly or through its segment; none after its audience was
    /// replaced.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn lost_references(&self, access: &Access, it: &Broadcast) -> Result<Vec<LostReference>, StoreError> {
        if it.status.is_over() {
            return Ok(Vec::new());
        }
        let owner = Referrer::Broadcast(it.id);
        self.audiences().lost_of_audience(access, owner, &it.audience, it.updated_at).await
    }

    /// Returns the deleted objects that a broadcast uses, and former members in its audience. Former members do not
    /// stop it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn shown_losses(&self, access: &Access, it: &Broadcast) -> Result<Vec<LostReference>, StoreError> {
        let mut lost = self.lost_references(access, it).await?;
        if !it.status.is_over()
            && let Some(condition) = self.audiences().condition(access, &it.audience).await?
        {
            lost.extend(self.audiences().lost_members(access, &condition, it.updated_at).await?);
        }
        Ok(lost)
    }

    /// Returns the broadcasts of the workspace, optionally with one status.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<BroadcastStatus>,
        page: PageRequest,
    ) -> Result<Page<CountedBroadcast>, Error> {
        let Page { mut items, next, places, total } = self.ports.broadcasts.list(access, filter, page).await?;
        self.audiences().rename(access, items.iter_mut().filter_map(|it| it.audience.condition_mut())).await?;
        let ids: Vec<BroadcastId> = items.iter().map(|it| it.id).collect();
        let counts = self.ports.broadcasts.counts(access, &ids).await?;
        let counted = items.into_iter().map(|broadcast| {
            let own = counts.iter().filter(|(of, ..)| *of == broadcast.id);
            let own: Vec<_> = own.map(|(_, count, amount)| (*count, *amount)).collect();
            CountedBroadcast { stats: BroadcastStats::of(broadcast.targeted, &own), broadcast }
        });
        Ok(Page { items: counted.collect(), next, places, total })
    }

    /// Returns the recipients of a broadcast with this status, or all of them, ordered by contact ID.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn recipients(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        status: Option<RecipientStatus>,
        page: PageRequest,
    ) -> Result<Page<BroadcastRecipient>, Error> {
        self.find(access, broadcast).await?;
        Ok(self.ports.broadcasts.recipients(access, broadcast, status, page).await?)
    }

    /// Creates a draft.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the audience, the channel, a file or a text is invalid, [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewBroadcast,
        idempotency: IdempotencyHook<'_, CountedBroadcast>,
    ) -> Result<Done<CountedBroadcast>, Error> {
        retry_on_conflict(|| async {
            let (now, command) = (self.ports.clock.now(), command.clone());
            let mut broadcast = Broadcast {
                id: BroadcastId::from_uuid(self.ports.ids.next()),
                name: command.name.trim().to_owned(),
                audience: command.audience,
                message: command.message,
                channel: command.channel,
                scheduled_at: command.scheduled_at,
                time_zone: command.time_zone,
                rate_per_minute: command.rate_per_minute,
                created_at: now,
                updated_at: now,
                ..Broadcast::default()
            };
            let mut set = ChangeSet::new(access.workspace());
            let wrong = self.wrong_texts(access, &broadcast).await?;
            let named = self.named(access, &mut broadcast, wrong, true).await?;
            self.add_draft(access, &broadcast, named, &mut set);
            let done = Done::created(CountedBroadcast { broadcast, stats: BroadcastStats::default() });
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Adds a new draft to a set, with its references.
    pub(super) fn add_draft(&self, access: &Access, draft: &Broadcast, named: Change, set: &mut ChangeSet) {
        set.guard(Guard::Room { what: Counted::Broadcasts, adding: 1, most: MAX_BROADCASTS });
        set.change(Change::Insert(Row::Broadcast(Box::new(draft.clone()))));
        set.change(named);
        let created = AuditDraft::created(AuditAction::BroadcastCreated, draft);
        self.ports.add_audit(created, access, set);
    }

    /// Updates a draft; absent fields do not change, audience and message are replaced as a whole.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`], [`Error::BroadcastStatus`] if it is not
    /// a draft, [`Error::Store`].
    pub async fn update(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        patch: BroadcastPatch,
        expected: &ExpectedVersion,
    ) -> Result<CountedBroadcast, Error> {
        retry_on_conflict(|| async {
            let before = self.find(access, broadcast).await?;
            expected.check(before.version)?;
            let (patch, mut after) = (patch.clone(), before.clone());
            after.name = patch.name.map_or(after.name, |name| name.trim().to_owned());
            if let Some(audience) = &patch.audience {
                // An audience that cannot be bound is rejected below, together with all other violations.
                let bound = self.audiences().bind_audience(access, audience, "/audience").await?;
                after.audience = bound.unwrap_or_else(|_| audience.clone());
            }
            if let Some(message) = patch.message {
                after.message = message;
                // Unknown files are rejected below.
                describe_files(&self.ports, access, &mut after.message).await?;
            }
            after.channel = patch.channel.apply(after.channel);
            after.scheduled_at = patch.scheduled_at.apply(after.scheduled_at);
            after.time_zone = patch.time_zone.unwrap_or(after.time_zone);
            after.rate_per_minute = patch.rate_per_minute.apply(after.rate_per_minute);
            if after != before {
                if !before.may_be_edited() {
                    return Err(Error::BroadcastStatus(before.status).into());
                }
                after.advance(before.status, self.ports.clock.now());
                let mut set = ChangeSet::new(access.workspace());
                let is_new = after.audience != before.audience;
                let wrong = self.wrong_texts(access, &after).await?;
                let named = self.named(access, &mut after, wrong, is_new).await?;
                set.change(Change::Update(Row::Broadcast(Box::new(after.clone()))));
                let refers = |it: &Broadcast| (it.audience.clone(), it.channel, files_of(it));
                if refers(&after) != refers(&before) {
                    set.change(named);
                }
                self.ports.add_audit(
                    AuditDraft::changed(AuditAction::BroadcastUpdated, &before, &after),
                    access,
                    &mut set,
                );
                self.ports.ledger.commit(set).await?;
            }
            Ok::<_, AttemptError>(self.counted(access, after).await?)
        })
        .await
    }

    /// Deletes a draft, or a broadcast that ended before it started. Others are kept with their recipients and
    /// messages.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::BroadcastStatus`] if it is scheduled or was
    /// started, [`Error::Store`].
    pub async fn delete(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        expected: &ExpectedVersion,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let found = self.find(access, broadcast).await?;
            expected.check(found.version)?;
            let never_began = found.status.is_over() && found.started_at.is_none();
            if !never_began && !found.may_be_edited() {
                return Err(Error::BroadcastStatus(found.status).into());
            }
            let mut set = ChangeSet::new(access.workspace());
            set.guard(Guard::Version(Object::Broadcast(broadcast), found.version));
            set.change(unnamed(broadcast));
            set.change(Change::Delete(Object::Broadcast(broadcast)));
            self.ports.add_audit(AuditDraft::deleted(AuditAction::BroadcastDeleted, &found), access, &mut set);
            Ok::<_, AttemptError>(self.ports.ledger.commit(set).await?)
        })
        .await
    }

    pub(super) async fn find(&self, access: &Access, broadcast: BroadcastId) -> Result<Broadcast, Error> {
        let mut found = self.ports.broadcasts.get(access, broadcast).await?.ok_or(Error::NotFound)?;
        self.audiences().rename(access, found.audience.condition_mut()).await?;
        Ok(found)
    }

    pub(super) fn audiences(&self) -> Audiences {
        Audiences { ports: self.ports.clone() }
    }

    /// Adds all stored outcomes to a broadcast, also those that are not added to a counter yet.
    pub(super) async fn counted(&self, access: &Access, broadcast: Broadcast) -> Result<CountedBroadcast, StoreError> {
        let counts = self.ports.broadcasts.outcome_counts(access, broadcast.id).await?;
        Ok(CountedBroadcast { stats: BroadcastStats::of(broadcast.targeted, &counts), broadcast })
    }

    /// Returns the selection of an audience at an instant; `None` if its segment was deleted.
    pub(super) async fn selection(
        &self,
        access: &Access,
        audience: &Audience,
        now: Timestamp,
    ) -> Result<Option<Selection>, StoreError> {
        let audiences = self.audiences();
        let Some(condition) = audiences.condition(access, audience).await? else { return Ok(None) };
        Ok(Some(audiences.selection(access, &condition, now).await?))
    }

    /// Returns the contacts that a broadcast selects at an instant, if it is sent on a channel; `None` if its segment
    /// was deleted.
    pub(super) async fn chosen(
        &self,
        access: &Access,
        it: &Broadcast,
        channel: ChannelId,
        now: Timestamp,
    ) -> Result<Option<ContactFilter>, StoreError> {
        let selection = self.selection(access, &it.audience, now).await?;
        let filter = |selection| ContactFilter {
            selection: Some(selection),
            unreached: it.unreached(channel),
            ..ContactFilter::default()
        };
        Ok(selection.map(filter))
    }

    /// Returns the existing objects that an audience names.
    pub(super) async fn names(&self, access: &Access, audience: &Audience) -> Result<Vec<Referent>, StoreError> {
        match audience {
            Audience::Condition(condition) => self.audiences().names(access, condition).await,
            Audience::Segment(segment) => Ok(vec![Referent::Segment(*segment)]),
        }
    }

    async fn wrong_texts(&self, access: &Access, it: &Broadcast) -> Result<Vec<Violation>, StoreError> {
        Ok(TextNames::load(&self.ports, access).await?.check_message(&it.message, "/message"))
    }

    /// Binds a new audience, completes the files of the message, and returns the references of the broadcast, or all
    /// violations including `wrong`.
    pub(super) async fn named(
        &self,
        access: &Access,
        it: &mut Broadcast,
        mut wrong: Vec<Violation>,
        is_new: bool,
    ) -> Result<Change, AttemptError> {
        if is_new {
            match self.audiences().bind_audience(access, &it.audience, "/audience").await? {
                Ok(bound) => it.audience = bound,
                Err(violations) => wrong.extend(violations),
            }
        }
        let unknown = describe_files(&self.ports, access, &mut it.message).await?;
        wrong.extend(unknown.into_iter().map(|violation| violation.under("/message")));
        if let Some(channel) = it.channel
            && self.ports.channels.get(access, channel).await?.is_none()
        {
            let message = "no channel in this workspace has this ID";
            wrong.push(Violation::new("/channel_id", "unknown_channel", message));
        }
        if !wrong.is_empty() {
            return Err(Error::Invalid(wrong).into());
        }
        let mut targets = self.names(access, &it.audience).await?;
        targets.extend(it.channel.map(Referent::Channel));
        targets.extend(files_of(it));
        Ok(Change::Reference(ReferenceChange::Put { owner: Referrer::Broadcast(it.id), targets }))
    }
}

/// Returns the references of a broadcast to the files of its message.
pub(super) fn files_of(it: &Broadcast) -> Vec<Referent> {
    it.message.files().map(|(_, media)| Referent::Media(media)).collect()
}

/// Removes all references of a broadcast that has ended.
pub(super) fn unnamed(broadcast: BroadcastId) -> Change {
    Change::Reference(ReferenceChange::Put { owner: Referrer::Broadcast(broadcast), targets: Vec::new() })
}
