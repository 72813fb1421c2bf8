//! What a condition is, once it is read.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::{Number, Value};
use uuid::Uuid;

use super::attributes::{ContactAttribute, ConversationAttribute};
use crate::fields::{FieldKind, number_key};
use crate::ids::{BotFieldId, FieldId, TagId, TypedId};
use crate::text::fold;
use crate::time::Timestamp;

/// How many levels a condition has at the most; a leaf alone is one level.
pub const MAX_DEPTH: usize = 5;
/// How many leaves a condition has at the most.
pub const MAX_LEAVES: usize = 50;

/// A condition that was read against a workspace's vocabulary. It serialises as it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    pub(super) root: Node,
    pub(super) written: Value,
}

impl Condition {
    /// The JSON that it was read from.
    pub fn written(&self) -> &Value {
        &self.written
    }

    /// What it refers to.
    pub fn names(&self) -> Names {
        let mut names = Names::default();
        self.root.gather(&mut names);
        names
    }
}

impl Serialize for Condition {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.written.serialize(to)
    }
}

/// What a condition refers to, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Custom fields.
    pub custom_fields: BTreeSet<FieldId>,
    /// Bot fields.
    pub bot_fields: BTreeSet<BotFieldId>,
    /// Tags.
    pub tags: BTreeSet<TagId>,
    /// Variables of a flow: what stands behind `vars.`.
    pub vars: BTreeSet<String>,
    /// Parts of an event: what stands behind `event.`.
    pub event: BTreeSet<String>,
    /// Whether conversations must be known.
    pub conversation: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Leaf(Leaf),
}

impl Node {
    fn gather(&self, names: &mut Names) {
        match self {
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().for_each(|node| node.gather(names)),
            Self::Not(node) => node.gather(names),
            Self::Leaf(leaf) => leaf.gather(names),
        }
    }
}

/// A question about a field's values; negated: the opposite of its answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Leaf {
    pub subject: Subject,
    pub negated: bool,
    pub test: Test,
}

impl Leaf {
    fn gather(&self, names: &mut Names) {
        match &self.subject {
            Subject::Contact(_) | Subject::Gone => {}
            Subject::Tags => {
                if let Test::OneOf(tags) = &self.test {
                    let ids = tags.iter().filter_map(|tag| if let Operand::Id(id) = tag { Some(*id) } else { None });
                    names.tags.extend(ids.map(TagId::from_uuid));
                }
            }
            Subject::Custom { id, .. } => {
                names.custom_fields.insert(*id);
            }
            Subject::Bot { id, .. } => {
                names.bot_fields.insert(*id);
            }
            Subject::Conversation(_) => names.conversation = true,
            Subject::Vars(path) => {
                names.vars.insert(path.join("."));
            }
            Subject::Event(path) => {
                names.event.insert(path.join("."));
            }
        }
    }
}

/// Whose values are asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Subject {
    Contact(ContactAttribute),
    Tags,
    Custom {
        id: FieldId,
        key: String,
        kind: FieldKind,
    },
    Bot {
        id: BotFieldId,
        key: String,
        kind: FieldKind,
    },
    Conversation(ConversationAttribute),
    Vars(Vec<String>),
    Event(Vec<String>),
    /// A field or tag that was there when the condition was written: it has no value any more.
    Gone,
}

/// What is asked of one value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Test {
    /// That it is there.
    Present,
    /// That it equals one of these.
    OneOf(Vec<Operand>),
    Within(Range),
    /// Folded.
    Contains(String),
    /// Folded.
    StartsWith(String),
    WithinLast(Duration),
}

/// A value in the form in which it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// A folded text.
    Text(String),
    /// A number.
    Number(Numeral),
    /// A truth value.
    Boolean(bool),
    /// A day, as `2026-01-31`: such texts sort like the days.
    Date(String),
    /// An instant.
    Instant(Timestamp),
    /// The 128 bits of an id.
    Id(Uuid),
}

impl Operand {
    /// A text, folded.
    pub(super) fn text(text: &str) -> Self {
        Self::Text(fold(text))
    }

