//! The data model of sequences.

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
        /// It is being edited; contacts cannot be enrolled.
        Draft = "draft",
        /// Contacts can be enrolled, and steps run.
        Active = "active",
        /// Contacts cannot be enrolled, and due steps wait until it is active again.
        Paused = "paused",
        /// It has ended permanently, and all enrollments end.
        Archived = "archived",
    }
}

impl SequenceStatus {
    /// Whether the status can change to `next`.
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
        /// The contact sent a message.
        Reply = "reply",
        /// The contact opted out.
        Unsubscribe = "unsubscribe",
    }
}

words! {
    /// Time zone of windows that have no time zone.
    SequenceZone {
        /// The contact's, otherwise the workspace's.
        Contact = "contact",
        /// The workspace's.
        Workspace = "workspace",
    }
}

impl SequenceZone {
    /// The same in terms of windows.
    pub fn zone(self) -> Zone {
        match self {
            Self::Contact => Zone::Contact,
            Self::Workspace => Zone::Workspace,
        }
    }
}

/// Whether a contact can be enrolled again after an enrollment has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reenroll {
    /// No.
    Never,
    /// After it completed all steps.
    AfterCompletion,
    /// At any time.
    Always,
    /// After this time since the last enrollment ended, with the written ISO 8601 form.
    After(IsoDuration, String),
}

impl Reenroll {
    /// The words of the API. The other form is `{"after": "P30D"}`.
    pub const WORDS: [&str; 3] = ["never", "after_completion", "always"];

    /// Reads a word, or an object with `after`.
    ///
    /// # Errors
    /// All violations, with pointers relative to the value.
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
            Input::String(_) | Input::Object(_) => Err(Violation::at_root("invalid_value", expected).into()),
            _ => Err(Violation::at_root("wrong_type", expected).into()),
        }
    }

    /// The JSON form that [`Reenroll::parse`] reads.
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
    /// The steps, in order; at most 100.
    pub steps: Vec<Step>,
    /// Events that end enrollments early.
    pub exit_on: Vec<ExitOn>,
    /// Condition that ends enrollments early; checked before each step.
    pub exit_when: Option<BoundCondition>,
    /// Whether contacts can be enrolled again.
    pub reenroll: Reenroll,
    /// Time zone of windows without one.
    pub time_zone: SequenceZone,
    /// Incremented if waiting enrollments must be decided again: after new steps or another time zone, and when a pause
    /// ends.
    pub revision: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// When it was deleted. A deleted sequence is hidden, and all its enrollments end.
    pub deleted_at: Option<Timestamp>,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Sequence {
    /// Returns a draft that a contact can enter once.
    pub fn draft(id: SequenceId, name: &str, steps: Vec<Step>, now: Timestamp) -> Self {
        Self {
            id,
            name: name.to_owned(),
            status: SequenceStatus::Draft,
            steps,
            exit_on: Vec::new(),
            exit_when: None,
            reenroll: Reenroll::Never,
            time_zone: SequenceZone::Contact,
            revision: 1,
            created_at: now,
            updated_at: now,
            deleted_at: None,
            version: 1,
        }
    }

    /// Whether all its enrollments must end.
    pub fn is_over(&self) -> bool {
        self.status == SequenceStatus::Archived || self.deleted_at.is_some()
    }
}

/// A sequence to create.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSequence {
    /// 1 to 100 characters.
    pub name: String,
    /// `draft` or `active`.
    pub status: SequenceStatus,
    /// The validated steps.
    pub steps: Vec<Step>,
    /// Events that end enrollments early.
    pub exit_on: Vec<ExitOn>,
    /// Condition that ends enrollments early.
    pub exit_when: Option<Value>,
    /// Whether contacts can be enrolled again.
    pub reenroll: Reenroll,
    /// Time zone of windows without one.
    pub time_zone: SequenceZone,
}

impl NewSequence {
    /// Creates the command for a draft with the defaults of the API: an opt-out ends an enrollment, a contact is
    /// enrolled once, and windows use the time zone of the contact.
    pub fn new(name: impl Into<String>, steps: Vec<Step>) -> Self {
        Self {
            name: name.into(),
            status: SequenceStatus::Draft,
            steps,
            exit_on: vec![ExitOn::Unsubscribe],
            exit_when: None,
            reenroll: Reenroll::Never,
            time_zone: SequenceZone::Contact,
        }
    }
}

/// A merging update of a sequence. Steps are replaced as a whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SequencePatch {
    /// 1 to 100 characters.
    pub name: Option<String>,
    /// Status of the sequence.
    pub status: Option<SequenceStatus>,
    /// All new steps.
    pub steps: Option<Vec<Step>>,
    /// Events that end enrollments early.
    pub exit_on: Option<Vec<ExitOn>>,
    /// Condition that ends enrollments early.
    pub exit_when: Patch<Value>,
    /// Whether contacts can be enrolled again.
    pub reenroll: Option<Reenroll>,
    /// Time zone of windows without one.
    pub time_zone: Option<SequenceZone>,
}
