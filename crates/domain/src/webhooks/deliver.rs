//! Attempts at deliveries, and their consequences.

use std::sync::Arc;
use std::time::Duration;

use super::sender::{AttemptOutcome, AttemptResult, DeliveryAttempt};
use super::{
    Admission, Attempt, AttemptCount, AttemptRecord, Delivery, DeliveryStatus, NextStep, PayloadForm, RetrySchedule,
    Webhook, WebhookStatus,
};
use crate::access::Access;
use crate::analytics::{Fact, Metric};
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::{DeliveryId, WebhookId};
use crate::ports::{
    AnalyticsChange, Change, ChangeSet, ClaimedJob, Guard, JobChange, Object, Ports, Row, StoreError, StoredEvent,
    WebhookChange,
};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;
use crate::work::ignore_lost_claim;

/// Deliveries that waited for a receiver to recover are spread over this time.
const SPREAD: Duration = Duration::from_secs(5);
/// The reasons for disabling a webhook.
const GONE: &str = "the receiver answered 410: it accepts no more deliveries";
const HOPELESS: &str = "all attempts within five days failed";

/// Makes attempts at deliveries.
#[derive(Clone)]
pub struct DeliveryExecutor {
    /// The ports.
    pub ports: Arc<Ports>,
    /// The retry schedule.
    pub schedule: RetrySchedule,
}

/// An attempt to send.
struct PlannedAttempt {
    delivery: Delivery,
    /// `None` if it was deleted.
    webhook: Option<Webhook>,
    attempt: Result<DeliveryAttempt, String>,
    /// Whether it probes the receiver for all deliveries to the webhook.
    probe: bool,
}

/// A completed attempt.
#[derive(Clone, Copy)]
struct CompletedAttempt<'r> {
    begun: Timestamp,
    result: &'r AttemptResult,
    jitter: f64,
    probe: bool,
}

/// The delivery of a job.
#[derive(Clone, Copy)]
struct Subject {
    delivery: DeliveryId,
    webhook: WebhookId,
    round: i32,
}

