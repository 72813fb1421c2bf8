//! Conversations and the messages in them.

mod decide;
mod model;
mod service;
mod view;

pub use decide::{OutgoingMessage, Recipient, suppression};
pub use model::{
    Conversation, ConversationStatus, Direction, Handler, Message, MessageError, MessageStatus, StatusChange,
    Suppression,
};
pub use service::{ConversationFilter, ConversationService, SendMessage};
pub use view::{ConversationView, MessageErrorView, MessageType, MessageView, StatusChangeView};
