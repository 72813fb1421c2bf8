//! What a condition is, once it is read.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::attributes::{ContactAttribute, ConversationAttribute};
use super::bound::{Bindings, BoundCondition, LostWord};
use super::operand::{Operand, Range};
use crate::fields::FieldKind;
use crate::ids::{BotFieldId, ChannelId, FieldId, TagId, TypedId};

/// A condition that was read against a workspace's vocabulary. It serialises as it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    pub(super) root: Node,
    pub(super) written: Value,
    pub(super) bindings: Bindings,
    pub(super) lost: Vec<LostWord>,
}

impl Condition {
    /// The JSON that it was read from.
    pub fn written(&self) -> &Value {
        &self.written
    }

    /// The condition as it is stored, with the objects that its words mean.
    pub fn bound(self) -> BoundCondition {
        BoundCondition::stored(self.written, Some(self.bindings))
    }

    /// The objects that its words mean.
    pub(crate) fn bindings(&self) -> &Bindings {
        &self.bindings
    }

    /// The words of a stored condition that mean nothing any more.
    pub fn lost(&self) -> &[LostWord] {
        &self.lost
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
    /// Channels.
    pub channels: BTreeSet<ChannelId>,
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
    /// The ids that it compares with.
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

impl Subject {
    /// Its name, as conditions have it.
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
