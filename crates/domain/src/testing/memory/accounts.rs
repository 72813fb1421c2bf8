//! People, their sessions and their places; the log of requests.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;

use super::apply::{Applied, delete, insert, referenced, unique, update};
use super::{MemoryStore, State};
use crate::access::attempts::LoginAttempts;
use crate::access::stored::Stored;
use crate::access::usage::{
    ErrorGroup, HOUR, KeyUsage, KeyUse, RequestFilter, Span, UsageFilter, UsageHour, UsagePoint, UsageRecord, begin_of,
};
use crate::access::{
    Access, ApiKey, Invitation, LiveSession, MemberEntry, Membership, RefreshToken, Role, Session, SessionHolder,
    SigningKey, User,
};
use crate::analytics::QUARTER;
use crate::contacts::Email;
use crate::ids::{SessionId, SigningKeyId, UserId, WorkspaceId};
use crate::pagination::{Page, PageRequest, Position};
use crate::ports::{
    AccessChange, AccountChange, AccountQueries, Change, Conflict, Founding, MemberQueries, Object, Row, StoreError,
    UniqueKey, UsageStore,
};
use crate::time::Timestamp;

type Answer<T> = Result<T, StoreError>;

impl State {
    /// Changes of people: users, members, invitations, sessions, log-ins; and workspaces for them.
    pub(super) fn change_of_people(&mut self, ws: WorkspaceId, change: Change) -> Applied {
        match change {
            Change::Access(AccessChange::FoundWorkspace(founding)) => self.found(ws, *founding),
            Change::Access(AccessChange::ExpireKey { key, end, at }) => {
                let found = self.keys.get_mut(&key).filter(|key| key.workspace == ws && key.revoked_at.is_none());
                let expire = |key: &mut ApiKey| {
                    key.expires_at = Some(end);
                    key.touch(at);
                };
                found.map(expire).ok_or_else(|| Conflict::Stale(Object::Key(key)).into())
            }
            Change::Insert(Row::User(it)) => {
                self.email_free(&it)?;
                insert(&mut self.users, it.id, it)
            }
            Change::Update(Row::User(it)) => {
                self.email_free(&it)?;
                let (id, object) = (it.id, Object::User(it.id));
                update(&mut self.users, &id, it, |it| it.version, object)
            }
            Change::Insert(Row::Member(it)) => {
                referenced(self.workspaces.contains_key(&ws) && self.users.contains_key(&it.user))?;
                unique(self.members.contains_key(&(ws, it.user)), UniqueKey::Member)?;
                insert(&mut self.members, (ws, it.user), it)
            }
            Change::Update(Row::Member(it)) => {
                let (user, object) = (it.user, Object::Member(it.user));
                update(&mut self.members, &(ws, user), it, |it| it.version, object)
            }
            Change::Delete(Object::Member(user)) => delete(&mut self.members, &(ws, user), Object::Member(user)),
            Change::Access(AccessChange::InsertInvitation(it)) => {
                referenced(self.workspaces.contains_key(&ws))?;
                unique(self.invitations.values().any(|other| other.digest == it.digest), UniqueKey::InvitationDigest)?;
                let mut own = self.invitations.iter().filter(|((of, _), _)| *of == ws);
                unique(own.any(|(_, other)| other.email == it.email), UniqueKey::InvitationEmail)?;
                insert(&mut self.invitations, (ws, it.id), it)
            }
            Change::Delete(Object::Invitation(id)) => delete(&mut self.invitations, &(ws, id), Object::Invitation(id)),
            other => self.change_of_sessions(other),
        }
    }

