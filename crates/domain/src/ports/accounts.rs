//! What signing in reads, before there is an [`Access`]; and the log of who used the API.

use async_trait::async_trait;

use super::errors::StoreError;
use crate::access::attempts::LoginAttempts;
use crate::access::stored::Stored;
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

/// People and their sessions, which belong to no workspace.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait AccountQueries: Send + Sync {
    /// A person.
    async fn user(&self, user: UserId) -> Answer<Option<User>>;
    /// The person with this address.
    async fn user_by_email(&self, email: &Email) -> Answer<Option<User>>;
    /// The person whose link to another password has a token with this SHA-256, over or not.
    async fn user_by_reset(&self, digest: [u8; 32]) -> Answer<Option<User>>;
    /// The places of a person, sandboxes included, oldest workspace first.
    async fn memberships(&self, user: UserId) -> Answer<Vec<Membership>>;
    /// Whether somebody has signed in as the person with this address from this network; ended
    /// sessions count as long as they are kept.
    async fn has_signed_in(&self, email: &Email, network: &str) -> Answer<bool>;
    /// A session, ended ones included, with the person and their places.
    async fn session(&self, session: SessionId) -> Answer<Option<SessionHolder>>;
    /// The sessions of a person that can be carried on at `now`, newest first, at most `limit`: neither
    /// ended nor expired, with a refresh token that was not used and is not over.
    async fn live_sessions(&self, user: UserId, now: Timestamp, limit: u32) -> Answer<Vec<LiveSession>>;
    /// The refresh token with this SHA-256, used ones included, with its session.
    async fn refresh_token(&self, digest: [u8; 32]) -> Answer<Option<(RefreshToken, Session)>>;
    /// What was tried on this account since the last success.
    async fn login_attempts(&self, account: &str) -> Answer<Option<LoginAttempts>>;
    /// The key pair that was made last.
    async fn newest_signing_key(&self) -> Answer<Option<SigningKey>>;
    /// A key pair.
    async fn signing_key(&self, key: SigningKeyId) -> Answer<Option<SigningKey>>;
    /// The invitation whose token has this SHA-256, expired or not, with its workspace.
    async fn invitation(&self, digest: [u8; 32]) -> Answer<Option<(Invitation, WorkspaceId)>>;
    /// Removes at most `limit` rows each of what opens nothing any more: sessions that expired before
    /// `now`, with their refresh tokens, and log-ins whose last try was before `forgotten`. Returns
    /// the largest of the counts.
    async fn expire(&self, now: Timestamp, forgotten: Timestamp, limit: u32) -> Answer<u64>;
}

/// The log of requests. It goes past the ledger: a crash may lose the last second of it.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait UsageStore: Send + Sync {
    /// Writes requests, adds them to the sums of their quarter-hours, and stamps keys as used, never back in time.
    async fn record(&self, requests: Vec<UsageRecord>, uses: Vec<KeyUse>) -> Answer<()>;
    /// Requests of the workspace, page by page.
    async fn list(&self, access: &Access, filter: &RequestFilter, page: PageRequest) -> Answer<Page<UsageRecord>>;
    /// Requests counted by minute, in order, without the minutes in which there was none. Every request of the span is
    /// looked at, so it must be short.
    async fn minutes(&self, access: &Access, filter: &RequestFilter, span: Span) -> Answer<Vec<UsagePoint>>;
    /// The same by quarter of an hour, from the sums: of the quarters that begin in the span.
    async fn quarters(&self, access: &Access, filter: &UsageFilter, span: Span) -> Answer<Vec<UsagePoint>>;
    /// The sums of the hours that begin in the span, by hour, method and route.
    async fn hours(&self, access: &Access, span: Span) -> Answer<Vec<UsageHour>>;
    /// Answers of 400 and above, of the quarters that begin in the span: the groups of the most requests, in the order
    /// of [`ErrorGroup::sort`].
    async fn errors(&self, access: &Access, filter: &UsageFilter, span: Span, limit: u32) -> Answer<Vec<ErrorGroup>>;
    /// What each key did in the quarters that begin in the span, the busiest first.
    async fn keys(&self, access: &Access, span: Span, limit: u32) -> Answer<Vec<KeyUsage>>;
    /// How much text the workspace has stored, with what this process wrote since it was added up.
    async fn stored(&self, access: &Access, now: Timestamp) -> Answer<Stored>;
    /// Removes at most `limit` requests, and as many sums, from before `before`; returns the larger count.
    async fn expire(&self, before: Timestamp, limit: u32) -> Answer<u64>;
}
