//! The data model of parsed conditions.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::attributes::{ContactAttribute, ConversationAttribute};
use super::bound::{Bindings, BoundCondition, LostWord};
use super::operand::{Operand, Range};
use crate::fields::FieldKind;
use crate::ids::{BotFieldId, ChannelId, FieldId, TagId, TypedId};

/// A condition, parsed with a workspace's vocabulary. It serialises as it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    pub(super) root: Node,
    pub(super) written: Value,
    pub(super) bindings: Bindings,
    pub(super) lost: Vec<LostWord>,
}

impl Condition {
    /// The JSON that it was parsed from.
    pub fn source_json(&self) -> &Value {
        &self.written
    }

    /// The condition in stored form.
    pub fn bound(self) -> BoundCondition {
        BoundCondition::stored(self.written, Some(self.bindings))
    }

    /// The objects that its names refer to.
    pub(crate) fn bindings(&self) -> &Bindings {
        &self.bindings
    }

    /// The names in a stored condition that no longer have an object.
    pub fn lost_words(&self) -> &[LostWord] {
        &self.lost
    }

    /// The objects that it refers to.
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

/// The objects that a condition refers to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Custom fields.
    pub custom_fields: BTreeSet<FieldId>,
    /// Bot fields.
    pub bot_fields: BTreeSet<BotFieldId>,
    /// Tags.
    pub tags: BTreeSet<TagId>,
    /// Channels.
    pub channels: BTreeSet<ChannelId>,
    /// Variables of a flow: the names after `vars.`.
    pub vars: BTreeSet<String>,
    /// Parts of an event: the names after `event.`.
    pub event: BTreeSet<String>,
    /// Whether conversations must be loaded.
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

/// A test of a field's values. If `negated`, the result is inverted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Leaf {
    pub subject: Subject,
    pub negated: bool,
    pub test: Test,
}

impl Leaf {
    fn ids(&self) -> impl Iterator<Item = uuid::Uuid> {
        let wanted = if let Test::OneOf(wanted) = &self.test { wanted.as_slice() } else { &[] };
        wanted.iter().filter_map(|it| if let Operand::Id(id) = it { Some(*id) } else { None })
    }

    fn gather(&self, names: &mut Names) {
        match &self.subject {
            Subject::Contact(_) | Subject::Gone => {}
            Subject::Tags => names.tags.extend(self.ids().map(TagId::from_uuid)),
            Subject::Custom { id, .. } => {
                names.custom_fields.insert(*id);
            }
            Subject::Bot { id, .. } => {
                names.bot_fields.insert(*id);
            }
            Subject::Conversation(attribute) => {
                names.conversation = true;
                if *attribute == ConversationAttribute::ChannelId {
                    names.channels.extend(self.ids().map(ChannelId::from_uuid));
                }
            }
            Subject::Vars(path) => {
                names.vars.insert(path.join("."));
            }
            Subject::Event(path) => {
                names.event.insert(path.join("."));
            }
        }
    }
}

/// The field of a leaf.
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
    /// A field or tag that was deleted after the condition was written. It has no value.
    Gone,
}

impl Subject {
    pub(super) fn name(&self) -> String {
        match self {
            Self::Contact(attribute) => attribute.name().to_owned(),
            Self::Tags => "tags".to_owned(),
            Self::Custom { key, .. } => format!("custom_fields.{key}"),
            Self::Bot { key, .. } => format!("bot_fields.{key}"),
            Self::Conversation(attribute) => format!("conversation.{}", attribute.name()),
            Self::Vars(path) => format!("vars.{}", path.join(".")),
            Self::Event(path) => format!("event.{}", path.join(".")),
            Self::Gone => "a deleted field".to_owned(),
        }
    }
}

/// A test of one value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Test {
    /// Any value.
    Present,
    /// Equal to one of these.
    OneOf(Vec<Operand>),
    Within(Range),
    /// Folded.
    Contains(String),
    /// Folded.
    StartsWith(String),
    WithinLast(Duration),
}
