//! Delivery → receiver: one attempt, and what follows from it.

use std::sync::Arc;

use secrecy::SecretString;

use super::unless_lost;
use crate::access::Access;
use crate::error::Error;
use crate::ids::{DeliveryId, TypedId};
use crate::ports::{
    Change, ChangeSet, ClaimedJob, Clock, EngineStore, Ledger, Randomness, Sealer, StoreError, WebhookQueries,
};
use crate::settle::{Setback, settle};
use crate::time::Timestamp;
use crate::webhooks::sender::{AttemptOutcome, AttemptResult, DeliveryAttempt, WebhookSender};
use crate::webhooks::{Attempt, Delivery, DeliveryStatus, NextStep, PayloadForm, RetrySchedule, secret_context};

/// Makes attempts at deliveries.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct DeliveryExecutor {
    pub engine: Arc<dyn EngineStore>,
    pub webhooks: Arc<dyn WebhookQueries>,
    pub sender: Arc<dyn WebhookSender>,
    pub sealer: Arc<dyn Sealer>,
    pub schedule: RetrySchedule,
    pub ledger: Arc<dyn Ledger>,
    pub clock: Arc<dyn Clock>,
    pub random: Arc<dyn Randomness>,
}

impl DeliveryExecutor {
    /// Makes one attempt at the job's delivery, unless it was settled before.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn attempt(&self, access: &Access, job: &ClaimedJob) -> Result<(), Error> {
        let found = self.webhooks.delivery(access, DeliveryId::from_uuid(job.subject)).await?;
        let Some(delivery) = found.filter(|delivery| delivery.status == DeliveryStatus::Pending) else {
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::FinishJob { job: job.id, token: job.token });
            return settle(|| async { unless_lost(self.ledger.commit(set.clone()).await) }).await;
        };
        let begun = self.clock.now();
        let result = match self.prepare(access, &delivery).await? {
            Ok(attempt) => self.sender.send(attempt).await,
            Err(why) => AttemptResult {
                outcome: AttemptOutcome::Forbidden(why),
                duration: Default::default(),
                response_headers: Vec::new(),
                response_body: String::new(),
            },
        };
        let jitter = self.random.unit();
        settle(|| self.record(access, job, delivery.clone(), begun, &result, jitter)).await
    }

    /// Ends a delivery that cannot be attempted: adds that to a set that buries its job.
    pub(super) async fn abandon(
        &self,
        access: &Access,
        job: &ClaimedJob,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let found = self.webhooks.delivery(access, DeliveryId::from_uuid(job.subject)).await?;
        if let Some(mut delivery) = found.filter(|delivery| delivery.status == DeliveryStatus::Pending) {
            delivery.status = DeliveryStatus::Failed;
            delivery.next_attempt_at = None;
            delivery.last_error = Some("no attempt could be made, whatever was tried".to_owned());
            delivery.version += 1;
            delivery.updated_at = self.clock.now().max(delivery.updated_at);
            set.change(Change::UpdateDelivery(delivery));
        }
        Ok(())
    }

    /// What is to be sent, or why it never can be.
    async fn prepare(
        &self,
        access: &Access,
        delivery: &Delivery,
    ) -> Result<Result<DeliveryAttempt, String>, StoreError> {
        let Some(webhook) = self.webhooks.get(access, delivery.webhook).await? else {
            return Ok(Err("the webhook was deleted".to_owned()));
        };
        let event = self.engine.event(access.workspace(), delivery.event).await?;
        let event = event.ok_or_else(|| StoreError::Corrupt(format!("the event of {}", delivery.id)))?;
        let secret = self.sealer.open(&webhook.secret, &secret_context(webhook.id)).ok();
        let Some(secret) = secret.and_then(|bytes| String::from_utf8(bytes).ok()) else {
            return Err(StoreError::Corrupt(format!("the secret of {} does not open", webhook.id)));
        };
        Ok(Ok(DeliveryAttempt {
            url: webhook.url,
            secrets: vec![SecretString::from(secret)],
            event_id: event.id.to_string(),
            event_kind: event.kind.as_str(),
            delivery_id: delivery.id.to_string(),
            number: u32::try_from(delivery.attempts + 1).unwrap_or(1),
            body: if webhook.payload == PayloadForm::Thin { event.thin } else { event.full },
        }))
    }

    async fn record(
        &self,
        access: &Access,
        job: &ClaimedJob,
        mut delivery: Delivery,
        begun: Timestamp,
        result: &AttemptResult,
        jitter: f64,
    ) -> Result<(), Setback> {
        let now = self.clock.now();
        let (status, error) = described(&result.outcome);
        delivery.attempts += 1;
        delivery.last_status = status;
        delivery.last_error = error.clone();
        delivery.version += 1;
        delivery.updated_at = now.max(delivery.updated_at);
        let number = u32::try_from(delivery.attempts).unwrap_or(u32::MAX);
        let next = self.schedule.after(number, &result.outcome, jitter, now);
        let (id, token) = (job.id, job.token);
        let mut set = ChangeSet::new(access.workspace());
        match next {
            NextStep::RetryAt(due_at) => {
                delivery.next_attempt_at = Some(due_at);
                set.change(Change::RescheduleJob { job: id, token, due_at, error: None });
            }
            NextStep::Succeeded | NextStep::Failed => {
                let succeeded = next == NextStep::Succeeded;
                delivery.status = if succeeded { DeliveryStatus::Succeeded } else { DeliveryStatus::Failed };
                delivery.next_attempt_at = None;
                set.change(Change::FinishJob { job: id, token });
            }
        }
        set.change(Change::InsertAttempt(Attempt {
            delivery: delivery.id,
            number: delivery.attempts,
            at: begun,
            duration_ms: i64::try_from(result.duration.as_millis()).unwrap_or(i64::MAX),
            status,
            headers: result.response_headers.clone(),
            body: result.response_body.replace('\0', "\u{fffd}"),
            error,
        }));
        set.change(Change::UpdateDelivery(delivery));
        unless_lost(self.ledger.commit(set).await)
    }
}

fn described(outcome: &AttemptOutcome) -> (Option<i32>, Option<String>) {
    match outcome {
        AttemptOutcome::Answered { status: status @ 200..=299, .. } => (Some(i32::from(*status)), None),
        AttemptOutcome::Answered { status, .. } => {
            (Some(i32::from(*status)), Some(format!("the receiver answered {status}, expected 200 to 299")))
        }
        AttemptOutcome::TimedOut => (None, Some("no whole answer arrived in time".to_owned())),
        AttemptOutcome::Failed(why) | AttemptOutcome::Forbidden(why) => (None, Some(why.clone())),
    }
}
