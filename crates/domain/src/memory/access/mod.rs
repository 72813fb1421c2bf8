//! Workspaces, API keys and idempotency records.

mod accounts;
mod audit;
pub(super) mod sandboxes;
mod sealed;
mod secrets;
mod usage;

use std::time::Duration;

use async_trait::async_trait;

use super::{JobRecord, MemoryStore, Rows, State};
use crate::access::{Access, ApiKey, INVITATION_SPAN, KeyHolder, Workspace, WorkspaceCounts, WorkspaceDeletion};
use crate::ids::WorkspaceId;
use crate::pagination::Total;
use crate::ports::{
    AccessChange, AccessQueries, Conflict, Founding, IdempotencyQueries, IdempotencyRecord, Object, RecordKey, Row,
    StoreError, UniqueKey,
};
use crate::time::Timestamp;

use super::apply::{Applied, insert, own, referenced, unique};
use crate::memory::tables::pages::Answer;

impl State {
    pub(super) fn change_access(&mut self, ws: WorkspaceId, change: AccessChange) -> Applied {
        match change {
            AccessChange::InsertKey(it) => {
                own(ws, it.workspace)?;
                unique(self.keys.values().any(|key| key.digest == it.digest), UniqueKey::KeyDigest)?;
                insert(&mut self.keys, it.id, it)
            }
            AccessChange::RevokeKey { key, at } => {
                let found = self.keys.get_mut(&key).filter(|key| key.workspace == ws && key.revoked_at.is_none());
                let revoke = |key: &mut crate::access::ApiKey| {
                    key.revoked_at = Some(at);
                    key.touch(at);
                };
                found.map(revoke).ok_or_else(|| Conflict::Stale(Object::Key(key)).into())
            }
            AccessChange::FoundWorkspace(founding) => self.found(ws, *founding),
            AccessChange::DeleteWorkspace { version, deletion, at } => self.mark(ws, version, Some(deletion), at),
            AccessChange::RestoreWorkspace { version, deletion, outbound, at } => {
                let stored = self.workspaces.get(&ws).and_then(|it| it.deletion);
                if stored != Some(deletion) {
                    return Err(Conflict::Stale(Object::Workspace(ws)).into());
                }
                self.mark(ws, version, None, at)?;
                if let (Some(outbound), Some(workspace)) = (outbound, self.workspaces.get_mut(&ws)) {
                    workspace.outbound = outbound;
                }
                self.resume(ws, deletion.erase_at, at);
                Ok(())
            }
            AccessChange::ExpireKey { key, end, at } => {
                let found = self.keys.get_mut(&key).filter(|key| key.workspace == ws && key.revoked_at.is_none());
                let expire = |key: &mut ApiKey| {
                    key.expires_at = Some(end);
                    key.touch(at);
                };
                found.map(expire).ok_or_else(|| Conflict::Stale(Object::Key(key)).into())
            }
            AccessChange::InsertInvitation(it) => {
                referenced(self.workspaces.contains_key(&ws))?;
                unique(self.invitations.values().any(|other| other.digest == it.digest), UniqueKey::InvitationDigest)?;
                let mut own = self.invitations.iter().filter(|((of, _), _)| *of == ws);
                unique(own.any(|(_, other)| other.email == it.email), UniqueKey::InvitationEmail)?;
                insert(&mut self.invitations, (ws, it.id), it)
            }
            AccessChange::CountInvitation { invitation, at } => {
                self.refused_invitations.retain(|(of, _), kept| *of != ws || *kept >= at.minus(INVITATION_SPAN));
                self.refused_invitations.entry((ws, invitation)).or_insert(at);
                Ok(())
            }
        }
    }

    pub(super) fn found(&mut self, ws: WorkspaceId, founding: Founding) -> Applied {
        let Founding { workspace, channel, owner } = founding;
        if workspace.live_workspace.is_some_and(|live| live != ws) {
            return Err(StoreError::Corrupt("a sandbox of another workspace".to_owned()).into());
        }
        let taken = self.workspaces.values().any(|it| it.live_workspace == workspace.live_workspace);
        unique(workspace.live_workspace.is_some() && taken, UniqueKey::Sandbox)?;
        let id = workspace.id;
        insert(&mut self.workspaces, id, workspace)?;
        insert(&mut self.channels, (id, channel.id), channel)?;
        match owner {
            Some(owner) => self.insert_row(id, Row::Member(owner)),
            None => Ok(()),
        }
    }

    /// Sets the deletion of a workspace and of its sandbox.
    fn mark(&mut self, ws: WorkspaceId, version: i64, deletion: Option<WorkspaceDeletion>, at: Timestamp) -> Applied {
        if self.workspaces.get(&ws).map(|it| it.version) != Some(version) {
            return Err(Conflict::Stale(Object::Workspace(ws)).into());
        }
        for it in self.workspaces.values_mut().filter(|it| it.home() == ws) {
            it.deletion = deletion;
            it.version += 1;
            it.updated_at = at;
        }
        Ok(())
    }

