use serde::Serialize;

use crate::ids::{
    BotFieldId, BroadcastId, ChannelId, FieldId, FlowId, MediaId, SecretId, SegmentId, SequenceId, TagId, TypedId,
    UserId,
};
use crate::stored::StoredId;
use crate::time::Timestamp;

/// An object that refers to other objects. Stores must know the tables of a new type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Referrer {
    /// A flow, by its published version; files also by its earlier versions.
    Flow(FlowId),
    /// A flow, by its draft: secrets and files only.
    FlowDraft(FlowId),
    /// A sequence, by its steps and its condition.
    Sequence(SequenceId),
    /// A simple object, such as a segment, by its condition, or a saved reply, by its files.
    Stored(StoredId),
    /// A broadcast that has not ended, by its audience, its channel and the files of its message.
    Broadcast(BroadcastId),
}

impl Referrer {
    /// Returns the type in the API and the store.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Flow(_) => "flow",
            Self::FlowDraft(_) => "flow_draft",
            Self::Sequence(_) => "sequence",
            Self::Stored(id) => id.kind().word(),
            Self::Broadcast(_) => "broadcast",
        }
    }

    /// Returns the ID without its prefix.
    pub fn uuid(self) -> uuid::Uuid {
        match self {
            Self::Flow(id) | Self::FlowDraft(id) => id.uuid(),
            Self::Sequence(id) => id.uuid(),
            Self::Stored(id) => id.uuid(),
            Self::Broadcast(id) => id.uuid(),
        }
    }

    /// Returns the ID with its prefix.
    pub fn id(self) -> String {
        match self {
            Self::Flow(id) | Self::FlowDraft(id) => id.to_string(),
            Self::Sequence(id) => id.to_string(),
            Self::Stored(id) => id.to_string(),
            Self::Broadcast(id) => id.to_string(),
        }
    }

    /// Returns the object of this type with this ID.
    pub fn parse(kind: &str, uuid: uuid::Uuid) -> Option<Self> {
        match kind {
            "flow" => Some(Self::Flow(FlowId::from_uuid(uuid))),
            "flow_draft" => Some(Self::FlowDraft(FlowId::from_uuid(uuid))),
            "sequence" => Some(Self::Sequence(SequenceId::from_uuid(uuid))),
            "broadcast" => Some(Self::Broadcast(BroadcastId::from_uuid(uuid))),
            word => StoredId::parse(word, uuid).map(Self::Stored),
        }
    }
}

/// An object that other objects can refer to. Its deletion is rejected while it is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Referent {
    /// A tag.
    Tag(TagId),
    /// A custom field.
    Field(FieldId),
    /// A bot field.
    BotField(BotFieldId),
    /// A secret.
    Secret(SecretId),
    /// A flow.
    Flow(FlowId),
    /// A sequence.
    Sequence(SequenceId),
    /// A channel.
    Channel(ChannelId),
    /// A segment.
    Segment(SegmentId),
    /// A file.
    Media(MediaId),
}

impl Referent {
    /// Returns the type in the API and the store.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Tag(_) => "tag",
            Self::Field(_) => "custom_field",
            Self::BotField(_) => "bot_field",
            Self::Secret(_) => "secret",
            Self::Flow(_) => "flow",
            Self::Sequence(_) => "sequence",
            Self::Channel(_) => "channel",
            Self::Segment(_) => "segment",
            Self::Media(_) => "media",
        }
    }

    /// Returns the ID without its prefix.
    pub fn uuid(self) -> uuid::Uuid {
        match self {
            Self::Tag(id) => id.uuid(),
            Self::Field(id) => id.uuid(),
            Self::BotField(id) => id.uuid(),
            Self::Secret(id) => id.uuid(),
            Self::Flow(id) => id.uuid(),
            Self::Sequence(id) => id.uuid(),
            Self::Channel(id) => id.uuid(),
            Self::Segment(id) => id.uuid(),
            Self::Media(id) => id.uuid(),
        }
    }

    /// Returns the ID with its prefix.
    pub fn id(self) -> String {
        match self {
            Self::Tag(id) => id.to_string(),
            Self::Field(id) => id.to_string(),
            Self::BotField(id) => id.to_string(),
            Self::Secret(id) => id.to_string(),
            Self::Flow(id) => id.to_string(),
            Self::Sequence(id) => id.to_string(),
            Self::Channel(id) => id.to_string(),
            Self::Segment(id) => id.to_string(),
            Self::Media(id) => id.to_string(),
        }
    }

    /// Returns the object of this type with this ID.
    pub fn parse(kind: &str, uuid: uuid::Uuid) -> Option<Self> {
        match kind {
            "tag" => Some(Self::Tag(TagId::from_uuid(uuid))),
            "custom_field" => Some(Self::Field(FieldId::from_uuid(uuid))),
            "bot_field" => Some(Self::BotField(BotFieldId::from_uuid(uuid))),
            "secret" => Some(Self::Secret(SecretId::from_uuid(uuid))),
            "flow" => Some(Self::Flow(FlowId::from_uuid(uuid))),
            "sequence" => Some(Self::Sequence(SequenceId::from_uuid(uuid))),
            "channel" => Some(Self::Channel(ChannelId::from_uuid(uuid))),
            "segment" => Some(Self::Segment(SegmentId::from_uuid(uuid))),
            "media" => Some(Self::Media(MediaId::from_uuid(uuid))),
            _ => None,
        }
    }
}

