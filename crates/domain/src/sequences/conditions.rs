//! The condition by which contacts leave a sequence.

use std::sync::Arc;

use serde_json::Value;

use super::Sequence;
use crate::access::Access;
use crate::conditions::{Condition, Facts, vocabulary_for};
use crate::contacts::Contact;
use crate::conversations::ConversationFilter;
use crate::error::Violation;
use crate::pagination::SortedRequest;
use crate::ports::{Ports, StoreError};
use crate::references::Referent;
use crate::segments::Audiences;
use crate::time::Timestamp;

/// Reads and asks the conditions of sequences.
#[derive(Clone)]
pub struct ExitConditions {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl ExitConditions {
    /// What is wrong with a condition, with pointers that begin with `/exit_when`.
    pub(super) async fn check(&self, access: &Access, written: &Value) -> Result<Vec<Violation>, StoreError> {
        Audiences { ports: self.ports.clone() }.check(access, written, "/exit_when").await
    }

    /// What a condition names that is there.
    pub(super) async fn names(&self, access: &Access, written: &Value) -> Result<Vec<Referent>, StoreError> {
        Audiences { ports: self.ports.clone() }.names(access, written).await
    }

    /// Whether the condition of the sequence, if it has one, holds for the contact now.
    pub(super) async fn hold(
        &self,
        access: &Access,
        sequence: &Sequence,
        contact: &Contact,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let Some(written) = &sequence.exit_when else { return Ok(false) };
        let vocabulary = vocabulary_for(access, &*self.ports.fields, &*self.ports.tags, &[written]).await?;
        let corrupt = |_| StoreError::Corrupt(format!("the condition of {}", sequence.id));
        let condition = Condition::parse_stored(written, &vocabulary).map_err(corrupt)?;
        let filter = ConversationFilter { contact: Some(contact.id), ..ConversationFilter::default() };
        let page = SortedRequest { limit: 100, ..SortedRequest::default() };
        let conversations = self.ports.conversations.list(access, &filter, page).await?.items;
        let bot_fields = vocabulary.bot_values();
        let facts =
            Facts { contact, conversations: &conversations, bot_fields: &bot_fields, vars: None, event: None, now };
        Ok(condition.holds(&facts))
    }
}
