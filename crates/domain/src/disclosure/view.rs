//! The disclosure as a whole, for the API description.

#[cfg(feature = "openapi")]
use crate::{
    contacts::ContactView,
    conversations::{ConversationView, MessageView},
    custom_events::CustomEventView,
    flows::RunView,
    imports::RejectedRowView,
    sequences::EnrollmentView,
};

/// All stored data of a contact. Each list begins with the oldest item.
#[cfg(feature = "openapi")]
#[derive(utoipa::ToSchema)]
#[schema(as = Disclosure)]
#[allow(dead_code, reason = "it is written part by part, and described as a whole")]
pub struct DisclosureView {
    /// The contact.
    contact: ContactView,
    /// The conversations, one per channel.
    conversations: Vec<ConversationView>,
    /// The messages by conversation, then messages without a conversation.
    messages: Vec<MessageView>,
    /// Custom events.
    custom_events: Vec<CustomEventView>,
    /// The stored envelopes of events about the contact.
    #[schema(value_type = Vec<Object>)]
    events: Vec<serde_json::Value>,
    /// Runs of flows, with variables and traces.
    flow_runs: Vec<RunView>,
    /// Enrollments in sequences.
    enrollments: Vec<EnrollmentView>,
    /// Rejected rows of imports that name the contact by `external_id`, `email` or `phone`; they are kept for 30 days.
    rejected_rows: Vec<RejectedRowView>,
}
