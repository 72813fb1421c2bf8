//! Exchange of hints between processes: messages to send, and handling of received ones.

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use super::message::{Changed, Message, News, encode, split};
use super::{ChangedKind, Hint, Hints, UnreadableMessage};
use crate::time::Timestamp;

/// The interval between calls of [`HintRelay::beat`], which sends the pending messages.
pub const BEAT: Duration = Duration::from_millis(200);
/// The maximum interval between announcements of the watched workspaces.
const ANNOUNCED_EVERY: Duration = Duration::from_secs(10);
/// How long an announcement by another process is valid.
const KEPT: Duration = Duration::from_secs(30);

/// Whether this process may have missed hints of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HintGap {
    /// No hints were missed.
    Nothing,
    /// Hints were missed, and other processes may not know yet which workspaces are watched here. A client that read
    /// again now could miss later changes.
    BeforeAnnouncement,
    /// Hints were missed, and watchers must be notified to read again.
    ToBeTold,
}

/// One process's part in the exchange of hints between all processes of a service.
///
/// It does not send anything itself. The messages that it returns are sent to all processes through a
/// [`HintBus`](crate::ports::HintBus), and received messages are passed to [`HintRelay::hear`]. Nothing is stored for
/// processes that are not connected. After a gap of any process, all affected watchers are notified that everything may
/// have changed.
#[derive(Debug)]
pub struct HintRelay {
    hints: Arc<Hints>,
    /// The process ID, which marks its own messages.
    process: String,
    /// The time of the last announcement, and the value of [`Hints::begun`] at that time.
    announced: Option<(Timestamp, u64)>,
    missed: HintGap,
}

impl HintRelay {
    /// Creates a relay for the hints of this process. The process ID must be unique.
    pub fn new(hints: Arc<Hints>, process: Uuid) -> Self {
        Self { hints, process: process.simple().to_string(), announced: None, missed: HintGap::Nothing }
    }

    /// Starts receiving hints. Returns the first messages to send. `after_gap`: the process could not receive or send
    /// for some time.
    pub fn join(&mut self, after_gap: bool) -> Vec<String> {
        // The receivers of these hints will read everything again.
        self.hints.elsewhere().take();
        self.announced = None;
        if after_gap {
            self.missed = HintGap::BeforeAnnouncement;
        }
        vec![encode(&self.process, News::Joined { after_gap })]
    }

    /// Returns the messages to send now. Call it every [`BEAT`] while there is a connection.
    pub fn beat(&mut self, now: Timestamp) -> Vec<String> {
        if self.announced.is_some_and(|(at, _)| now.since(at) >= KEPT) {
            // The process was suspended for so long that the watches announced by it have expired elsewhere.
            self.missed = HintGap::BeforeAnnouncement;
        }
        if self.missed == HintGap::ToBeTold {
            self.missed = HintGap::Nothing;
            for workspace in self.hints.watched_here() {
                self.hints.tell_here(workspace, &[Hint::several(ChangedKind::Workspace)]);
            }
        }
        let mut messages = self.changes();
        self.hints.elsewhere().forget(now);
        if self.must_announce(now) {
            messages.extend(self.announcement(now));
        }
        messages
    }

    /// Handles a message from any process, including this one.
    ///
    /// # Errors
    /// [`UnreadableMessage`]; it has no effect.
    pub fn hear(&mut self, message: &str, now: Timestamp) -> Result<(), UnreadableMessage> {
        let message = Message::read(message)?;
        if message.from == self.process {
            return Ok(());
        }
        match message.news {
            News::Joined { after_gap } => {
                self.announced = None;
                if after_gap {
                    self.missed = HintGap::BeforeAnnouncement;
                }
            }
            News::Watching(workspaces) => self.hints.elsewhere().note(&workspaces, now.plus(KEPT)),
            News::Changed(changed) => {
                for (workspace, hint) in changed.into_iter().filter_map(Changed::into_hint) {
                    self.hints.tell_here(workspace, &[hint]);
                }
            }
        }
        Ok(())
    }

    fn changes(&self) -> Vec<String> {
        let changed = self.hints.elsewhere().take();
        let changed = changed.into_iter().map(|(workspace, hint)| Changed::new(workspace, hint));
        split(&self.process, changed, News::Changed)
    }

    fn must_announce(&self, now: Timestamp) -> bool {
        // A clock that was set back must not suppress announcements.
        let is_due = |at: Timestamp| now < at || now.since(at) >= ANNOUNCED_EVERY;
        self.announced.is_none_or(|(at, begun)| is_due(at) || begun != self.hints.begun())
    }

    /// Builds the announcement of the watched workspaces. An empty one shows that the connection works.
    fn announcement(&mut self, now: Timestamp) -> Vec<String> {
        self.announced = Some((now, self.hints.begun()));
        if self.missed == HintGap::BeforeAnnouncement {
            self.missed = HintGap::ToBeTold;
        }
        match self.hints.watched_here() {
            none if none.is_empty() => vec![encode(&self.process, News::Watching(none))],
            watched => split(&self.process, watched, News::Watching),
        }
    }
}

#[cfg(test)]
#[path = "relay_tests.rs"]
mod tests;
