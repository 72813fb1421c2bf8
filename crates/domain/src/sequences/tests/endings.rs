//! Early ends of enrollments, and their events.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures::executor::block_on;
use serde_json::json;

use super::bench::{Bench, at, drip, send};
use crate::Tidings;
use crate::contacts::{ContactPatch, ContactRef, NewTag, TagRef};
use crate::error::Error;
use crate::events::EventKind;
use crate::ids::EnrollmentId;
use crate::memory::MemoryStore;
use crate::outcome::{ExpectedVersion, Outcome};
use crate::ports::{Change, ChangeSet, ClaimedJob, CommitError, JobKind, Ledger, Row, SequenceQueries, StoreError};
use crate::references::Deletion;
use crate::sequences::{EnrollmentStatus, ExitReason, Sequence, SequenceStatus, parse_steps};
use crate::tags::NewTagCommand;

fn waiting(bench: &Bench) -> Sequence {
    bench.sequence(drip(json!([send("a", "P1D", json!(null))])))
}

fn ended(bench: &Bench, id: EnrollmentId) -> (EnrollmentStatus, Option<ExitReason>) {
    let it = bench.enrollment(id);
    assert!(it.ended_at.is_none() || it.next_run_at.is_none());
    (it.status, it.exit_reason)
}

#[test]
fn a_reply_ends_earlier_enrollments_only() {
    let bench = Bench::new();
    let (leaving, mut staying) = (waiting(&bench), drip(json!([send("a", "P1D", json!(null))])));
    staying.exit_on.clear();
    let (staying, later) = (bench.sequence(staying), waiting(&bench));
    let ada = bench.contact(|_| {});
    let left = bench.enroll(ada.id, leaving.id).unwrap().value.id;
    let stayed = bench.enroll(ada.id, staying.id).unwrap().value.id;
    bench.happens(EventKind::MessageReceived, &json!({"id": "msg_1", "contact_id": ada.id}), ada.id);
    bench.clock.set(at("2026-01-01T00:00:01Z"));
    let new = bench.enroll(ada.id, later.id).unwrap().value.id;
    bench.work();
    assert_eq!(ended(&bench, left), (EnrollmentStatus::Exited, Some(ExitReason::Replied)));
    assert_eq!(ended(&bench, stayed), (EnrollmentStatus::Active, None));
    assert_eq!(ended(&bench, new), (EnrollmentStatus::Active, None));
    bench.advance_to(at("2026-01-05T00:00:00Z"));
    assert_eq!(bench.said(ada.id).len(), 2, "the ended enrollment sends no more messages");
}

#[test]
fn an_opt_out_ends_the_enrollment_before_the_next_step() {
    let bench = Bench::new();
    let sequence = waiting(&bench);
    let (ada, bob) = (bench.contact(|_| {}), bench.contact(|_| {}));
    let told = bench.enroll(ada.id, sequence.id).unwrap().value.id;
    let untold = bench.enroll(bob.id, sequence.id).unwrap().value.id;
    bench.happens(EventKind::ContactUnsubscribed, &json!({"id": ada.id}), ada.id);
    bench.work();
    assert_eq!(ended(&bench, told), (EnrollmentStatus::Exited, Some(ExitReason::Unsubscribed)));
    let patch = ContactPatch { subscribed: Some(false), ..ContactPatch::default() };
    block_on(bench.tidings.contacts.update(&bench.access, &ContactRef::Id(bob.id), patch, &ExpectedVersion::Any))
        .unwrap();
    bench.advance_to(at("2026-01-03T00:00:00Z"));
    assert_eq!(ended(&bench, untold), (EnrollmentStatus::Exited, Some(ExitReason::Unsubscribed)));
    assert_eq!(bench.messages(bob.id), [], "no message is created, not even a suppressed one");
}

#[test]
fn deleting_a_contact_ends_its_enrollments_with_one_event_each() {
    let bench = Bench::new();
    let (one, two) = (waiting(&bench), waiting(&bench));
    let ada = bench.contact(|_| {});
    let enrollments = [&one, &two].map(|sequence| bench.enroll(ada.id, sequence.id).unwrap().value.id);
    bench.work();
    block_on(bench.tidings.contacts.delete(&bench.access, &ContactRef::Id(ada.id), &ExpectedVersion::Any)).unwrap();
    for id in enrollments {
        assert_eq!(ended(&bench, id), (EnrollmentStatus::Exited, Some(ExitReason::ContactDeleted)));
    }
    bench.advance_to(at("2026-01-05T00:00:00Z"));
    let deleted =
        bench.sequence_events().into_iter().filter(|(_, reason)| reason.as_deref() == Some("contact_deleted"));
    assert_eq!(deleted.count(), 2);
    assert_eq!(bench.enroll(ada.id, one.id), Err(Error::NotFound));
}