    fn change_of_sessions(&mut self, change: Change) -> Applied {
        match change {
            Change::Account(AccountChange::InsertSession(it)) => {
                referenced(self.users.contains_key(&it.user))?;
                insert(&mut self.sessions, it.id, it)
            }
            Change::Account(AccountChange::RevokeSession { session, at }) => {
                let live = self.sessions.get_mut(&session).filter(|it| it.revoked_at.is_none());
                live.map(|it| it.revoked_at = Some(at)).ok_or_else(|| Conflict::Stale(Object::Session(session)).into())
            }
            Change::Account(AccountChange::RevokeSessionsOf { user, except, at }) => {
                let theirs = self.sessions.values_mut().filter(|it| it.user == user && Some(it.id) != except);
                theirs.filter(|it| it.revoked_at.is_none()).for_each(|it| it.revoked_at = Some(at));
                Ok(())
            }
            Change::Account(AccountChange::InsertRefreshToken(it)) => {
                referenced(self.sessions.contains_key(&it.session))?;
                unique(self.refresh_tokens.contains_key(&it.digest), UniqueKey::RefreshToken)?;
                insert(&mut self.refresh_tokens, it.digest, it)
            }
            Change::Account(AccountChange::RotateRefreshToken { digest, at }) => {
                let unused = self.refresh_tokens.get_mut(&digest).filter(|it| it.rotated_at.is_none());
                unused.map(|it| it.rotated_at = Some(at)).ok_or_else(|| Conflict::NoLink.into())
            }
            Change::Account(AccountChange::InsertSigningKey(it)) => insert(&mut self.signing_keys, it.id, it),
            Change::Account(AccountChange::CountLogin { before, attempts }) => {
                let kept = self.logins.get(&attempts.account).map(|it| it.count);
                match kept {
                    Some(_) if before == 0 => Err(Conflict::Exists(UniqueKey::LoginAttempts).into()),
                    kept if kept.unwrap_or(0) != before => Err(Conflict::NoLink.into()),
                    _ => {
                        self.logins.insert(attempts.account.clone(), attempts);
                        Ok(())
                    }
                }
            }
            Change::Account(AccountChange::ForgetLogins { account }) => {
                self.logins.remove(&account);
                Ok(())
            }
            other => Err(StoreError::Corrupt(format!("{other:?} is not known here")).into()),
        }
    }

    fn found(&mut self, ws: WorkspaceId, founding: Founding) -> Applied {
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
            Some(owner) => self.change_of_people(id, Change::Insert(Row::Member(owner))),
            None => Ok(()),
        }
    }

    fn email_free(&self, it: &User) -> Applied {
        let taken = self.users.values().any(|other| other.email == it.email && other.id != it.id);
        unique(taken, UniqueKey::UserEmail)
    }

    fn home(&self, ws: WorkspaceId) -> WorkspaceId {
        self.workspaces.get(&ws).map_or(ws, crate::access::Workspace::home)
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
}

#[async_trait]
impl AccountQueries for MemoryStore {
    async fn user(&self, user: UserId) -> Answer<Option<User>> {
        Ok(self.lock().users.get(&user).cloned())
    }

    async fn user_by_email(&self, email: &Email) -> Answer<Option<User>> {
        Ok(self.lock().users.values().find(|it| it.email == *email).cloned())
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

impl State {
    fn usage_of(&self, access: &Access) -> impl Iterator<Item = &UsageRecord> {
        let workspace = access.workspace();
        self.usage.iter().filter(move |it| it.workspace == workspace)
    }
}

/// Requests counted by stretches of this width, in order.
fn points<'a>(requests: impl Iterator<Item = &'a UsageRecord>, width: Duration) -> Vec<UsagePoint> {
    let mut points = BTreeMap::<Timestamp, UsagePoint>::new();
    for it in requests {
        let one = UsagePoint::one(begin_of(it.at, width), it.status);
        points.entry(one.at).and_modify(|sum| sum.add(&one)).or_insert(one);
    }
    points.into_values().collect()
}

#[async_trait]
impl UsageStore for MemoryStore {
    async fn record(&self, requests: Vec<UsageRecord>, uses: Vec<KeyUse>) -> Answer<()> {
        let mut state = self.lock();
        state.usage.extend(requests);
        for used in uses {
            let Some(key) = state.keys.get_mut(&used.key) else { continue };
            if key.last_used_at < Some(used.at) {
                (key.last_used_at, key.last_used_address) = (Some(used.at), Some(used.address));
            }
        }
        Ok(())
    }

    async fn list(&self, access: &Access, filter: &RequestFilter, page: PageRequest) -> Answer<Page<UsageRecord>> {
        let state = self.lock();
        let shown = state.usage_of(access).filter(|it| filter.matches(it));
        Ok(super::queries::page(shown.cloned().collect(), page, |it| Position { at: it.at, id: it.id }))
    }

