//! Segments.

use async_trait::async_trait;

use super::MemoryStore;
use super::pages::{Answer, at, of, page};
use crate::access::Access;
use crate::ids::SegmentId;
use crate::pagination::{Page, PageRequest};
use crate::ports::SegmentQueries;
use crate::segments::Segment;

#[async_trait]
impl SegmentQueries for MemoryStore {
    async fn get(&self, access: &Access, segment: SegmentId) -> Answer<Option<Segment>> {
        Ok(self.lock().segments.get(&(access.workspace(), segment)).cloned())
    }

    async fn list(&self, access: &Access, request: PageRequest) -> Answer<Page<Segment>> {
        let segments = of(&self.lock().segments, access.workspace(), |_| true);
        Ok(page(segments, request, |it: &Segment| at(it.created_at, it.id)))
    }
}
