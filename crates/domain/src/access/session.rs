//! Sessions, and their continuation by refresh tokens.
//!
//! A session is a family of refresh tokens. Each token can be used once, for its successor. The response can be lost,
//! so for [`GRACE`] the same successor is returned again. A later second use shows that two clients have the token: the
//! session ends.

use std::time::Duration;

use super::{Membership, User, UserAgent};
use crate::ids::{SessionId, SigningKeyId, UserId};
use crate::time::Timestamp;

/// The lifetime of an access token.
pub const ACCESS_LIFE: Duration = Duration::from_secs(7 * 86_400);
/// The lifetime of an unused refresh token.
pub const REFRESH_LIFE: Duration = Duration::from_secs(30 * 86_400);
/// The longest lifetime of a session, however often it is refreshed.
pub const FAMILY_LIFE: Duration = Duration::from_secs(90 * 86_400);
/// The time during which a used refresh token still returns the same successor.
pub const GRACE: Duration = Duration::from_secs(20);
/// The time during which a key pair signs. Its tokens are verified until they expire.
pub const SIGNING_LIFE: Duration = Duration::from_secs(30 * 86_400);

/// A signed-in browser or other client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The ID.
    pub id: SessionId,
    /// The user.
    pub user: UserId,
    /// When the user signed in.
    pub created_at: Timestamp,
    /// The latest time of its end.
    pub expires_at: Timestamp,
    /// When it was ended before that.
    pub revoked_at: Option<Timestamp>,
    /// The network of its sign-in: an IPv4 address, or the first 64 bits of an IPv6 address.
    pub network: Option<String>,
    /// The user agent of its sign-in.
    pub user_agent: Option<UserAgent>,
}

/// The client of a sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// The network, as in [`Session::network`].
    pub network: String,
    /// The user agent, if it sends one.
    pub user_agent: Option<UserAgent>,
}

impl Session {
    /// Creates a session that starts now.
    pub fn new(id: SessionId, user: UserId, now: Timestamp) -> Self {
        let expires_at = now.plus(FAMILY_LIFE);
        Self { id, user, created_at: now, expires_at, revoked_at: None, network: None, user_agent: None }
    }

    /// Sets the network of the sign-in.
    pub fn from_network(self, network: &str) -> Self {
        Self { network: Some(network.to_owned()), ..self }
    }

    /// Sets the user agent of the sign-in.
    pub fn with_user_agent(self, user_agent: Option<UserAgent>) -> Self {
        Self { user_agent, ..self }
    }

    /// Whether its tokens are accepted at `now`.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && now < self.expires_at
    }
}

/// A session with the data that its requests need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionHolder {
    /// The session.
    pub session: Session,
    /// The user.
    pub user: User,
    /// Memberships of the user, sandboxes included, oldest workspace first.
    pub memberships: Vec<Membership>,
}

/// A session that can be refreshed, for its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveSession {
    /// The session.
    pub session: Session,
    /// When its tokens were last issued: at the last refresh, or at sign-in.
    pub last_used_at: Timestamp,
}

/// The stored form of a refresh token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefreshToken {
    /// SHA-256 of the token.
    pub digest: [u8; 32],
    /// The session.
    pub session: SessionId,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was used.
    pub rotated_at: Option<Timestamp>,
}

/// The decision on a presented refresh token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refreshing {
    /// It is unused: use it now.
    Rotate,
    /// It was used a moment ago, at this time: return the same successor.
    Repeat(Timestamp),
    /// It was used long ago, so two clients have it: end the session.
    Revoke,
    /// It is not valid.
    Refuse,
}

impl RefreshToken {
    /// Creates a token of the session that is issued now.
    pub fn new(digest: [u8; 32], session: &Session, now: Timestamp) -> Self {
        let expires_at = now.plus(REFRESH_LIFE).min(session.expires_at);
        Self { digest, session: session.id, issued_at: now, expires_at, rotated_at: None }
    }