    async fn minutes(&self, access: &Access, filter: &RequestFilter, span: Span) -> Answer<Vec<UsagePoint>> {
        let state = self.lock();
        let counted = state.usage_of(access).filter(|it| filter.matches(it) && span.contains(it.at));
        Ok(points(counted, Duration::from_secs(60)))
    }

    async fn quarters(&self, access: &Access, filter: &UsageFilter, span: Span) -> Answer<Vec<UsagePoint>> {
        let state = self.lock();
        let counted = state.usage_of(access).filter(|it| filter.matches(it) && span.contains(begin_of(it.at, QUARTER)));
        Ok(points(counted, QUARTER))
    }

    async fn hours(&self, access: &Access, span: Span) -> Answer<Vec<UsageHour>> {
        let state = self.lock();
        let mut hours = BTreeMap::new();
        for it in state.usage_of(access) {
            let hour = begin_of(it.at, HOUR);
            if !span.contains(hour) {
                continue;
            }
            let key = (hour, it.method.clone(), it.route.clone());
            let sums = hours.entry(key).or_insert_with(|| UsageHour {
                hour,
                method: it.method.clone(),
                route: it.route.clone(),
                requests: 0,
                client_errors: 0,
                server_errors: 0,
                duration_ms: 0,
            });
            let one = UsagePoint::one(hour, it.status);
            sums.requests += one.requests;
            sums.client_errors += one.client_errors;
            sums.server_errors += one.server_errors;
            sums.duration_ms += it.duration_ms;
        }
        Ok(hours.into_values().collect())
    }

    async fn errors(&self, access: &Access, filter: &UsageFilter, span: Span, limit: u32) -> Answer<Vec<ErrorGroup>> {
        let state = self.lock();
        let mut groups = BTreeMap::new();
        let wrong = state.usage_of(access).filter(|it| it.status >= 400 && filter.matches(it));
        for it in wrong.filter(|it| span.contains(begin_of(it.at, QUARTER))) {
            let key = (it.error_code.clone(), it.status, it.method.clone(), it.route.clone());
            let group = groups.entry(key).or_insert_with(|| ErrorGroup {
                error_code: it.error_code.clone(),
                status: it.status,
                method: it.method.clone(),
                route: it.route.clone(),
                requests: 0,
                last_at: it.at,
            });
            group.requests += 1;
            group.last_at = group.last_at.max(it.at);
        }
        let mut groups: Vec<ErrorGroup> = groups.into_values().collect();
        ErrorGroup::sort(&mut groups);
        groups.truncate(limit as usize);
        Ok(groups)
    }

    async fn stored(&self, access: &Access, _: Timestamp) -> Answer<Stored> {
        Ok(self.lock().stored.get(&access.workspace()).copied().unwrap_or_default())
    }

    async fn keys(&self, access: &Access, span: Span, limit: u32) -> Answer<Vec<KeyUsage>> {
        let state = self.lock();
        let mut keys = BTreeMap::new();
        for it in state.usage_of(access).filter(|it| span.contains(begin_of(it.at, QUARTER))) {
            let Some(key_id) = it.key else { continue };
            let none = KeyUsage { key_id, requests: 0, client_errors: 0, server_errors: 0, last_at: it.at };
            let sums = keys.entry(key_id).or_insert(none);
            let one = UsagePoint::one(it.at, it.status);
            sums.requests += one.requests;
            sums.client_errors += one.client_errors;
            sums.server_errors += one.server_errors;
            sums.last_at = sums.last_at.max(it.at);
        }
        let mut keys: Vec<KeyUsage> = keys.into_values().collect();
        keys.sort_by_key(|it| (Reverse(it.requests), it.key_id));
        keys.truncate(limit as usize);
        Ok(keys)
    }

    async fn expire(&self, before: Timestamp, limit: u32) -> Answer<u64> {
        let mut state = self.lock();
        let mut removed = 0;
        state.usage.retain(|it| {
            let goes = it.at < before && removed < u64::from(limit);
            removed += u64::from(goes);
            !goes
        });
        Ok(removed)
    }
}
