//! All open streams of this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tidings_domain::events::FeedService;
use tidings_domain::hints::Hints;
use tidings_domain::ids::WorkspaceId;
use tokio::sync::watch;

use super::reader::Reader;
use super::stream_limits::{Full, StreamLimits, StreamPermit};
use super::topic::Topic;

pub(crate) struct Streams {
    topics: Mutex<HashMap<WorkspaceId, Weak<Topic>>>,
    limits: StreamLimits,
    hints: Arc<Hints>,
    stopping: watch::Sender<bool>,
}

impl Streams {
    /// Starts without streams. `hints` receives the changes of this process.
    pub(crate) fn new(hints: Arc<Hints>) -> Self {
        Self { topics: Mutex::default(), limits: StreamLimits::default(), hints, stopping: watch::Sender::new(false) }
    }

    /// Assigns a slot to a stream of a client in a workspace.
    ///
    /// # Errors
    /// [`Full`].
    pub(crate) fn acquire(&self, workspace: WorkspaceId, client: String) -> Result<StreamPermit, Full> {
        self.limits.take((workspace, client))
    }

    /// Ends all streams, and later ones as soon as they open.
    pub(crate) fn stop(&self) {
        self.stopping.send_replace(true);
    }

    pub(super) fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }

    /// Returns the topic of a workspace. If no stream is open, its reader starts after position `head`, which the
    /// caller must have read before.
    pub(super) fn join(&self, feed: &FeedService, workspace: WorkspaceId, head: i64) -> Arc<Topic> {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(topic) = topics.get(&workspace).and_then(Weak::upgrade).filter(|it| !it.has_ended()) {
            return topic;
        }
        topics.retain(|_, topic| topic.strong_count() > 0);
        let topic = Arc::new(Topic::new());
        topics.insert(workspace, Arc::downgrade(&topic));
        let reader = Reader::new(feed.clone(), workspace, self.hints.watch(workspace), head);
        tokio::spawn(reader.read(Arc::downgrade(&topic)));
        topic
    }
}
