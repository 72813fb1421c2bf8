//! A process's knowledge of the queues between claims.

use tidings_domain::ids::TypedId;
use tidings_domain::ports::{Change, ChangeSet, Due};
use uuid::Uuid;

use super::webhooks::Webhooks;
use super::workspaces::WorkspaceTurns;

/// The known non-empty queues and the turns of their workspaces.
#[derive(Debug, Default)]
pub(crate) struct KnownQueues {
    pub(super) workspaces: WorkspaceTurns,
    pub(super) webhooks: Webhooks,
}

/// The queues that a change set adds jobs to.
#[derive(Debug)]
pub(crate) struct AffectedQueues {
    workspace: Option<Uuid>,
    webhooks: Vec<Uuid>,
}

impl AffectedQueues {
    pub(crate) fn by(set: &ChangeSet) -> Self {
        let due = || set.changes.iter().map(Change::makes_due);
        let mut webhooks: Vec<Uuid> = due().filter_map(|it| Some(it.webhook()?.uuid())).collect();
        webhooks.dedup();
        let brings = !set.jobs.is_empty() || due().any(Due::is_held);
        Self { workspace: brings.then(|| set.workspace.uuid()), webhooks }
    }
}

impl KnownQueues {
    /// Records queues with new jobs, for the next claim.
    pub(crate) fn note(&self, brought: &AffectedQueues) {
        if let Some(workspace) = brought.workspace {
            self.workspaces.refresh_if_unknown(workspace);
        }
        brought.webhooks.iter().for_each(|webhook| self.webhooks.refresh_if_unknown(*webhook));
    }
}
