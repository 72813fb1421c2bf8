//! A condition about contacts in the form that a store compiles.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono_tz::Tz;
use serde_json::{Map, Value};

use super::attributes::{ContactAttribute, ConversationAttribute};
use super::clock::Clock;
use super::facts::Facts;
use super::model::{Condition, Leaf, Node, Subject, Test};
use super::operand::{Operand, Range};
use crate::contacts::Contact;
use crate::conversations::Conversation;
use crate::fields::FieldKind;
use crate::ids::FieldId;
use crate::time::Timestamp;

/// A condition about contacts, evaluated except for the parts that depend on the contact. Two-valued: a store must turn
/// `NULL` into false within each `Holds`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// All contacts, or none.
    Constant(bool),
    /// All of these.
    All(Vec<Selection>),
    /// At least one of these.
    Any(Vec<Selection>),
    /// The negation.
    Not(Box<Selection>),
    /// At least one value in this place satisfies the question.
    Holds(Place, Question),
}

/// The place of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// An attribute of the contact.
    Contact(ContactAttribute),
    /// Its tags, as [`Operand::Id`].
    Tags,
    /// A custom field of this type.
    Custom(FieldId, FieldKind),
    /// An attribute of any of its conversations.
    Conversation(ConversationAttribute),
}

/// A test of each value; its operands have the type of the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// Any value.
    Present,
    /// Equal to one of these.
    OneOf(Vec<Operand>),
    /// Within the range.
    Within(Range),
    /// Contains this folded text, which is not empty.
    Contains(String),
    /// Starts with this folded text, which is not empty.
    StartsWith(String),
}

impl Condition {
    /// Builds the selection that a store compiles to select contacts at `now`. `bot_fields` has the values of bot
    /// fields by key; `zone` is for contacts without a time zone. A leaf on `vars.*` or `event.*` finds no value.
    pub fn selection(&self, bot_fields: &Map<String, Value>, now: Timestamp, zone: Tz) -> Selection {
        // A placeholder. Nothing that is evaluated here depends on the contact.
        let nobody = Contact::new(crate::ids::TypedId::from_uuid(uuid::Uuid::nil()), now);
        let facts = Facts { contact: &nobody, conversations: &[], bot_fields, vars: None, event: None, now, zone };
        lower(&self.root, &facts)
    }
}

fn lower(node: &Node, facts: &Facts<'_>) -> Selection {
    match node {
        Node::All(nodes) => Selection::All(nodes.iter().map(|node| lower(node, facts)).collect()),
        Node::Any(nodes) => Selection::Any(nodes.iter().map(|node| lower(node, facts)).collect()),
        Node::Not(node) => Selection::Not(Box::new(lower(node, facts))),
        Node::Leaf(leaf) => {
            let place = match &leaf.subject {
                Subject::Contact(attribute) => Place::Contact(*attribute),
                Subject::Tags => Place::Tags,
                Subject::Custom { id, kind, .. } => Place::Custom(*id, *kind),
                Subject::Conversation(attribute) => Place::Conversation(*attribute),
                Subject::Bot { .. } | Subject::Vars(_) | Subject::Event(_) | Subject::Gone => {
                    return Selection::Constant(leaf.holds(facts));
                }
            };
            let clock = Clock { now: facts.now, zone: facts.zone };
            let holds = match (&leaf.test, place) {
                (Test::WithinLast(duration), Place::Custom(_, FieldKind::Date)) => {
                    within_last_days(place, *duration, clock)
                }
                (test, place) => Selection::Holds(place, question(test, clock)),
            };
            if leaf.negated { Selection::Not(Box::new(holds)) } else { holds }
        }
    }
}

fn question(test: &Test, clock: Clock) -> Question {
    match test {
        Test::Present => Question::Present,
        Test::OneOf(wanted) => Question::OneOf(wanted.clone()),
        Test::Within(range) => Question::Within(range.clone()),
        Test::Contains(part) => Question::Contains(part.clone()),
        Test::StartsWith(part) => Question::StartsWith(part.clone()),
        Test::WithinLast(duration) => Question::Within(clock.last_instants(*duration)),
    }
}

