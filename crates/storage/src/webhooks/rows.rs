//! Rows of webhooks.

use diesel::prelude::*;
use tidings_domain::ids::WebhookId;
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::{Health, OlderSecret, PayloadForm, Subscription, Webhook, WebhookStatus};

use super::headers::{plain_text, read_headers, sealed_text};
use crate::connection::faults::Fault;
use crate::queries::rows::{json, to_json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::webhooks;

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = webhooks)]
    pub(crate) struct WebhookRow in webhooks {
        pub(super) workspace_id: DbId,
        pub(super) id: DbId,
        url: String,
        events: String,
        description: Option<String>,
        payload: String,
        secret: Vec<u8>,
        secret_hint: String,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
        status: String,
        disabled_reason: Option<String>,
        headers: String,
        older_secrets: String,
        sealed_headers: String,
    }
}

crate::write::row! {
    /// The columns of a webhook that attempts write.
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = webhooks)]
    pub(crate) struct HealthRow in webhooks {
        workspace_id: DbId,
        id: DbId,
        failures: i32,
        failing_since: Option<DbTime>,
        parked_until: Option<DbTime>,
        rests: i32,
        last_delivery_at: Option<DbTime>,
        health_version: i64,
    }
}

impl HealthRow {
    pub(crate) fn write(workspace_id: DbId, webhook: WebhookId, it: &Health) -> Self {
        Self {
            workspace_id,
            id: webhook.into(),
            failures: it.failures,
            failing_since: it.failing_since.map(Into::into),
            parked_until: it.parked_until.map(Into::into),
            rests: it.rests,
            last_delivery_at: it.last_delivery_at.map(Into::into),
            health_version: it.version,
        }
    }

    fn read(self) -> Health {
        Health {
            failures: self.failures,
            failing_since: self.failing_since.map(|time| time.0),
            parked_until: self.parked_until.map(|time| time.0),
            rests: self.rests,
            last_delivery_at: self.last_delivery_at.map(|time| time.0),
            version: self.health_version,
        }
    }
}

/// Sealed bytes, and milliseconds since 1970.
pub(crate) type OlderSecretText = (Vec<u8>, i64);

impl WebhookRow {
    pub(crate) fn write(workspace_id: DbId, it: &Webhook) -> Result<Self, Fault> {
        let older = it.older_secrets.iter().map(|older| (older.sealed.clone(), older.expires_at.millis()));
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            url: it.url.clone(),
            events: to_json(&it.events.words())?,
            description: it.description.clone(),
            payload: it.payload.as_str().to_owned(),
            secret: it.secret.clone(),
            secret_hint: it.secret_hint.clone(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            status: it.status.as_str().to_owned(),
            disabled_reason: it.disabled_reason.clone(),
            headers: plain_text(&it.headers)?,
            sealed_headers: sealed_text(&it.headers)?,
            older_secrets: to_json(&older.collect::<Vec<OlderSecretText>>())?,
        })
    }

    pub(super) fn read(self, health: HealthRow) -> Result<Webhook, Fault> {
        let older: Vec<OlderSecretText> = json(&self.older_secrets, "a webhook's older secrets")?;
        let older = older.into_iter();
        let words: Vec<String> = json(&self.events, "a webhook's events")?;
        Ok(Webhook {
            id: self.id.to_typed_id(),
            url: self.url,
            events: Subscription::from_words(words.iter().map(String::as_str)),
            description: self.description,
            payload: word(&self.payload, "payload form", PayloadForm::parse)?,
            secret: self.secret,
            secret_hint: self.secret_hint,
            older_secrets: older
                .map(|(sealed, at)| OlderSecret { sealed, expires_at: Timestamp::from_millis(at) })
                .collect(),
            status: word(&self.status, "webhook status", WebhookStatus::parse)?,
            disabled_reason: self.disabled_reason,
            headers: read_headers(&self.headers, &self.sealed_headers)?,
            health: health.read(),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}