#[test]
fn a_manual_exit_ends_the_enrollment() {
    let bench = Bench::new();
    let sequence = waiting(&bench);
    let ada = bench.contact(|_| {});
    let id = bench.enroll(ada.id, sequence.id).unwrap().value.id;
    let exit = || block_on(bench.tidings.enrollments.exit(&bench.access, &ContactRef::Id(ada.id), sequence.id));
    assert_eq!((exit(), exit()), (Ok(()), Err(Error::Missing("enrollment"))));
    bench.advance_to(at("2026-01-05T00:00:00Z"));
    assert_eq!(ended(&bench, id), (EnrollmentStatus::Exited, Some(ExitReason::Manual)));
    assert_eq!(bench.said(ada.id), []);
    let manual = Some("manual".to_owned());
    assert_eq!(bench.sequence_events(), [("sequence.enrolled", None), ("sequence.completed", manual)]);
}

/// A ledger that records how many enrollments each commit updates.
struct Recorded(Arc<MemoryStore>, Mutex<Vec<usize>>);

#[async_trait]
impl Ledger for Recorded {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        let updates = set.changes.iter().filter(|it| matches!(it, Change::Update(Row::Enrollment(_)))).count();
        self.0.commit(set).await?;
        self.1.lock().unwrap().push(updates);
        Ok(())
    }
}

#[test]
fn archiving_or_deleting_a_sequence_ends_all_enrollments_in_small_commits() {
    let mut bench = Bench::new();
    let (archived, deleted) = (waiting(&bench), waiting(&bench));
    let contacts: Vec<_> = (0..60).map(|_| bench.contact(|_| {}).id).collect();
    for contact in &contacts {
        bench.enroll(*contact, archived.id).unwrap();
    }
    let one = bench.enroll(contacts[0], deleted.id).unwrap().value.id;
    let ledger = Arc::new(Recorded(bench.store.clone(), Mutex::default()));
    bench.tidings = Tidings::new((*bench.tidings.ports).clone().through(ledger.clone()));
    bench.edit(archived.id, |it| it.status = Some(SequenceStatus::Archived)).unwrap();
    block_on(bench.tidings.sequences.delete(&bench.access, deleted.id, Deletion::IfUnused, &ExpectedVersion::Any))
        .unwrap();
    assert_eq!(block_on(bench.tidings.sequences.get(&bench.access, deleted.id)), Err(Error::NotFound));
    assert_eq!(bench.enroll(contacts[1], deleted.id), Err(Error::Missing("sequence")));
    assert!(ledger.1.lock().unwrap().iter().all(|updates| *updates == 0), "the request ends no enrollment");
    bench.work();
    let mut updates: Vec<_> = ledger.1.lock().unwrap().iter().copied().filter(|updates| *updates > 0).collect();
    updates.sort_unstable();
    assert_eq!(updates, [1, 10, 50], "a commit ends at most 50 enrollments");
    for contact in &contacts {
        assert_eq!(block_on(bench.store.live_enrollments(&bench.access, *contact)), Ok(vec![]));
    }
    assert_eq!(ended(&bench, one), (EnrollmentStatus::Exited, Some(ExitReason::SequenceArchived)));
    let over = bench.sequence_events().into_iter().filter(|(_, reason)| reason.as_deref() == Some("sequence_archived"));
    assert_eq!(over.count(), 61);
    let back = bench.edit(archived.id, |it| it.status = Some(SequenceStatus::Active));
    assert!(matches!(back, Err(Error::Invalid(_))), "an archived sequence cannot be activated again");
}

