//! Sessions: who is signed in, and how a session is carried on by refresh tokens.
//!
//! A session is a family of refresh tokens. Each is good once; the answer to it names its successor.
//! An answer may be lost on its way, so for [`GRACE`] the same successor is answered again. Whoever
//! comes later with a token that was used has a copy, and so does somebody else: the family ends.

use std::time::Duration;

use super::{Membership, User, UserAgent};
use crate::ids::{SessionId, SigningKeyId, UserId};
use crate::time::Timestamp;

/// How long an access token is good.
pub const ACCESS_LIFE: Duration = Duration::from_secs(7 * 86_400);
/// How long a refresh token is good that nobody uses.
pub const REFRESH_LIFE: Duration = Duration::from_secs(30 * 86_400);
/// How long a session lasts at the most, however often it is refreshed.
pub const FAMILY_LIFE: Duration = Duration::from_secs(90 * 86_400);
/// For how long a used refresh token is answered with the same successor.
pub const GRACE: Duration = Duration::from_secs(20);
/// How long a key pair signs; what it signed is verified as long as it is good.
pub const SIGNING_LIFE: Duration = Duration::from_secs(30 * 86_400);

/// A signed-in browser or program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The ID.
    pub id: SessionId,
    /// Who is signed in.
    pub user: UserId,
    /// Since when.
    pub created_at: Timestamp,
    /// Until when at the most.
    pub expires_at: Timestamp,
    /// When it was ended before that.
    pub revoked_at: Option<Timestamp>,
    /// From which network it began: an IPv4 address, or the first 64 bits of an IPv6 address.
    pub network: Option<String>,
    /// What the browser or program called itself that began it.
    pub user_agent: Option<UserAgent>,
}

/// From where somebody signs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// As in [`Session::network`].
    pub network: String,
    /// What the browser or program calls itself, if it says so.
    pub user_agent: Option<UserAgent>,
}

impl Session {
    /// A session that begins now.
    pub fn new(id: SessionId, user: UserId, now: Timestamp) -> Self {
        let expires_at = now.plus(FAMILY_LIFE);
        Self { id, user, created_at: now, expires_at, revoked_at: None, network: None, user_agent: None }
    }

    /// The same, begun from this network.
    pub fn from_network(self, network: &str) -> Self {
        Self { network: Some(network.to_owned()), ..self }
    }

    /// The same, begun by this browser or program.
    pub fn with_user_agent(self, user_agent: Option<UserAgent>) -> Self {
        Self { user_agent, ..self }
    }

    /// Whether it lets its tokens in at `now`.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && now < self.expires_at
    }
}

/// A session with everything that its requests need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionHolder {
    /// The session.
    pub session: Session,
    /// Who is signed in.
    pub user: User,
    /// Their places, sandboxes included, oldest workspace first.
    pub memberships: Vec<Membership>,
}

/// A session that can be carried on, as its person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveSession {
    /// The session.
    pub session: Session,
    /// When its tokens were last given out: at the last refresh, else at the log-in.
    pub last_used_at: Timestamp,
}

/// A refresh token as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefreshToken {
    /// SHA-256 of the token.
    pub digest: [u8; 32],
    /// Whose session it carries on.
    pub session: SessionId,
    /// When it was given out.
    pub issued_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was used.
    pub rotated_at: Option<Timestamp>,
}

/// What a presented refresh token leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refreshing {
    /// It is used now.
    Rotate,
    /// It was used a moment ago, at this instant: the same successor is answered.
    Repeat(Timestamp),
    /// It was used long ago, so that two have it: the session ends.
    Revoke,
    /// It opens nothing.
    Refuse,
}

impl RefreshToken {
    /// A token of the session that is given out now.
    pub fn new(digest: [u8; 32], session: &Session, now: Timestamp) -> Self {
        let expires_at = now.plus(REFRESH_LIFE).min(session.expires_at);
        Self { digest, session: session.id, issued_at: now, expires_at, rotated_at: None }
    }

    /// What comes of it when it is presented at `now`.
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

/// A key pair that signs access tokens, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningKey {
    /// Its id, which tokens carry as `kid`.
    pub id: SigningKeyId,
    /// The private key, sealed.
    pub sealed: Vec<u8>,
    /// When it was created.
    pub created_at: Timestamp,
}

impl SigningKey {
    /// Whether new tokens are signed by it at `now`.
    pub fn signs(&self, now: Timestamp) -> bool {
        now.since(self.created_at) < SIGNING_LIFE
    }

    /// Whether a token that it signed may still be good at `now`.
    pub fn verifies(&self, now: Timestamp) -> bool {
        now.since(self.created_at) < SIGNING_LIFE + ACCESS_LIFE
    }

    /// What its sealed part is bound to.
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
    fn a_token_is_good_once_and_its_repetition_for_twenty_seconds() {
        let session = a_session();
        let mut token = RefreshToken::new([1; 32], &session, NOW);
        assert_eq!(token.present(&session, at(5)), Refreshing::Rotate);
        token.rotated_at = Some(at(5));
        assert_eq!(token.present(&session, at(5)), Refreshing::Repeat(at(5)));
        assert_eq!(token.present(&session, at(25)), Refreshing::Repeat(at(5)));
        assert_eq!(token.present(&session, at(25).plus(Duration::from_millis(1))), Refreshing::Revoke);
    }

    #[test]
    fn thirty_days_slide_and_ninety_do_not() {
        let session = a_session();
        let token = RefreshToken::new([1; 32], &session, NOW);
        assert_eq!(token.present(&session, day(30).minus(Duration::from_millis(1))), Refreshing::Rotate);
        assert_eq!(token.present(&session, day(30)), Refreshing::Refuse);
        let last = RefreshToken::new([2; 32], &session, day(85));
        assert_eq!(last.expires_at, day(90));
        assert_eq!(last.present(&session, day(90)), Refreshing::Refuse);
    }

    #[test]
    fn an_ended_session_refuses_everything() {
        let session = Session { revoked_at: Some(at(1)), ..a_session() };
        let mut token = RefreshToken::new([1; 32], &session, NOW);
        assert_eq!(token.present(&session, at(2)), Refreshing::Refuse);
        token.rotated_at = Some(at(1));
        assert_eq!(token.present(&session, at(2)), Refreshing::Refuse);
        assert_eq!(token.present(&session, day(1)), Refreshing::Refuse);
    }

    #[test]
    fn a_key_signs_for_thirty_days() {
        let key = SigningKey { id: SigningKeyId::from_uuid(Uuid::nil()), sealed: vec![], created_at: NOW };
        assert!(key.signs(day(30).minus(Duration::from_millis(1))) && !key.signs(day(30)));
        assert!(
            key.verifies(day(37).minus(Duration::from_millis(1))) && !key.verifies(day(37)),
            "its last token is over"
        );
    }
}
