//! Custom events as the API shows them.

use serde::Serialize;
use serde_json::{Map, Value};

use super::CustomEvent;
use crate::ids::{ContactId, CustomEventId};
use crate::time::Timestamp;

/// Something that happened to a contact outside of the service.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CustomEvent))]
pub struct CustomEventView {
    /// The id.
    pub id: CustomEventId,
    /// To whom it happened.
    pub contact_id: ContactId,
    /// What happened.
    pub name: String,
    /// What is to be known of it.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub data: Map<String, Value>,
    /// When it was told.
    pub created_at: Timestamp,
}

impl From<&CustomEvent> for CustomEventView {
    fn from(it: &CustomEvent) -> Self {
        Self { id: it.id, contact_id: it.contact, name: it.name.to_string(), data: it.data.clone(), created_at: it.at }
    }
}
