//! What a process knows of queues between its claims.

use tidings_domain::ids::TypedId;
use tidings_domain::ports::{Change, ChangeSet, JobChange, Row};
use tidings_domain::webhooks::WebhookChange;
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
        let mut webhooks: Vec<Uuid> = set.changes.iter().filter_map(webhook).collect();
        webhooks.dedup();
        let releases = |it: &Change| matches!(it, Change::Job(JobChange::ReleaseHeld { .. }));
        let brings = !set.jobs.is_empty() || set.changes.iter().any(releases);
        Self { workspace: brings.then(|| set.workspace.uuid()), webhooks }
    }
}

/// The webhook whose queue a change may bring a delivery to.
fn webhook(change: &Change) -> Option<Uuid> {
    match change {
        Change::Insert(Row::Delivery(it)) | Change::Update(Row::Delivery(it)) => Some(it.webhook.uuid()),
        Change::Webhook(WebhookChange::RecordAttempt(it)) => Some(it.delivery.webhook.uuid()),
        // Only deliveries have groups.
        Change::Job(JobChange::Release { group, .. }) => Some(*group),
        Change::Insert(_)
        | Change::Update(_)
        | Change::Delete(_)
        | Change::Access(_)
        | Change::Account(_)
        | Change::Analytics(_)
        | Change::Channel(_)
        | Change::Contact(_)
        | Change::Conversation(_)
        | Change::Erasure(_)
        | Change::Merge(_)
        | Change::OptOut(_)
        | Change::Field(_)
        | Change::Flow(_)
        | Change::Job(_)
        | Change::Reference(_)
        | Change::Sequence(_)
        | Change::Broadcast(_)
        | Change::Import(_)
        | Change::Sandbox(_)
        | Change::Tag(_)
        | Change::Webhook(_)
        | Change::Audit(_) => None,
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
