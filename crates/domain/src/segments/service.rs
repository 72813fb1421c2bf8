//! Use cases of segments.

use std::sync::Arc;

use serde_json::Value;

use super::{Audiences, CountedSegment, NewSegment, Segment, SegmentCounter, SegmentPatch};
use crate::access::Access;
use crate::conditions::{BoundCondition, Selection};
use crate::error::Error;
use crate::ids::{SegmentId, TypedId};
use crate::list_filter::NameFilter;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook, record_of};
use crate::pagination::{Page, PageRequest};
use crate::ports::{Change, ChangeSet, Ports, ReferenceChange};
use crate::references::{Deletion, LostReference, Referent, Referrer};
use crate::retry::{AttemptError, retry_on_conflict};

/// Use cases of segments.
#[derive(Clone)]
pub struct SegmentService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl SegmentService {
    /// Returns a segment with its current number of contacts.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`], also if counting takes too long.
    pub async fn get(&self, access: &Access, segment: SegmentId) -> Result<CountedSegment, Error> {
        let segment = self.find(access, segment).await?;
        let count = Some(self.counter().count(access, &segment, None).await?);
        Ok(CountedSegment { segment, count })
    }

    /// The lost references of a segment's condition. None are left after the condition is saved again.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn lost_references(&self, access: &Access, segment: &Segment) -> Result<Vec<LostReference>, Error> {
        let mut lost = self.audiences().lost_of_segment(access, segment).await?;
        lost.extend(self.audiences().lost_members(access, &segment.condition, segment.updated_at).await?);
        Ok(lost)
    }

    /// Lists the segments of the workspace, with their stored counts.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(
        &self,
        access: &Access,
        filter: &NameFilter,
        page: PageRequest,
    ) -> Result<Page<CountedSegment>, Error> {
        let Page { mut items, next, places, total } = self.ports.segments.list(access, filter, page).await?;
        let counts = self.counter().stored(access, &items).await?;
        self.audiences().rename(access, items.iter_mut().map(|it| &mut it.condition)).await?;
        let counted = |segment: Segment| CountedSegment { count: counts.get(&segment.id).copied(), segment };
        Ok(Page { items: items.into_iter().map(counted).collect(), next, places, total })
    }

    /// The current selection of a segment.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn selection(&self, access: &Access, segment: SegmentId) -> Result<Selection, Error> {
        let segment = self.find(access, segment).await?;
        Ok(self.audiences().selection(access, &segment.condition, self.ports.clock.now()).await?)
    }

    /// Creates a segment.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an invalid condition, [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewSegment,
        idempotency: IdempotencyHook<'_, CountedSegment>,
    ) -> Result<Done<CountedSegment>, Error> {
        retry_on_conflict(|| async {
            let now = self.ports.clock.now();
            let segment = Segment {
                id: SegmentId::from_uuid(self.ports.ids.next()),
                name: command.name.trim().to_owned(),
                condition: self.bound(access, &command.condition).await?,
                created_at: now,
                updated_at: now,
                version: 1,
            };
            let mut set = self.ports.edit(access).create(&segment);
            set.change(self.named(access, &segment).await?);
            let count = self.counter().try_count(access, &segment).await?;
            let done = Done::created(CountedSegment { segment, count });
            set.idempotency = record_of(idempotency, &done);
            self.ports.ledger.commit(set).await?;
            self.keep(access, &done.value).await;
            Ok::<_, AttemptError>(done)
        })
        .await
    }

    /// Merges an update into a segment; the condition is replaced as a whole.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`], [`Error::Store`].
    pub async fn update(
        &self,
        access: &Access,
        segment: SegmentId,
        patch: SegmentPatch,
        expected: &ExpectedVersion,
    ) -> Result<CountedSegment, Error> {
        retry_on_conflict(|| async {
            let before = self.find(access, segment).await?;
            expected.check(before.version)?;
            let mut after = before.clone();
            after.name = patch.name.as_deref().map_or(after.name, |name| name.trim().to_owned());
            if let Some(written) = &patch.condition {
                after.condition = self.bound(access, written).await?;
            }
            if after != before {
                let mut set = self.ports.edit(access).update(&before, &mut after);
                if after.condition != before.condition {
                    set.change(self.named(access, &after).await?);
                }
                self.ports.ledger.commit(set).await?;
            }
            let count = self.counter().try_count(access, &after).await?;
            let counted = CountedSegment { segment: after, count };
            self.keep(access, &counted).await;
            Ok::<_, AttemptError>(counted)
        })
        .await
    }

    /// Deletes a segment that nothing refers to.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::InUse`], [`Error::Store`].
    pub async fn delete(
        &self,
        access: &Access,
        segment: SegmentId,
        deletion: Deletion,
        expected: &ExpectedVersion,
    ) -> Result<(), Error> {
        let prepare = |found: &Segment, set: &mut ChangeSet| {
            deletion.prepare(set, Referent::Segment(segment), &found.name, self.ports.clock.now());
            let (owner, targets) = (Referrer::Stored(segment.into()), Vec::new());
            set.change(Change::Reference(ReferenceChange::Put { owner, targets }));
        };
        self.ports.edit(access).delete(|| self.find(access, segment), expected, prepare).await
    }

    async fn find(&self, access: &Access, segment: SegmentId) -> Result<Segment, Error> {
        let mut found = self.ports.segments.get(access, segment).await?.ok_or(Error::NotFound)?;
        self.audiences().rename(access, [&mut found.condition]).await?;
        Ok(found)
    }

    fn audiences(&self) -> Audiences {
        Audiences { ports: self.ports.clone() }
    }

    /// Binds the condition to the current objects.
    async fn bound(&self, access: &Access, written: &Value) -> Result<BoundCondition, Error> {
        self.audiences().bind(access, written, "/condition").await?.map_err(Error::Invalid)
    }

    /// The references of the segment.
    async fn named(&self, access: &Access, segment: &Segment) -> Result<Change, AttemptError> {
        let targets = self.audiences().names(access, &segment.condition).await?;
        Ok(Change::Reference(ReferenceChange::Put { owner: Referrer::Stored(segment.id.into()), targets }))
    }

    fn counter(&self) -> SegmentCounter {
        SegmentCounter { ports: self.ports.clone() }
    }

    /// Stores the count for lists. If this fails, the count is refreshed when a list is requested.
    async fn keep(&self, access: &Access, counted: &CountedSegment) {
        if let Some(count) = counted.count {
            let _ = self.ports.segments.store_count(access, counted.segment.id, count).await;
        }
    }
}