impl DeliveryExecutor {
    /// Makes one attempt at a delivery of this round, unless the delivery is settled or has to wait.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn attempt(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (delivery, webhook, round): (DeliveryId, WebhookId, i32),
    ) -> Result<(), Error> {
        let subject = Subject { delivery, webhook, round };
        if job.job.delivery(job.id).is_none() {
            return retry_on_conflict(|| self.queue_again(access, job, subject)).await;
        }
        let Some(ready) = retry_on_conflict(|| self.prepare(access, job, subject)).await? else {
            return Ok(());
        };
        let PlannedAttempt { delivery, webhook, attempt, probe } = ready;
        let begun = self.ports.clock.now();
        let result = match attempt {
            Ok(attempt) => self.ports.sender.send(attempt).await,
            Err(why) => AttemptResult {
                outcome: AttemptOutcome::Forbidden(why),
                duration: Duration::ZERO,
                response_headers: Vec::new(),
                response_body: String::new(),
            },
        };
        let jitter = self.ports.random.unit();
        let (id, round) = (delivery.id, delivery.round_start);
        // The data that was read before the attempt is usually still current. The commit checks its versions.
        let mut read = Some((delivery, webhook));
        let made = CompletedAttempt { begun, result: &result, jitter, probe };
        retry_on_conflict(|| {
            let read = read.take();
            async move {
                let (delivery, webhook) = match read {
                    Some(read) => read,
                    None => match self.ports.webhooks.delivery(access, id).await? {
                        Some(delivery) => {
                            let webhook = self.ports.webhooks.get(access, delivery.webhook).await?;
                            (delivery, webhook)
                        }
                        None => return Ok(()),
                    },
                };
                self.record(access, job, (delivery, webhook, round), made).await
            }
        })
        .await
    }

    /// Moves a delivery that an earlier release queued among jobs to its own row.
    async fn queue_again(&self, access: &Access, job: &ClaimedJob, it: Subject) -> Result<(), AttemptError> {
        let found = self.ports.webhooks.delivery(access, it.delivery).await?;
        let is_due = |found: &Delivery| found.status == DeliveryStatus::Pending && found.round_start == it.round;
        let mut set = ChangeSet::new(access.workspace());
        set.change(job.finish());
        if let Some(mut delivery) = found.filter(is_due) {
            let now = self.ports.clock.now();
            let due_at = delivery.next_attempt_at.map_or(now, |planned| planned.min(now));
            delivery.next_attempt_at = Some(due_at);
            delivery.version += 1;
            delivery.updated_at = now.max(delivery.updated_at);
            set.jobs.push(delivery.queued(due_at));
            set.change(Change::Update(Row::Delivery(delivery)));
        }
        ignore_lost_claim(self.ports.ledger.commit(set).await)
    }

    /// Adds the failure of a delivery to the set that dead-letters its job.
    pub(crate) async fn abandon(
        &self,
        access: &Access,
        delivery: DeliveryId,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let found = self.ports.webhooks.delivery(access, delivery).await?;
        if let Some(mut delivery) = found.filter(|delivery| delivery.status == DeliveryStatus::Pending) {
            delivery.status = DeliveryStatus::Failed;
            delivery.next_attempt_at = None;
            delivery.last_error = Some("no attempt could be made: the job failed each time".to_owned());
            delivery.version += 1;
            delivery.updated_at = self.ports.clock.now().max(delivery.updated_at);
            set.change(Change::Update(Row::Delivery(delivery)));
        }
        Ok(())
    }

    /// Returns the delivery from the claim, otherwise from the store, with its webhook and event.
    async fn read(
        &self,
        access: &Access,
        job: &ClaimedJob,
        Subject { delivery, webhook, round }: Subject,
    ) -> Result<Option<(Delivery, Option<Webhook>, Option<StoredEvent>)>, StoreError> {
        let (engine, workspace) = (&self.ports.engine, access.workspace());
        let told = job.delivery.map(|told| Delivery {
            attempts: told.attempts,
            round_start: round,
            updated_at: told.updated_at,
            version: told.version,
            ..Delivery::new(delivery, webhook, (told.event, told.event_kind), told.created_at)
        });
        let webhook = self.ports.webhooks.get(access, webhook);
        if let Some(delivery) = told {
            let (webhook, event) = futures::try_join!(webhook, engine.event(workspace, delivery.event))?;
            return Ok(Some((delivery, webhook, event)));
        }
        let (found, webhook) = futures::try_join!(self.ports.webhooks.delivery(access, delivery), webhook)?;
        let Some(delivery) = found.filter(|it| it.status == DeliveryStatus::Pending) else { return Ok(None) };
        let event = engine.event(workspace, delivery.event).await?;
        Ok(Some((delivery, webhook, event)))
    }

    /// Returns the attempt to send, or why it can never be sent. Returns `None` if nothing is to be sent now; that is
    /// then already committed.
    async fn prepare(
        &self,
        access: &Access,
        job: &ClaimedJob,
        subject: Subject,
    ) -> Result<Option<PlannedAttempt>, AttemptError> {
        let Some((delivery, webhook, event)) = self.read(access, job, subject).await? else {
            self.finish(access, job).await?;
            return Ok(None);
        };
        let Some(mut webhook) = webhook else {
            let attempt = Err("the webhook was deleted".to_owned());
            return Ok(Some(PlannedAttempt { delivery, webhook: None, attempt, probe: false }));
        };
        let now = self.ports.clock.now();
        let admission = webhook.health.admission(now);
        let wait = match admission {
            _ if webhook.status != WebhookStatus::Active => None,
            Admission::Wait(until) => Some(until.plus(SPREAD.mul_f64(self.ports.random.unit()))),
            Admission::Go | Admission::Probe => {
                let probe = admission == Admission::Probe;
                if probe {
                    // If several deliveries would probe, one commits this; the others find it and wait.
                    let health = webhook.health.probing(now);
                    let mut set = ChangeSet::new(access.workspace());
                    set.guard(Guard::Claim(job.held_claim().claim));
                    set.change(Change::Webhook(WebhookChange::UpdateHealth {
                        webhook: webhook.id,
                        health: health.clone(),
                    }));
                    self.ports.ledger.commit(set).await?;
                    webhook.health = health;
                }
                let event =
                    event.ok_or_else(|| StoreError::Corrupt(format!("the event of {} is missing", delivery.id)))?;
                let attempt = Ok(self.write(access, &webhook, event, &delivery, now)?);
                return Ok(Some(PlannedAttempt { delivery, webhook: Some(webhook), attempt, probe }));
            }
        };
        self.wait(access, job, (delivery.id, &webhook), wait).await?;
        Ok(None)
    }

    /// Makes a claimed delivery wait for its webhook: until a time, or without one until the webhook is enabled.
    async fn wait(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (delivery, webhook): (DeliveryId, &Webhook),
        until: Option<Timestamp>,
    ) -> Result<(), AttemptError> {
        let found = self.ports.webhooks.delivery(access, delivery).await?;
        let Some(mut delivery) = found.filter(|it| it.status == DeliveryStatus::Pending) else {
            return self.finish(access, job).await;
        };
        let mut set = ChangeSet::new(access.workspace());
        match until {
            Some(due_at) => set.change(job.reschedule(due_at, None)),
            // Enabling the webhook in the meantime changes its version, and releases parked jobs.
            None => set
                .guard(Guard::Version(Object::Webhook(webhook.id), webhook.version))
                .change(Change::Job(JobChange::Park { job: job.id, token: job.token })),
        };
        delivery.next_attempt_at = until;
        delivery.version += 1;
        delivery.updated_at = self.ports.clock.now().max(delivery.updated_at);
        set.change(Change::Update(Row::Delivery(delivery)));
        ignore_lost_claim(self.ports.ledger.commit(set).await)
    }

    fn write(
        &self,
        access: &Access,
        webhook: &Webhook,
        event: StoredEvent,
        delivery: &Delivery,
        now: Timestamp,
    ) -> Result<DeliveryAttempt, StoreError> {
        Ok(DeliveryAttempt {
            workspace: access.workspace(),
            secrets: webhook.signing_secrets(&*self.ports.sealer, now)?,
            headers: webhook.headers_to_send(&*self.ports.sealer)?,
            url: webhook.url.clone(),
            in_turn: Some(webhook.id),
            event_id: event.id.to_string(),
            event_kind: event.kind.as_str(),
            delivery_id: delivery.id.to_string(),
            number: u32::try_from(delivery.attempts + 1).unwrap_or(1),
            body: if webhook.payload == PayloadForm::Thin { event.thin } else { event.full },
        })
    }

    /// Ends the claim of a delivery that is settled or missing.
    async fn finish(&self, access: &Access, job: &ClaimedJob) -> Result<(), AttemptError> {
        let mut set = ChangeSet::new(access.workspace());
        set.change(job.finish());
        ignore_lost_claim(self.ports.ledger.commit(set).await)
    }

    /// Commits the result of an attempt, fenced by the claim.
    async fn record(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (mut delivery, webhook, round): (Delivery, Option<Webhook>, i32),
        made: CompletedAttempt<'_>,
    ) -> Result<(), AttemptError> {
        let CompletedAttempt { begun, result, jitter, probe } = made;
        let mut set = ChangeSet::new(access.workspace());
        let now = self.ports.clock.now();
        let (status, error) = result.outcome.described();
        delivery.attempts += 1;
        delivery.last_status = status;
        delivery.last_error = error.clone();
        delivery.version += 1;
        delivery.updated_at = now.max(delivery.updated_at);
        let number = u32::try_from(delivery.attempts - delivery.round_start).unwrap_or(u32::MAX);
        // A replay requested in the meantime still starts its schedule from the beginning. Only success makes it
        // unnecessary.
        let is_of_round = delivery.round_start == round;
        match self.schedule.after(number, &result.outcome, jitter, now) {
            NextStep::Succeeded => {
                delivery.status = DeliveryStatus::Succeeded;
                delivery.next_attempt_at = None;
            }
            NextStep::Failed if is_of_round => {
                delivery.status = DeliveryStatus::Failed;
                delivery.next_attempt_at = None;
            }
            NextStep::RetryAt(due_at) if is_of_round => {
                delivery.next_attempt_at = Some(due_at);
            }
            NextStep::Failed | NextStep::RetryAt(_) => delivery.round_start = delivery.attempts,
        }
        let attempt = Attempt {
            delivery: delivery.id,
            number: delivery.attempts,
            at: begun,
            duration_ms: i64::try_from(result.duration.as_millis()).unwrap_or(i64::MAX),
            status,
            headers: result.response_headers.clone(),
            body: result.response_body.replace('\0', "\u{fffd}"),
            error,
        };
        if let Some(webhook) = webhook {
            self.judge(access, &webhook, (result, probe), now, &mut set);
        }
        let metric = match delivery.status {
            DeliveryStatus::Succeeded => Some(Metric::WebhooksDelivered),
            DeliveryStatus::Failed => Some(Metric::WebhooksFailed),
            DeliveryStatus::Pending => None,
        };
        if let Some(metric) = metric {
            let (id, dimension) = (self.ports.ids.next(), String::new());
            set.change(Change::Analytics(AnalyticsChange::Record(Fact { id, metric, dimension, amount: 1, at: now })));
        }
        let first = match attempt.number {
            1 => Some(attempt),
            _ => {
                set.change(Change::Webhook(WebhookChange::InsertAttempt(attempt)));
                None
            }
        };
        set.jobs.extend(delivery.next_attempt_at.map(|due_at| delivery.queued(due_at)));
        let record = AttemptRecord { delivery, token: job.token, first };
        set.change(Change::Webhook(WebhookChange::RecordAttempt(Box::new(record))));
        ignore_lost_claim(self.ports.ledger.commit(set).await)
    }

    /// Adds the consequences of an attempt for the webhook.
    fn judge(
        &self,
        access: &Access,
        webhook: &Webhook,
        (result, probe): (&AttemptResult, bool),
        now: Timestamp,
        set: &mut ChangeSet,
    ) {
        let succeeded = matches!(result.outcome, AttemptOutcome::Answered { status: 200..=299, .. });
        let health = match succeeded {
            true => webhook.health.after_success(now),
            false => Some(webhook.health.after_failure(now, probe)),
        };
        if succeeded && health.is_none() && webhook.health.wants_stamp(now) {
            set.change(Change::Webhook(WebhookChange::Stamp { webhook: webhook.id, at: now }));
        }
        let gone = matches!(result.outcome, AttemptOutcome::Answered { status: RetrySchedule::GONE, .. });
        let hopeless = health.as_ref().is_some_and(|health| !succeeded && health.is_hopeless(now));
        if webhook.status != WebhookStatus::Disabled && (gone || hopeless) {
            let mut disabled = webhook.clone();
            disabled.status = WebhookStatus::Disabled;
            disabled.disabled_reason = Some(if gone { GONE } else { HOPELESS }.to_owned());
            disabled.version += 1;
            disabled.updated_at = now.max(disabled.updated_at);
            self.ports.add_audit(AuditDraft::changed(AuditAction::WebhookDisabled, webhook, &disabled), access, set);
            set.change(Change::Update(Row::Webhook(disabled)));
        }
        if let Some(health) = health {
            set.change(Change::Webhook(WebhookChange::UpdateHealth { webhook: webhook.id, health }));
        }
        let count = AttemptCount::one(webhook.id, now, succeeded, result.duration);
        set.change(Change::Webhook(WebhookChange::CountAttempt { id: self.ports.ids.next(), count }));
    }
}
