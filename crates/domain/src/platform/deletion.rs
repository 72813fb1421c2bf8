//! Deletion and restoration of workspaces.

use super::PlatformService;
use crate::access::{Access, OutboundMode, Workspace, WorkspaceCountsView, WorkspaceDeletion, WorkspaceDeletionView};
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::ports::{AccessChange, Change, ChangeSet};
use crate::retention::days;
use crate::retry::{AttemptError, commit_outcome, retry_on_conflict};
use crate::time::Timestamp;

/// A deletion of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeleteWorkspace {
    /// The name of the workspace, repeated by the user as a confirmation.
    pub name: String,
    /// For how many days the workspace can be restored.
    pub grace_days: u32,
    /// Whether nothing is changed.
    pub dry_run: bool,
}

/// Returns the error for a deleted workspace.
fn too_late(deletion: WorkspaceDeletion) -> Error {
    Error::WorkspaceDeleted { restore_until: deletion.restore_until() }
}

fn must_be_live(access: &Access, advice: &str) -> Result<(), Error> {
    if access.workspace().is_sandbox() { Err(Error::invalid("", "sandbox", advice)) } else { Ok(()) }
}

impl PlatformService {
    /// Deletes the workspace of `access` with its sandbox, or shows the effect. Keys, jobs and inbound messages stop at
    /// once. The data is erased after the grace period.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the name differs or the workspace is a sandbox, [`Error::WorkspaceDeleted`] if it is
    /// already deleted and the new grace period does not end earlier, [`Error::NotFound`],
    /// [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn delete_workspace(
        &self,
        access: &Access,
        command: &DeleteWorkspace,
        expected: &ExpectedVersion,
    ) -> Result<WorkspaceDeletionView, Error> {
        must_be_live(access, "a sandbox is deleted with its live workspace; delete that, or reset the sandbox")?;
        retry_on_conflict(|| async {
            let before = self.workspace(access).await?;
            expected.check(before.version)?;
            if command.name.trim() != before.name {
                let message = format!("must repeat the name of the workspace: {}", before.name);
                return Err(AttemptError::Final(Error::invalid("/name", "mismatch", message)));
            }
            let now = self.ports.clock.now();
            let erase_at = now.plus(days(command.grace_days));
            let deletion = match before.deletion {
                None => WorkspaceDeletion { at: now, erase_at },
                Some(earlier) if erase_at < earlier.erase_at => WorkspaceDeletion { erase_at, ..earlier },
                Some(earlier) => return Err(AttemptError::Final(too_late(earlier))),
            };
            let counts = self.ports.access.counts(before.id).await.map_err(Error::from)?;
            let has_sandbox = self.ports.access.sandbox_of(before.id).await.map_err(Error::from)?.is_some();
            let after = match command.dry_run {
                true => before,
                false => self.mark_deleted(access, before, deletion, now).await?,
            };
            Ok(WorkspaceDeletionView {
                workspace: (&after).into(),
                dry_run: command.dry_run,
                restore_until: deletion.erase_at,
                has_sandbox,
                counts: WorkspaceCountsView::from(&counts),
            })
        })
        .await
    }

    async fn mark_deleted(
        &self,
        access: &Access,
        before: Workspace,
        deletion: WorkspaceDeletion,
        at: Timestamp,
    ) -> Result<Workspace, AttemptError> {
        let mut set = ChangeSet::new(before.id);
        set.change(Change::Access(AccessChange::DeleteWorkspace { version: before.version, deletion, at }));
        let draft = AuditDraft::done(AuditAction::WorkspaceDeleted, &before).with("restore_until", &deletion.erase_at);
        self.audit_inside_and_outside(&draft, access, &mut set);
        self.ports.ledger.commit(set).await?;
        let version = before.version + 1;
        Ok(Workspace { version, updated_at: at, deletion: Some(deletion), ..before })
    }

    /// Restores the deleted workspace of `access` with its sandbox. Jobs that became due during the deletion run then.
    /// With [`OutboundMode::Hold`], messages and deliveries wait until outbound sending is resumed. A workspace that is
    /// not deleted is unchanged.
    ///
    /// # Errors
    /// [`Error::WorkspaceDeleted`] if it is too late, [`Error::NotFound`], [`Error::PreconditionFailed`],
    /// [`Error::Store`].
    pub async fn restore_workspace(
        &self,
        access: &Access,
        outbound: Option<OutboundMode>,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Workspace>,
    ) -> Result<Done<Workspace>, Error> {
        must_be_live(access, "a sandbox is restored with its live workspace; restore that")?;
        retry_on_conflict(|| async {
            let before = self.workspace(access).await?;
            expected.check(before.version)?;
            let now = self.ports.clock.now();
            let mut set = ChangeSet::new(before.id);
            let done = match before.deletion {
                None => Done::unchanged(before),
                Some(deletion) if !deletion.is_reversible(now) => {
                    return Err(AttemptError::Final(too_late(deletion)));
                }
                Some(deletion) => Done::changed(self.restored(access, before, (deletion, outbound), &mut set, now)),
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    fn restored(
        &self,
        access: &Access,
        before: Workspace,
        (deletion, outbound): (WorkspaceDeletion, Option<OutboundMode>),
        set: &mut ChangeSet,
        at: Timestamp,
    ) -> Workspace {
        let version = before.version;
        set.change(Change::Access(AccessChange::RestoreWorkspace { version, deletion, outbound, at }));
        let draft = AuditDraft::done(AuditAction::WorkspaceRestored, &before);
        self.audit_inside_and_outside(&draft, access, set);
        let outbound = outbound.unwrap_or(before.outbound);
        Workspace { version: version + 1, updated_at: at, deletion: None, outbound, ..before }
    }

    /// Writes an entry into the workspace's log, and into the log outside of workspaces, which outlives the workspace.
    fn audit_inside_and_outside(&self, draft: &AuditDraft, access: &Access, set: &mut ChangeSet) {
        let outside = Access::outside(access.actor().clone());
        for access in [access, &outside] {
            self.ports.add_audit(draft.clone(), access, set);
        }
    }
}
