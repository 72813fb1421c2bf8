//! The whole of it as the API describes it.

#[cfg(feature = "openapi")]
use crate::{
    contacts::ContactView,
    conversations::{ConversationView, MessageView},
    custom_events::CustomEventView,
    flows::RunView,
    imports::RejectedRowView,
    sequences::EnrollmentView,
};

/// All that is kept of a person, each list with the oldest first.
#[cfg(feature = "openapi")]
#[derive(utoipa::ToSchema)]
#[schema(as = Disclosure)]
#[allow(dead_code, reason = "it is written part by part, and described as a whole")]
pub struct DisclosureView {
    /// The contact.
    contact: ContactView,
    /// What was said, by channel.
    conversations: Vec<ConversationView>,
    /// The messages of all conversations, conversation by conversation, and then those that stand in none.
    messages: Vec<MessageView>,
    /// What clients told that happened.
    custom_events: Vec<CustomEventView>,
    /// The envelopes of events about the contact that are still kept.
    #[schema(value_type = Vec<Object>)]
    events: Vec<serde_json::Value>,
    /// The ways through flows, with variables and traces.
    flow_runs: Vec<RunView>,
    /// The ways through sequences.
    enrollments: Vec<EnrollmentView>,
    /// The rows that imports rejected and that name the contact by `external_id`, `email` or `phone`; they are kept for 30 days.
    rejected_rows: Vec<RejectedRowView>,
}
