//! Users and their sessions, refresh tokens, signing keys and counted logins. These rows belong to no workspace.

mod rows;

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::attempts::LoginAttempts;
use tidings_domain::access::{
    Invitation, LiveSession, Membership, RefreshToken, Session, SessionHolder, SigningKey, User,
};
use tidings_domain::contacts::Email;
use tidings_domain::ids::{SessionId, SigningKeyId, UserId, WorkspaceId};
use tidings_domain::ports::{AccountQueries, Conflict, Object, StoreError};
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::access::WorkspaceRow;
use crate::access::members::{InvitationRow, MemberRow};
use crate::access::users::UserRow;
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::rows::exactly_one;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{invitations, login_attempts, members, refresh_tokens, sessions, signing_keys, users, workspaces};
use rows::{AttemptsRow, SessionRow, SigningKeyRow, TokenRow};

#[async_trait]
impl AccountQueries for Storage {
    async fn user(&self, user: UserId) -> Result<Option<User>, StoreError> {
        let id = DbId::from(user);
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let row: Option<UserRow> = find!(&mut c, users::table.find(id).select(UserRow::as_select()))?;
                row.map(UserRow::read).transpose()
            })
        })
        .await
    }

    async fn user_by_email(&self, email: &Email) -> Result<Option<User>, StoreError> {
        let email = email.to_string();
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let row: Option<UserRow> =
                    find!(&mut c, users::table.filter(users::email.eq(email)).select(UserRow::as_select()))?;
                row.map(UserRow::read).transpose()
            })
        })
        .await
    }

    async fn user_by_reset(&self, digest: [u8; 32]) -> Result<Option<User>, StoreError> {
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let row: Option<UserRow> = find!(
                    &mut c,
                    users::table.filter(users::reset_digest.eq(digest.to_vec())).select(UserRow::as_select())
                )?;
                row.map(UserRow::read).transpose()
            })
        })
        .await
    }

    async fn memberships(&self, user: UserId) -> Result<Vec<Membership>, StoreError> {
        let id = DbId::from(user);
        self.read_as_one(SYSTEM, move |mut c| Box::pin(async move { memberships(&mut c, id).await })).await
    }

    async fn has_signed_in(&self, email: &Email, network: &str) -> Result<bool, StoreError> {
        let (email, network) = (email.to_string(), network.to_owned());
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let found: Option<DbId> = find!(
                    &mut c,
                    sessions::table
                        .inner_join(users::table.on(users::id.eq(sessions::user_id)))
                        .filter(users::email.eq(email))
                        .filter(sessions::network.eq(network))
                        .limit(1)
                        .select(sessions::id)
                )?;
                Ok(found.is_some())
            })
        })
        .await
    }

    async fn session(&self, session: SessionId) -> Result<Option<SessionHolder>, StoreError> {
        let id = DbId::from(session);
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let row: Option<(SessionRow, UserRow)> = find!(
                    &mut c,
                    sessions::table
                        .inner_join(users::table.on(users::id.eq(sessions::user_id)))
                        .filter(sessions::id.eq(id))
                        .select((SessionRow::as_select(), UserRow::as_select()))
                )?;
                let Some((session, user)) = row else { return Ok(None) };
                let memberships = memberships(&mut c, session.user_id).await?;
                Ok(Some(SessionHolder { session: session.read(), user: user.read()?, memberships }))
            })
        })
        .await
    }

    async fn live_sessions(&self, user: UserId, now: Timestamp, limit: u32) -> Result<Vec<LiveSession>, StoreError> {
        let (user, now) = (DbId::from(user), DbTime(now));
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                // A session has exactly one unused token, the last one.
                let rows: Vec<(SessionRow, DbTime)> = load!(
                    &mut c,
                    sessions::table
                        .inner_join(refresh_tokens::table.on(refresh_tokens::session_id.eq(sessions::id)))
                        .filter(sessions::user_id.eq(user))
                        .filter(sessions::revoked_at.is_null())
                        .filter(sessions::expires_at.gt(now))
                        .filter(refresh_tokens::rotated_at.is_null())
                        .filter(refresh_tokens::expires_at.gt(now))
                        .order((sessions::created_at.desc(), sessions::id.desc()))
                        .limit(i64::from(limit))
                        .select((SessionRow::as_select(), refresh_tokens::issued_at))
                )?;
                let live =
                    |(row, last): (SessionRow, DbTime)| LiveSession { session: row.read(), last_used_at: last.0 };
                Ok(rows.into_iter().map(live).collect())
            })
        })
        .await
    }

    async fn refresh_token(&self, digest: [u8; 32]) -> Result<Option<(RefreshToken, Session)>, StoreError> {
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let row: Option<(TokenRow, SessionRow)> = find!(
                    &mut c,
                    refresh_tokens::table
                        .inner_join(sessions::table.on(sessions::id.eq(refresh_tokens::session_id)))
                        .filter(refresh_tokens::digest.eq(digest.to_vec()))
                        .select((TokenRow::as_select(), SessionRow::as_select()))
                )?;
                row.map(|(token, session)| Ok((token.read()?, session.read()))).transpose()
            })
        })
        .await
    }

    async fn login_attempts(&self, account: &str) -> Result<Option<LoginAttempts>, StoreError> {
        let account = account.to_owned();
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let row: Option<AttemptsRow> =
                    find!(&mut c, login_attempts::table.find(account).select(AttemptsRow::as_select()))?;
                Ok(row.map(AttemptsRow::read))
            })
        })
        .await
    }

    async fn newest_signing_key(&self) -> Result<Option<SigningKey>, StoreError> {
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let row: Option<SigningKeyRow> = find!(
                    &mut c,
                    signing_keys::table
                        .order((signing_keys::created_at.desc(), signing_keys::id.desc()))
                        .limit(1)
                        .select(SigningKeyRow::as_select())
                )?;
                Ok(row.map(SigningKeyRow::read))
            })
        })
        .await
    }

    async fn signing_key(&self, key: SigningKeyId) -> Result<Option<SigningKey>, StoreError> {
        let id = DbId::from(key);
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let row: Option<SigningKeyRow> =
                    find!(&mut c, signing_keys::table.find(id).select(SigningKeyRow::as_select()))?;
                Ok(row.map(SigningKeyRow::read))
            })
        })
        .await
    }

    async fn invitation(&self, digest: [u8; 32]) -> Result<Option<(Invitation, WorkspaceId)>, StoreError> {
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let row: Option<InvitationRow> = find!(
                    &mut c,
                    invitations::table
                        .filter(invitations::digest.eq(digest.to_vec()))
                        .select(InvitationRow::as_select())
                )?;
                let Some(row) = row else { return Ok(None) };
                let workspace = row.workspace_id.to_typed_id();
                Ok(Some((row.read()?, workspace)))
            })
        })
        .await
    }

    async fn expire(&self, now: Timestamp, forgotten: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome =
            self.transact(move |mut c| Box::pin(async move { expire(&mut c, now, forgotten, limit).await })).await;
        outcome.map_err(Fault::into_store_error)
    }
}

