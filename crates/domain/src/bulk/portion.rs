//! The contacts that one commit changes.

use std::collections::BTreeSet;

use super::BulkOperation;
use crate::access::Access;
use crate::contacts::{AppliedTag, Contact, ContactFilter, ContactService, MAX_TAGS};
use crate::ids::TypedId;
use crate::opt_outs::refused;
use crate::pagination::{Position, Sort, SortBy, SortKey, SortedRequest};
use crate::ports::{Change, ChangeSet, ContactChange, MAX_BYTES, MAX_ROWS, TagChange};
use crate::retry::AttemptError;
use crate::tags::Tag;
use crate::time::Timestamp;
use crate::work::{ROWS_BESIDE, weight};

/// So many contacts are read at once.
const PAGE: usize = 100;

/// What is done to each contact, with what it needs.
pub(super) enum Work {
    /// It gets this tag.
    Tag(Tag),
    /// This tag is taken off.
    Untag(Tag),
    /// It is deleted.
    Delete,
}

/// What became of a contact.
enum Became {
    Changed,
    Unchanged,
    Failed,
}

/// What one commit changes.
pub(super) struct Portion<'a> {
    pub(super) contacts: ContactService,
    /// Who asked for it.
    pub(super) access: &'a Access,
    pub(super) work: Work,
    pub(super) filter: ContactFilter,
    pub(super) now: Timestamp,
}

impl Portion<'_> {
    /// Adds what is done to the next contacts to a set, of at most so many, and moves the operation on; whether these were the
    /// last.
    pub(super) async fn take(
        &self,
        it: &mut BulkOperation,
        most: usize,
        set: &mut ChangeSet,
    ) -> Result<bool, AttemptError> {
        let mut taken = ChangeSet::new(set.workspace);
        let (mut looked_at, mut is_full, mut is_last) = (0, false, false);
        let (mut rows, mut bytes) = (ROWS_BESIDE, 0);
        let mut marks = BTreeSet::new();
        while looked_at < most && !is_full && !is_last {
            let limit = PAGE.min(most - looked_at);
            let page = self.contacts.ports.contacts.list(self.access, &self.filter, request(it, limit)).await?;
            is_last = page.next.is_none();
            for contact in page.items {
                let place = Position { at: contact.created_at, id: contact.id.uuid() };
                let mut own = ChangeSet::new(set.workspace);
                let refused = if matches!(self.work, Work::Delete) { refused(&contact) } else { BTreeSet::new() };
                let became = self.decide(contact, &mut own);
                let (own_rows, own_bytes) = weight(&own);
                // What is remembered of its refusals is written, too.
                let own_rows = own_rows + refused.len();
                is_full = !taken.is_empty() && (rows + own_rows > MAX_ROWS || bytes + own_bytes > MAX_BYTES);
                if is_full {
                    is_last = false;
                    break;
                }
                (rows, bytes, looked_at) = (rows + own_rows, bytes + own_bytes, looked_at + 1);
                taken.changes.extend(own.changes);
                taken.events.extend(own.events);
                it.behind = Some(place);
                marks.extend(refused);
                match became {
                    Became::Changed => it.counts.changed += 1,
                    Became::Unchanged => it.counts.unchanged += 1,
                    Became::Failed => it.counts.failed += 1,
                }
            }
        }
        self.contacts.opt_outs(self.access).remember(marks, set).await?;
        // What is of one kind is written by one statement where it stands together.
        taken.changes.sort_by_key(place);
        set.changes.extend(taken.changes);
        set.events.extend(taken.events);
        Ok(is_last)
    }

    /// Adds what is done to a contact.
    fn decide(&self, contact: Contact, set: &mut ChangeSet) -> Became {
        match &self.work {
            Work::Tag(tag) if contact.has_tag(tag.id) => Became::Unchanged,
            Work::Tag(_) if contact.tags.len() as i64 >= MAX_TAGS => Became::Failed,
            Work::Tag(tag) => {
                let link = AppliedTag { id: tag.id, name: tag.name.clone(), applied_at: self.now };
                self.contacts.write_tagged(self.access, contact, &[link], self.now, set);
                Became::Changed
            }
            Work::Untag(tag) => match contact.tags.iter().position(|link| link.id == tag.id) {
                Some(place) => {
                    self.contacts.write_untagged(self.access, contact, place, self.now, set);
                    Became::Changed
                }
                None => Became::Unchanged,
            },
            Work::Delete => {
                self.contacts.write_deleted(self.access, contact, self.now, set);
                Became::Changed
            }
        }
    }
}

/// The contacts behind those that were looked at, the oldest first.
fn request(it: &BulkOperation, limit: usize) -> SortedRequest {
    let after = it.behind.map(|place| Position { at: SortKey::Time(Some(place.at)), id: place.id });
    let order = Sort { by: SortBy::CreatedAt, descending: false };
    SortedRequest { limit: u32::try_from(limit).unwrap_or(u32::MAX), order, after, counted: false }
}

/// Where a change stands: with those of its kind, behind what it needs.
fn place(change: &Change) -> u8 {
    match change {
        Change::Update(_) => 0,
        Change::Tag(TagChange::Link { .. }) => 1,
        Change::Tag(_) => 2,
        Change::Contact(ContactChange::ReleaseIdentities { .. }) => 3,
        Change::Flow(_) => 4,
        Change::Sequence(_) => 5,
        _ => 6,
    }
}
