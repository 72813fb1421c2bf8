//! Sealed values, wherever they are kept: for replacing the key that they are sealed by.

use async_trait::async_trait;

use super::StoreError;
use crate::ids::{ChannelId, SecretId, SigningKeyId, WebhookId, WorkspaceId};
use crate::webhooks::SealedHeaders;

/// What has sealed values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealedKind {
    /// Webhooks: signing secrets and the values of headers.
    Webhooks,
    /// Channels: secrets and inbound tokens.
    Channels,
    /// Secrets of workspaces.
    Secrets,
    /// Keys that sign access tokens.
    SigningKeys,
    /// Idempotency records that show a secret.
    Answers,
    /// Keys by which those are known again who opted out.
    OptOutKeys,
}

impl SealedKind {
    /// Each of them.
    pub const ALL: [Self; 6] =
        [Self::Webhooks, Self::Channels, Self::Secrets, Self::SigningKeys, Self::Answers, Self::OptOutKeys];
}

/// Which row it is. Rows of a kind are ordered by it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SealedPlace {
    /// A webhook.
    Webhook(WorkspaceId, WebhookId),
    /// A channel.
    Channel(WorkspaceId, ChannelId),
    /// A secret of a workspace.
    Secret(WorkspaceId, SecretId),
    /// A key that signs access tokens.
    SigningKey(SigningKeyId),
    /// An idempotency record, by method, route and key.
    Answer(WorkspaceId, String, String, String),
    /// The key of the opt-outs of a workspace.
    OptOutKey(WorkspaceId),
}

/// A value with what it is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedValue {
    /// What it is bound to.
    pub context: String,
    /// The value, sealed.
    pub sealed: Vec<u8>,
}

/// A row with its sealed values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedRow {
    /// Which row.
    pub place: SealedPlace,
    /// Its values, always in the same order.
    pub values: Vec<SealedValue>,
}

/// The headers of a webhook some of whose values wait to be sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainHeaders {
    /// The webhook's workspace.
    pub workspace: WorkspaceId,
    /// The webhook.
    pub webhook: WebhookId,
    /// All of its headers.
    pub headers: SealedHeaders,
}

/// Reads and replaces sealed values across workspaces.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SealedStore: Send + Sync {
    /// The value by which a store knows its key; `None` until one was written.
    async fn canary(&self) -> Result<Option<Vec<u8>>, StoreError>;

    /// Writes the canary in the place of `before`; whether `before` was still there.
    async fn put_canary(&self, before: Option<Vec<u8>>, sealed: Vec<u8>) -> Result<bool, StoreError>;

    /// Rows of a kind behind `after`, at most `limit`, in the order of their places. Rows without a
    /// sealed value are left out.
    async fn sealed(
        &self,
        kind: SealedKind,
        after: Option<SealedPlace>,
        limit: u32,
    ) -> Result<Vec<SealedRow>, StoreError>;

    /// Writes other sealed values in the place of each row's, all in one transaction, and changes
    /// nothing else of it, its version included. A row whose values are others meanwhile is left as it
    /// is. How many were written.
    async fn replace_sealed(&self, rows: Vec<(SealedRow, Vec<Vec<u8>>)>) -> Result<u64, StoreError>;

    /// Webhooks behind `after` with headers whose values wait to be sealed, at most `limit`.
    async fn plain_headers(
        &self,
        after: Option<(WorkspaceId, WebhookId)>,
        limit: u32,
    ) -> Result<Vec<PlainHeaders>, StoreError>;

    /// Writes other headers in the place of each webhook's, all in one transaction, and changes nothing
    /// else of it, its version included. Where they are others meanwhile they are left as they are. Of how
    /// many webhooks they were written.
    async fn replace_headers(&self, webhooks: Vec<(PlainHeaders, SealedHeaders)>) -> Result<u64, StoreError>;
}
