//! Custom events in API responses.

use serde::Serialize;
use serde_json::{Map, Value};

use super::CustomEvent;
use crate::ids::{ContactId, CustomEventId};
use crate::time::Timestamp;

/// Something that happened to a contact outside the service.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CustomEvent))]
#[non_exhaustive]
pub struct CustomEventView {
    /// The ID.
    pub id: CustomEventId,
    /// ID of the contact.
    pub contact_id: ContactId,
    /// Name of the event.
    pub name: String,
    /// Data of the event.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub data: Map<String, Value>,
    /// When it was recorded.
    pub created_at: Timestamp,
}

impl From<&CustomEvent> for CustomEventView {
    fn from(it: &CustomEvent) -> Self {
        Self { id: it.id, contact_id: it.contact, name: it.name.to_string(), data: it.data.clone(), created_at: it.at }
    }
}
