//! A contact's message → the run that waits for it, else the flow that it triggers.

use std::sync::Arc;

use super::unless_lost;
use crate::access::Access;
use crate::error::Error;
use crate::ports::{Change, ChangeSet, ClaimedJob, Ledger};
use crate::settle::settle;

/// Routes inbound messages.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct InboundRouter {
    pub ledger: Arc<dyn Ledger>,
}

impl InboundRouter {
    /// Routes the job's message.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn route(&self, access: &Access, job: &ClaimedJob) -> Result<(), Error> {
        settle(|| async {
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::FinishJob { job: job.id, token: job.token });
            unless_lost(self.ledger.commit(set).await)
        })
        .await
    }
}
