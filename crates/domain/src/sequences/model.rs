//! What a sequence is.

use serde_json::Value;

use super::steps::Step;
use crate::conditions::BoundCondition;
use crate::ids::SequenceId;
use crate::patch::Patch;
use crate::read::{Input, Violation};
use crate::send_window::Zone;
use crate::time::{InvalidDuration, IsoDuration, Timestamp};
use crate::words::words;

words! {
    /// Status of a sequence.
    SequenceStatus {
        /// It is being written; nobody can be enrolled.
        Draft = "draft",
        /// Contacts can be enrolled, and steps are taken.
        Active = "active",
        /// Nobody can be enrolled, and steps that fall due wait until it is active again.
        Paused = "paused",
        /// It is over, for good: those who are enrolled leave it.
        Archived = "archived",
    }
}

impl SequenceStatus {
    /// Whether a sequence may go from this status to another one.
    pub fn may_become(self, next: Self) -> bool {
        match (self, next) {
            (Self::Archived, next) => next == Self::Archived,
            (Self::Draft, Self::Paused) | (Self::Active | Self::Paused, Self::Draft) => false,
            _ => true,
        }
    }
}

words! {
    /// An event that ends an enrollment early.
    ExitOn {
        /// The contact wrote.
        Reply = "reply",
        /// The contact opted out.
        Unsubscribe = "unsubscribe",
    }
}

words! {
    /// Time zone of windows that have no time zone.
    SequenceZone {
        /// The contact's, else the workspace's.
        Contact = "contact",
        /// The workspace's.
        Workspace = "workspace",
    }
}

impl SequenceZone {
    /// As windows know it.
    pub fn zone(self) -> Zone {
        match self {
            Self::Contact => Zone::Contact,
            Self::Workspace => Zone::Workspace,
        }
    }
}

/// Whether a contact that left a sequence may be enrolled in it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reenroll {
    /// No.
    Never,
    /// Once it went through all steps.
    AfterCompletion,
    /// At any time.
    Always,
    /// When so much time has gone by since it left, as it is written in ISO 8601.
    After(IsoDuration, String),
}

impl Reenroll {
    /// The words of the API; beside them stands `{"after": "P30D"}`.
    pub const WORDS: [&str; 3] = ["never", "after_completion", "always"];

    /// Reads a word, or an object with `after`.
    ///
    /// # Errors
    /// What is wrong; the pointer is relative to the value.
    pub fn parse<'a>(written: impl Into<Input<'a>>) -> Result<Self, Vec<Violation>> {
        let expected = "expected never, after_completion, always or an object such as {\"after\": \"P30D\"}";
        match written.into() {
            Input::String("never") => Ok(Self::Never),
            Input::String("after_completion") => Ok(Self::AfterCompletion),
            Input::String("always") => Ok(Self::Always),
            Input::Object(members) if members.names().eq(["after"]) => match members.get("after") {
                Some(Input::String(text)) => match text.parse() {
                    Ok(duration) => Ok(Self::After(duration, text.to_owned())),
                    Err(InvalidDuration) => {
                        Err(Violation::new("/after", "invalid_format", InvalidDuration.to_string()).into())
                    }
                },
                _ => Err(Violation::new("/after", "wrong_type", "expected a duration such as P30D").into()),
            },
            Input::String(_) | Input::Object(_) => Err(Violation::here("invalid_value", expected).into()),
            _ => Err(Violation::here("wrong_type", expected).into()),
        }
    }

    /// As [`Reenroll::parse`] reads it.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Never => Value::from("never"),
            Self::AfterCompletion => Value::from("after_completion"),
            Self::Always => Value::from("always"),
            Self::After(_, written) => serde_json::json!({ "after": written }),
        }
    }
}

/// A timed series of steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Sequence {
    /// The ID.
    pub id: SequenceId,
    /// 1 to 100 characters.
    pub name: String,
    /// Status of the sequence.
    pub status: SequenceStatus,
    /// What happens, in order; at most 100.
    pub steps: Vec<Step>,
    /// Events that end enrollments early.
    pub exit_on: Vec<ExitOn>,
    /// Condition that ends enrollments early; checked before each step.
    pub exit_when: Option<BoundCondition>,
    /// Whether contacts can be enrolled again.
    pub reenroll: Reenroll,
    /// Whose clock its windows go by.
    pub time_zone: SequenceZone,
    /// Grows whenever enrollments that wait must be decided anew: with new steps or another clock,
    /// and when a pause ends.
    pub revision: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// When it was deleted: it is hidden, and whoever is enrolled leaves it.
    pub deleted_at: Option<Timestamp>,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Sequence {
    /// Whether it is over for everybody who is in it.
    pub fn is_over(&self) -> bool {
        self.status == SequenceStatus::Archived || self.deleted_at.is_some()
    }
}

/// A sequence to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSequence {
    /// 1 to 100 characters.
    pub name: String,
    /// `draft` or `active`.
    pub status: SequenceStatus,
    /// Known to be right in themselves.
    pub steps: Vec<Step>,
    /// Events that end enrollments early.
    pub exit_on: Vec<ExitOn>,
    /// A condition that makes contacts leave it early.
    pub exit_when: Option<Value>,
    /// Whether contacts can be enrolled again.
    pub reenroll: Reenroll,
    /// Whose clock its windows go by.
    pub time_zone: SequenceZone,
}

/// A merging update of a sequence; steps are replaced as a whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SequencePatch {
    /// 1 to 100 characters.
    pub name: Option<String>,
    /// Status of the sequence.
    pub status: Option<SequenceStatus>,
    /// The whole new series.
    pub steps: Option<Vec<Step>>,
    /// Events that end enrollments early.
    pub exit_on: Option<Vec<ExitOn>>,
    /// A condition that makes contacts leave it early.
    pub exit_when: Patch<Value>,
    /// Whether contacts can be enrolled again.
    pub reenroll: Option<Reenroll>,
    /// Whose clock its windows go by.
    pub time_zone: Option<SequenceZone>,
}
