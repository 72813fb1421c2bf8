//! The reader of a workspace's feed, for all of its streams.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tidings_domain::Error;
use tidings_domain::access::Access;
use tidings_domain::events::FeedService;
use tidings_domain::hints::HintWatch;
use tidings_domain::ids::WorkspaceId;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::frame::{End, Frame};
use super::topic::Topic;

/// The interval of polling. Events are numbered at the same interval, so a client gets them within half a second.
const EVERY: Duration = Duration::from_millis(200);
/// The delay after a store error.
const REST: Duration = Duration::from_secs(1);
/// The number of events in a page.
const PAGE: u32 = 100;
/// The delay between two pages, for the streams to read their frames.
const PAUSE: Duration = Duration::from_millis(20);

pub(super) struct Reader {
    feed: FeedService,
    access: Access,
    hints: HintWatch,
    position: i64,
}

/// Ends the streams when their reader ends for any reason.
struct StreamTerminator(Weak<Topic>);

impl Drop for StreamTerminator {
    fn drop(&mut self) {
        if let Some(topic) = self.0.upgrade() {
            topic.end(End::Unavailable);
        }
    }
}

impl Reader {
    pub(super) fn new(feed: FeedService, workspace: WorkspaceId, hints: HintWatch, position: i64) -> Self {
        Self { feed, access: Access::system(workspace), hints, position }
    }

    /// Reads as long as a stream is open.
    pub(super) async fn read(mut self, topic: Weak<Topic>) {
        let ending = StreamTerminator(topic);
        let mut beat = interval(EVERY);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut failing = false;
        loop {
            beat.tick().await;
            let Some(topic) = ending.0.upgrade().filter(|it| !it.has_ended()) else { return };
            let hints = self.hints.take();
            if !hints.is_empty() {
                topic.push(hints.iter().map(Frame::hint));
            }
            match self.read_events(&topic).await {
                Ok(()) => failing = false,
                Err(error) => {
                    if !std::mem::replace(&mut failing, true) {
                        tracing::warn!(%error, "cannot read the event feed for streams; retrying");
                    }
                    sleep(REST).await;
                }
            }
        }
    }

    async fn read_events(&mut self, topic: &Arc<Topic>) -> Result<(), Error> {
        let head = self.feed.ports.events.head(&self.access).await?;
        if head < self.position {
            topic.end(End::Reset);
            return Ok(());
        }
        while self.position < head {
            let page = self.feed.read(&self.access, self.position, Vec::new(), PAGE).await?;
            topic.push(page.events.iter().map(Frame::event));
            self.position = page.next_after;
            if page.has_more {
                sleep(PAUSE).await;
            }
        }
        Ok(())
    }
}
