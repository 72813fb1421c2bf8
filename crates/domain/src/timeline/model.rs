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
    /// An event, as in webhooks.
    Event,
    /// A custom event of the contact.
    CustomEvent,
    /// An inbound or outbound message.
    Message,
    /// A message that was not sent, with the reason.
    Suppression,
    /// A node that a run of a flow visited.
    RunStep,
    /// The contact's enrollment in a sequence.
    Enrollment,
}

impl TimelineKind {
    /// All types.
    pub const ALL: [Self; 6] =
        [Self::Event, Self::CustomEvent, Self::Message, Self::Suppression, Self::RunStep, Self::Enrollment];

    /// Returns the word in the API.
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

    /// Returns the type with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// The source of an entry. If two entries have the same time, the one of the later source is first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Events.
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
    /// All sources, in order.
    pub const ALL: [Self; 5] = [Self::Events, Self::CustomEvents, Self::Messages, Self::Runs, Self::Enrollments];
}

/// The sort key of an entry, together with the ID of its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimelineKey {
    /// Time of the entry.
    pub at: Timestamp,
    /// The source.
    pub source: Source,
    /// For a step of a run: its index, from 0; otherwise 0.
    pub step: u32,
}

/// The only order of timelines: the newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimelineOrder;

/// A request for a page of a timeline.
pub type TimelineRequest = PageRequest<TimelineOrder, TimelineKey>;
/// A page of a timeline.
pub type TimelinePage = Page<TimelineEntry, TimelineKey>;

/// A run without its trace: the time range of its steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunSpan {
    /// ID of the run.
    pub run: RunId,
    /// When the run started.
    pub started_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
}

/// An event about a contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineEvent {
    /// The ID.
    pub id: EventId,
    /// The kind.
    pub kind: EventKind,
    /// When it occurred.
    pub at: Timestamp,
    /// The envelope: with all data for kinds whose changed values are shown, otherwise with IDs only.
    pub envelope: String,
}

/// An entry of a timeline.
#[derive(Debug, Clone, PartialEq)]
pub enum TimelineEntry {
    /// An event.
    Event(TimelineEvent),
    /// A custom event.
    CustomEvent(CustomEvent),
    /// A message, also a suppressed one.
    Message(Box<Message>),
    /// A step of a run.
    Step {
        /// ID of the run.
        run: RunId,
        /// ID of the flow.
        flow: FlowId,
        /// Index in the trace.
        place: u32,
        /// The entry of the trace.
        entry: Box<TraceEntry>,
    },
    /// An enrollment, at its start.
    Enrollment(Box<Enrollment>),
}

impl TimelineEntry {
    /// Returns the type of the entry.
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

    /// Returns the position of the entry.
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

    /// Returns the sort key of the entry. It is unique.
    pub(super) fn rank(&self) -> Rank {
        rank(&self.position())
    }
}

/// The unique sort key of an entry.
pub(super) type Rank = (Timestamp, Source, Uuid, u32);

pub(super) fn rank(position: &Position<TimelineKey>) -> Rank {
    let TimelineKey { at, source, step } = position.at;
    (at, source, position.id, step)
}
