//! Users, sessions and memberships.

use async_trait::async_trait;

use crate::access::attempts::LoginAttempts;
use crate::access::{
    Access, Invitation, LiveSession, MemberEntry, Membership, RefreshToken, Role, Session, SessionHolder, SigningKey,
    User,
};
use crate::contacts::Email;
use crate::ids::{InvitationId, SessionId, SigningKeyId, UserId, WorkspaceId};
use crate::memory::apply::{Applied, insert, referenced, unique};
use crate::memory::{MemoryStore, State};
use crate::ports::{AccountChange, AccountQueries, Conflict, MemberQueries, Object, StoreError, UniqueKey};
use crate::time::Timestamp;

type Answer<T> = Result<T, StoreError>;

impl State {
    pub(in crate::memory) fn change_accounts(&mut self, change: AccountChange) -> Applied {
        match change {
            AccountChange::InsertSession(it) => {
                referenced(self.users.contains_key(&it.user))?;
                insert(&mut self.sessions, it.id, it)
            }
            AccountChange::RevokeSession { session, at } => {
                let live = self.sessions.get_mut(&session).filter(|it| it.revoked_at.is_none());
                live.map(|it| it.revoked_at = Some(at)).ok_or_else(|| Conflict::Stale(Object::Session(session)).into())
            }
            AccountChange::RevokeSessionsOf { user, except, at } => {
                let theirs = self.sessions.values_mut().filter(|it| it.user == user && Some(it.id) != except);
                theirs.filter(|it| it.revoked_at.is_none()).for_each(|it| it.revoked_at = Some(at));
                Ok(())
            }
            AccountChange::InsertRefreshToken(it) => {
                referenced(self.sessions.contains_key(&it.session))?;
                unique(self.refresh_tokens.contains_key(&it.digest), UniqueKey::RefreshToken)?;
                insert(&mut self.refresh_tokens, it.digest, it)
            }
            AccountChange::RotateRefreshToken { digest, at } => {
                let unused = self.refresh_tokens.get_mut(&digest).filter(|it| it.rotated_at.is_none());
                unused.map(|it| it.rotated_at = Some(at)).ok_or_else(|| Conflict::NoLink.into())
            }
            AccountChange::InsertSigningKey(it) => insert(&mut self.signing_keys, it.id, it),
            AccountChange::CountLogin { before, attempts } => {
                let kept = self.logins.get(&attempts.account).map(|it| it.count);
                unique(kept.is_some() && before == 0, UniqueKey::LoginAttempts)?;
                if kept.unwrap_or(0) != before {
                    return Err(Conflict::NoLink.into());
                }
                self.logins.insert(attempts.account.clone(), attempts);
                Ok(())
            }
            AccountChange::ForgetLogins { account } => {
                self.logins.remove(&account);
                Ok(())
            }
        }
    }

    pub(in crate::memory) fn email_free(&self, it: &User) -> Applied {
        let taken = self.users.values().any(|other| other.email == it.email && other.id != it.id);
        unique(taken, UniqueKey::UserEmail)
    }

    fn entries(&self, ws: WorkspaceId) -> Vec<MemberEntry> {
        let home = self.home(ws);
        let own = self.members.iter().filter(|((of, _), _)| *of == home).map(|(_, member)| member);
        let entry = |member: &crate::access::Member| {
            Some(MemberEntry { user: self.users.get(&member.user)?.clone(), member: member.clone() })
        };
        let mut entries: Vec<_> = own.filter_map(entry).collect();
        entries.sort_by_key(|it| (it.member.created_at, it.user.id));
        entries
    }

    fn memberships(&self, user: UserId) -> Vec<Membership> {
        let places = self.workspaces.values().filter_map(|workspace| {
            let member = self.members.get(&(workspace.home(), user))?;
            Some(Membership { workspace: workspace.clone(), role: member.role })
        });
        let mut places: Vec<_> = places.collect();
        places.sort_by_key(|it| (it.workspace.created_at, it.workspace.id));
        places
    }
}

#[async_trait]
impl MemberQueries for MemoryStore {
    async fn role(&self, access: &Access, user: UserId) -> Answer<Option<Role>> {
        let state = self.lock();
        Ok(state.members.get(&(state.home(access.workspace()), user)).map(|it| it.role))
    }

    async fn member(&self, access: &Access, user: UserId) -> Answer<Option<MemberEntry>> {
        Ok(self.lock().entries(access.workspace()).into_iter().find(|it| it.user.id == user))
    }

    async fn members(&self, access: &Access) -> Answer<Vec<MemberEntry>> {
        Ok(self.lock().entries(access.workspace()))
    }

