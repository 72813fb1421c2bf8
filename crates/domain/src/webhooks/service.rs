//! Use cases of webhooks.

use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};

use super::sender::AddressPolicy;
use super::{Attempt, Delivery, DeliveryFilter, MAX_WEBHOOKS, NewWebhook, Webhook};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{DeliveryId, TypedId, WebhookId};
use crate::outcome::{Done, Expected, Keep, kept};
use crate::pagination::{Page, PageRequest};
use crate::ports::{Change, ChangeSet, Clock, Counted, Guard, Ids, Ledger, Sealer, Secrets, WebhookQueries};
use crate::settle::settle;

/// A new webhook, with the secret that is never shown again.
#[derive(Debug, Clone)]
pub struct CreatedWebhook {
    /// The webhook as it is kept.
    pub webhook: Webhook,
    /// `whsec_…`.
    pub secret: SecretString,
}

/// To what a webhook's sealed secret is bound.
pub fn secret_context(webhook: WebhookId) -> String {
    format!("webhook-secret:{webhook}")
}

/// Use cases of webhooks.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct WebhookService {
    pub webhooks: Arc<dyn WebhookQueries>,
    pub ledger: Arc<dyn Ledger>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub secrets: Arc<dyn Secrets>,
    pub sealer: Arc<dyn Sealer>,
    pub addresses: Arc<dyn AddressPolicy>,
}

impl WebhookService {
    /// A webhook.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, webhook: WebhookId) -> Result<Webhook, Error> {
        self.webhooks.get(access, webhook).await?.ok_or(Error::NotFound)
    }

    /// The webhooks of the workspace.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<Webhook>, Error> {
        Ok(self.webhooks.list(access, page).await?)
    }

    /// Makes a webhook with a secret of its own.
    ///
    /// # Errors
    /// [`Error::Invalid`] at `/url`, [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewWebhook,
        keep: Keep<'_, CreatedWebhook>,
    ) -> Result<Done<CreatedWebhook>, Error> {
        self.addresses.check(&command.url).map_err(|why| Error::invalid("/url", "forbidden_address", why))?;
        let now = self.clock.now();
        let id = WebhookId::from_uuid(self.ids.next());
        let secret = self.secrets.webhook_secret();
        let exposed = secret.expose_secret();
        let webhook = Webhook {
            id,
            url: command.url,
            events: command.events,
            description: command.description,
            payload: command.payload,
            secret: self.sealer.seal(exposed.as_bytes(), &secret_context(id)),
            secret_hint: exposed.chars().skip(exposed.chars().count().saturating_sub(4)).collect(),
            created_at: now,
            updated_at: now,
            version: 1,
        };
        let done = Done::created(CreatedWebhook { webhook: webhook.clone(), secret: secret.clone() });
        let mut set = ChangeSet::new(access.workspace());
        set.guard(Guard::Room { what: Counted::Webhooks, adding: 1, most: MAX_WEBHOOKS });
        set.change(Change::InsertWebhook(webhook));
        set.idempotency = kept(keep, &done);
        self.ledger.commit(set).await?;
        Ok(done)
    }

    /// Deletes a webhook; what is still on its way to it fails on its next attempt.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn delete(&self, access: &Access, webhook: WebhookId, expected: &Expected) -> Result<(), Error> {
        settle(|| async {
            let found = self.get(access, webhook).await?;
            expected.check(found.version)?;
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::DeleteWebhook(webhook));
            Ok(self.ledger.commit(set).await?)
        })
        .await
    }

    /// The deliveries to a webhook.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn deliveries(
        &self,
        access: &Access,
        webhook: WebhookId,
        filter: &DeliveryFilter,
        page: PageRequest,
    ) -> Result<Page<Delivery>, Error> {
        self.get(access, webhook).await?;
        Ok(self.webhooks.deliveries(access, webhook, filter, page).await?)
    }

    /// A delivery to a webhook, with every attempt.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn delivery(
        &self,
        access: &Access,
        webhook: WebhookId,
        delivery: DeliveryId,
    ) -> Result<(Delivery, Vec<Attempt>), Error> {
        self.get(access, webhook).await?;
        let found = self.webhooks.delivery(access, delivery).await?;
        let found = found.filter(|delivery| delivery.webhook == webhook).ok_or(Error::NotFound)?;
        let attempts = self.webhooks.attempts(access, delivery).await?;
        Ok((found, attempts))
    }
}