    /// Makes the jobs due at `at` that were postponed to `until`.
    fn resume(&mut self, ws: WorkspaceId, until: Timestamp, at: Timestamp) {
        let own: Vec<WorkspaceId> = self.workspaces.values().filter(|it| it.home() == ws).map(|it| it.id).collect();
        let waits = |job: &&mut JobRecord| {
            own.contains(&job.workspace) && !job.claimed && job.dead.is_none() && job.queued.due_at == until
        };
        let mut due = Vec::new();
        for job in self.jobs.values_mut().filter(waits) {
            job.queued.due_at = at;
            due.push((job.workspace, job.queued.id));
        }
        for (of, job) in due {
            self.plan_delivery(of, job, Some(at));
        }
    }

    /// Erases one deleted workspace that cannot be restored at `now`, sandboxes first.
    pub(super) fn erase_workspace(&mut self, now: Timestamp) -> u64 {
        let is_over = |it: &&Workspace| it.deletion.is_some_and(|it| !it.is_reversible(now));
        let over = self.workspaces.values().filter(is_over).min_by_key(|it| (it.live_workspace.is_none(), it.id));
        let Some(ws) = over.map(|it| it.id) else { return 0 };
        self.empty(ws);
        self.channels.retain(|(of, _), _| *of != ws);
        self.channel_health.retain(|(of, _), _| *of != ws);
        self.members.retain(|(of, _), _| *of != ws);
        self.invitations.retain(|(of, _), _| *of != ws);
        self.refused_invitations.retain(|(of, _), _| *of != ws);
        self.keys.retain(|_, key| key.workspace != ws);
        self.workspaces.remove(&ws);
        1
    }

    pub(super) fn home(&self, ws: WorkspaceId) -> WorkspaceId {
        self.workspaces.get(&ws).map_or(ws, crate::access::Workspace::home)
    }
}

fn count_of<K, T>(rows: &Rows<K, T>, ws: WorkspaceId) -> Total {
    Total::of(rows.keys().filter(|(of, _)| *of == ws).count() as u64)
}

#[async_trait]
impl AccessQueries for MemoryStore {
    async fn key_by_digest(&self, digest: [u8; 32]) -> Answer<Option<KeyHolder>> {
        let state = self.lock();
        let key = state.keys.values().find(|key| key.digest == digest).cloned();
        Ok(key.and_then(|key| {
            let workspace = state.workspaces.get(&key.workspace).filter(|it| it.deletion.is_none())?;
            Some(KeyHolder { key, workspace_name: workspace.name.clone(), plan: workspace.plan })
        }))
    }

    async fn workspace(&self, id: WorkspaceId) -> Answer<Option<Workspace>> {
        Ok(self.lock().workspaces.get(&id).cloned())
    }

    async fn sandbox_of(&self, live: WorkspaceId) -> Answer<Option<Workspace>> {
        Ok(self.lock().workspaces.values().find(|it| it.live_workspace == Some(live)).cloned())
    }

    async fn workspaces(&self, name: Option<String>) -> Answer<Vec<Workspace>> {
        let state = self.lock();
        let named = |it: &&Workspace| name.as_ref().is_none_or(|name| it.name == *name);
        let mut found: Vec<Workspace> = state.workspaces.values().filter(named).cloned().collect();
        found.sort_by_key(|it| (it.created_at, it.id));
        found.truncate(1_000);
        Ok(found)
    }

    async fn counts(&self, ws: WorkspaceId) -> Answer<WorkspaceCounts> {
        let state = self.lock();
        Ok(WorkspaceCounts {
            contacts: count_of(&state.contacts, ws),
            conversations: count_of(&state.conversations, ws),
            messages: count_of(&state.messages, ws),
            flows: count_of(&state.flows, ws),
            sequences: count_of(&state.sequences, ws),
            broadcasts: count_of(&state.broadcasts, ws),
            webhooks: count_of(&state.webhooks, ws),
            api_keys: Total::of(state.keys.values().filter(|key| key.workspace == ws).count() as u64),
            members: count_of(&state.members, ws),
        })
    }

    async fn keys(&self, access: &Access) -> Answer<Vec<ApiKey>> {
        let state = self.lock();
        let mut keys: Vec<ApiKey> =
            state.keys.values().filter(|it| it.workspace == access.workspace()).cloned().collect();
        keys.sort_by_key(|it| (it.created_at, it.id));
        Ok(keys)
    }
}

#[async_trait]
impl IdempotencyQueries for MemoryStore {
    async fn find(
        &self,
        access: &Access,
        method: &str,
        route: &str,
        key: &RecordKey,
        now: Timestamp,
    ) -> Answer<Option<IdempotencyRecord>> {
        let place = (access.workspace(), (method.to_owned(), route.to_owned(), key.as_str().to_owned()));
        let record = self.lock().answers.get(&place).cloned();
        Ok(record.filter(|record| record.created_at > now.minus(Duration::from_secs(86_400))))
    }
}
