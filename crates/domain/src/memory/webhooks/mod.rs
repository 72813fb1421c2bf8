//! Webhooks and deliveries.

mod delivery_queue;

use async_trait::async_trait;

use super::{MemoryStore, State};
use crate::access::Access;
use crate::events::EventKind;
use crate::ids::{DeliveryId, JobId, TypedId, WebhookId, WorkspaceId};
use crate::list_filter::ListFilter;
use crate::pagination::{Page, PageRequest};
use crate::ports::{Claim, Conflict, Object, Row, WebhookChange, WebhookQueries};
use crate::time::Timestamp;
use crate::webhooks::{
    Attempt, AttemptCount, AttemptRecord, Delivery, DeliveryFilter, MAX_SHOWN_ATTEMPTS, Replay, Webhook, WebhookStatus,
};

use super::apply::{Applied, insert, referenced};
use crate::memory::tables::filter_fields::Filtered;
use crate::memory::tables::pages::{Answer, at, of, page};

impl State {
    pub(super) fn change_webhooks(&mut self, ws: WorkspaceId, change: WebhookChange) -> Applied {
        match change {
            WebhookChange::UpdateHealth { webhook, health } => {
                let stale = Conflict::Stale(Object::Webhook(webhook));
                let found = self.webhooks.get_mut(&(ws, webhook));
                let found = found.filter(|it| it.health.version + 1 == health.version).ok_or(stale)?;
                found.health = health;
                Ok(())
            }
            WebhookChange::Stamp { webhook, at } => {
                if let Some(found) = self.webhooks.get_mut(&(ws, webhook)).filter(|it| it.health.wants_stamp(at)) {
                    found.health.last_delivery_at = Some(at);
                }
                Ok(())
            }
            WebhookChange::CountAttempt { count: it, .. } => {
                let key = (ws, (it.webhook, it.hour, it.succeeded, it.bucket));
                *self.counts.entry(key).or_default() += it.count;
                Ok(())
            }
            WebhookChange::PutReplay(it) => {
                self.replays.insert((ws, it.id), it);
                Ok(())
            }
            WebhookChange::DropReplay(id) => {
                self.replays.remove(&(ws, id));
                Ok(())
            }
            WebhookChange::RecordAttempt(it) => {
                let AttemptRecord { delivery, token, first } = *it;
                let job = JobId::from_uuid(delivery.id.uuid());
                self.check_claim(ws, Claim { job, token })?;
                self.update_row(ws, Row::Delivery(delivery.clone()))?;
                self.end_claim(ws, job);
                match first {
                    Some(it) => insert(&mut self.attempts, (ws, (it.delivery, it.number)), it),
                    None => Ok(()),
                }
            }
            WebhookChange::InsertAttempt(it) => {
                referenced(self.deliveries.contains_key(&(ws, it.delivery)))?;
                insert(&mut self.attempts, (ws, (it.delivery, it.number)), it)
            }
        }
    }
}

#[async_trait]
impl WebhookQueries for MemoryStore {
    async fn get(&self, access: &Access, webhook: WebhookId) -> Answer<Option<Webhook>> {
        Ok(self.lock().webhooks.get(&(access.workspace(), webhook)).cloned())
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<WebhookStatus>,
        request: PageRequest,
    ) -> Answer<Page<Webhook>> {
        let found = of(&self.lock().webhooks, access.workspace(), |it: &Webhook| filter.admits(&it.filter_fields()));
        Ok(page(found, request, |it: &Webhook| at(it.created_at, it.id)))
    }

    async fn subscribers(&self, access: &Access, kind: EventKind) -> Answer<Vec<Webhook>> {
        let wants = |it: &Webhook| it.events.wants(kind) && it.status != WebhookStatus::Disabled;
        Ok(of(&self.lock().webhooks, access.workspace(), wants))
    }

    async fn deliveries(
        &self,
        access: &Access,
        webhook: WebhookId,
        filter: &DeliveryFilter,
        request: PageRequest,
    ) -> Answer<Page<Delivery>> {
        let found = of(&self.lock().deliveries, access.workspace(), |it| {
            it.webhook == webhook
                && filter.status.is_none_or(|status| it.status == status)
                && filter.event_kind.is_none_or(|kind| it.event_kind == kind)
                && filter.since.is_none_or(|since| it.created_at >= since)
                && filter.until.is_none_or(|until| it.created_at < until)
        });
        Ok(page(found, request, |it: &Delivery| at(it.created_at, it.id)))
    }

    async fn delivery(&self, access: &Access, delivery: DeliveryId) -> Answer<Option<Delivery>> {
        Ok(self.lock().deliveries.get(&(access.workspace(), delivery)).cloned())
    }

    async fn attempts(&self, access: &Access, delivery: DeliveryId) -> Answer<Vec<Attempt>> {
        let mut all = of(&self.lock().attempts, access.workspace(), |it| it.delivery == delivery);
        Ok(all.split_off(all.len().saturating_sub(MAX_SHOWN_ATTEMPTS.into())))
    }

    async fn counts(&self, access: &Access, webhooks: Vec<WebhookId>, since: Timestamp) -> Answer<Vec<AttemptCount>> {
        let state = self.lock();
        let own = state.counts.iter().filter(|((ws, (webhook, hour, _, _)), _)| {
            *ws == access.workspace() && webhooks.contains(webhook) && *hour >= since
        });
        let counts = own.map(|((_, (webhook, hour, succeeded, bucket)), count)| AttemptCount {
            webhook: *webhook,
            hour: *hour,
            succeeded: *succeeded,
            bucket: *bucket,
            count: *count,
        });
        Ok(counts.collect())
    }

    async fn replay(&self, access: &Access, replay: JobId) -> Answer<Option<Replay>> {
        Ok(self.lock().replays.get(&(access.workspace(), replay)).cloned())
    }
}
