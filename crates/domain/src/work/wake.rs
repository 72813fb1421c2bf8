//! A snoozed conversation, when its time has come.

use std::sync::Arc;

use super::unless_lost;
use crate::access::Access;
use crate::error::Error;
use crate::ids::{ConversationId, TypedId};
use crate::ports::{Change, ChangeSet, ClaimedJob, JobChange, Ports, Row};
use crate::settle::settle;

/// Opens snoozed conversations.
#[derive(Clone)]
pub struct ConversationWaker {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl ConversationWaker {
    /// Opens the job's conversation, unless it was opened, resolved or snoozed for longer meanwhile.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn wake(&self, access: &Access, job: &ClaimedJob) -> Result<(), Error> {
        settle(|| async {
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Job(JobChange::Finish { job: job.id, token: job.token }));
            let found = self.ports.conversations.get(access, ConversationId::from_uuid(job.subject)).await?;
            if let Some(mut conversation) = found
                && conversation.wake(self.ports.clock.now())
            {
                set.change(Change::Update(Row::Conversation(conversation)));
            }
            unless_lost(self.ports.ledger.commit(set).await)
        })
        .await
    }
}
