//! The actions of bulk operations.

use serde_json::Value;
use uuid::Uuid;

use crate::access::Scope;
use crate::ids::{FieldId, FlowId, SequenceId, TagId, TypedId};
use crate::words::words;

words! {
    /// The action for each contact.
    BulkActionKind {
        /// Adds a tag.
        Tag = "tag",
        /// Removes a tag.
        Untag = "untag",
        /// Deletes the contact.
        Delete = "delete",
        /// Sets a custom field.
        SetField = "set_field",
        /// Clears a custom field.
        ClearField = "clear_field",
        /// Subscribes the contact.
        Subscribe = "subscribe",
        /// Enrolls the contact in a sequence.
        Enroll = "enroll",
        /// Starts a flow.
        StartFlow = "start_flow",
    }
}

/// A custom field. The key of a field never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BulkField {
    /// The ID.
    pub id: FieldId,
    /// The key.
    pub key: String,
}

/// The action for each contact.
#[derive(Debug, Clone, PartialEq)]
pub enum BulkAction {
    /// Adds this tag.
    Tag(TagId),
    /// Removes this tag.
    Untag(TagId),
    /// Deletes the contact.
    Delete,
    /// Sets a custom field to this value. The value is `None` after the operation has ended.
    SetField(BulkField, Option<Value>),
    /// Clears a custom field.
    ClearField(BulkField),
    /// Subscribes the contact, unless it opted out itself.
    Subscribe,
    /// Enrolls the contact in this sequence.
    Enroll(SequenceId),
    /// Starts this flow.
    StartFlow(FlowId),
}

/// The objects and the value of an action, as they are stored.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BulkActionParts {
    /// The tag.
    pub tag: Option<TagId>,
    /// ID of the custom field, the sequence or the flow.
    pub object: Option<Uuid>,
    /// Key of the custom field.
    pub field_key: Option<String>,
    /// Value for the custom field.
    pub value: Option<Value>,
}

impl BulkAction {
    /// Returns the action of a kind; `None` if its object is missing.
    pub fn from_parts(kind: BulkActionKind, parts: BulkActionParts) -> Option<Self> {
        let BulkActionParts { tag, object, field_key, value } = parts;
        let field = object.zip(field_key).map(|(id, key)| BulkField { id: FieldId::from_uuid(id), key });
        match kind {
            BulkActionKind::Tag => tag.map(Self::Tag),
            BulkActionKind::Untag => tag.map(Self::Untag),
            BulkActionKind::Delete => tag.is_none().then_some(Self::Delete),
            BulkActionKind::SetField => field.map(|field| Self::SetField(field, value)),
            BulkActionKind::ClearField => field.map(Self::ClearField),
            BulkActionKind::Subscribe => Some(Self::Subscribe),
            BulkActionKind::Enroll => object.map(|id| Self::Enroll(SequenceId::from_uuid(id))),
            BulkActionKind::StartFlow => object.map(|id| Self::StartFlow(FlowId::from_uuid(id))),
        }
    }

    /// Returns the objects and the value of the action.
    pub fn parts(&self) -> BulkActionParts {
        let none = BulkActionParts::default();
        match self {
            Self::Tag(tag) | Self::Untag(tag) => BulkActionParts { tag: Some(*tag), ..none },
            Self::Delete | Self::Subscribe => none,
            Self::SetField(field, value) => BulkActionParts { value: value.clone(), ..Self::parts_of(field) },
            Self::ClearField(field) => Self::parts_of(field),
            Self::Enroll(sequence) => BulkActionParts { object: Some(sequence.uuid()), ..none },
            Self::StartFlow(flow) => BulkActionParts { object: Some(flow.uuid()), ..none },
        }
    }

    fn parts_of(field: &BulkField) -> BulkActionParts {
        let (object, field_key) = (Some(field.id.uuid()), Some(field.key.clone()));
        BulkActionParts { object, field_key, ..BulkActionParts::default() }
    }

    /// Returns the kind of the action.
    pub fn kind(&self) -> BulkActionKind {
        match self {
            Self::Tag(_) => BulkActionKind::Tag,
            Self::Untag(_) => BulkActionKind::Untag,
            Self::Delete => BulkActionKind::Delete,
            Self::SetField(..) => BulkActionKind::SetField,
            Self::ClearField(_) => BulkActionKind::ClearField,
            Self::Subscribe => BulkActionKind::Subscribe,
            Self::Enroll(_) => BulkActionKind::Enroll,
            Self::StartFlow(_) => BulkActionKind::StartFlow,
        }
    }

    /// Returns the tag of the action.
    pub fn tag(&self) -> Option<TagId> {
        match self {
            Self::Tag(tag) | Self::Untag(tag) => Some(*tag),
            Self::Delete
            | Self::SetField(..)
            | Self::ClearField(_)
            | Self::Subscribe
            | Self::Enroll(_)
            | Self::StartFlow(_) => None,
        }
    }

    /// Returns the ID of the tag, the custom field, the sequence or the flow, for the audit log.
    pub(super) fn target(&self) -> Option<String> {
        match self {
            Self::Tag(tag) | Self::Untag(tag) => Some(tag.to_string()),
            Self::SetField(field, _) | Self::ClearField(field) => Some(field.id.to_string()),
            Self::Enroll(sequence) => Some(sequence.to_string()),
            Self::StartFlow(flow) => Some(flow.to_string()),
            Self::Delete | Self::Subscribe => None,
        }
    }

    /// Returns the action without its value, which may be personal data. It is stored when the operation ends.
    pub(super) fn without_value(&self) -> Self {
        match self {
            Self::SetField(field, _) => Self::SetField(field.clone(), None),
            Self::Tag(_)
            | Self::Untag(_)
            | Self::Delete
            | Self::ClearField(_)
            | Self::Subscribe
            | Self::Enroll(_)
            | Self::StartFlow(_) => self.clone(),
        }
    }

    /// Whether it can increase the amount of data of a workspace.
    pub fn may_enlarge(&self) -> bool {
        match self {
            Self::Tag(_) | Self::SetField(..) | Self::Enroll(_) | Self::StartFlow(_) => true,
            Self::Untag(_) | Self::Delete | Self::ClearField(_) | Self::Subscribe => false,
        }
    }

    /// Returns the required scope, as for one contact: a removal is a deletion. Only owners, admins and full-scope keys
    /// subscribe many contacts at once.
    pub fn scope(&self) -> Scope {
        match self {
            Self::Tag(_) | Self::SetField(..) | Self::ClearField(_) | Self::Enroll(_) | Self::StartFlow(_) => {
                Scope::Write
            }
            Self::Untag(_) | Self::Delete | Self::Subscribe => Scope::Full,
        }
    }
}
