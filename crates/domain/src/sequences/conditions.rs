//! The condition by which contacts leave a sequence.

use std::sync::Arc;

use serde_json::Value;

use super::Sequence;
use crate::access::Access;
use crate::conditions::BoundCondition;
use crate::error::Violation;
use crate::ports::{Ports, StoreError};
use crate::references::{LostReference, Referent, Referrer};
use crate::segments::Audiences;

/// Reads the conditions of sequences.
#[derive(Clone)]
pub struct ExitConditions {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl ExitConditions {
    /// A condition that a client wrote, bound; or what is wrong with it, with pointers that begin with `/exit_when`.
    pub(super) async fn bind(
        &self,
        access: &Access,
        written: &Value,
    ) -> Result<Result<BoundCondition, Vec<Violation>>, StoreError> {
        self.audiences().bind(access, written, "/exit_when").await
    }

    /// What a sequence lost.
    pub(super) async fn lost(&self, access: &Access, it: &Sequence) -> Result<Vec<LostReference>, StoreError> {
        let mut lost =
            self.audiences().lost(access, Referrer::Sequence(it.id), it.exit_when.as_ref(), it.updated_at).await?;
        if let Some(condition) = &it.exit_when {
            lost.extend(self.audiences().lost_members(access, condition, it.updated_at).await?);
        }
        Ok(lost)
    }

    /// Whether a condition lost something: then it must not decide who leaves.
    pub(super) async fn is_lost(&self, access: &Access, condition: &BoundCondition) -> Result<bool, StoreError> {
        Ok(!self.audiences().lost_words(access, condition).await?.is_empty())
    }

    /// Writes the present names of tags into the conditions of sequences.
    pub(super) async fn rename(&self, access: &Access, sequences: &mut [Sequence]) -> Result<(), StoreError> {
        self.audiences().rename(access, sequences.iter_mut().filter_map(|it| it.exit_when.as_mut())).await
    }

    /// What a condition names that is there.
    pub(super) async fn names(&self, access: &Access, it: &BoundCondition) -> Result<Vec<Referent>, StoreError> {
        self.audiences().names(access, it).await
    }

    fn audiences(&self) -> Audiences {
        Audiences { ports: self.ports.clone() }
    }
}