/// Returns a user's memberships, including sandboxes.
async fn memberships(c: &mut Connection<'_>, user: DbId) -> Result<Vec<Membership>, Fault> {
    let mut rows: Vec<(MemberRow, WorkspaceRow)> = load!(
        c,
        members::table
            .inner_join(workspaces::table.on(workspaces::id.eq(members::workspace_id)))
            .filter(members::user_id.eq(user))
            .select((MemberRow::as_select(), WorkspaceRow::as_select()))
    )?;
    let sandboxes: Vec<(MemberRow, WorkspaceRow)> = load!(
        c,
        members::table
            .inner_join(workspaces::table.on(workspaces::live_workspace_id.eq(members::workspace_id.nullable())))
            .filter(members::user_id.eq(user))
            .select((MemberRow::as_select(), WorkspaceRow::as_select()))
    )?;
    rows.extend(sandboxes);
    rows.sort_by_key(|(_, workspace)| workspace.age());
    rows.into_iter().map(|(member, row)| Ok(Membership { role: member.role()?, workspace: row.read()? })).collect()
}

async fn expire(c: &mut Connection<'_>, now: Timestamp, forgotten: Timestamp, limit: u32) -> Result<u64, Fault> {
    let over: Vec<DbId> = load!(
        c,
        sessions::table
            .filter(sessions::expires_at.lt(DbTime(now)))
            .order(sessions::expires_at.asc())
            .limit(i64::from(limit))
            .select(sessions::id)
    )?;
    execute!(
        cached_on_postgres,
        c,
        diesel::delete(refresh_tokens::table.filter(refresh_tokens::session_id.eq_any(over.clone())))
    )?;
    let ended =
        execute!(cached_on_postgres, c, diesel::delete(sessions::table.filter(sessions::id.eq_any(over.clone()))))?;
    let old: Vec<String> = load!(
        c,
        login_attempts::table
            .filter(login_attempts::updated_at.lt(DbTime(forgotten)))
            .limit(i64::from(limit))
            .select(login_attempts::account)
    )?;
    let gone = execute!(
        cached_on_postgres,
        c,
        diesel::delete(login_attempts::table.filter(login_attempts::account.eq_any(old.clone())))
    )?;
    Ok(ended.max(gone) as u64)
}

