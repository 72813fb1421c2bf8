//! Flows, their versions and the commands on them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Reentry, RunStatus, Trigger};
use crate::conditions::Bindings;
use crate::ids::{FlowId, TagId};
use crate::pagination::Position;
use crate::time::Timestamp;
use crate::words::words;

words! {
    /// Status of a flow.
    FlowStatus {
        /// Never published.
        Draft = "draft",
        /// A version is published.
        Active = "active",
        /// Its runs do not move until it is resumed.
        Paused = "paused",
        /// It has ended: it has no live runs.
        Archived = "archived",
    }
}

/// An automation graph: an editable draft, and immutable published versions.
#[derive(Debug, Clone, PartialEq)]
pub struct Flow {
    /// The ID.
    pub id: FlowId,
    /// 1 to 100 characters.
    pub name: String,
    /// Status of the flow.
    pub status: FlowStatus,
    /// Number of the version that new runs use.
    pub version_published: Option<i64>,
    /// Whether the draft differs from the published version.
    pub has_unpublished_changes: bool,
    /// The draft, as the client wrote it, with the names that its tags had when it was last read.
    pub definition: Value,
    /// The objects that the words of the draft mean; `None` if a release stored it that had no bindings.
    pub bindings: Option<Bindings>,
    /// Number of runs by status, when it was read.
    pub stats: FlowStats,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Flow {
    /// Returns a flow that was never published.
    pub fn draft(id: FlowId, name: &str, definition: Value, now: Timestamp) -> Self {
        Self {
            id,
            name: name.to_owned(),
            status: FlowStatus::Draft,
            version_published: None,
            has_unpublished_changes: true,
            definition,
            bindings: None,
            stats: FlowStats::default(),
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }
}

/// A published version. It is immutable.
#[derive(Debug, Clone, PartialEq)]
pub struct FlowVersion {
    /// ID of the flow.
    pub flow: FlowId,
    /// Number of the version, from 1.
    pub number: i64,
    /// The published definition.
    pub definition: Value,
    /// The tags that its names meant when it was published: renaming a tag changes nothing.
    pub tags: BTreeMap<String, TagId>,
    /// The objects that its words meant when it was published; `None` if a release stored it that had no bindings.
    pub bindings: Option<Bindings>,
    /// When it was published.
    pub created_at: Timestamp,
}

impl FlowVersion {
    /// Returns its position in a list. Versions have no ID, so the position contains their number instead.
    pub fn position(&self) -> Position {
        Position { at: self.created_at, id: Uuid::from_u128(self.number.unsigned_abs().into()) }
    }

    /// Returns the version number in a position.
    pub fn number_at(position: &Position) -> i64 {
        i64::try_from(position.id.as_u128()).unwrap_or(i64::MAX)
    }
}

/// The command to create a flow.
#[derive(Debug, Clone, PartialEq)]
pub struct NewFlow {
    /// 1 to 100 characters.
    pub name: String,
    /// The draft; checked when it is published.
    pub definition: Value,
}

impl NewFlow {
    /// Creates the command for a flow with this draft.
    pub fn new(name: impl Into<String>, definition: Value) -> Self {
        Self { name: name.into(), definition }
    }
}

/// An update of a flow's draft.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FlowPatch {
    /// 1 to 100 characters.
    pub name: Option<String>,
    /// The whole new draft.
    pub definition: Option<Value>,
    /// The new status of the published flow.
    pub status: Option<FlowStatus>,
}

/// A start of a flow for a contact.
#[derive(Debug, Clone, PartialEq)]
pub struct StartFlow {
    /// The flow.
    pub flow: FlowId,
    /// Variables for templates, under `vars`.
    pub vars: Map<String, Value>,
    /// The effect if a run is live; the flow's own setting if absent.
    pub mode: Option<Reentry>,
}

impl StartFlow {
    /// Creates the command for a start without variables. The flow decides what happens if a run is live.
    pub fn new(flow: FlowId) -> Self {
        Self { flow, vars: Map::new(), mode: None }
    }
}

/// The treatment of live runs when a new version is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InFlight {
    /// They finish on their version.
    #[default]
    Pin,
    /// They continue in the new version if it has their current node; otherwise they are pinned.
    Migrate,
    /// They are interrupted.
    Cancel,
}

impl InFlight {
    /// All words.
    pub const WORDS: [&str; 3] = ["pin", "migrate", "cancel"];

    /// Returns the variant with this word.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "pin" => Some(Self::Pin),
            "migrate" => Some(Self::Migrate),
            "cancel" => Some(Self::Cancel),
            _ => None,
        }
    }
}

/// Number of runs of a flow, by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "each is the count of that status")]
pub struct FlowStats {
    pub active: i64,
    pub waiting: i64,
    pub completed: i64,
    pub interrupted: i64,
    pub expired: i64,
    pub failed: i64,
}

impl FlowStats {
    /// Returns the count of one status.
    pub fn of(&mut self, status: RunStatus) -> &mut i64 {
        match status {
            RunStatus::Active => &mut self.active,
            RunStatus::Waiting => &mut self.waiting,
            RunStatus::Completed => &mut self.completed,
            RunStatus::Interrupted => &mut self.interrupted,
            RunStatus::Expired => &mut self.expired,
            RunStatus::Failed => &mut self.failed,
        }
    }
}

/// A trigger of the published version of an active flow.
#[derive(Debug, Clone, PartialEq)]
pub struct ActiveTrigger {
    /// The flow that it starts.
    pub flow: FlowId,
    /// The trigger.
    pub trigger: Trigger,
}