/// An object that refers to another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dependent {
    /// The object.
    #[serde(skip)]
    pub owner: Referrer,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The ID.
    pub id: String,
    /// Its name at the time of the request.
    pub name: String,
}

impl Dependent {
    /// Returns the object with this name.
    pub fn new(owner: Referrer, name: String) -> Self {
        Self { owner, kind: owner.kind(), id: owner.id(), name }
    }
}

/// A reference to a deleted object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostReference {
    /// Type of the deleted object: the type of a [`Referent`], `option` or `member`.
    pub kind: &'static str,
    /// The deleted object; `None` for an option, for a member, and if it was never known.
    pub target: Option<Referent>,
    /// Name of the object when it was deleted.
    pub name: String,
    /// When it was deleted.
    pub at: Timestamp,
}

/// A deleted object that another object used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = LostReference))]
#[non_exhaustive]
pub struct LostReferenceView {
    /// Type of the deleted object: `tag`, `custom_field`, `option` and so on. `member` is a member who left the workspace.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Name of the object when it was deleted; the ID of a member.
    pub name: String,
    /// When the object was deleted. If that is not known, when the object that used it was last saved.
    pub at: Timestamp,
}

impl LostReference {
    /// Returns the lost reference to an object that was deleted by force.
    pub fn deleted(target: Referent, name: String, at: Timestamp) -> Self {
        Self { kind: target.kind(), target: Some(target), name, at }
    }

    /// Returns the lost reference to a former member. The ID is the name, because accounts of former members are not
    /// read.
    pub fn member(user: UserId, at: Timestamp) -> Self {
        Self { kind: "member", target: None, name: user.to_string(), at }
    }
}

impl From<&LostReference> for LostReferenceView {
    fn from(it: &LostReference) -> Self {
        Self { kind: it.kind, name: it.name.clone(), at: it.at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::SavedReplyId;

    /// Stored references and the API have these types.
    #[test]
    fn reads_every_referrer_from_its_type_and_its_id() {
        let uuid = uuid::Uuid::from_u128(7);
        for (referrer, kind) in [
            (Referrer::Flow(FlowId::from_uuid(uuid)), "flow"),
            (Referrer::FlowDraft(FlowId::from_uuid(uuid)), "flow_draft"),
            (Referrer::Sequence(SequenceId::from_uuid(uuid)), "sequence"),
            (Referrer::Stored(SegmentId::from_uuid(uuid).into()), "segment"),
            (Referrer::Stored(SavedReplyId::from_uuid(uuid).into()), "saved_reply"),
            (Referrer::Broadcast(BroadcastId::from_uuid(uuid)), "broadcast"),
        ] {
            assert_eq!((referrer.kind(), referrer.uuid()), (kind, uuid));
            assert_eq!(Referrer::parse(kind, uuid), Some(referrer));
        }
        assert_eq!(Referrer::parse("contact", uuid), None);
    }

    #[test]
    fn reads_every_referent_from_its_type_and_its_id() {
        let uuid = uuid::Uuid::from_u128(7);
        for (referent, kind) in [
            (Referent::Tag(TagId::from_uuid(uuid)), "tag"),
            (Referent::Field(FieldId::from_uuid(uuid)), "custom_field"),
            (Referent::BotField(BotFieldId::from_uuid(uuid)), "bot_field"),
            (Referent::Secret(SecretId::from_uuid(uuid)), "secret"),
            (Referent::Flow(FlowId::from_uuid(uuid)), "flow"),
            (Referent::Sequence(SequenceId::from_uuid(uuid)), "sequence"),
            (Referent::Channel(ChannelId::from_uuid(uuid)), "channel"),
            (Referent::Segment(SegmentId::from_uuid(uuid)), "segment"),
            (Referent::Media(MediaId::from_uuid(uuid)), "media"),
        ] {
            assert_eq!((referent.kind(), referent.uuid()), (kind, uuid));
            assert_eq!(Referent::parse(kind, uuid), Some(referent));
        }
        assert_eq!(Referent::parse("contact", uuid), None);
    }
}
