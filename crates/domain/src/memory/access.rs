//! Workspaces, keys, and idempotency records.

use std::time::Duration;

use async_trait::async_trait;

use super::{MemoryStore, State};
use crate::access::{Access, ApiKey, INVITATION_SPAN, KeyHolder, Workspace};
use crate::ids::WorkspaceId;
use crate::ports::{
    AccessChange, AccessQueries, Conflict, Founding, IdempotencyQueries, IdempotencyRecord, Object, RecordKey, Row,
    StoreError, UniqueKey,
};
use crate::time::Timestamp;

use super::apply::{Applied, insert, own, referenced, unique};
use super::pages::Answer;

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
            AccessChange::RefuseInvitation { invitation, at } => {
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

    pub(super) fn home(&self, ws: WorkspaceId) -> WorkspaceId {
        self.workspaces.get(&ws).map_or(ws, crate::access::Workspace::home)
    }
}

#[async_trait]
impl AccessQueries for MemoryStore {
    async fn key_by_digest(&self, digest: [u8; 32]) -> Answer<Option<KeyHolder>> {
        let state = self.lock();
        let key = state.keys.values().find(|key| key.digest == digest).cloned();
        Ok(key.and_then(|key| {
            let workspace = state.workspaces.get(&key.workspace)?;
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
        let state = self.lock();
        let find = |name: &str| {
            let place = (access.workspace(), (method.to_owned(), route.to_owned(), name.to_owned()));
            let record = state.answers.get(&place).cloned();
            record.filter(|record| record.created_at > now.minus(Duration::from_secs(86_400)))
        };
        let earlier = || key.earlier().and_then(find).filter(IdempotencyRecord::is_for_any_actor);
        Ok(find(key.as_str()).or_else(earlier))
    }
}
