//! The feed: the events of a workspace in order, for clients that poll or were offline.

use std::sync::Arc;

use super::{EventKind, FeedPage, FeedPlace, FeedRead};
use crate::access::Access;
use crate::error::Error;
use crate::ports::Ports;

/// Approximate maximum size of a page, in bytes of envelopes.
const PAGE_BYTES: usize = 4 << 20;

/// Use cases of the feed.
#[derive(Clone)]
pub struct FeedService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl FeedService {
    /// Returns at most `limit` events after position `after`, of these kinds, or of all kinds if the list is empty.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn read(
        &self,
        access: &Access,
        after: i64,
        kinds: Vec<EventKind>,
        limit: u32,
    ) -> Result<FeedPage, Error> {
        let FeedRead { mut events, head } =
            self.ports.events.feed(access, after, kinds, limit.saturating_add(1), PAGE_BYTES).await?;
        let mut bytes = 0_usize;
        let fitting = events.iter().take(limit as usize).take_while(|event| {
            let fits = bytes == 0 || bytes + event.envelope.len() <= PAGE_BYTES;
            bytes += event.envelope.len();
            fits
        });
        let fitting = fitting.count();
        // The read ends after the event with which the envelopes exceed the size, even if it is the only one.
        let has_more = events.len() > fitting || bytes > PAGE_BYTES;
        events.truncate(fitting);
        let next_after = match events.last() {
            Some(last) if has_more => last.position,
            _ => head.max(after),
        };
        Ok(FeedPage { events, next_after, has_more })
    }

    /// Returns whether a client that has all events up to position `after` can continue there without missing any.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn check_position(&self, access: &Access, after: i64) -> Result<FeedPlace, Error> {
        let FeedRead { events, head } = self.ports.events.feed(access, after, Vec::new(), 1, 0).await?;
        let next = events.first().map(|event| event.position);
        Ok(match head.checked_sub(after) {
            Some(..0) | None => FeedPlace::Beyond,
            Some(0) => FeedPlace::Whole,
            Some(_) if next.is_some_and(|next| next - 1 == after) => FeedPlace::Whole,
            Some(_) => FeedPlace::TooOld,
        })
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;

    use super::*;
    use crate::events::NumberedEvent;
    use crate::ids::{TypedId, WorkspaceId};
    use crate::ports::MockEventQueries;

    fn page(positions: &[i64], size: usize, head: i64, after: i64, limit: u32) -> (Vec<i64>, i64, bool) {
        let events = positions.iter().map(|at| NumberedEvent { position: *at, envelope: "x".repeat(size) });
        let read = FeedRead { events: events.collect(), head };
        let mut queries = MockEventQueries::new();
        queries.expect_feed().returning(move |_, _, _, _, _| Ok(read.clone()));
        let access = Access::system(WorkspaceId::from_uuid(uuid::Uuid::nil()));
        let service = FeedService { ports: Arc::new(Ports { events: Arc::new(queries), ..Ports::mocked() }) };
        let page = block_on(service.read(&access, after, vec![], limit)).unwrap();
        (page.events.iter().map(|event| event.position).collect(), page.next_after, page.has_more)
    }

    #[test]
    fn continues_after_the_page_or_at_the_head() {
        assert_eq!(page(&[3, 5, 9], 1, 20, 2, 2), (vec![3, 5], 5, true));
        assert_eq!(page(&[3, 5], 1, 20, 2, 2), (vec![3, 5], 20, false), "the position is after the filtered events");
        assert_eq!(page(&[], 1, 20, 20, 2), (vec![], 20, false));
        assert_eq!(page(&[], 1, 20, 99, 2), (vec![], 99, false), "a position beyond the head is kept");
        assert_eq!(page(&[], 1, 0, 0, 2), (vec![], 0, false));
    }

    #[test]
    fn reports_whether_events_after_a_position_are_missing() {
        let place = |positions: &[i64], head: i64, after: i64| {
            let events = positions.iter().map(|at| NumberedEvent { position: *at, envelope: "x".to_owned() });
            let read = FeedRead { events: events.collect(), head };
            let mut queries = MockEventQueries::new();
            queries
                .expect_feed()
                .withf(|_, _, kinds, limit, _| kinds.is_empty() && *limit == 1)
                .return_once(|_, _, _, _, _| Ok(read));
            let access = Access::system(WorkspaceId::from_uuid(uuid::Uuid::nil()));
            let service = FeedService { ports: Arc::new(Ports { events: Arc::new(queries), ..Ports::mocked() }) };
            block_on(service.check_position(&access, after)).unwrap()
        };
        assert_eq!(place(&[], 0, 0), FeedPlace::Whole, "no event exists yet");
        assert_eq!(place(&[8], 9, 7), FeedPlace::Whole);
        assert_eq!(place(&[], 9, 9), FeedPlace::Whole);
        assert_eq!(place(&[5], 9, 0), FeedPlace::TooOld);
        assert_eq!(place(&[], 9, 7), FeedPlace::TooOld, "all events were removed");
        assert_eq!(place(&[], 9, 10), FeedPlace::Beyond);
        assert_eq!(place(&[], 0, i64::MAX), FeedPlace::Beyond);
    }

    #[test]
    fn a_page_of_large_envelopes_is_shorter_but_never_empty() {
        assert_eq!(page(&[1, 2, 3], 3 << 20, 3, 0, 100), (vec![1], 1, true));
        assert_eq!(page(&[1, 2, 3], 2 << 20, 3, 0, 100), (vec![1, 2], 2, true));
        assert_eq!(page(&[1], 5 << 20, 3, 0, 100), (vec![1], 1, true), "the read ended after this event");
    }
}