    /// The number, where it is a whole one that fits.
    pub fn whole(&self) -> Option<i64> {
        if let Self::Number(number) = self { number.whole() } else { None }
    }

    /// The text by which it is kept with a custom field's value, whole; such texts of one type sort,
    /// byte by byte, like the values.
    pub fn key(&self) -> String {
        match self {
            Self::Text(text) | Self::Date(text) => text.clone(),
            Self::Number(number) => number.key().to_owned(),
            Self::Boolean(it) => it.to_string(),
            Self::Instant(at) => fold(&at.to_string()),
            Self::Id(id) => id.to_string(),
        }
    }

    /// The order of two values of one type; values of different types have none.
    pub(super) fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) | (Self::Date(a), Self::Date(b)) => Some(a.cmp(b)),
            (Self::Number(a), Self::Number(b)) => Some(a.key().cmp(b.key())),
            (Self::Boolean(a), Self::Boolean(b)) => Some(a.cmp(b)),
            (Self::Instant(a), Self::Instant(b)) => Some(a.cmp(b)),
            (Self::Id(a), Self::Id(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }
}

/// A number. Numbers of one value are equal, however they are written.
#[derive(Debug, Clone)]
pub struct Numeral {
    number: Number,
    key: String,
}

impl From<&Number> for Numeral {
    fn from(number: &Number) -> Self {
        Self { number: number.clone(), key: number_key(number) }
    }
}

impl From<i64> for Numeral {
    fn from(whole: i64) -> Self {
        Self::from(&Number::from(whole))
    }
}

impl Numeral {
    /// The number, where it is a whole one that fits.
    pub fn whole(&self) -> Option<i64> {
        let (least, greatest) = self.neighbours();
        (least == greatest).then_some(least).and_then(|whole| i64::try_from(whole).ok())
    }

    /// The greatest whole number that is not above, and the least that is not below.
    fn neighbours(&self) -> (i128, i128) {
        let exact = self.number.as_i64().map(i128::from).or_else(|| self.number.as_u64().map(i128::from));
        let double = self.number.as_f64().unwrap_or_default();
        exact.map_or((double.floor() as i128, double.ceil() as i128), |whole| (whole, whole))
    }

    /// A text by which numbers are equal and sort, byte by byte.
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl PartialEq for Numeral {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Numeral {}

/// A part of an ordered type; an end that is absent is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The lower end, and whether it belongs to the range.
    pub from: Option<(Operand, bool)>,
    /// The upper end, and whether it belongs to the range.
    pub to: Option<(Operand, bool)>,
}

impl Range {
    /// The first and the last whole number of a range of numbers; `None` where there is none.
    pub fn wholes(&self) -> Option<(i64, i64)> {
        let first = match &self.from {
            Some((Operand::Number(from), included)) => match from.neighbours() {
                (below, above) if below == above && !included => above.saturating_add(1),
                (_, above) => above,
            },
            _ => i128::from(i64::MIN),
        };
        let last = match &self.to {
            Some((Operand::Number(to), included)) => match to.neighbours() {
                (below, above) if below == above && !included => below.saturating_sub(1),
                (below, _) => below,
            },
            _ => i128::from(i64::MAX),
        };
        let (first, last) = (first.max(i64::MIN.into()), last.min(i64::MAX.into()));
        let fits = |whole| i64::try_from(whole).ok();
        if first <= last { fits(first).zip(fits(last)) } else { None }
    }

    /// Whether the range holds this value.
    pub(super) fn holds(&self, value: &Operand) -> bool {
        let above = |(end, included): &(Operand, bool)| {
            value.order(end).is_some_and(|order| order.is_gt() || (*included && order.is_eq()))
        };
        let below = |(end, included): &(Operand, bool)| {
            value.order(end).is_some_and(|order| order.is_lt() || (*included && order.is_eq()))
        };
        self.from.as_ref().is_none_or(above) && self.to.as_ref().is_none_or(below)
    }
}
