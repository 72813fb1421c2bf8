//! Carries hints to other processes and back: what is to be sent, and what follows from what comes.

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use super::message::{Changed, Message, News, split, written};
use super::{ChangedKind, Hint, Hints, UnreadableMessage};
use crate::time::Timestamp;

/// How often is sent what there is to be sent.
pub const BEAT: Duration = Duration::from_millis(200);
/// How often is told what is watched, even if nothing was added.
const ANNOUNCED_EVERY: Duration = Duration::from_secs(10);
/// How long a workspace counts as watched elsewhere after that was told.
const KEPT: Duration = Duration::from_secs(30);

/// Whether hints of others may have been missed here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missed {
    /// None.
    Nothing,
    /// Some, and others may not know yet what is watched here: who read again now could miss what comes next.
    BeforeAnnouncement,
    /// Some, and those who watch are to read again.
    ToBeTold,
}

/// The part of one process in carrying hints between all processes of a service.
///
/// It decides and sends nothing itself: what it returns goes through a [`HintBus`](crate::ports::HintBus) to all others, and
/// what comes from there is handed to [`HintRelay::hear`]. Nothing is kept for whoever is away. After a gap of some process all
/// those who watch elsewhere, or here, are told that everything may have changed.
#[derive(Debug)]
pub struct HintRelay {
    hints: Arc<Hints>,
    /// By which it knows its own messages.
    process: String,
    /// When was told what is watched, and how much was watched then by the count of [`Hints::begun`].
    announced: Option<(Timestamp, u64)>,
    missed: Missed,
}

impl HintRelay {
    /// Carries what is told by `hints`. No other process may have the same id.
    pub fn new(hints: Arc<Hints>, process: Uuid) -> Self {
        Self { hints, process: process.simple().to_string(), announced: None, missed: Missed::Nothing }
    }

    /// The process hears the others from now on. Returns what to send them first. `after_gap` says that it did not hear them, or
    /// could not be heard, for some time.
    pub fn join(&mut self, after_gap: bool) -> Vec<String> {
        // Whoever was to be told it reads everything again.
        self.hints.elsewhere().take();
        self.announced = None;
        if after_gap {
            self.missed = Missed::BeforeAnnouncement;
        }
        vec![written(&self.process, News::Joined { after_gap })]
    }

    /// Returns what is to be sent now. It is asked every [`BEAT`] while there is a connection.
    pub fn beat(&mut self, now: Timestamp) -> Vec<String> {
        if self.announced.is_some_and(|(at, _)| now.since(at) >= KEPT) {
            // It stood still for so long that the others have forgotten what is watched here.
            self.missed = Missed::BeforeAnnouncement;
        }
        if self.missed == Missed::ToBeTold {
            self.missed = Missed::Nothing;
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

    /// Takes a message, of whichever process.
    ///
    /// # Errors
    /// [`UnreadableMessage`], of which nothing follows.
    pub fn hear(&mut self, message: &str, now: Timestamp) -> Result<(), UnreadableMessage> {
        let message = Message::read(message)?;
        if message.from == self.process {
            return Ok(());
        }
        match message.news {
            News::Joined { after_gap } => {
                self.announced = None;
                if after_gap {
                    self.missed = Missed::BeforeAnnouncement;
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
        // A clock that was set back does not silence it.
        let is_due = |at: Timestamp| now < at || now.since(at) >= ANNOUNCED_EVERY;
        self.announced.is_none_or(|(at, begun)| is_due(at) || begun != self.hints.begun())
    }

    /// Tells what is watched here. Where that is nothing, the message tells that the connection lives.
    fn announcement(&mut self, now: Timestamp) -> Vec<String> {
        self.announced = Some((now, self.hints.begun()));
        if self.missed == Missed::BeforeAnnouncement {
            self.missed = Missed::ToBeTold;
        }
        match self.hints.watched_here() {
            none if none.is_empty() => vec![written(&self.process, News::Watching(none))],
            watched => split(&self.process, watched, News::Watching),
        }
    }
}

#[cfg(test)]
#[path = "relay_tests.rs"]
mod tests;
