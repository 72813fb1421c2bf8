//! What stands in a timeline, and where.

use serde::Serialize;
use uuid::Uuid;

use crate::conversations::{Message, MessageStatus};
use crate::custom_events::CustomEvent;
use crate::events::EventKind;
use crate::flows::TraceEntry;
use crate::ids::{EventId, FlowId, RunId, TypedId};
use crate::pagination::{Page, PageRequest, Position};
use crate::sequences::Enrollment;
use crate::time::Timestamp;

/// Type of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TimelineKind {
    /// An event of the service, as webhooks are told of it.
    Event,
    /// What a client told that happened to the contact.
    CustomEvent,
    /// A message, either way.
    Message,
    /// A message that was not sent, with the reason.
    Suppression,
    /// A node that a run of a flow went through.
    RunStep,
    /// The contact's enrollment in a sequence.
    Enrollment,
}

impl TimelineKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Event, Self::CustomEvent, Self::Message, Self::Suppression, Self::RunStep, Self::Enrollment];

    /// The word in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::CustomEvent => "custom_event",
            Self::Message => "message",
            Self::Suppression => "suppression",
            Self::RunStep => "run_step",
            Self::Enrollment => "enrollment",
        }
    }

    /// The kind with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// From where an entry is read. Of one instant, those of a later source come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Events of the service.
    Events,
    /// Custom events.
    CustomEvents,
    /// Messages, sent and suppressed.
    Messages,
    /// Traces of runs.
    Runs,
    /// Enrollments.
    Enrollments,
}

impl Source {
    /// All of them, in their order.
    pub const ALL: [Self; 5] = [Self::Events, Self::CustomEvents, Self::Messages, Self::Runs, Self::Enrollments];
}

/// By what an entry stands where it stands, beside the id of the row from which it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimelineKey {
    /// When it happened.
    pub at: Timestamp,
    /// From where it was read.
    pub source: Source,
    /// Of the steps of a run: which one, from 0 on; else 0.
    pub step: u32,
}

/// Newest first: a timeline has no other order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimelineOrder;

/// Which part of a timeline is asked for.
pub type TimelineRequest = PageRequest<TimelineOrder, TimelineKey>;
/// A part of a timeline.
pub type TimelinePage = Page<TimelineEntry, TimelineKey>;

/// A run without its trace: between which instants its steps lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunSpan {
    /// ID of the run.
    pub run: RunId,
    /// When it began.
    pub started_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
}

/// An event about a contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineEvent {
    /// The ID.
    pub id: EventId,
    /// Its kind.
    pub kind: EventKind,
    /// When it happened.
    pub at: Timestamp,
    /// The envelope: with all data for kinds whose changed values are shown, otherwise with IDs only.
    pub envelope: String,
}

/// One thing that happened with a contact.
#[derive(Debug, Clone, PartialEq)]
pub enum TimelineEntry {
    /// An event of the service.
    Event(TimelineEvent),
    /// A custom event.
    CustomEvent(CustomEvent),
    /// A message, be it suppressed or not.
    Message(Box<Message>),
    /// A step of a run.
    Step {
        /// Of which run.
        run: RunId,
        /// ID of the flow.
        flow: FlowId,
        /// Its place in the trace.
        place: u32,
        /// What is known of it.
        entry: Box<TraceEntry>,
    },
    /// An enrollment, at its beginning.
    Enrollment(Box<Enrollment>),
}

impl TimelineEntry {
    /// Type of the entry.
    pub fn kind(&self) -> TimelineKind {
        match self {
            Self::Event(_) => TimelineKind::Event,
            Self::CustomEvent(_) => TimelineKind::CustomEvent,
            Self::Message(it) if it.status == MessageStatus::Suppressed => TimelineKind::Suppression,
            Self::Message(_) => TimelineKind::Message,
            Self::Step { .. } => TimelineKind::RunStep,
            Self::Enrollment(_) => TimelineKind::Enrollment,
        }
    }

    /// Where it stands.
    pub fn position(&self) -> Position<TimelineKey> {
        let at = |at, source, step, id| Position { at: TimelineKey { at, source, step }, id };
        match self {
            Self::Event(it) => at(it.at, Source::Events, 0, it.id.uuid()),
            Self::CustomEvent(it) => at(it.at, Source::CustomEvents, 0, it.id.uuid()),
            Self::Message(it) => at(it.created_at, Source::Messages, 0, it.id.uuid()),
            Self::Step { run, place, entry, .. } => at(entry.at, Source::Runs, *place, run.uuid()),
            Self::Enrollment(it) => at(it.started_at, Source::Enrollments, 0, it.id.uuid()),
        }
    }

    /// By what entries are compared: no two have the same.
    pub(super) fn rank(&self) -> Rank {
        rank(&self.position())
    }
}

/// What tells two entries apart and which of them comes first.
pub(super) type Rank = (Timestamp, Source, Uuid, u32);

pub(super) fn rank(position: &Position<TimelineKey>) -> Rank {
    let TimelineKey { at, source, step } = position.at;
    (at, source, position.id, step)
}
