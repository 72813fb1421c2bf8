//! A stream, from its first line to its last.

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::{Stream, stream};
use tidings_domain::Error;
use tidings_domain::access::Access;
use tidings_domain::ids::WorkspaceId;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};

use super::frame::{End, Frame, HEARTBEAT, opening, ready};
use super::stream_access::StreamAccess;
use super::stream_limits;
use super::streams::Streams;
use super::topic::{News, StreamPosition, Topic};
use crate::connections::client_gone;
use crate::response::answer::AbortedBody;

const HEARTBEAT_EVERY: Duration = Duration::from_secs(15);
/// The interval at which the credential is checked. Including the check, the stream closes within five seconds.
const CHECK_EVERY: Duration = Duration::from_secs(3);
/// The time limit of a check.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// The time limit for reading a page of missed events.
const PAGE_PATIENCE: Duration = Duration::from_secs(5);
/// The maximum number of missed events in a page.
const PAGE: u32 = 100;
/// The number of missed events in the first page.
const FIRST_PAGE: u32 = 4;
/// The approximate number of bytes of missed events that are sent at once. A client that reads slowly holds them.
const AT_ONCE: usize = 128 * 1_024;

/// The next part of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Opening,
    /// Missed events.
    CatchingUp,
    Live,
    /// The stream has ended.
    Over,
}

pub(crate) struct Connection {
    holder: StreamAccess,
    access: Access,
    topic: Arc<Topic>,
    news: watch::Receiver<()>,
    stopping: watch::Receiver<bool>,
    gone: Option<watch::Receiver<bool>>,
    cursor: StreamPosition,
    /// The number of missed events in the next page.
    page: u32,
    phase: Phase,
    check_at: Instant,
    heartbeat_at: Instant,
    retry: Duration,
    /// Occupied as long as the stream is open.
    _permit: stream_limits::StreamPermit,
}

/// The start of a stream, and its retry time.
#[derive(Debug, Clone)]
pub(crate) struct StreamStart {
    /// The position after which it starts; `None` for the present.
    pub(crate) after: Option<i64>,
    /// How long the client waits before it reconnects.
    pub(crate) retry: Duration,
    /// Becomes true when the client closes its side.
    pub(crate) gone: Option<watch::Receiver<bool>>,
}

impl Connection {
    /// Opens a stream of a workspace.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(crate) async fn open(
        streams: &Streams,
        holder: StreamAccess,
        workspace: WorkspaceId,
        opening: StreamStart,
        permit: stream_limits::StreamPermit,
    ) -> Result<Self, Error> {
        let (access, feed) = (Access::system(workspace), holder.services().feed.clone());
        let head = feed.ports.events.head(&access).await?;
        let topic = streams.join(&feed, workspace, head);
        let now = Instant::now();
        Ok(Self {
            holder,
            access,
            news: topic.news(),
            stopping: streams.stopping(),
            gone: opening.gone,
            cursor: StreamPosition { next: topic.next(), position: opening.after.unwrap_or(head) },
            page: FIRST_PAGE,
            topic,
            phase: Phase::Opening,
            // The credential may have come from the cache.
            check_at: now,
            heartbeat_at: now + HEARTBEAT_EVERY,
            retry: opening.retry,
            _permit: permit,
        })
    }

    /// Returns the content of the stream.
    pub(crate) fn into_body(self) -> impl Stream<Item = Result<Bytes, AbortedBody>> + Send + 'static {
        stream::unfold(self, Self::next)
    }

    async fn next(mut self) -> Option<(Result<Bytes, AbortedBody>, Self)> {
        if self.phase == Phase::Over {
            return None;
        }
        let written = match self.step().await {
            Ok(written) => written,
            // The client has disconnected.
            Err(End::Gone) => return None,
            Err(end) => {
                self.phase = Phase::Over;
                end.into_last_frame(self.retry)
            }
        };
        self.heartbeat_at = Instant::now() + HEARTBEAT_EVERY;
        Some((Ok(written), self))
    }

    async fn step(&mut self) -> Result<Bytes, End> {
        if self.phase == Phase::Opening {
            self.phase = Phase::CatchingUp;
            return Ok(opening(self.retry));
        }
        loop {
            if *self.stopping.borrow() {
                return Err(End::Shutdown);
            }
            if self.check_at <= Instant::now() {
                self.check().await?;
            }
            if self.phase == Phase::CatchingUp {
                return self.catch_up().await;
            }
            match self.topic.take(&mut self.cursor, self.holder.access()) {
                News::Some(written) => return Ok(written),
                News::Missed => return Err(End::Slow),
                News::End(end) => return Err(end),
                News::Nothing => {}
            }
            tokio::select! {
                () = turned(&mut self.stopping) => return Err(End::Shutdown),
                () = client_gone(self.gone.as_mut()) => return Err(End::Gone),
                () = sleep_until(self.check_at) => {}
                _ = self.news.changed() => {}
                () = sleep_until(self.heartbeat_at) => return Ok(HEARTBEAT),
            }
        }
    }

    /// Returns the next page of missed events, or `ready` if there is none.
    async fn catch_up(&mut self) -> Result<Bytes, End> {
        let feed = &self.holder.services().feed;
        let (next, reading) = (self.topic.next(), feed.read(&self.access, self.cursor.position, Vec::new(), self.page));
        let page = match timeout(PAGE_PATIENCE, reading).await {
            Ok(Ok(page)) => page,
            Ok(Err(_)) | Err(_) => return Err(End::Unavailable),
        };
        if page.events.is_empty() {
            self.phase = Phase::Live;
            // Earlier frames are skipped: the store had their events when the page was read, and a client that becomes
            // ready now needs no earlier hints.
            self.cursor.next = next;
            return Ok(ready(self.cursor.position));
        }
        let (mut frames, mut sent) = (BytesMut::new(), 0);
        // The rest is read again, in smaller pages.
        for event in &page.events {
            if frames.len() >= AT_ONCE {
                break;
            }
            frames.extend_from_slice(Frame::event(event).shown_to(self.holder.access()));
            self.cursor.position = event.position;
            sent += 1;
        }
        self.page = next_page(frames.len(), sent);
        Ok(frames.freeze())
    }

    /// Checks whether the credential still permits the stream.
    async fn check(&mut self) -> Result<(), End> {
        match timeout(PATIENCE, self.holder.must_end()).await {
            Ok(Ok(None)) => {
                self.check_at = Instant::now() + CHECK_EVERY;
                Ok(())
            }
            Ok(Ok(Some(end))) => Err(end),
            Ok(Err(_)) | Err(_) => Err(End::Unavailable),
        }
    }
}

/// Returns the number of events that are about as large as a page should be, if they are like the last ones.
fn next_page(bytes: usize, events: usize) -> u32 {
    let average = bytes.div_ceil(events.max(1)).max(1);
    u32::try_from(AT_ONCE / average).unwrap_or(PAGE).clamp(1, PAGE)
}

async fn turned(receiver: &mut watch::Receiver<bool>) {
    // The sender may be dropped, too.
    let _ = receiver.wait_for(|it| *it).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_missed_events_have_a_limited_size() {
        for (bytes, events, next) in
            [(4 * 500, 4, PAGE), (AT_ONCE, 4, 4), (4 << 20, 16, 1), (AT_ONCE / 2, 1, 2), (0, 0, PAGE)]
        {
            assert_eq!(next_page(bytes, events), next, "{bytes} bytes in {events} events");
        }
    }
}
