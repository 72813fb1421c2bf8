//! Snoozed conversations that become due, and conversations that members hand back.

use std::sync::Arc;

use super::Handler;
use crate::access::Access;
use crate::error::Error;
use crate::flows::RunExecutor;
use crate::ids::ConversationId;
use crate::ports::{Change, ChangeSet, ClaimedJob, Ports, Row, StoreError};
use crate::retry::retry_on_conflict;
use crate::work::ignore_lost_claim;

/// Opens snoozed conversations, and continues runs in conversations that members handed back.
#[derive(Clone)]
pub struct ConversationWaker {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl ConversationWaker {
    /// Opens a conversation, unless it was opened, resolved or snoozed again in the meantime. If members do not handle
    /// it, its runs receive the replies that were kept for them.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn wake(&self, access: &Access, job: &ClaimedJob, conversation: ConversationId) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.finish());
            self.open(access, conversation, &mut set).await?;
            if let Some(found) = self.ports.conversations.get(access, conversation).await?
                && found.handler != Handler::Human
            {
                RunExecutor { ports: self.ports.clone() }.hand_back(access, &found, &mut set).await?;
            }
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    /// Same as [`ConversationWaker::wake`], as an addition to the set that finishes or dead-letters the job. A
    /// conversation also opens if its job is dead-lettered.
    pub(crate) async fn open(
        &self,
        access: &Access,
        conversation: ConversationId,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let found = self.ports.conversations.get(access, conversation).await?;
        if let Some(mut conversation) = found
            && conversation.wake(self.ports.clock.now())
        {
            set.change(Change::Update(Row::Conversation(conversation)));
        }
        Ok(())
    }
}