#[test]
fn a_step_that_cannot_run_fails_its_enrollment() {
    let bench = Bench::new();
    let never = json!([{"id": "a", "delay": "PT0S",
        "action": {"type": "send_message", "message": {"type": "text", "text": "{{ contact.phone }}"}}}]);
    let (unsayable, buried) =
        (bench.sequence(drip(never)), bench.sequence(drip(json!([send("a", "P1D", json!(null))]))));
    let ada = bench.contact(|_| {});
    let first = bench.enroll(ada.id, unsayable.id).unwrap().value.id;
    bench.work();
    let failed = bench.enrollment(first);
    assert_eq!(ended(&bench, first), (EnrollmentStatus::Failed, Some(ExitReason::Failed)));
    assert_eq!(failed.error.map(|error| (error.code, error.step)), Some(("template_error".into(), Some("a".into()))));

    let second = bench.enroll(ada.id, buried.id).unwrap().value;
    bench.clock.set(at("2026-01-02T00:00:00Z"));
    let job = ClaimedJob { attempts: 11, ..bench.the_job(JobKind::StepEnrollment) };
    block_on(bench.tidings.worker.give_back(&job, &Error::Store(StoreError::Corrupt("a test".into())))).unwrap();
    assert_eq!(ended(&bench, second.id), (EnrollmentStatus::Failed, Some(ExitReason::Failed)));
    let failed = bench.sequence_events().into_iter().filter(|(_, reason)| reason.as_deref() == Some("failed"));
    assert_eq!(failed.count(), 2);
}

#[test]
fn a_sequence_without_steps_cannot_be_activated() {
    let bench = Bench::new();
    let mut empty = drip(json!([]));
    let refused = block_on(bench.tidings.sequences.create(&bench.access, empty.clone(), None));
    assert!(matches!(refused, Err(Error::Invalid(violations)) if violations[0].pointer == "/steps"));
    empty.status = SequenceStatus::Draft;
    let draft = bench.sequence(empty);
    let ada = bench.contact(|_| {});
    assert_eq!(bench.enroll(ada.id, draft.id), Err(Error::SequenceNotActive));
    assert!(bench.edit(draft.id, |it| it.status = Some(SequenceStatus::Active)).is_err());
    let steps = parse_steps(&json!([send("a", "P1D", json!(null))])).ok();
    let active = bench.edit(draft.id, |it| (it.status, it.steps) = (Some(SequenceStatus::Active), steps.clone()));
    assert_eq!(active.map(|it| it.version), Ok(2));
    assert_eq!(
        bench.edit(draft.id, |it| it.steps = steps.clone()).map(|it| it.version),
        Ok(2),
        "an unchanged sequence keeps its version"
    );
    assert_eq!(bench.enroll(ada.id, draft.id).map(|done| done.outcome), Ok(Outcome::Created));
}

#[test]
fn a_matching_exit_condition_ends_the_enrollment() {
    let bench = Bench::new();
    let tag = NewTagCommand { name: "Customer".into(), color: None, description: None };
    block_on(bench.tidings.tags.create(&bench.access, tag, None)).unwrap();
    let mut sequence = drip(json!([send("a", "PT0S", json!(null)), send("b", "P1D", json!(null))]));
    sequence.exit_when = Some(json!({"field": "tags", "op": "has", "value": "customer"}));
    let wrong =
        json!({"any": [{"field": "tags", "op": "has", "value": "custommer"}, {"field": "nmae", "op": "exists"}]});
    let mut refused = sequence.clone();
    refused.exit_when = Some(wrong);
    let refused = block_on(bench.tidings.sequences.create(&bench.access, refused, None));
    let Err(Error::Invalid(violations)) = refused else { panic!("{refused:?}") };
    let told: Vec<_> = violations.iter().map(|it| (it.pointer.as_str(), it.code)).collect();
    assert_eq!(told, [("/exit_when/any/0/value", "unknown_tag"), ("/exit_when/any/1/field", "unknown_field")]);

    let sequence = bench.sequence(sequence);
    let (ada, bob) = (bench.contact(|_| {}), bench.contact(|_| {}));
    let left = bench.enroll(ada.id, sequence.id).unwrap().value.id;
    let went_on = bench.enroll(bob.id, sequence.id).unwrap().value.id;
    bench.work();
    let customer = NewTag { tag: TagRef::Name("customer".into()), pointer: "/name".into() };
    let contact = ContactRef::Id(ada.id);
    block_on(bench.tidings.contacts.add_tag(&bench.access, &contact, customer, &ExpectedVersion::Any, None)).unwrap();
    bench.advance_to(at("2026-01-05T00:00:00Z"));
    assert_eq!(ended(&bench, left), (EnrollmentStatus::Exited, Some(ExitReason::Condition)));
    assert_eq!(ended(&bench, went_on), (EnrollmentStatus::Completed, None));
    assert_eq!((bench.said(ada.id).len(), bench.said(bob.id).len()), (1, 2));
}
