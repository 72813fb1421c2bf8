//! Use cases of webhooks and their deliveries.

use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};

use super::{
    Attempt, Delivery, DeliveryFilter, Health, MAX_WEBHOOKS, NewWebhook, SealedHeaders, Webhook, WebhookPatch,
    WebhookStats, WebhookStatus,
};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::{Error, Violation};
use crate::ids::{DeliveryId, TypedId, WebhookId};
use crate::list_filter::ListFilter;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook, record_of};
use crate::pagination::{Page, PageRequest};
use crate::patch::Patch;
use crate::ports::{Change, ChangeSet, Counted, Guard, JobChange, Object, Ports, Row, StoreError};
use crate::retention::Retention;
use crate::retry::{commit_new, retry_on_conflict};

/// A webhook with its recent statistics.
#[derive(Debug, Clone)]
pub struct ShownWebhook {
    /// The webhook as stored.
    pub webhook: Webhook,
    /// Attempts of the last day.
    pub stats: WebhookStats,
}

/// A webhook with its new secret, which is shown only this time.
#[derive(Debug, Clone)]
pub struct RevealedWebhook {
    /// The webhook.
    pub shown: ShownWebhook,
    /// The secret, `whsec_…`.
    pub secret: SecretString,
}

/// Returns the context of a webhook's sealed secret.
pub fn secret_context(webhook: WebhookId) -> String {
    format!("webhook-secret:{webhook}")
}

pub(super) fn hint(secret: &str) -> String {
    secret.chars().skip(secret.chars().count().saturating_sub(4)).collect()
}

/// Use cases of webhooks.
#[derive(Clone)]
pub struct WebhookService {
    /// The ports.
    pub ports: Arc<Ports>,
    /// The retention. It limits how old replayed deliveries can be.
    pub retention: Retention,
}

