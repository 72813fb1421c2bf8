//! Accounts, sessions and the usage log. Sign-in reads them before there is an [`Access`].

use async_trait::async_trait;

use super::errors::StoreError;
use crate::access::attempts::LoginAttempts;
use crate::access::storage_usage::StorageUsage;
use crate::access::usage::{
    ErrorGroup, KeyUsage, KeyUse, RequestFilter, Span, UsageFilter, UsageHour, UsagePoint, UsageRecord,
};
use crate::access::{
    Access, Invitation, LiveSession, Membership, RefreshToken, Session, SessionHolder, SigningKey, User,
};
use crate::contacts::Email;
use crate::ids::{SessionId, SigningKeyId, UserId, WorkspaceId};
use crate::pagination::{Page, PageRequest};
use crate::time::Timestamp;

type Answer<T> = Result<T, StoreError>;

/// Users and their sessions. They belong to no workspace.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait AccountQueries: Send + Sync {
    /// Returns a user.
    async fn user(&self, user: UserId) -> Answer<Option<User>>;
    /// Returns the user with this email.
    async fn user_by_email(&self, email: &Email) -> Answer<Option<User>>;
    /// Returns the user with a password reset token of this SHA-256, even if the token is expired.
    async fn user_by_reset(&self, digest: [u8; 32]) -> Answer<Option<User>>;
    /// Returns the memberships of a user, sandboxes included, oldest workspace first.
    async fn memberships(&self, user: UserId) -> Answer<Vec<Membership>>;
    /// Whether a user with this email has signed in from this network. Ended sessions count until they are removed.
    async fn has_signed_in(&self, email: &Email, network: &str) -> Answer<bool>;
    /// Returns a session, even an ended one, with its user and their memberships.
    async fn session(&self, session: SessionId) -> Answer<Option<SessionHolder>>;
    /// Returns the sessions of a user that can be refreshed at `now`, newest first, at most `limit`: neither ended nor
    /// expired, with an unused and valid refresh token.
    async fn live_sessions(&self, user: UserId, now: Timestamp, limit: u32) -> Answer<Vec<LiveSession>>;
    /// Returns the refresh token with this SHA-256, even a used one, with its session.
    async fn refresh_token(&self, digest: [u8; 32]) -> Answer<Option<(RefreshToken, Session)>>;
    /// Returns the sign-in attempts on this account since its last success.
    async fn login_attempts(&self, account: &str) -> Answer<Option<LoginAttempts>>;
    /// Returns the newest key pair.
    async fn newest_signing_key(&self) -> Answer<Option<SigningKey>>;
    /// Returns a key pair.
    async fn signing_key(&self, key: SigningKeyId) -> Answer<Option<SigningKey>>;
    /// Returns the invitation with a token of this SHA-256, even an expired one, with its workspace.
    async fn invitation(&self, digest: [u8; 32]) -> Answer<Option<(Invitation, WorkspaceId)>>;
    /// Removes sessions that expired before `now`, with their refresh tokens, and counts of sign-in attempts that were
    /// last updated before `forgotten`: at most `limit` rows of each kind. Returns the largest count.
    async fn expire(&self, now: Timestamp, forgotten: Timestamp, limit: u32) -> Answer<u64>;
}

/// The log of requests. It bypasses the ledger: a crash can lose its last second.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait UsageStore: Send + Sync {
    /// Stores requests, adds them to the sums of their quarter-hours, and updates the last use of keys, never
    /// backwards.
    async fn record(&self, requests: Vec<UsageRecord>, uses: Vec<KeyUse>) -> Answer<()>;
    /// Returns a page of the workspace's requests.
    async fn list(&self, access: &Access, filter: &RequestFilter, page: PageRequest) -> Answer<Page<UsageRecord>>;
    /// Returns requests counted by minute, in order, without empty minutes. It reads each request of the span, so the
    /// span must be short.
    async fn minutes(&self, access: &Access, filter: &RequestFilter, span: Span) -> Answer<Vec<UsagePoint>>;
    /// Returns requests counted by quarter of an hour, from the sums of the quarters that begin in the span.
    async fn quarters(&self, access: &Access, filter: &UsageFilter, span: Span) -> Answer<Vec<UsagePoint>>;
    /// Returns the sums of the hours that begin in the span, by hour, method and route.
    async fn hours(&self, access: &Access, span: Span) -> Answer<Vec<UsageHour>>;
    /// Returns responses with status 400 and above, of the quarters that begin in the span: the groups with the most
    /// requests, in the order of [`ErrorGroup::sort`].
    async fn errors(&self, access: &Access, filter: &UsageFilter, span: Span, limit: u32) -> Answer<Vec<ErrorGroup>>;
    /// Returns the usage of each key in the quarters that begin in the span, the busiest key first.
    async fn keys(&self, access: &Access, span: Span, limit: u32) -> Answer<Vec<KeyUsage>>;
    /// Returns the amount of text that the workspace has stored: the last measurement, and the writes of this process
    /// since.
    async fn storage_usage(&self, access: &Access, now: Timestamp) -> Answer<StorageUsage>;
    /// Removes at most `limit` requests and at most `limit` sums from before `before`. Returns the larger count.
    async fn expire(&self, before: Timestamp, limit: u32) -> Answer<u64>;
}