    async fn invitations(&self, access: &Access) -> Answer<Vec<Invitation>> {
        let state = self.lock();
        let home = state.home(access.workspace());
        let own = state.invitations.iter().filter(|((of, _), _)| *of == home);
        let mut own: Vec<_> = own.map(|(_, it)| it.clone()).collect();
        own.sort_by_key(|it| (it.created_at, it.id));
        Ok(own)
    }

    async fn counted_invitations(
        &self,
        access: &Access,
        since: Timestamp,
    ) -> Result<Vec<(InvitationId, Timestamp)>, StoreError> {
        let state = self.lock();
        let own = state.refused_invitations.iter().filter(|((of, _), at)| *of == access.workspace() && **at >= since);
        Ok(own.map(|((_, invitation), at)| (*invitation, *at)).collect())
    }
}

#[async_trait]
impl AccountQueries for MemoryStore {
    async fn user(&self, user: UserId) -> Answer<Option<User>> {
        Ok(self.lock().users.get(&user).cloned())
    }

    async fn user_by_email(&self, email: &Email) -> Answer<Option<User>> {
        Ok(self.lock().users.values().find(|it| it.email == *email).cloned())
    }

    async fn user_by_reset(&self, digest: [u8; 32]) -> Answer<Option<User>> {
        let by = |it: &&User| it.reset.is_some_and(|reset| reset.digest == digest);
        Ok(self.lock().users.values().find(by).cloned())
    }

    async fn memberships(&self, user: UserId) -> Answer<Vec<Membership>> {
        Ok(self.lock().memberships(user))
    }

    async fn has_signed_in(&self, email: &Email, network: &str) -> Answer<bool> {
        let state = self.lock();
        let theirs = |session: &&Session| state.users.get(&session.user).is_some_and(|user| user.email == *email);
        Ok(state.sessions.values().filter(theirs).any(|session| session.network.as_deref() == Some(network)))
    }

    async fn session(&self, session: SessionId) -> Answer<Option<SessionHolder>> {
        let state = self.lock();
        let Some(session) = state.sessions.get(&session).cloned() else { return Ok(None) };
        let Some(user) = state.users.get(&session.user).cloned() else { return Ok(None) };
        Ok(Some(SessionHolder { memberships: state.memberships(user.id), session, user }))
    }

    async fn live_sessions(&self, user: UserId, now: Timestamp, limit: u32) -> Answer<Vec<LiveSession>> {
        let state = self.lock();
        let unused = state.refresh_tokens.values().filter(|it| it.rotated_at.is_none() && now < it.expires_at);
        let live = unused.filter_map(|token| {
            let session = state.sessions.get(&token.session).filter(|it| it.user == user && it.is_live(now))?;
            Some(LiveSession { session: session.clone(), last_used_at: token.issued_at })
        });
        let mut live: Vec<_> = live.collect();
        live.sort_by_key(|it| std::cmp::Reverse((it.session.created_at, it.session.id)));
        live.truncate(limit as usize);
        Ok(live)
    }

    async fn refresh_token(&self, digest: [u8; 32]) -> Answer<Option<(RefreshToken, Session)>> {
        let state = self.lock();
        let token = state.refresh_tokens.get(&digest).cloned();
        Ok(token.and_then(|token| Some((token.clone(), state.sessions.get(&token.session)?.clone()))))
    }

    async fn login_attempts(&self, account: &str) -> Answer<Option<LoginAttempts>> {
        Ok(self.lock().logins.get(account).cloned())
    }

    async fn newest_signing_key(&self) -> Answer<Option<SigningKey>> {
        Ok(self.lock().signing_keys.values().max_by_key(|it| (it.created_at, it.id)).cloned())
    }

    async fn signing_key(&self, key: SigningKeyId) -> Answer<Option<SigningKey>> {
        Ok(self.lock().signing_keys.get(&key).cloned())
    }

    async fn invitation(&self, digest: [u8; 32]) -> Answer<Option<(Invitation, WorkspaceId)>> {
        let state = self.lock();
        let mut all = state.invitations.iter();
        Ok(all.find(|(_, it)| it.digest == digest).map(|((ws, _), it)| (it.clone(), *ws)))
    }

    async fn expire(&self, now: Timestamp, forgotten: Timestamp, limit: u32) -> Answer<u64> {
        let mut state = self.lock();
        let over = state.sessions.values().filter(|it| it.expires_at < now).map(|it| it.id);
        let over: Vec<_> = over.take(limit as usize).collect();
        state.refresh_tokens.retain(|_, it| !over.contains(&it.session));
        state.sessions.retain(|id, _| !over.contains(id));
        let old = state.logins.values().filter(|it| it.updated_at < forgotten).map(|it| it.account.clone());
        let old: Vec<_> = old.take(limit as usize).collect();
        state.logins.retain(|account, _| !old.contains(account));
        Ok(over.len().max(old.len()) as u64)
    }
}