pub(crate) async fn insert_session(c: &mut Connection<'_>, it: &Session) -> Result<(), Fault> {
    crate::write::insert(c, &[SessionRow::write(it)]).await
}

pub(crate) async fn revoke_session(c: &mut Connection<'_>, session: SessionId, at: Timestamp) -> Result<(), Fault> {
    let target = sessions::table.find(DbId::from(session)).filter(sessions::revoked_at.is_null());
    let rows = execute!(c, diesel::update(target).set(sessions::revoked_at.eq(DbTime(at))))?;
    exactly_one(rows, Conflict::Stale(Object::Session(session)))
}

pub(crate) async fn revoke_sessions_of(
    c: &mut Connection<'_>,
    user: UserId,
    except: Option<SessionId>,
    at: Timestamp,
) -> Result<(), Fault> {
    // No session has the nil ID.
    let except = except.map_or(DbId(uuid::Uuid::nil()), DbId::from);
    let target = sessions::table
        .filter(sessions::user_id.eq(DbId::from(user)))
        .filter(sessions::id.ne(except))
        .filter(sessions::revoked_at.is_null());
    execute!(c, diesel::update(target).set(sessions::revoked_at.eq(DbTime(at)))).map(|_| ())
}

pub(crate) async fn insert_token(c: &mut Connection<'_>, it: &RefreshToken) -> Result<(), Fault> {
    crate::write::insert(c, &[TokenRow::write(it)]).await
}

pub(crate) async fn rotate_token(c: &mut Connection<'_>, digest: [u8; 32], at: Timestamp) -> Result<(), Fault> {
    let target = refresh_tokens::table.find(digest.to_vec()).filter(refresh_tokens::rotated_at.is_null());
    let rows = execute!(c, diesel::update(target).set(refresh_tokens::rotated_at.eq(DbTime(at))))?;
    exactly_one(rows, Conflict::NoLink)
}

pub(crate) async fn insert_signing_key(c: &mut Connection<'_>, it: &SigningKey) -> Result<(), Fault> {
    crate::write::insert(c, &[SigningKeyRow::write(it)]).await
}

pub(crate) async fn count_login(c: &mut Connection<'_>, before: i64, it: &LoginAttempts) -> Result<(), Fault> {
    let row = AttemptsRow::write(it);
    if before == 0 {
        return crate::write::insert(c, &[row]).await;
    }
    let target = login_attempts::table.find(it.account.clone()).filter(login_attempts::count.eq(before));
    let rows = {
        let (count, next_at) = (login_attempts::count.eq(row.count), login_attempts::next_at.eq(row.next_at));
        execute!(c, diesel::update(target).set((count, next_at, login_attempts::updated_at.eq(row.updated_at))))
    }?;
    exactly_one(rows, Conflict::NoLink)
}

pub(crate) async fn forget_logins(c: &mut Connection<'_>, account: &str) -> Result<(), Fault> {
    execute!(c, diesel::delete(login_attempts::table.find(account.to_owned()))).map(|_| ())
}
