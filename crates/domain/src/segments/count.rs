//! Counts of the contacts in segments: for a request, or in the background for lists.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::{Audiences, Segment, SegmentCount};
use crate::access::Access;
use crate::contacts::ContactFilter;
use crate::error::Error;
use crate::ids::{JobId, SegmentId, TypedId};
use crate::list_filter::NameFilter;
use crate::pagination::{PageRequest, Total};
use crate::ports::{ChangeSet, ClaimedJob, Job, NewJob, Ports, StoreError};
use crate::retry::commit_unless_lost;
use crate::time::Timestamp;

/// Age at which a stored count is refreshed when a list shows it.
const FRESH: Duration = Duration::from_secs(60);
/// Maximum duration of one counting job. The remaining segments are counted when a list is requested again.
const BUSY: Duration = Duration::from_secs(30);

/// Counts the contacts of segments.
#[derive(Clone)]
pub struct SegmentCounter {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl SegmentCounter {
    /// Counts the contacts of a segment now; counting ends at `most`.
    ///
    /// # Errors
    /// [`Error::Store`], also if counting takes too long.
    pub async fn count(&self, access: &Access, segment: &Segment, most: Option<u64>) -> Result<SegmentCount, Error> {
        let now = self.ports.clock.now();
        let audiences = Audiences { ports: self.ports.clone() };
        let selection = audiences.selection(access, &segment.condition, now).await?;
        let filter = ContactFilter { selection: Some(selection), ..ContactFilter::default() };
        let found = self.ports.contacts.count(access, &filter, most.map_or(u64::MAX, |most| most + 1)).await?;
        let contacts = most.map_or(found, |most| found.min(most));
        Ok(SegmentCount { contacts, is_capped: contacts < found, counted_at: now })
    }

    /// The same for a response that does not depend on it: `None` if counting takes too long.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn try_count(&self, access: &Access, segment: &Segment) -> Result<Option<SegmentCount>, Error> {
        match self.count(access, segment, None).await {
            Ok(count) => Ok(Some(count)),
            Err(Error::Store(StoreError::TooSlow | StoreError::Crowded)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The stored counts of segments. If one is missing or old, a job refreshes them; the next list shows its result.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn stored(
        &self,
        access: &Access,
        segments: &[Segment],
    ) -> Result<HashMap<SegmentId, SegmentCount>, Error> {
        let ids: Vec<SegmentId> = segments.iter().map(|it| it.id).collect();
        let counts: HashMap<_, _> = self.ports.segments.counts(access, &ids).await?.into_iter().collect();
        let now = self.ports.clock.now();
        let old = ids.iter().find(|id| is_old(counts.get(*id), now));
        if let Some(old) = old
            && self.ports.segments.reserve_refresh(access, *old, now, now.minus(FRESH)).await?
        {
            let mut set = ChangeSet::new(access.workspace());
            let job = Job::CountSegments { workspace: access.workspace() };
            set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), job, now));
            self.ports.ledger.commit(set).await?;
        }
        Ok(counts)
    }

    /// Refreshes the old counts of a workspace, segments without a count first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn refresh(&self, access: &Access, job: &ClaimedJob) -> Result<(), Error> {
        let began = self.ports.clock.now();
        for segment in self.old(access, began).await? {
            match self.count(access, &segment, Some(Total::MOST)).await {
                Ok(count) => self.ports.segments.store_count(access, segment.id, count).await?,
                // Its last count stays.
                Err(Error::Store(StoreError::TooSlow)) => {}
                Err(error) => return Err(error),
            }
            if self.ports.clock.now().since(began) >= BUSY {
                break;
            }
        }
        let mut set = ChangeSet::new(job.workspace);
        set.change(job.finish());
        commit_unless_lost(&*self.ports.ledger, set).await
    }

    async fn old(&self, access: &Access, now: Timestamp) -> Result<Vec<Segment>, Error> {
        let mut segments = Vec::new();
        let mut request = PageRequest::default();
        loop {
            let page = self.ports.segments.list(access, &NameFilter::default(), request).await?;
            segments.extend(page.items);
            match page.next {
                Some(next) => request.after = Some(next),
                None => break,
            }
        }
        let ids: Vec<SegmentId> = segments.iter().map(|it| it.id).collect();
        let counts: HashMap<_, _> = self.ports.segments.counts(access, &ids).await?.into_iter().collect();
        segments.retain(|it| is_old(counts.get(&it.id), now));
        segments.sort_by_key(|it| counts.get(&it.id).map(|count| count.counted_at));
        Ok(segments)
    }
}

fn is_old(count: Option<&SegmentCount>, now: Timestamp) -> bool {
    count.is_none_or(|it| it.counted_at.plus(FRESH) <= now)
}
