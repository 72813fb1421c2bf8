//! Tests of dead letters and their subjects.

use uuid::Uuid;

use super::*;
use crate::conversations::{Conversation, ConversationStatus};
use crate::ids::{ConversationId, JobId, TypedId, WebhookId};
use crate::ports::{ExtraIds, Job, JobColumns, NewJob};
use crate::webhooks::{DeliveryStatus, Replay, WebhookChange};

const HOUR: Duration = Duration::from_secs(3_600);

impl Bench {
    pub(super) fn queues(&self, job: Job) {
        let id = JobId::from_uuid(self.tidings.ports.ids.next());
        let mut set = ChangeSet::new(self.access.workspace());
        set.jobs.push(NewJob::new(id, job, self.clock.now()));
        block_on(self.store.commit(set)).unwrap();
    }

    pub(super) fn gives_up(&self, job: ClaimedJob) {
        let error = Error::Store(StoreError::Corrupt("a test".into()));
        block_on(self.tidings.worker.give_back(&ClaimedJob { attempts: 11, ..job }, &error)).unwrap();
    }

    fn buries(&self, kind: JobKind) {
        self.gives_up(self.claim(Pool::Work, kind));
    }

    fn an_hour_later(&self) {
        self.clock.set(self.clock.now().plus(HOUR));
    }

    fn conversation(&self, id: ConversationId) -> Conversation {
        block_on(self.tidings.ports.conversations.get(&self.access, id)).unwrap().unwrap()
    }
}

/// Returns a job of this kind with a missing subject.
fn a_job(kind: JobKind) -> Job {
    let id = |number| Some(Uuid::from_u128(number));
    let columns =
        JobColumns { subject: Uuid::from_u128(7), mark: 0, lane: id(8), group: id(9), further: ExtraIds::default() };
    Job::read(kind, columns).unwrap()
}

#[test]
fn repeats_dead_lettered_work_that_must_finish_after_an_hour() {
    let kinds = [
        JobKind::EraseContact,
        JobKind::MoveContact,
        JobKind::ForgetImport,
        JobKind::ForgetBulkOperation,
        JobKind::ReviewSequence,
    ];
    for kind in kinds {
        let (bench, job) = (bench(), a_job(kind));
        bench.queues(job);
        bench.buries(kind);
        assert_eq!(bench.claimed(), [], "{kind:?}");
        bench.an_hour_later();
        let again: Vec<_> = bench.claimed().iter().map(|it| (it.job, it.attempts)).collect();
        assert_eq!(again, [(job, 0)]);
        let dead = block_on(bench.tidings.jobs.dead(&bench.access, Default::default())).unwrap().items;
        assert_eq!(dead.iter().map(|it| it.job).collect::<Vec<_>>(), [job], "the job is listed as a dead letter");
    }
}

#[test]
fn other_dead_letters_wait_for_a_manual_retry() {
    for kind in [JobKind::Relay, JobKind::RouteInbound, JobKind::PlanSchedules, JobKind::SweepTag] {
        let (bench, job) = (bench(), a_job(kind));
        bench.queues(job);
        let claimed = bench.claim(Pool::Work, kind);
        bench.gives_up(claimed);
        bench.clock.set(bench.clock.now().plus(HOUR * 24 * 30));
        assert_eq!(bench.claimed(), [], "{kind:?}");
        block_on(bench.tidings.jobs.retry(&bench.access, claimed.id, None)).unwrap();
        assert_eq!(bench.claimed().iter().map(|it| it.job).collect::<Vec<_>>(), [job]);
    }
}

#[test]
fn completes_an_erasure_whose_job_was_dead_lettered() {
    let bench = bench();
    let contact = ContactRef::Id(bench.contact().id);
    let erasure = || block_on(bench.tidings.erasures.erase(&bench.access, &contact, None)).unwrap().value;
    assert_eq!(erasure().erased_at, None);
    bench.buries(JobKind::EraseContact);
    bench.finish_due_work();
    assert_eq!(erasure().erased_at, None);
    bench.an_hour_later();
    bench.finish_due_work();
    assert_eq!(erasure().erased_at, Some(bench.clock.now()));
}

#[test]
fn completes_a_merge_whose_job_was_dead_lettered() {
    let bench = bench();
    let (gone, stays) = (bench.contact().id, bench.contact().id);
    let (named, into) = (ContactRef::Id(gone), ContactRef::Id(stays));
    block_on(bench.tidings.merges.merge(&bench.access, &named, &into, None)).unwrap();
    let moved_at = || block_on(bench.tidings.ports.merges.get(&bench.access, gone)).unwrap().unwrap().moved_at;
    bench.buries(JobKind::MoveContact);
    bench.finish_due_work();
    assert_eq!(moved_at(), None);
    bench.an_hour_later();
    bench.finish_due_work();
    assert_eq!(moved_at(), Some(bench.clock.now()));
}

#[test]
fn wakes_a_snoozed_conversation_whose_job_was_dead_lettered() {
    let bench = bench();
    let contact = bench.contact();
    bench.hears(&contact, "Hi");
    bench.finish_due_work();
    let id = block_on(bench.tidings.ports.conversations.with(&bench.access, contact.id)).unwrap()[0].id;
    for hours in 1..=2 {
        let until = bench.clock.now().plus(HOUR * hours);
        block_on(bench.tidings.conversations.snooze(&bench.access, id, until, &ExpectedVersion::Any, None)).unwrap();
    }
    bench.an_hour_later();
    bench.buries(JobKind::WakeConversation);
    assert_eq!(
        bench.conversation(id).status,
        ConversationStatus::Snoozed,
        "the conversation stays snoozed until the later time"
    );
    bench.an_hour_later();
    bench.buries(JobKind::WakeConversation);
    let woken = bench.conversation(id);
    assert_eq!((woken.status, woken.snoozed_until), (ConversationStatus::Open, None));
}

#[test]
fn ends_a_replay_whose_job_was_dead_lettered() {
    let bench = bench();
    let id = JobId::from_uuid(bench.tidings.ports.ids.next());
    let (since, until) = (bench.clock.now(), bench.clock.now().plus(HOUR));
    let webhook = WebhookId::from_uuid(Uuid::from_u128(7));
    let replay = Replay { id, webhook, since, until, status: DeliveryStatus::Failed, after: None };
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Webhook(WebhookChange::PutReplay(replay)));
    set.jobs.push(NewJob::new(id, Job::ReplayDeliveries { replay: id }, since));
    block_on(bench.store.commit(set)).unwrap();
    bench.buries(JobKind::ReplayDeliveries);
    assert_eq!(block_on(bench.tidings.ports.webhooks.replay(&bench.access, id)).unwrap(), None);
}
