//! Values that a deleted custom field left behind, removed in small commits. For options see [`super::retire`].

use std::sync::Arc;

use crate::access::Access;
use crate::error::Error;
use crate::ids::FieldId;
use crate::ports::{Change, ClaimedJob, FieldChange, Ports};
use crate::work::{BATCH_OF_SWEEP, sweep};

/// Sweeps behind custom fields.
#[derive(Clone)]
pub struct FieldSweeper {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl FieldSweeper {
    /// Removes some values of a deleted field; the job comes back until none is left.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn sweep(&self, access: &Access, job: &ClaimedJob, field: FieldId) -> Result<(), Error> {
        let left = self.ports.fields.has_values(access, field).await?;
        let removal = Change::Field(FieldChange::SweepValues { field, limit: BATCH_OF_SWEEP });
        sweep(&self.ports, job, left.then_some(removal)).await
    }
}
