//! Attempts by another workspace on flows, sequences, deliveries and jobs.

use std::time::Duration;

use tidings_domain::conditions::Selection;
use tidings_domain::events::EventKind;
use tidings_domain::flows::{AwaitedKind, Flow, Passage};
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{Change, FlowChange, HeldUntil, JobChange, Object, Row, SequenceChange, WebhookChange};
use tidings_domain::sequences::ExitReason;
use tidings_domain::webhooks::{AttemptCount, AttemptRecord, Delivery, Replay};

use super::Attempt;
use crate::fixtures::seed::{Seed, an_attempt};
use crate::fixtures::{NOW, a_delivery, a_flow_version, a_run, a_schedule, an_enrollment, at, uuid};

/// Returns attempts on flows and sequences.
pub(super) fn flows(ada: &Seed, bob: &Seed) -> Vec<Attempt> {
    let (mut flow, mut run) = (ada.flow.clone(), ada.run.clone());
    let (mut sequence, mut enrollment) = (ada.sequence.clone(), ada.enrollment.clone());
    for version in [&mut flow.version, &mut run.version, &mut sequence.version, &mut enrollment.version] {
        *version += 1;
    }
    let theirs = ada.contact.id;
    vec![
        (Change::Update(Row::Flow(flow)), true),
        (Change::Flow(FlowChange::InsertVersion(a_flow_version(&ada.flow, 7))), true),
        (Change::Insert(Row::Run(Box::new(a_run(&ada.flow, &bob.contact)))), true),
        (Change::Insert(Row::Run(Box::new(a_run(&bob.flow, &ada.contact)))), true),
        (Change::Update(Row::Run(Box::new(run))), true),
        (Change::Flow(FlowChange::InterruptRuns { contact: theirs, at: at(9) }), false),
        (Change::Flow(FlowChange::DropSteps { run: ada.run.id }), false),
        (Change::Flow(FlowChange::WakeCaller { run: ada.run.id, at: NOW.minus(Duration::from_secs(9)) }), false),
        (Change::Flow(FlowChange::InterruptCalled { run: ada.run.id, at: at(9) }), false),
        (Change::Flow(FlowChange::Interrupt { flow: ada.flow.id, at: at(9), due_at: at(9) }), false),
        (Change::Flow(FlowChange::MigrateRuns { flow: ada.flow.id, to: 1, nodes: vec![], at: at(9) }), false),
        (Change::Flow(FlowChange::WakeRuns { flow: ada.flow.id, at: at(9), due_at: at(9) }), false),
        (
            Change::Flow(FlowChange::PutTriggers {
                flow: ada.flow.id,
                triggers: vec![serde_json::json!({"type": "keyword"})],
            }),
            true,
        ),
        (
            Change::Flow(FlowChange::PutAwaited {
                flow: ada.flow.id,
                awaited: vec![AwaitedKind::Event(EventKind::ContactCreated)],
                keeps_earlier: true,
            }),
            true,
        ),
        (Change::Flow(FlowChange::PutAwaited { flow: ada.flow.id, awaited: vec![], keeps_earlier: false }), false),
        (Change::Flow(FlowChange::PutSchedule(a_schedule(&ada.flow, 1))), true),
        (Change::Flow(FlowChange::PutSchedule(a_schedule(&ada.flow, 2))), true),
        (Change::Flow(FlowChange::TakeRecipient { flow: ada.flow.id, at: NOW, contact: theirs }), true),
        (Change::Flow(FlowChange::DropRecipients { flow: ada.flow.id, limit: 100 }), false),
        (Change::Flow(FlowChange::Count { id: uuid(), passage: a_passage(&ada.flow), at: at(9) }), false),
        (
            Change::Flow(FlowChange::FreezeAudience {
                flow: ada.flow.id,
                at: at(9),
                audience: Selection::Constant(true),
            }),
            false,
        ),
        (Change::Flow(FlowChange::Delete { flow: ada.flow.id, at: at(9) }), true),
        (Change::Update(Row::Sequence(Box::new(sequence))), true),
        (Change::Insert(Row::Enrollment(Box::new(an_enrollment(&ada.sequence, &bob.contact)))), true),
        (Change::Insert(Row::Enrollment(Box::new(an_enrollment(&bob.sequence, &ada.contact)))), true),
        (Change::Update(Row::Enrollment(Box::new(enrollment))), true),
        (
            Change::Sequence(SequenceChange::ExitEnrollments {
                contact: theirs,
                reason: ExitReason::Manual,
                at: at(9),
            }),
            false,
        ),
    ]
}

fn a_passage(flow: &Flow) -> Passage {
    Passage { flow: flow.id, version: 1, visits: Vec::new() }
}

/// Returns attempts on webhooks, their deliveries and jobs.
pub(super) fn deliveries(ada: &Seed, bob: &Seed, token: i64) -> Vec<Attempt> {
    let (mut webhook, mut delivery) = (ada.webhook.clone(), ada.delivery.clone());
    webhook.version += 1;
    delivery.version += 1;
    let health = ada.webhook.health.after_failure(NOW, false);
    let job = ada.job.id;
    vec![
        (Change::Insert(Row::Delivery(a_delivery(&bob.webhook, &ada.event))), true),
        (Change::Update(Row::Delivery(delivery)), true),
        (Change::Update(Row::Webhook(webhook)), true),
        (Change::Webhook(WebhookChange::UpdateHealth { webhook: ada.webhook.id, health }), true),
        (Change::Webhook(WebhookChange::Stamp { webhook: ada.webhook.id, at: at(9) }), false),
        (Change::Delete(Object::Webhook(ada.webhook.id)), true),
        (
            Change::Webhook(WebhookChange::CountAttempt {
                id: uuid(),
                count: AttemptCount::one(ada.webhook.id, NOW, false, Duration::ZERO),
            }),
            false,
        ),
        (Change::Webhook(WebhookChange::PutReplay(Replay { since: at(9), ..ada.replay.clone() })), false),
        (Change::Webhook(WebhookChange::DropReplay(ada.replay.id)), false),
        (Change::Webhook(WebhookChange::InsertAttempt(an_attempt(&ada.delivery, 2))), true),
        (
            Change::Webhook(WebhookChange::RecordAttempt(Box::new(AttemptRecord {
                delivery: Delivery { version: ada.delivery.version + 1, ..ada.delivery.clone() },
                token,
                first: None,
            }))),
            true,
        ),
        (Change::Job(JobChange::Finish { job, token }), true),
        (Change::Job(JobChange::Reschedule { job, token, due_at: at(9), error: None }), true),
        (Change::Job(JobChange::Park { job, token }), true),
        (Change::Job(JobChange::Hold { job, token, until: HeldUntil::FlowResumes(bob.flow.id) }), true),
        (Change::Job(JobChange::ReleaseHeld { until: HeldUntil::FlowResumes(ada.flow.id), due_at: at(9) }), false),
        (Change::Job(JobChange::Release { group: ada.webhook.id.uuid(), due_at: at(9) }), false),
        (Change::Job(JobChange::DropDead { job }), true),
        (Change::Job(JobChange::Bury { job, token, error: "stolen".to_owned(), at: at(9) }), true),
    ]
}
