//! What a deleted tag or custom field left behind, removed in small commits. For options see [`super::options`].

use std::sync::Arc;

use super::unless_lost;
use crate::access::Access;
use crate::error::Error;
use crate::ids::{FieldId, TagId, TypedId};
use crate::ports::{Change, ChangeSet, ClaimedJob, FieldChange, JobChange, Ports, TagChange};
use crate::settle::settle;

/// How many rows one commit removes.
const BATCH: u32 = 500;

/// Sweeps behind deleted tags and custom fields.
#[derive(Clone)]
pub struct Sweeper {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl Sweeper {
    /// Removes some links of the job's tag; the job comes back until none is left.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn sweep_tag(&self, access: &Access, job: &ClaimedJob) -> Result<(), Error> {
        let tag = TagId::from_uuid(job.subject);
        let left = self.ports.tags.has_links(access, tag).await?;
        self.commit(access, job, left.then_some(Change::Tag(TagChange::SweepLinks { tag, limit: BATCH }))).await
    }

    /// Removes some values of the job's field; the job comes back until none is left.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn sweep_field(&self, access: &Access, job: &ClaimedJob) -> Result<(), Error> {
        let field = FieldId::from_uuid(job.subject);
        let left = self.ports.fields.has_values(access, field).await?;
        self.commit(access, job, left.then_some(Change::Field(FieldChange::SweepValues { field, limit: BATCH }))).await
    }

    async fn commit(&self, access: &Access, job: &ClaimedJob, sweep: Option<Change>) -> Result<(), Error> {
        let (id, token) = (job.id, job.token);
        let mut set = ChangeSet::new(access.workspace());
        match sweep {
            Some(sweep) => {
                let due_at = self.ports.clock.now();
                set.change(sweep).change(Change::Job(JobChange::Reschedule { job: id, token, due_at, error: None }));
            }
            None => {
                set.change(Change::Job(JobChange::Finish { job: id, token }));
            }
        }
        settle(|| async { unless_lost(self.ports.ledger.commit(set.clone()).await) }).await
    }
}
