//! Segments.

use async_trait::async_trait;

use super::MemoryStore;
use super::listed::Filtered;
use super::pages::{Answer, at, of, page};
use crate::access::Access;
use crate::ids::SegmentId;
use crate::list_filter::NameFilter;
use crate::pagination::{Page, PageRequest};
use crate::ports::SegmentQueries;
use crate::segments::Segment;

#[async_trait]
impl SegmentQueries for MemoryStore {
    async fn get(&self, access: &Access, segment: SegmentId) -> Answer<Option<Segment>> {
        Ok(self.lock().segments.get(&(access.workspace(), segment)).cloned())
    }

    async fn list(&self, access: &Access, filter: &NameFilter, request: PageRequest) -> Answer<Page<Segment>> {
        let segments = of(&self.lock().segments, access.workspace(), |it: &Segment| filter.admits(&it.listed()));
        Ok(page(segments, request, |it: &Segment| at(it.created_at, it.id)))
    }
}
