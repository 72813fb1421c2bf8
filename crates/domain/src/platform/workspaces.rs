//! Workspaces of users, and their sandboxes.

use tidings_tables::Country;

use super::{PlatformService, page};
use crate::access::{Access, Member, NewWorkspace, OutboundMode, Plan, Role, SessionHolder, Workspace};
use crate::audit::{AuditAction, AuditDraft};
use crate::channels::Channel;
use crate::contacts::TimeZone;
use crate::error::Error;
use crate::ids::{ChannelId, JobId, TypedId, UserId, WorkspaceId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook, record_of};
use crate::pagination::{Page, PageRequest, Position};
use crate::patch::Patch;
use crate::ports::{AccessChange, Change, ChangeSet, CommitError, Conflict, Founding, Job, NewJob, Row, UniqueKey};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;

/// A merging update of a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkspacePatch {
    /// The name, 1 to 100 characters.
    pub name: Option<String>,
    /// The plan. Only operators change it.
    pub plan: Option<Plan>,
    /// The time zone of its sequences and sending windows, unless a contact has another one.
    pub time_zone: Option<TimeZone>,
    /// Whether outbound sending is enabled or paused.
    pub outbound: Option<OutboundMode>,
    /// Opt-out keywords of its contacts, in addition to the installation's keywords.
    pub opt_out_words: Option<Vec<String>>,
    /// Whether a reply of a member assigns an unassigned conversation to the member.
    pub assign_on_reply: Option<bool>,
    /// The country of phone numbers without a country code.
    pub default_country: Patch<Country>,
}

fn position(it: &Workspace) -> Position {
    Position { at: it.created_at, id: it.id.uuid() }
}

impl PlatformService {
    /// Returns a page of the user's workspaces, sandboxes included. For an operator: of all workspaces (at most 1 000).
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn workspaces(&self, person: &SessionHolder, request: PageRequest) -> Result<Page<Workspace>, Error> {
        let all = if person.user.operator {
            self.ports.access.workspaces(None).await?
        } else {
            person.memberships.iter().map(|it| it.workspace.clone()).collect()
        };
        Ok(page(all, request, position))
    }