impl Selection {
    /// Whether it selects all contacts (`true`) or none (`false`) regardless of their values; `None` if it depends on
    /// them.
    pub fn constant(&self) -> Option<bool> {
        // `decides` alone determines the group. Without it, a constant group is its opposite.
        let group = |parts: &[Self], decides: bool| {
            let parts: Vec<_> = parts.iter().map(Self::constant).collect();
            let is_decided = parts.contains(&Some(decides));
            (is_decided || parts.iter().all(Option::is_some)).then_some(is_decided == decides)
        };
        match self {
            Self::Constant(it) => Some(*it),
            Self::All(parts) => group(parts, false),
            Self::Any(parts) => group(parts, true),
            Self::Not(part) => part.constant().map(|it| !it),
            Self::Holds(..) => None,
        }
    }

    /// Whether a contact with these conversations is selected. `keys` returns the key of a custom field.
    pub fn chooses(
        &self,
        contact: &Contact,
        conversations: &[Conversation],
        keys: &dyn Fn(FieldId) -> Option<String>,
    ) -> bool {
        match self {
            Self::Constant(it) => *it,
            Self::All(parts) => parts.iter().all(|part| part.chooses(contact, conversations, keys)),
            Self::Any(parts) => parts.iter().any(|part| part.chooses(contact, conversations, keys)),
            Self::Not(part) => !part.chooses(contact, conversations, keys),
            Self::Holds(place, question) => {
                let subject = match place {
                    Place::Contact(attribute) => Subject::Contact(*attribute),
                    Place::Tags => Subject::Tags,
                    Place::Custom(id, kind) => {
                        let Some(key) = keys(*id) else { return false };
                        Subject::Custom { id: *id, key, kind: *kind }
                    }
                    Place::Conversation(attribute) => Subject::Conversation(*attribute),
                };
                let test = match question.clone() {
                    Question::Present => Test::Present,
                    Question::OneOf(wanted) => Test::OneOf(wanted),
                    Question::Within(range) => Test::Within(range),
                    Question::Contains(part) => Test::Contains(part),
                    Question::StartsWith(part) => Test::StartsWith(part),
                };
                let bot_fields = Map::new();
                let (now, zone) = (contact.created_at, Tz::UTC);
                let facts =
                    Facts { contact, conversations, bot_fields: &bot_fields, vars: None, event: None, now, zone };
                Leaf { subject, negated: false, test }.holds(&facts)
            }
        }
    }
}

/// Selects contacts with a value in a place within the last days in their own time zone. Contacts without one use
/// `clock`. The selection has one branch per group of time zones with the same days.
fn within_last_days(place: Place, duration: Duration, clock: Clock) -> Selection {
    let own = clock.last_days(duration);
    let mut others: BTreeMap<(String, String), (Range, Vec<Operand>)> = BTreeMap::new();
    for zone in chrono_tz::TZ_VARIANTS {
        let range = Clock { zone, ..clock }.last_days(duration);
        if range != own {
            let key = |end: &Option<(Operand, bool)>| end.as_ref().map(|(day, _)| day.key()).unwrap_or_default();
            let group = others.entry((key(&range.from), key(&range.to))).or_insert_with(|| (range, Vec::new()));
            group.1.push(Operand::text(zone.name()));
        }
    }
    let zone_is =
        |names: Vec<Operand>| Selection::Holds(Place::Contact(ContactAttribute::TimeZone), Question::OneOf(names));
    let within = |range: Range| Selection::Holds(place, Question::Within(range));
    let elsewhere = others.values().flat_map(|(_, names)| names.iter().cloned()).collect();
    let here = Selection::All(vec![within(own), Selection::Not(Box::new(zone_is(elsewhere)))]);
    let groups = others.into_values().map(|(range, names)| Selection::All(vec![within(range), zone_is(names)]));
    Selection::Any(std::iter::once(here).chain(groups).collect())
}
