//! Exit conditions of sequences.

use std::sync::Arc;

use serde_json::Value;

use super::Sequence;
use crate::access::Access;
use crate::conditions::BoundCondition;
use crate::error::Violation;
use crate::ports::{Ports, StoreError};
use crate::references::{LostReference, Referent, Referrer};
use crate::segments::Audiences;

/// Access to the exit conditions of sequences.
#[derive(Clone)]
pub struct ExitConditions {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl ExitConditions {
    /// Binds a client's condition. Returns violations with pointers under `/exit_when`.
    pub(super) async fn bind(
        &self,
        access: &Access,
        written: &Value,
    ) -> Result<Result<BoundCondition, Vec<Violation>>, StoreError> {
        self.audiences().bind(access, written, "/exit_when").await
    }

    /// The lost references of a sequence.
    pub(super) async fn lost_references(
        &self,
        access: &Access,
        it: &Sequence,
    ) -> Result<Vec<LostReference>, StoreError> {
        let mut lost = self
            .audiences()
            .lost_references(access, Referrer::Sequence(it.id), it.exit_when.as_ref(), it.updated_at)
            .await?;
        if let Some(condition) = &it.exit_when {
            lost.extend(self.audiences().lost_members(access, condition, it.updated_at).await?);
        }
        Ok(lost)
    }

    /// Whether the condition has lost references. It must not decide about exits then.
    pub(super) async fn is_lost(&self, access: &Access, condition: &BoundCondition) -> Result<bool, StoreError> {
        Ok(!self.audiences().lost_words(access, condition).await?.is_empty())
    }

    /// Replaces the names of tags in the conditions of sequences by their current names.
    pub(super) async fn rename(&self, access: &Access, sequences: &mut [Sequence]) -> Result<(), StoreError> {
        self.audiences().rename(access, sequences.iter_mut().filter_map(|it| it.exit_when.as_mut())).await
    }

    /// The existing objects that a condition refers to.
    pub(super) async fn names(&self, access: &Access, it: &BoundCondition) -> Result<Vec<Referent>, StoreError> {
        self.audiences().names(access, it).await
    }

    fn audiences(&self) -> Audiences {
        Audiences { ports: self.ports.clone() }
    }
}
