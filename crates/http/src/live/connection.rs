//! One stream, from its first line to its last.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{Stream, stream};
use tidings_domain::Error;
use tidings_domain::access::Access;
use tidings_domain::ids::WorkspaceId;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};

use super::frame::{End, Frame, HEARTBEAT, opening, ready};
use super::holder::Holder;
use super::places;
use super::streams::Streams;
use super::topic::{News, Place, Topic};
use crate::answer::BrokenOff;
use crate::connections::left;

/// How often a stream says that it lives.
const HEARTBEAT_EVERY: Duration = Duration::from_secs(15);
/// How often is looked whether the credential still opens it: with the look itself, it is closed within five seconds.
const CHECK_EVERY: Duration = Duration::from_secs(3);
/// How long a look at the store may take.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// How long a page of what was missed may take.
const PAGE_PATIENCE: Duration = Duration::from_secs(5);
/// So many events that were missed are read at once.
const PAGE: u32 = 100;

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The first line.
    Opening,
    /// What the client missed.
    CatchingUp,
    /// What happens.
    Live,
    /// Nothing.
    Over,
}

/// A stream that is open.
pub(crate) struct Connection {
    holder: Holder,
    access: Access,
    topic: Arc<Topic>,
    news: watch::Receiver<()>,
    stopping: watch::Receiver<bool>,
    gone: Option<watch::Receiver<bool>>,
    place: Place,
    phase: Phase,
    check_at: Instant,
    heartbeat_at: Instant,
    retry: Duration,
    /// Held as long as it is open.
    _place: places::Place,
}

/// Where a stream begins, and how it goes on after its end.
#[derive(Debug, Clone)]
pub(crate) struct Opening {
    /// The position behind which it begins; without one, at the present.
    pub(crate) after: Option<i64>,
    /// How long its client waits before it opens it again.
    pub(crate) retry: Duration,
    /// Turns true when the client closes its side.
    pub(crate) gone: Option<watch::Receiver<bool>>,
}

impl Connection {
    /// Opens a stream of a workspace.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(crate) async fn open(
        streams: &Streams,
        holder: Holder,
        workspace: WorkspaceId,
        opening: Opening,
        place: places::Place,
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
            place: Place { next: topic.next(), position: opening.after.unwrap_or(head) },
            topic,
            phase: Phase::Opening,
            // What let it in may have been remembered.
            check_at: now,
            heartbeat_at: now + HEARTBEAT_EVERY,
            retry: opening.retry,
            _place: place,
        })
    }

    /// What it writes.
    pub(crate) fn written(self) -> impl Stream<Item = Result<Bytes, BrokenOff>> + Send + 'static {
        stream::unfold(self, Self::next)
    }

    async fn next(mut self) -> Option<(Result<Bytes, BrokenOff>, Self)> {
        if self.phase == Phase::Over {
            return None;
        }
        let written = match self.step().await {
            Ok(written) => written,
            // Nobody is there to be told.
            Err(End::Gone) => return None,
            Err(end) => {
                self.phase = Phase::Over;
                end.told(self.retry)
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
            match self.topic.take(&mut self.place, self.holder.access()) {
                News::Some(written) => return Ok(written),
                News::Missed => return Err(End::Slow),
                News::End(end) => return Err(end),
                News::Nothing => {}
            }
            tokio::select! {
                () = turned(&mut self.stopping) => return Err(End::Shutdown),
                () = left(self.gone.as_mut()) => return Err(End::Gone),
                () = sleep_until(self.check_at) => {}
                _ = self.news.changed() => {}
                () = sleep_until(self.heartbeat_at) => return Ok(HEARTBEAT),
            }
        }
    }

    /// The next page of what the client missed; that it has everything, where there is none.
    async fn catch_up(&mut self) -> Result<Bytes, End> {
        let feed = &self.holder.services().feed;
        let (next, reading) = (self.topic.next(), feed.read(&self.access, self.place.position, Vec::new(), PAGE));
        let page = match timeout(PAGE_PATIENCE, reading).await {
            Ok(Ok(page)) => page,
            Ok(Err(_)) | Err(_) => return Err(End::Unavailable),
        };
        let Some(last) = page.events.last() else {
            self.phase = Phase::Live;
            // Events of frames before this one were there for the page, too; of hints, whoever is ready now needs none.
            self.place.next = next;
            return Ok(ready(self.place.position));
        };
        self.place.position = last.position;
        let frames: Vec<u8> = page.events.iter().flat_map(|event| Frame::event(event).bytes).collect();
        Ok(frames.into())
    }

    /// Looks whether the credential still opens the stream.
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

async fn turned(receiver: &mut watch::Receiver<bool>) {
    // Whoever would say so may be gone, too.
    let _ = receiver.wait_for(|it| *it).await;
}
