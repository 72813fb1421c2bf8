//! The condition by which contacts leave a sequence.

use std::sync::Arc;

use serde_json::Value;

use super::Sequence;
use crate::access::Access;
use crate::contacts::Contact;
use crate::error::Violation;
use crate::ports::{ConversationQueries, FieldQueries, StoreError, TagQueries};
use crate::time::Timestamp;

/// Reads and asks the conditions of sequences.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct ExitConditions {
    pub fields: Arc<dyn FieldQueries>,
    pub tags: Arc<dyn TagQueries>,
    pub conversations: Arc<dyn ConversationQueries>,
}

impl ExitConditions {
    /// What is wrong with a condition, with pointers that begin with `/exit_when`.
    pub(super) async fn check(&self, _access: &Access, _written: &Value) -> Result<Vec<Violation>, StoreError> {
        Ok(Vec::new())
    }

    /// Whether the condition of the sequence, if it has one, holds for the contact now.
    pub(super) async fn hold(
        &self,
        _access: &Access,
        _sequence: &Sequence,
        _contact: &Contact,
        _now: Timestamp,
    ) -> Result<bool, StoreError> {
        Ok(false)
    }
}
