//! The actions of bulk operations in requests.

use serde_json::Value;
use tidings_domain::bulk::{BulkAction, BulkField};
use tidings_domain::fields::FieldRef;
use tidings_domain::ids::{FieldId, FlowId, SequenceId, TagId};
use tidings_domain::read::schema::{Annotate, Describe};
use tidings_domain::read::{Read, Violation, any, id, string};
use tidings_domain::{Error, body};

use crate::request::RequestContext;

body! {
    /// The action for each contact.
    pub(in crate::contacts) enum ActionBody by "type" {
        "tag" => Tag(TagAction),
        "untag" => Untag(UntagAction),
        "delete" => Delete(DeleteAction),
        "set_field" => SetField(SetFieldAction),
        "clear_field" => ClearField(ClearFieldAction),
        "subscribe" => Subscribe(SubscribeAction),
        "enroll" => Enroll(EnrollAction),
        "start_flow" => StartFlow(StartFlowAction),
    }
}

body! {
    /// Adds a tag.
    pub(in crate::contacts) struct TagAction as "BulkTag" {
        /// The tag.
        required tag_id: TagId = id();
    }
}

body! {
    /// Removes a tag. Needs the scope `full`.
    pub(in crate::contacts) struct UntagAction as "BulkUntag" {
        /// The tag.
        required tag_id: TagId = id();
    }
}

body! {
    /// Deletes the contact. Needs the scope `full`.
    pub(in crate::contacts) struct DeleteAction as "BulkDelete" {
    }
}

body! {
    /// Sets a custom field.
    pub(in crate::contacts) struct SetFieldAction as "BulkSetField" {
        /// Key or ID of the custom field.
        required field: FieldRef<FieldId> = field();
        /// A value of the type of the field.
        required value: Value = any();
    }
}

body! {
    /// Clears a custom field.
    pub(in crate::contacts) struct ClearFieldAction as "BulkClearField" {
        /// Key or ID of the custom field.
        required field: FieldRef<FieldId> = field();
    }
}

body! {
    /// Subscribes the contact. Contacts that opted out themselves stay opted out. Needs the scope `full`.
    pub(in crate::contacts) struct SubscribeAction as "BulkSubscribe" {
    }
}

body! {
    /// Enrolls the contact in a sequence, as the `reenroll` rule of the sequence allows.
    pub(in crate::contacts) struct EnrollAction as "BulkEnroll" {
        /// The sequence. It must be active.
        required sequence_id: SequenceId = id();
    }
}

body! {
    /// Starts a flow. Contacts with a live run of the flow are skipped.
    pub(in crate::contacts) struct StartFlowAction as "BulkStartFlow" {
        /// The flow. It must be active.
        required flow_id: FlowId = id();
    }
}

impl ActionBody {
    /// Returns the action, with its custom field resolved.
    ///
    /// # Errors
    /// 422 if the workspace has no such field.
    pub(super) async fn resolved(self, cx: &RequestContext) -> Result<BulkAction, Error> {
        Ok(match self {
            Self::Tag(TagAction { tag_id }) => BulkAction::Tag(tag_id),
            Self::Untag(UntagAction { tag_id }) => BulkAction::Untag(tag_id),
            Self::Delete(DeleteAction {}) => BulkAction::Delete,
            Self::SetField(SetFieldAction { field, value }) => {
                BulkAction::SetField(bulk_field(cx, &field).await?, Some(value))
            }
            Self::ClearField(ClearFieldAction { field }) => BulkAction::ClearField(bulk_field(cx, &field).await?),
            Self::Subscribe(SubscribeAction {}) => BulkAction::Subscribe,
            Self::Enroll(EnrollAction { sequence_id }) => BulkAction::Enroll(sequence_id),
            Self::StartFlow(StartFlowAction { flow_id }) => BulkAction::StartFlow(flow_id),
        })
    }
}

async fn bulk_field(cx: &RequestContext, field: &FieldRef<FieldId>) -> Result<BulkField, Error> {
    match cx.services().fields.get(cx.access(), field).await {
        Ok(found) => Ok(BulkField { id: found.id, key: found.key }),
        Err(Error::NotFound) => {
            Err(Error::invalid("/action/field", "unknown_field", "no custom field has this key or ID"))
        }
        Err(error) => Err(error),
    }
}

fn field() -> impl Read<FieldRef<FieldId>> + Describe {
    string(|text| {
        let wrong = || Violation::at_root("invalid_id", "expected the key or the ID of a custom field");
        FieldRef::parse(text).ok_or_else(wrong)
    })
    .example("plan")
}