    /// Decides on the token when it is presented at `now`.
    pub fn present(&self, session: &Session, now: Timestamp) -> Refreshing {
        match self.rotated_at {
            _ if !session.is_live(now) => Refreshing::Refuse,
            Some(at) if now.since(at) <= GRACE => Refreshing::Repeat(at),
            Some(_) => Refreshing::Revoke,
            None if now < self.expires_at => Refreshing::Rotate,
            None => Refreshing::Refuse,
        }
    }
}

/// The stored form of a key pair that signs access tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningKey {
    /// The ID, `kid` in tokens.
    pub id: SigningKeyId,
    /// The private key, sealed.
    pub sealed: Vec<u8>,
    /// When it was created.
    pub created_at: Timestamp,
}

impl SigningKey {
    /// Whether it signs new tokens at `now`.
    pub fn signs(&self, now: Timestamp) -> bool {
        now.since(self.created_at) < SIGNING_LIFE
    }

    /// Whether a token that it signed can still be valid at `now`.
    pub fn verifies(&self, now: Timestamp) -> bool {
        now.since(self.created_at) < SIGNING_LIFE + ACCESS_LIFE
    }

    /// Returns the context of its sealed private key.
    pub fn seal_context(id: SigningKeyId) -> String {
        format!("signing_key:{id}")
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::TypedId;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn at(seconds: u64) -> Timestamp {
        NOW.plus(Duration::from_secs(seconds))
    }

    fn a_session() -> Session {
        Session::new(SessionId::from_uuid(Uuid::nil()), UserId::from_uuid(Uuid::nil()), NOW)
    }

    fn day(days: u64) -> Timestamp {
        at(days * 86_400)
    }

    #[test]
    fn accepts_a_repeated_token_for_20_seconds_and_then_revokes() {
        let session = a_session();
        let mut token = RefreshToken::new([1; 32], &session, NOW);
        assert_eq!(token.present(&session, at(5)), Refreshing::Rotate);
        token.rotated_at = Some(at(5));
        assert_eq!(token.present(&session, at(5)), Refreshing::Repeat(at(5)));
        assert_eq!(token.present(&session, at(25)), Refreshing::Repeat(at(5)));
        assert_eq!(token.present(&session, at(25).plus(Duration::from_millis(1))), Refreshing::Revoke);
    }

    #[test]
    fn tokens_expire_after_30_days_and_at_90_days_of_the_session() {
        let session = a_session();
        let token = RefreshToken::new([1; 32], &session, NOW);
        assert_eq!(token.present(&session, day(30).minus(Duration::from_millis(1))), Refreshing::Rotate);
        assert_eq!(token.present(&session, day(30)), Refreshing::Refuse);
        let last = RefreshToken::new([2; 32], &session, day(85));
        assert_eq!(last.expires_at, day(90));
        assert_eq!(last.present(&session, day(90)), Refreshing::Refuse);
    }

    #[test]
    fn rejects_every_token_of_an_ended_session() {
        let session = Session { revoked_at: Some(at(1)), ..a_session() };
        let mut token = RefreshToken::new([1; 32], &session, NOW);
        assert_eq!(token.present(&session, at(2)), Refreshing::Refuse);
        token.rotated_at = Some(at(1));
        assert_eq!(token.present(&session, at(2)), Refreshing::Refuse);
        assert_eq!(token.present(&session, day(1)), Refreshing::Refuse);
    }

    #[test]
    fn a_key_signs_for_30_days_and_verifies_for_37() {
        let key = SigningKey { id: SigningKeyId::from_uuid(Uuid::nil()), sealed: vec![], created_at: NOW };
        assert!(key.signs(day(30).minus(Duration::from_millis(1))) && !key.signs(day(30)));
        assert!(
            key.verifies(day(37).minus(Duration::from_millis(1))) && !key.verifies(day(37)),
            "the key verifies until its last token expires"
        );
    }
}
