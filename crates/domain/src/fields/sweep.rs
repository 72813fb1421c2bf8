//! Deletion of the values of a deleted custom field, in small commits. For options see [`super::retire`].

use std::sync::Arc;

use crate::access::Access;
use crate::error::Error;
use crate::ids::FieldId;
use crate::ports::{Change, ClaimedJob, FieldChange, Ports};
use crate::work::{BATCH_OF_SWEEP, sweep};

/// Deletes values and options of custom fields from contacts.
#[derive(Clone)]
pub struct FieldSweeper {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl FieldSweeper {
    /// Deletes some values of a deleted field. The job is rescheduled until none is left.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn sweep(&self, access: &Access, job: &ClaimedJob, field: FieldId) -> Result<(), Error> {
        let left = self.ports.fields.has_values(access, field).await?;
        let removal = Change::Field(FieldChange::SweepValues { field, limit: BATCH_OF_SWEEP });
        sweep(&self.ports, job, left.then_some(removal)).await
    }
}
