//! What every kind of node says of itself.

use std::ops::RangeInclusive;

use crate::flows::definition::Fields;
use crate::flows::interpret::{Input, Interpreter, Turn};
use crate::flows::run::Wait;
use crate::flows::sets_off::SetsOff;

/// A kind of node: what its file has to say. The table in [`super`] lists all; whoever reads, walks or analyses a flow
/// asks that table.
pub(in crate::flows) trait Kind: Sized {
    /// The word in `type`.
    const WORD: &'static str;
    /// What it does, for people.
    const ABOUT: &'static str;
    /// Its fields beside `id` and `type`, its exits among them.
    const FIELDS: &'static [NodeField];
    /// Whether time may pass in it.
    const WAITS: bool = false;
    /// Whether it asks [`Conditions`](crate::flows::Conditions): they are only loaded for flows that do.
    const ASKS_CONDITIONS: bool = false;
    /// Whether it uses the time zone or the default country of the workspace: they are only loaded for flows that do.
    const ASKS_SETTINGS: bool = false;
    /// Whether runs wait for events in it: only flows that have such a node ask which ones are on their way.
    const AWAITS_EVENTS: bool = false;
    /// Whether another flow gets the run's variables.
    const HANDS_ON_VARIABLES: bool = false;

    /// Reads its fields. Those of other names are refused already; exits that [`FIELDS`](Self::FIELDS) names are read
    /// afterwards. What its fields name, and exits that no name in [`FIELDS`](Self::FIELDS) has, it tells `fields`.
    fn read(fields: &mut Fields<'_>) -> Option<Self>;

    /// What a visit does; `at` is the node's id. Pure: what is to be done goes to [`Interpreter::effect`].
    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> Turn;

    /// What comes of an input for a run that waits at this node; `None` where the node does not wait so, as after a
    /// migration: it is visited anew.
    fn resume(&self, _interpreter: &mut Interpreter<'_>, _at: &str, _wait: &Wait, _input: Input<'_>) -> Option<Turn> {
        None
    }

    /// What a visit sets off at once, beside its own run. What changes nothing when it is done twice is left out.
    fn sets_off(&self) -> Vec<SetsOff> {
        Vec::new()
    }
}

/// A kind of node, as the table lists it.
#[derive(Debug, Clone, Copy)]
pub struct NodeType {
    /// The word in `type`.
    pub word: &'static str,
    /// What it does, for people.
    pub about: &'static str,
    /// Its fields beside `id` and `type`.
    pub fields: &'static [NodeField],
    /// Whether time may pass in it.
    pub waits: bool,
    /// Whether it asks conditions.
    pub asks_conditions: bool,
    /// Whether it uses the time zone or the default country of the workspace.
    pub asks_settings: bool,
    /// Whether runs wait for events in it.
    pub awaits_events: bool,
    /// Whether another flow gets the run's variables.
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

    /// The names of all its fields.
    pub(in crate::flows) fn names(&self) -> Vec<&'static str> {
        ["id", "type"].into_iter().chain(self.fields.iter().map(|field| field.name)).collect()
    }
}

/// A field of a node.
#[derive(Debug, Clone, Copy)]
pub struct NodeField {
    /// Its name.
    pub name: &'static str,
    /// What it says, for people.
    pub about: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What it holds.
    pub holds: Holds,
}

/// What a field of a node holds. Bounds are those of its reader, which names the same constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A text, which may be a template.
    Text,
    /// The id of the node that follows.
    Exit,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Several texts, of which there are at most so many.
    Texts(usize),
    /// A text for each name.
    TextByName,
    /// A whole number within these bounds.
    Count(&'static RangeInclusive<u64>),
    /// A length of time (ISO 8601).
    Duration,
    /// A message.
    Message,
    /// A condition.
    Condition,
    /// Hours of the week.
    Window,
    /// Ways, each with a condition, of which there are at most so many.
    Branches(usize),
    /// Ways, each with a weight.
    Arms {
        /// How many there are.
        count: &'static RangeInclusive<usize>,
        /// What each of them may weigh.
        weight: &'static RangeInclusive<u64>,
    },
    /// Any JSON.
    Anything,
}

impl NodeField {
    /// A field that must be there.
    pub(super) const fn must(name: &'static str, about: &'static str) -> Self {
        Self { name, about, required: true, holds: Holds::Text }
    }

    /// A field that may be absent.
    pub(super) const fn may(name: &'static str, about: &'static str) -> Self {
        Self { name, about, required: false, holds: Holds::Text }
    }

    /// An exit that may be absent.
    pub(super) const fn exit(name: &'static str, about: &'static str) -> Self {
        Self { name, about, required: false, holds: Holds::Exit }
    }

    /// An exit that must be there.
    pub(super) const fn must_exit(name: &'static str, about: &'static str) -> Self {
        Self { name, about, required: true, holds: Holds::Exit }
    }

    /// The field, of something else than text.
    pub(super) const fn of(self, holds: Holds) -> Self {
        Self { holds, ..self }
    }

    /// Whether it holds the id of the node that follows.
    pub fn is_exit(&self) -> bool {
        self.holds == Holds::Exit
    }

    /// The exit of most kinds.
    pub(super) const NEXT: Self = Self::must_exit("next", "The ID of the next node.");
}
