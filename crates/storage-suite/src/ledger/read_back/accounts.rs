//! Samples of users, sessions, refresh tokens, signing keys and login attempts.

use tidings_domain::access::attempts::LoginAttempts;
use tidings_domain::access::{RefreshToken, Session, SigningKey, User};
use tidings_domain::ids::SessionId;
use tidings_domain::ports::{AccountChange, Change, Object, Row};
use tidings_domain::time::Timestamp;

use super::sample::{Does, Maker, Sample, maker, row_makers, unique, unique_digest};
use crate::access::people::a_session;
use crate::fixtures::{NOW, World, a_user, at, id};

pub(super) fn samples() -> Vec<Maker> {
    let mut samples = row_makers(user);
    samples.extend([
        maker(insert_session),
        maker(revoke_session),
        maker(revoke_sessions_of),
        maker(delete_session),
        maker(insert_refresh_token),
        maker(rotate_refresh_token),
        maker(insert_signing_key),
        maker(count_login),
        maker(forget_logins),
    ]);
    samples
}

fn email() -> String {
    format!("{}@example.com", unique())
}

async fn user(world: World, does: Does) -> Sample {
    let user = a_user(&email());
    let (id, next) = (user.id, email());
    let change = |it: &mut User| {
        (it.email, it.password_hash, it.version) = (next.parse().unwrap(), "other".to_owned(), 2);
    };
    does.row(&world, Row::User, user, change, async move |w| w.ports.accounts.user(id).await.unwrap()).await
}

/// A sample that inserts a user.
pub(super) async fn person(world: World) -> Sample {
    user(world, Does::Insert).await
}

async fn read_session(world: &World, session: SessionId) -> Option<Session> {
    world.ports.accounts.session(session).await.unwrap().map(|it| it.session)
}

async fn revoked_at(world: &World, session: SessionId) -> Option<Timestamp> {
    read_session(world, session).await.and_then(|it| it.revoked_at)
}

async fn insert_session(world: World) -> Sample {
    let user = a_session(&world, &email()).await.user;
    let session = Session::new(id(), user, at(1)).from_network("192.0.2.1");
    let (own, change) = (session.id, Change::Account(AccountChange::InsertSession(session.clone())));
    Sample::new(&world, change, Some(session), async move |w| read_session(w, own).await)
}

async fn revoke_session(world: World) -> Sample {
    let session = a_session(&world, &email()).await.id;
    let change = Change::Account(AccountChange::RevokeSession { session, at: at(9) });
    Sample::new(&world, change, Some(at(9)), async move |w| revoked_at(w, session).await)
}

async fn revoke_sessions_of(world: World) -> Sample {
    let Session { id: session, user, .. } = a_session(&world, &email()).await;
    let change = Change::Account(AccountChange::RevokeSessionsOf { user, except: None, at: at(9) });
    Sample::new(&world, change, Some(at(9)), async move |w| revoked_at(w, session).await)
}

async fn delete_session(world: World) -> Sample {
    let session = a_session(&world, &email()).await.id;
    let change = Change::Delete(Object::Session(session));
    Sample::new(&world, change, None, async move |w| read_session(w, session).await)
}

async fn read_token(world: &World, digest: [u8; 32]) -> Option<RefreshToken> {
    world.ports.accounts.refresh_token(digest).await.unwrap().map(|(token, _)| token)
}

async fn insert_refresh_token(world: World) -> Sample {
    let session = a_session(&world, &email()).await;
    let token = RefreshToken::new(unique_digest(), &session, NOW);
    let (digest, change) = (token.digest, Change::Account(AccountChange::InsertRefreshToken(token.clone())));
    Sample::new(&world, change, Some(token), async move |w| read_token(w, digest).await)
}

async fn rotate_refresh_token(world: World) -> Sample {
    let session = a_session(&world, &email()).await;
    let token = RefreshToken::new(unique_digest(), &session, NOW);
    let digest = token.digest;
    world.add(Change::Account(AccountChange::InsertRefreshToken(token.clone()))).await;
    let change = Change::Account(AccountChange::RotateRefreshToken { digest, at: at(9) });
    let after = Some(RefreshToken { rotated_at: Some(at(9)), ..token });
    Sample::new(&world, change, after, async move |w| read_token(w, digest).await)
}

async fn insert_signing_key(world: World) -> Sample {
    let key = SigningKey { id: id(), sealed: vec![0, 7, 255], created_at: NOW };
    let (own, change) = (key.id, Change::Account(AccountChange::InsertSigningKey(key.clone())));
    Sample::new(&world, change, Some(key), async move |w| w.ports.accounts.signing_key(own).await.unwrap())
}

fn attempts() -> LoginAttempts {
    LoginAttempts { account: email(), count: 1, next_at: at(60), updated_at: at(1) }
}

async fn count_login(world: World) -> Sample {
    let attempts = attempts();
    let account = attempts.account.clone();
    let change = Change::Account(AccountChange::CountLogin { before: 0, attempts: attempts.clone() });
    Sample::new(&world, change, Some(attempts), async move |w| w.ports.accounts.login_attempts(&account).await.unwrap())
}

async fn forget_logins(world: World) -> Sample {
    let attempts = attempts();
    let account = attempts.account.clone();
    world.add(Change::Account(AccountChange::CountLogin { before: 0, attempts })).await;
    let change = Change::Account(AccountChange::ForgetLogins { account: account.clone() });
    Sample::new(&world, change, None, async move |w| w.ports.accounts.login_attempts(&account).await.unwrap())
}
