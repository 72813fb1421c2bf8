//! The interface of a node type.

use std::ops::RangeInclusive;

use crate::flows::definition::Fields;
use crate::flows::immediate_effect::ImmediateEffect;
use crate::flows::interpret::{Input, Interpreter, NodeOutcome};
use crate::flows::run::Wait;

/// A node type. The table in [`super`] lists all of them; the parser, interpreter and analyser use that table.
pub(in crate::flows) trait Kind: Sized {
    /// The word in `type`.
    const WORD: &'static str;
    /// Description for users.
    const ABOUT: &'static str;
    /// Its fields, including exits, without `id` and `type`.
    const FIELDS: &'static [NodeField];
    /// Whether a run may wait at it.
    const WAITS: bool = false;
    /// Whether it evaluates [`Conditions`](crate::flows::Conditions); they are only loaded for such flows.
    const ASKS_CONDITIONS: bool = false;
    /// Whether it uses the time zone or default country of the workspace; they are only loaded for such flows.
    const ASKS_SETTINGS: bool = false;
    /// Whether runs wait for events at it; undelivered events are only looked up for such flows.
    const AWAITS_EVENTS: bool = false;
    /// Whether it passes the run's variables to another flow.
    const HANDS_ON_VARIABLES: bool = false;

    /// Reads its fields. Unknown fields are already rejected, and exits in [`FIELDS`](Self::FIELDS) are read
    /// afterwards. The names and all other exits must be recorded in `fields`.
    fn read(fields: &mut Fields<'_>) -> Option<Self>;

    /// Visits the node; `at` is its ID. Does no I/O: effects are passed to [`Interpreter::effect`].
    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome;

    /// Resumes a run that waits at this node. Returns `None` if the node has no such wait, for example after a
    /// migration; the node is then visited again.
    fn resume(
        &self,
        _interpreter: &mut Interpreter<'_>,
        _at: &str,
        _wait: &Wait,
        _input: Input<'_>,
    ) -> Option<NodeOutcome> {
        None
    }

    /// Returns the runs and events that a visit causes at once, outside its own run. Omits effects that do nothing the
    /// second time.
    fn immediate_effects(&self) -> Vec<ImmediateEffect> {
        Vec::new()
    }
}

/// An entry of the table of node types.
#[derive(Debug, Clone, Copy)]
pub struct NodeType {
    /// The word in `type`.
    pub word: &'static str,
    /// Description for users.
    pub about: &'static str,
    /// Its fields, without `id` and `type`.
    pub fields: &'static [NodeField],
    /// Whether a run may wait at it.
    pub waits: bool,
    /// Whether it evaluates conditions.
    pub asks_conditions: bool,
    /// Whether it uses the time zone or default country of the workspace.
    pub asks_settings: bool,
    /// Whether runs wait for events at it.
    pub awaits_events: bool,
    /// Whether it passes the run's variables to another flow.
    pub hands_on_variables: bool,
}

impl NodeType {
    pub(super) const fn of<K: Kind>() -> Self {
        Self {
            word: K::WORD,
            about: K::ABOUT,
            fields: K::FIELDS,
            waits: K::WAITS,
            asks_conditions: K::ASKS_CONDITIONS,
            asks_settings: K::ASKS_SETTINGS,
            awaits_events: K::AWAITS_EVENTS,
            hands_on_variables: K::HANDS_ON_VARIABLES,
        }
    }

    pub(in crate::flows) fn names(&self) -> Vec<&'static str> {
        ["id", "type"].into_iter().chain(self.fields.iter().map(|field| field.name)).collect()
    }
}

/// A field of a node.
#[derive(Debug, Clone, Copy)]
pub struct NodeField {
    /// Its name.
    pub name: &'static str,
    /// Description for users.
    pub about: &'static str,
    /// Whether it is required.
    pub required: bool,
    /// Its type.
    pub holds: FieldContent,
}

/// The type of a node's field. Bounds are the constants that its reader uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldContent {
    /// A text or template.
    Text,
    /// The ID of the next node.
    Exit,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of at most this many texts.
    Texts(usize),
    /// A text for each name.
    TextByName,
    /// An integer within these bounds.
    Count(&'static RangeInclusive<u64>),
    /// An ISO 8601 duration.
    Duration,
    /// A message.
    Message,
    /// A condition.
    Condition,
    /// A send window.
    Window,
    /// A list of at most this many branches, each with a condition and an exit.
    Branches(usize),
    /// A list of arms, each with a weight and an exit.
    Arms {
        /// Number of arms.
        count: &'static RangeInclusive<usize>,
        /// Bounds of a weight.
        weight: &'static RangeInclusive<u64>,
    },
    /// Any JSON.
    Anything,
}

impl NodeField {
    /// Creates a required field.
    pub(super) const fn must(name: &'static str, about: &'static str) -> Self {
        Self { name, about, required: true, holds: FieldContent::Text }
    }

    /// Creates an optional field.
    pub(super) const fn may(name: &'static str, about: &'static str) -> Self {
        Self { name, about, required: false, holds: FieldContent::Text }
    }

    /// Creates an optional exit.
    pub(super) const fn exit(name: &'static str, about: &'static str) -> Self {
        Self { name, about, required: false, holds: FieldContent::Exit }
    }

    /// Creates a required exit.
    pub(super) const fn must_exit(name: &'static str, about: &'static str) -> Self {
        Self { name, about, required: true, holds: FieldContent::Exit }
    }

    /// Returns the field with another type than text.
    pub(super) const fn of(self, holds: FieldContent) -> Self {
        Self { holds, ..self }
    }

    /// Whether it is an exit.
    pub fn is_exit(&self) -> bool {
        self.holds == FieldContent::Exit
    }

    /// The exit of most types.
    pub(super) const NEXT: Self = Self::must_exit("next", "The ID of the next node.");
}