impl WebhookService {
    /// Returns a webhook.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, webhook: WebhookId) -> Result<ShownWebhook, Error> {
        let webhook = self.find(access, webhook).await?;
        Ok(self.shown(access, webhook).await?)
    }

    pub(super) async fn find(&self, access: &Access, webhook: WebhookId) -> Result<Webhook, Error> {
        self.ports.webhooks.get(access, webhook).await?.ok_or(Error::NotFound)
    }

    pub(super) async fn shown(&self, access: &Access, webhook: Webhook) -> Result<ShownWebhook, StoreError> {
        let since = WebhookStats::since(self.ports.clock.now());
        let counts = self.ports.webhooks.counts(access, vec![webhook.id], since).await?;
        Ok(ShownWebhook { webhook, stats: WebhookStats::of(counts) })
    }

    /// Returns a page of the workspace's webhooks.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<WebhookStatus>,
        page: PageRequest,
    ) -> Result<Page<ShownWebhook>, Error> {
        let page = self.ports.webhooks.list(access, filter, page).await?;
        let ids = page.items.iter().map(|webhook| webhook.id).collect();
        let counts = self.ports.webhooks.counts(access, ids, WebhookStats::since(self.ports.clock.now())).await?;
        Ok(page.map(|webhook| {
            let own = counts.iter().filter(|count| count.webhook == webhook.id).copied();
            ShownWebhook { stats: WebhookStats::of(own), webhook }
        }))
    }

    /// Creates a webhook with a new secret.
    ///
    /// # Errors
    /// [`Error::Invalid`] at `/url`, [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewWebhook,
        idempotency: IdempotencyHook<'_, RevealedWebhook>,
    ) -> Result<Done<RevealedWebhook>, Error> {
        self.check_address(&command.url)?;
        let now = self.ports.clock.now();
        let id = WebhookId::from_uuid(self.ports.ids.next());
        let secret = self.ports.secrets.webhook_secret();
        let exposed = secret.expose_secret();
        let webhook = Webhook {
            id,
            url: command.url,
            events: command.events,
            description: command.description,
            payload: command.payload,
            secret: self.ports.sealer.seal(exposed.as_bytes(), &secret_context(id)),
            secret_hint: hint(exposed),
            older_secrets: Vec::new(),
            status: WebhookStatus::Active,
            disabled_reason: None,
            headers: SealedHeaders::given(&command.headers, &SealedHeaders::default(), id, &*self.ports.sealer)?,
            health: Health::default(),
            created_at: now,
            updated_at: now,
            version: 1,
        };
        let shown = ShownWebhook { webhook: webhook.clone(), stats: WebhookStats::default() };
        let done = Done::created(RevealedWebhook { shown, secret: secret.clone() });
        let mut set = ChangeSet::new(access.workspace());
        set.guard(Guard::Room { what: Counted::Webhooks, adding: 1, most: MAX_WEBHOOKS });
        self.ports.add_audit(AuditDraft::created(AuditAction::WebhookCreated, &webhook), access, &mut set);
        set.change(Change::Insert(Row::Webhook(webhook)));
        set.idempotency = record_of(idempotency, &done);
        commit_new(&*self.ports.ledger, set).await?;
        Ok(done)
    }

    /// Merges an update into a webhook.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`] at `/url` and below
    /// `/headers`, [`Error::Store`].
    pub async fn update(
        &self,
        access: &Access,
        webhook: WebhookId,
        patch: WebhookPatch,
        expected: &ExpectedVersion,
    ) -> Result<ShownWebhook, Error> {
        let after = retry_on_conflict(|| async {
            let before = self.find(access, webhook).await?;
            expected.check(before.version)?;
            if let Some(url) = &patch.url {
                self.check_address(url)?;
            }
            let mut after = before.clone();
            after.url = patch.url.clone().unwrap_or(after.url);
            after.events = patch.events.clone().unwrap_or(after.events);
            after.description = patch.description.clone().apply(after.description);
            after.payload = patch.payload.unwrap_or(after.payload);
            after.headers = match &patch.headers {
                Patch::Keep => after.headers,
                Patch::Clear => SealedHeaders::default(),
                Patch::Set(given) => SealedHeaders::given(given, &before.headers, webhook, &*self.ports.sealer)?,
            };
            if after == before {
                return Ok(before);
            }
            after.version += 1;
            after.updated_at = self.ports.clock.now().max(before.updated_at);
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Update(Row::Webhook(after.clone())));
            self.ports.add_audit(AuditDraft::changed(AuditAction::WebhookUpdated, &before, &after), access, &mut set);
            self.ports.ledger.commit(set).await?;
            Ok(after)
        })
        .await?;
        Ok(self.shown(access, after).await?)
    }

    /// Returns the error of a forbidden address, so a request with other errors reports all of them at once.
    pub fn wrong_address(&self, url: &str) -> Option<Violation> {
        let why = self.ports.addresses.check(url).err()?;
        Some(Violation::new("/url", "forbidden_address", why))
    }

    fn check_address(&self, url: &str) -> Result<(), Error> {
        self.wrong_address(url).map_or(Ok(()), |wrong| Err(Error::Invalid(vec![wrong])))
    }

    /// Deletes a webhook. Its pending deliveries fail at their next attempt.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn delete(&self, access: &Access, webhook: WebhookId, expected: &ExpectedVersion) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let found = self.find(access, webhook).await?;
            expected.check(found.version)?;
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Delete(Object::Webhook(webhook)));
            self.ports.add_audit(AuditDraft::deleted(AuditAction::WebhookDeleted, &found), access, &mut set);
            set.change(Change::Job(JobChange::Release { group: webhook.uuid(), due_at: self.ports.clock.now() }));
            Ok(self.ports.ledger.commit(set).await?)
        })
        .await
    }

    /// Returns a page of the deliveries to a webhook.
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
        self.find(access, webhook).await?;
        let mut found = self.ports.webhooks.deliveries(access, webhook, filter, page).await?;
        found.items.iter_mut().for_each(|delivery| self.by_own_clock(delivery));
        Ok(found)
    }

    /// Returns a delivery to a webhook, with all attempts.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn delivery(
        &self,
        access: &Access,
        webhook: WebhookId,
        delivery: DeliveryId,
    ) -> Result<(Delivery, Vec<Attempt>), Error> {
        self.find(access, webhook).await?;
        let found = self.delivery_to(access, webhook, delivery).await?;
        let attempts = self.ports.webhooks.attempts(access, delivery).await?;
        Ok((found, attempts))
    }

    pub(super) async fn delivery_to(
        &self,
        access: &Access,
        webhook: WebhookId,
        delivery: DeliveryId,
    ) -> Result<Delivery, Error> {
        let found = self.ports.webhooks.delivery(access, delivery).await?;
        let mut found = found.filter(|delivery| delivery.webhook == webhook).ok_or(Error::Missing("delivery"))?;
        self.by_own_clock(&mut found);
        Ok(found)
    }

    /// Converts the time of the next attempt from the store's clock to the workspace's clock.
    fn by_own_clock(&self, delivery: &mut Delivery) {
        delivery.next_attempt_at = delivery.next_attempt_at.map(|at| at.plus(self.ports.ahead));
    }
}
