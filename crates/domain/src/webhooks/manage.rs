//! Use cases that pause and enable a webhook, and rotate its secret.

use std::time::Duration;

use secrecy::ExposeSecret;

use super::service::hint;
use super::{OlderSecret, RevealedWebhook, ShownWebhook, Webhook, WebhookService, WebhookStatus, secret_context};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::{TypedId, WebhookId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::ports::{Change, ChangeSet, JobChange, Row, WebhookChange};
use crate::retry::{commit_outcome, retry_on_conflict};

/// The default overlap of a rotated secret with its successor.
pub const DEFAULT_OVERLAP: Duration = Duration::from_secs(24 * 3_600);
/// The longest overlap.
pub const MAX_OVERLAP: Duration = Duration::from_secs(7 * 24 * 3_600);
/// The maximum number of older secrets: receivers reject headers that are too long.
const MAX_OLDER: usize = 4;

impl WebhookService {
    /// Pauses a webhook. Its deliveries wait until it is enabled.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn pause(
        &self,
        access: &Access,
        webhook: WebhookId,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, ShownWebhook>,
    ) -> Result<Done<ShownWebhook>, Error> {
        let to = (WebhookStatus::Paused, AuditAction::WebhookPaused);
        self.turn(access, webhook, to, expected, idempotency).await
    }

    /// Enables a paused or disabled webhook and resets its health. Waiting deliveries are sent.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn enable(
        &self,
        access: &Access,
        webhook: WebhookId,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, ShownWebhook>,
    ) -> Result<Done<ShownWebhook>, Error> {
        let to = (WebhookStatus::Active, AuditAction::WebhookEnabled);
        self.turn(access, webhook, to, expected, idempotency).await
    }

    async fn turn(
        &self,
        access: &Access,
        webhook: WebhookId,
        (status, action): (WebhookStatus, AuditAction),
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, ShownWebhook>,
    ) -> Result<Done<ShownWebhook>, Error> {
        retry_on_conflict(|| async {
            let shown = self.get(access, webhook).await?;
            let before = &shown.webhook;
            expected.check(before.version)?;
            let mut set = ChangeSet::new(access.workspace());
            let done = if before.status == status {
                Done::unchanged(shown)
            } else {
                let now = self.ports.clock.now();
                let mut after = Webhook { status, disabled_reason: None, ..before.clone() };
                after.version += 1;
                after.updated_at = now.max(before.updated_at);
                if status == WebhookStatus::Active {
                    after.health = before.health.afresh();
                    let health = after.health.clone();
                    set.change(Change::Webhook(WebhookChange::UpdateHealth { webhook, health }));
                    set.change(Change::Job(JobChange::Release { group: webhook.uuid(), due_at: now }));
                }
                set.changes.insert(0, Change::Update(Row::Webhook(after.clone())));
                self.ports.add_audit(AuditDraft::changed(action, before, &after), access, &mut set);
                Done::changed(ShownWebhook { webhook: after, ..shown })
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Generates a new secret for a webhook. The previous one also signs for `overlap`, at most [`MAX_OVERLAP`].
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn rotate_secret(
        &self,
        access: &Access,
        webhook: WebhookId,
        overlap: Duration,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, RevealedWebhook>,
    ) -> Result<Done<RevealedWebhook>, Error> {
        let secret = self.ports.secrets.webhook_secret();
        let exposed = secret.expose_secret();
        retry_on_conflict(|| async {
            let shown = self.get(access, webhook).await?;
            let before = &shown.webhook;
            expected.check(before.version)?;
            let now = self.ports.clock.now();
            let mut after = before.clone();
            let outgoing =
                OlderSecret { sealed: before.secret.clone(), expires_at: now.plus(overlap.min(MAX_OVERLAP)) };
            let older = std::iter::once(outgoing).chain(before.older_secrets.iter().cloned());
            after.older_secrets = older.filter(|older| older.expires_at > now).take(MAX_OLDER).collect();
            after.secret = self.ports.sealer.seal(exposed.as_bytes(), &secret_context(webhook));
            after.secret_hint = hint(exposed);
            after.version += 1;
            after.updated_at = now.max(before.updated_at);
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Update(Row::Webhook(after.clone())));
            self.ports.add_audit(
                AuditDraft::changed(AuditAction::WebhookSecretRotated, before, &after),
                access,
                &mut set,
            );
            let shown = ShownWebhook { webhook: after, ..shown };
            let done = Done::changed(RevealedWebhook { shown, secret: secret.clone() });
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }
}
