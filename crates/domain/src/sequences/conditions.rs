//! The condition by which contacts leave a sequence.

use std::sync::Arc;

use serde_json::Value;

use crate::access::Access;
use crate::error::Violation;
use crate::ports::{Ports, StoreError};
use crate::references::Referent;
use crate::segments::Audiences;

/// Reads the conditions of sequences.
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
}
