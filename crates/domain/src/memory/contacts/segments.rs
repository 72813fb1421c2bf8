//! Segments.

use async_trait::async_trait;

use crate::access::Access;
use crate::ids::SegmentId;
use crate::list_filter::NameFilter;
use crate::memory::MemoryStore;
use crate::memory::tables::filter_fields::Filtered;
use crate::memory::tables::pages::{Answer, at, of, page};
use crate::pagination::{Page, PageRequest};
use crate::ports::SegmentQueries;
use crate::segments::{Segment, SegmentCount};
use crate::time::Timestamp;

#[async_trait]
impl SegmentQueries for MemoryStore {
    async fn get(&self, access: &Access, segment: SegmentId) -> Answer<Option<Segment>> {
        Ok(self.lock().tables.segments.get(&(access.workspace(), segment)).cloned())
    }

    async fn list(&self, access: &Access, filter: &NameFilter, request: PageRequest) -> Answer<Page<Segment>> {
        let segments =
            of(&self.lock().tables.segments, access.workspace(), |it: &Segment| filter.admits(&it.filter_fields()));
        Ok(page(segments, request, |it: &Segment| at(it.created_at, it.id)))
    }

    async fn counts(&self, access: &Access, segments: &[SegmentId]) -> Answer<Vec<(SegmentId, SegmentCount)>> {
        let state = self.lock();
        let count = |id: &SegmentId| Some((*id, *state.segment_counts.get(&(access.workspace(), *id))?));
        Ok(segments.iter().filter_map(count).collect())
    }

    async fn store_count(&self, access: &Access, segment: SegmentId, count: SegmentCount) -> Answer<()> {
        let (mut state, key) = (self.lock(), (access.workspace(), segment));
        if state.tables.segments.contains_key(&key) {
            state.segment_counts.insert(key, count);
        }
        Ok(())
    }

    async fn reserve_refresh(
        &self,
        access: &Access,
        segment: SegmentId,
        now: Timestamp,
        before: Timestamp,
    ) -> Answer<bool> {
        let (mut state, key) = (self.lock(), (access.workspace(), segment));
        let is_due = state.tables.segments.contains_key(&key)
            && state.segment_refreshes.get(&key).is_none_or(|it| *it <= before);
        if is_due {
            state.segment_refreshes.insert(key, now);
        }
        Ok(is_due)
    }
}