    /// Returns the workspace of `access`.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn workspace(&self, access: &Access) -> Result<Workspace, Error> {
        self.ports.access.workspace(access.workspace()).await?.ok_or(Error::NotFound)
    }

    /// Creates a workspace with the operator as its first owner.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn create_workspace(
        &self,
        operator: UserId,
        command: NewWorkspace,
        idempotency: IdempotencyHook<'_, Workspace>,
    ) -> Result<Done<Workspace>, Error> {
        let now = self.ports.clock.now();
        let id = WorkspaceId::from_uuid(self.ports.ids.next());
        let mut founding = self.founding(id, command.name, command.plan, now);
        founding.owner = Some(Member::new(operator, Role::Owner, now));
        let done = Done::created(founding.workspace.clone());
        let mut set = ChangeSet::outside();
        let (draft, by) = (
            AuditDraft::created(AuditAction::WorkspaceCreated, &done.value),
            Access::of_user(id, operator, Role::Owner),
        );
        self.ports.add_audit(draft, &by, &mut set);
        set.change(Change::Access(AccessChange::FoundWorkspace(Box::new(founding))));
        set.idempotency = record_of(idempotency, &done);
        self.ports.ledger.commit(set).await?;
        Ok(done)
    }

    /// Merges an update into the workspace of `access`.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn update_workspace(
        &self,
        access: &Access,
        patch: WorkspacePatch,
        expected: &ExpectedVersion,
    ) -> Result<Workspace, Error> {
        retry_on_conflict(|| async {
            let before = self.workspace(access).await?;
            expected.check(before.version)?;
            let mut after = before.clone();
            after.name = patch.name.as_deref().map_or(after.name, |name| name.trim().to_owned());
            after.plan = patch.plan.unwrap_or(after.plan);
            after.time_zone = patch.time_zone.clone().unwrap_or(after.time_zone);
            after.outbound = patch.outbound.unwrap_or(after.outbound);
            after.opt_out_words = patch.opt_out_words.clone().unwrap_or(after.opt_out_words);
            after.assign_on_reply = patch.assign_on_reply.unwrap_or(after.assign_on_reply);
            after.default_country = patch.default_country.clone().apply(after.default_country);
            if after == before {
                return Ok(before);
            }
            after.version += 1;
            after.updated_at = self.ports.clock.now().max(before.updated_at);
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Update(Row::Workspace(after.clone())));
            let action = match after.outbound == before.outbound {
                true => AuditAction::WorkspaceUpdated,
                false => AuditAction::WorkspaceOutboundChanged,
            };
            self.ports.add_audit(AuditDraft::changed(action, &before, &after), access, &mut set);
            if after.time_zone != before.time_zone {
                let job = Job::PlanSchedules { workspace: after.id };
                set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), job, self.ports.clock.now()));
            }
            self.ports.ledger.commit(set).await.map_err(AttemptError::from)?;
            Ok(after)
        })
        .await
    }

    /// Enables or pauses outbound sending of the workspace of `access`.
    ///
    /// # Errors
    /// See [`PlatformService::update_workspace`].
    pub async fn set_outbound(
        &self,
        access: &Access,
        mode: OutboundMode,
        expected: &ExpectedVersion,
    ) -> Result<Workspace, Error> {
        self.update_workspace(access, WorkspacePatch { outbound: Some(mode), ..WorkspacePatch::default() }, expected)
            .await
    }

    /// Returns the sandbox of the workspace of `access`.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn sandbox(&self, access: &Access) -> Result<Workspace, Error> {
        self.ports.access.sandbox_of(access.workspace()).await?.ok_or(Error::NotFound)
    }

    /// Creates the sandbox of the workspace of `access`: a separate workspace with the same members and a sandbox
    /// channel. Returns an existing sandbox unchanged.
    ///
    /// # Errors
    /// [`Error::NotFound`] for the sandbox of a sandbox, [`Error::Store`].
    pub async fn create_sandbox(
        &self,
        access: &Access,
        idempotency: IdempotencyHook<'_, Workspace>,
    ) -> Result<Done<Workspace>, Error> {
        if access.workspace().is_sandbox() {
            return Err(Error::NotFound);
        }
        retry_on_conflict(|| async {
            if let Some(there) = self.ports.access.sandbox_of(access.workspace()).await? {
                let done = Done::unchanged(there);
                if let Some(record) = record_of(idempotency, &done) {
                    let mut set = ChangeSet::new(access.workspace());
                    set.idempotency = Some(record);
                    self.ports.ledger.commit(set).await.map_err(AttemptError::from)?;
                }
                return Ok(done);
            }
            let live = self.workspace(access).await?;
            let id = WorkspaceId::of_sandbox(self.ports.ids.next());
            let name: String = live.name.chars().take(90).collect();
            let mut founding = self.founding(id, format!("{name} (sandbox)"), live.plan, self.ports.clock.now());
            founding.workspace.live_workspace = Some(live.id);
            founding.workspace.time_zone = live.time_zone.clone();
            founding.workspace.opt_out_words = live.opt_out_words.clone();
            founding.workspace.assign_on_reply = live.assign_on_reply;
            founding.workspace.default_country = live.default_country;
            let done = Done::created(founding.workspace.clone());
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Access(AccessChange::FoundWorkspace(Box::new(founding))));
            let draft = AuditDraft::about(AuditAction::SandboxCreated, Some(id.to_string()));
            self.ports.add_audit(draft, access, &mut set);
            set.idempotency = record_of(idempotency, &done);
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(done),
                Err(CommitError::Conflict(Conflict::Exists(UniqueKey::Sandbox))) => Err(AttemptError::Retry),
                Err(error) => Err(error.into()),
            }
        })
        .await
    }

    /// Returns a workspace with a default sandbox channel.
    fn founding(&self, id: WorkspaceId, name: String, plan: Plan, now: Timestamp) -> Founding {
        let workspace = Workspace::new(id, name, plan, now);
        let channel = Channel::sandbox(ChannelId::from_uuid(self.ports.ids.next()), true, now);
        Founding { workspace, channel, owner: None }
    }
}
