//! Objects with a version.

use uuid::Uuid;

use crate::ids::{
    BroadcastId, BulkOperationId, ChannelId, ContactId, ConversationId, DeliveryId, EnrollmentId, FlowId, ImportId,
    InvitationId, KeyId, MessageId, RunId, SequenceId, SessionId, TypedId, UserId, WebhookId, WorkspaceId,
};
use crate::stored::StoredId;

/// An object with a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    /// The workspace itself.
    Workspace(WorkspaceId),
    /// An API key that is not revoked.
    Key(KeyId),
    /// A channel that is not deleted.
    Channel(ChannelId),
    /// A contact that is not deleted.
    Contact(ContactId),
    /// A conversation.
    Conversation(ConversationId),
    /// A message.
    Message(MessageId),
    /// A flow that is not deleted.
    Flow(FlowId),
    /// A run.
    Run(RunId),
    /// A simple object.
    Stored(StoredId),
    /// A broadcast.
    Broadcast(BroadcastId),
    /// A bulk operation.
    BulkOperation(BulkOperationId),
    /// An import.
    Import(ImportId),
    /// A sequence that is not deleted.
    Sequence(SequenceId),
    /// An enrollment.
    Enrollment(EnrollmentId),
    /// A webhook.
    Webhook(WebhookId),
    /// A delivery.
    Delivery(DeliveryId),
    /// A user; belongs to no workspace.
    User(UserId),
    /// The membership of a user in the workspace.
    Member(UserId),
    /// An invitation. It never changes, so its version is 1.
    Invitation(InvitationId),
    /// A session that was not ended; belongs to no workspace. Its version is always 1.
    Session(SessionId),
}

impl Object {
    /// Returns its ID, without the kind.
    pub fn uuid(self) -> Uuid {
        match self {
            Self::Workspace(id) => id.uuid(),
            Self::Key(id) => id.uuid(),
            Self::Channel(id) => id.uuid(),
            Self::Contact(id) => id.uuid(),
            Self::Conversation(id) => id.uuid(),
            Self::Message(id) => id.uuid(),
            Self::Flow(id) => id.uuid(),
            Self::Run(id) => id.uuid(),
            Self::Stored(id) => id.uuid(),
            Self::Broadcast(id) => id.uuid(),
            Self::BulkOperation(id) => id.uuid(),
            Self::Import(id) => id.uuid(),
            Self::Sequence(id) => id.uuid(),
            Self::Enrollment(id) => id.uuid(),
            Self::Webhook(id) => id.uuid(),
            Self::Delivery(id) => id.uuid(),
            Self::User(id) => id.uuid(),
            Self::Member(id) => id.uuid(),
            Self::Invitation(id) => id.uuid(),
            Self::Session(id) => id.uuid(),
        }
    }
}
