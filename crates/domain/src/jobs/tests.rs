//! Dead-lettered jobs are retried or discarded. Jobs with a recorded failure are not retried.

use std::sync::Arc;

use futures::executor::block_on;
use mockall::predicate::eq;
use uuid::Uuid;

use super::*;
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::{JobId, TypedId, WorkspaceId};
use crate::outcome::Outcome;
use crate::ports::{
    Change, ChangeSet, ExtraIds, Job, JobChange, JobKind, MockClock, MockIds, MockJobQueries, MockLedger, NewJob, Ports,
};
use crate::time::Timestamp;

fn now() -> Timestamp {
    Timestamp::from_millis(1_000_000)
}

fn typed<I: TypedId>(number: u128) -> I {
    I::from_uuid(Uuid::from_u128(number))
}

fn access() -> Access {
    Access::system(typed::<WorkspaceId>(1))
}

fn kept(job: Job, status: JobStatus) -> QueuedJob {
    let error = Some("the store was unavailable".to_owned());
    QueuedJob { id: typed(7), job, status, attempts: 12, error, due_at: now(), dead_at: Some(now()) }
}

/// Returns the audit entry that is committed with the change.
fn told(draft: AuditDraft) -> Change {
    Change::Audit(Box::new(draft.seal(typed(8), now(), &access())))
}

/// Returns a service with this job in the store. It may commit this set only.
fn service(job: Option<QueuedJob>, expected: Option<ChangeSet>) -> JobService {
    let (mut jobs, mut ledger, mut ids, mut clock) =
        (MockJobQueries::new(), MockLedger::new(), MockIds::new(), MockClock::new());
    jobs.expect_get().with(eq(access()), eq(typed::<JobId>(7))).returning(move |_, _| Ok(job.clone()));
    ids.expect_next().returning(|| Uuid::from_u128(8));
    clock.expect_now().returning(now);
    if let Some(expected) = expected {
        ledger.expect_commit().once().with(eq(expected)).returning(|_| Ok(()));
    }
    let ports = Ports {
        jobs: Arc::new(jobs),
        ledger: Arc::new(ledger),
        ids: Arc::new(ids),
        clock: Arc::new(clock),
        ..Ports::mocked()
    };
    JobService { ports: Arc::new(ports) }
}

#[test]
fn retries_a_dead_lettered_job_in_one_commit() {
    let job = Job::SweepTag { tag: typed(5) };
    let mut expected = ChangeSet::new(access().workspace());
    expected.change(Change::Job(JobChange::DropDead { job: typed(7) }));
    expected.jobs.push(NewJob::new(typed(8), job, now()));
    let draft = AuditDraft::about(AuditAction::JobRetried, Some(typed::<JobId>(7).to_string()));
    expected.change(told(draft.with("successor_id", &typed::<JobId>(8))));
    let service = service(Some(kept(job, JobStatus::Dead)), Some(expected));
    let done = block_on(service.retry(&access(), typed(7), None)).unwrap();
    assert_eq!((done.outcome, done.value.id, done.value.status), (Outcome::Accepted, typed(8), JobStatus::Queued));
    assert_eq!((done.value.attempts, done.value.error, done.value.dead_at), (0, None, None));
}

#[test]
fn retries_and_drops_only_dead_lettered_jobs() {
    for status in [JobStatus::Queued, JobStatus::Running] {
        let service = service(Some(kept(Job::SweepTag { tag: typed(5) }, status)), None);
        assert_eq!(block_on(service.retry(&access(), typed(7), None)), Err(Error::JobNotDead));
        assert_eq!(block_on(service.drop_dead(&access(), typed(7))), Err(Error::JobNotDead));
    }
    let service = service(None, None);
    assert_eq!(block_on(service.retry(&access(), typed(7), None)), Err(Error::NotFound));
    assert_eq!(block_on(service.drop_dead(&access(), typed(7))), Err(Error::NotFound));
}

#[test]
fn drops_but_does_not_retry_settled_jobs() {
    let job = Job::StepRun { run: typed(5), visit: 3 };
    let mut expected = ChangeSet::new(access().workspace());
    expected.change(Change::Job(JobChange::DropDead { job: typed(7) }));
    expected.change(told(AuditDraft::about(AuditAction::JobDropped, Some(typed::<JobId>(7).to_string()))));
    let service = service(Some(kept(job, JobStatus::Dead)), Some(expected));
    assert!(matches!(block_on(service.retry(&access(), typed(7), None)), Err(Error::JobSettled(_))));
    block_on(service.drop_dead(&access(), typed(7))).unwrap();
}

/// Its dead letter already has a follow-up, and each poll queues the next one.
#[test]
fn a_poll_is_not_retried() {
    let poll = Job::PollChannel { channel: typed(5), round: 3 };
    let service = service(Some(kept(poll, JobStatus::Dead)), None);
    assert!(matches!(block_on(service.retry(&access(), typed(7), None)), Err(Error::JobSettled(_))));
}

#[test]
fn each_kind_of_job_shows_its_subject() {
    for kind in JobKind::ALL {
        let columns = crate::ports::JobColumns {
            subject: Uuid::from_u128(5),
            mark: 1,
            lane: Some(Uuid::from_u128(6)),
            group: Some(Uuid::from_u128(9)),
            further: ExtraIds::default(),
        };
        let job = Job::read(*kind, columns).unwrap();
        let view = JobView::of(&kept(job, JobStatus::Dead), None);
        assert_eq!(view.kind, kind.as_str());
        assert!(crate::ids::is_id(&view.subject.id), "{}", view.subject.id);
        assert_eq!(view.is_retriable, kept(job, JobStatus::Dead).settled_advice().is_none());
    }
}
