//! All sealed values, for the rotation of the key that seals them.

use async_trait::async_trait;

use super::StoreError;
use crate::ids::{ChannelId, SecretId, SigningKeyId, WebhookId, WorkspaceId};
use crate::webhooks::SealedHeaders;

/// The kind of a row with sealed values.
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
    /// Idempotency records with a secret.
    Answers,
    /// Keys that recognize the opt-outs of deleted contacts.
    OptOutKeys,
}

impl SealedKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Webhooks, Self::Channels, Self::Secrets, Self::SigningKeys, Self::Answers, Self::OptOutKeys];
}

/// The identity of a row. Rows of a kind are ordered by it.
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

/// A sealed value with its context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedValue {
    /// The context that it is bound to.
    pub context: String,
    /// The value, sealed.
    pub sealed: Vec<u8>,
}

/// A row with its sealed values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedRow {
    /// The identity.
    pub place: SealedPlace,
    /// Its values, always in the same order.
    pub values: Vec<SealedValue>,
}

/// The headers of a webhook with values that are not yet sealed.
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
    /// Returns the value that identifies the store's key; `None` until one is written.
    async fn canary(&self) -> Result<Option<Vec<u8>>, StoreError>;

    /// Replaces the canary if it still equals `before`. Returns whether it did.
    async fn put_canary(&self, before: Option<Vec<u8>>, sealed: Vec<u8>) -> Result<bool, StoreError>;

    /// Returns rows of a kind after `after`, by identity, at most `limit`. Rows without a sealed value are omitted.
    async fn sealed(
        &self,
        kind: SealedKind,
        after: Option<SealedPlace>,
        limit: u32,
    ) -> Result<Vec<SealedRow>, StoreError>;

    /// Replaces only the sealed values of each row, all in one transaction; versions stay. Rows with other values in
    /// the meantime are skipped. Returns the number of replaced rows.
    async fn replace_sealed(&self, rows: Vec<(SealedRow, Vec<Vec<u8>>)>) -> Result<u64, StoreError>;

    /// Returns webhooks after `after` with headers that are not yet sealed, at most `limit`.
    async fn plain_headers(
        &self,
        after: Option<(WorkspaceId, WebhookId)>,
        limit: u32,
    ) -> Result<Vec<PlainHeaders>, StoreError>;

    /// Replaces only the headers of each webhook, all in one transaction; versions stay. Webhooks with other headers in
    /// the meantime are skipped. Returns the number of replaced webhooks.
    async fn replace_headers(&self, webhooks: Vec<(PlainHeaders, SealedHeaders)>) -> Result<u64, StoreError>;
}
