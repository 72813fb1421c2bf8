//! What a process knows of queues between its claims.

use tidings_domain::ids::TypedId;
use tidings_domain::ports::{Change, ChangeSet, Due};
use uuid::Uuid;

use super::webhooks::Webhooks;
use super::workspaces::WorkspaceTurns;

/// Which queues have anything, and whose turn it is.
#[derive(Debug, Default)]
pub(crate) struct KnownQueues {
    pub(super) workspaces: WorkspaceTurns,
    pub(super) webhooks: Webhooks,
}

/// The queues to which a change set brings something.
#[derive(Debug)]
pub(crate) struct Brought {
    workspace: Option<Uuid>,
    webhooks: Vec<Uuid>,
}

impl Brought {
    pub(crate) fn by(set: &ChangeSet) -> Self {
        let due = || set.changes.iter().map(Change::makes_due);
        let mut webhooks: Vec<Uuid> = due().filter_map(|it| Some(it.webhook()?.uuid())).collect();
        webhooks.dedup();
        let brings = !set.jobs.is_empty() || due().any(Due::is_held);
        Self { workspace: brings.then(|| set.workspace.uuid()), webhooks }
    }
}

impl KnownQueues {
    /// What has been committed is found by the next claim.
    pub(crate) fn note(&self, brought: &Brought) {
        if let Some(workspace) = brought.workspace {
            self.workspaces.brings(workspace);
        }
        brought.webhooks.iter().for_each(|webhook| self.webhooks.brings(*webhook));
    }
}
