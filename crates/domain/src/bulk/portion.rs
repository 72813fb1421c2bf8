//! The contacts that one commit changes.

use std::collections::BTreeSet;

use super::BulkOperation;
use super::work::{Doer, Work};
use crate::access::Access;
use crate::contacts::{Contact, ContactFilter, ContactService};
use crate::ids::TypedId;
use crate::opt_outs::{MatchedOptOuts, refused};
use crate::pagination::{Position, Sort, SortBy, SortKey, SortedRequest};
use crate::ports::{Change, ChangeSet, ContactChange, MAX_BYTES, MAX_ROWS, StoreError, TagChange};
use crate::retry::AttemptError;
use crate::time::Timestamp;
use crate::work::{ROWS_BESIDE, weight};

/// Number of contacts per read.
const PAGE: usize = 100;

pub(super) struct Portion<'a> {
    pub(super) contacts: ContactService,
    /// The actor that created the operation.
    pub(super) access: &'a Access,
    pub(super) work: Work,
    pub(super) filter: ContactFilter,
    pub(super) now: Timestamp,
}

impl Portion<'_> {
    /// Applies the action to at most `most` contacts: adds their changes to the set and advances the operation. Returns
    /// whether they were the last.
    pub(super) async fn take(
        &self,
        it: &mut BulkOperation,
        most: usize,
        set: &mut ChangeSet,
    ) -> Result<bool, AttemptError> {
        let by = Doer { contacts: &self.contacts, access: self.access, now: self.now };
        let most = most.min(self.work.most());
        let mut taken = ChangeSet::new(set.workspace);
        let (mut looked_at, mut is_full, mut is_last) = (0, false, false);
        let (mut rows, mut bytes) = (ROWS_BESIDE, 0);
        let mut marks = BTreeSet::new();
        // Only work of one page needs opt-outs.
        let mut last_found = None;
        while looked_at < most && !is_full && !is_last {
            let limit = PAGE.min(most - looked_at);
            let page = self.contacts.ports.contacts.list(self.access, &self.filter, request(it, limit)).await?;
            is_last = page.next.is_none();
            let found = opted_out(&self.contacts, self.access, &self.work, &page.items).await?;
            for contact in page.items {
                let place = Position { at: contact.created_at, id: contact.id.uuid() };
                let mut own = ChangeSet::new(set.workspace);
                let refused = if matches!(self.work, Work::Delete) { refused(&contact) } else { BTreeSet::new() };
                let among = found.as_ref().map(|found| &found.marks);
                let became = self.work.apply(&by, contact, among, &mut own).await?;
                let (own_rows, own_bytes) = weight(&own);
                // Each opt-out to remember adds a row.
                let own_rows = own_rows + refused.len();
                is_full = !taken.is_empty() && (rows + own_rows > MAX_ROWS || bytes + own_bytes > MAX_BYTES);
                if is_full {
                    is_last = false;
                    break;
                }
                (rows, bytes, looked_at) = (rows + own_rows, bytes + own_bytes, looked_at + 1);
                add(own, &mut taken);
                it.behind = Some(place);
                marks.extend(refused);
                it.counts.add(became);
            }
            last_found = found.or(last_found);
        }
        self.contacts.opt_outs(self.access).remember(marks, set).await?;
        // Adjacent changes of one kind are written by one statement.
        taken.changes.sort_by_key(place);
        add(taken, set);
        if let Some(found) = last_found {
            found.require(set);
        }
        Ok(is_last)
    }
}

/// Returns the stored opt-outs for the identifiers of these contacts, if the action depends on them.
pub(super) async fn opted_out(
    service: &ContactService,
    access: &Access,
    work: &Work,
    contacts: &[Contact],
) -> Result<Option<MatchedOptOuts>, StoreError> {
    let asked: BTreeSet<_> = contacts.iter().flat_map(|contact| work.marks_to_check(contact)).collect();
    if asked.is_empty() {
        return Ok(None);
    }
    service.opt_outs(access).among(asked).await.map(Some)
}

/// Adds one set to another. Guards of both sets are added once.
fn add(own: ChangeSet, to: &mut ChangeSet) {
    for guard in own.guards {
        if !to.guards.contains(&guard) {
            to.guard(guard);
        }
    }
    to.changes.extend(own.changes);
    to.events.extend(own.events);
    to.jobs.extend(own.jobs);
}

/// Returns the request for the contacts after those that were processed, the oldest first.
fn request(it: &BulkOperation, limit: usize) -> SortedRequest {
    let after = it.behind.map(|place| Position { at: SortKey::Time(Some(place.at)), id: place.id });
    let order = Sort { by: SortBy::CreatedAt, descending: false };
    SortedRequest { limit: u32::try_from(limit).unwrap_or(u32::MAX), order, after, counted: false }
}

/// Returns the sort key of a change: changes of one kind are adjacent, and follow those that they depend on.
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
