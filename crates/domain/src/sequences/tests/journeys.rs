//! Complete sequences in virtual time.

use futures::executor::block_on;
use serde_json::json;

use super::bench::{Bench, at, drip, send};
use crate::contacts::ContactRef;
use crate::error::Error;
use crate::flows::{InFlight, NewFlow, StartFlow};
use crate::outcome::{ExpectedVersion, Outcome};
use crate::ports::{ClaimedJob, JobKind, Pool, SequenceQueries, StoreError};
use crate::references::Deletion;
use crate::sequences::{EnrollmentStatus, Reenroll, SequenceStatus, parse_steps};

#[test]
fn sends_the_steps_of_a_week_in_order_within_their_windows() {
    let bench = Bench::new();
    let office = json!({"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "to": "17:00"});
    let sequence = bench.sequence(drip(json!([
        send("welcome", "PT0S", json!(null)),
        send("tips", "P1D", office.clone()),
        send("offer", "P3D", office),
        send("bye", "PT2H", json!(null)),
    ])));
    // A Thursday.
    bench.clock.set(at("2026-06-04T20:00:00Z"));
    let ada = bench.contact(|it| {
        it.first_name = Some("Ada".into());
        it.time_zone = "Europe/Berlin".parse().ok();
    });
    let enrolled = bench.enroll(ada.id, sequence.id).unwrap();
    assert_eq!(enrolled.outcome, Outcome::Created);
    assert_eq!(enrolled.value.step.as_deref(), Some("welcome"));
    bench.advance_to(at("2026-06-11T20:00:00Z"));
    let expected = [
        ("2026-06-04T20:00", "welcome for Ada"),
        // A day later is Friday evening; the next office hours are on Monday.
        ("2026-06-08T07:00", "tips for Ada"),
        ("2026-06-11T07:00", "offer for Ada"),
        ("2026-06-11T09:00", "bye for Ada"),
    ];
    assert_eq!(bench.said(ada.id), expected.map(|(at, text)| (at.to_owned(), text.to_owned())));
    let over = bench.enrollment(enrolled.value.id);
    assert_eq!((over.status, over.exit_reason, over.next_run_at), (EnrollmentStatus::Completed, None, None));
    let steps: Vec<_> = over.steps_done.iter().map(|done| (done.step.as_str(), done.outcome.as_str())).collect();
    assert_eq!(steps, [("welcome", "queued"), ("tips", "queued"), ("offer", "queued"), ("bye", "queued")]);
    assert_eq!(bench.sequence_events(), [("sequence.enrolled", None), ("sequence.completed", None)]);
    assert_eq!(bench.messages(ada.id)[0].sender.kind_str(), "sequence");
}

#[test]
fn sends_overdue_steps_once_within_their_windows() {
    let bench = Bench::new();
    let office = json!({"from": "09:00", "to": "17:00"});
    let steps = json!([send("a", "PT1H", json!(null)), send("b", "PT1H", office.clone()), send("c", "PT1H", office)]);
    let sequence = bench.sequence(drip(steps));
    bench.clock.set(at("2026-06-01T08:00:00Z"));
    let ada = bench.contact(|_| {});
    bench.enroll(ada.id, sequence.id).unwrap();
    // No worker for two days, then one in the evening.
    bench.clock.set(at("2026-06-03T18:00:00Z"));
    bench.advance_to(at("2026-06-05T00:00:00Z"));
    let said: Vec<_> = bench.said(ada.id).into_iter().map(|(at, _)| at).collect();
    assert_eq!(said, ["2026-06-03T18:00", "2026-06-04T09:00", "2026-06-04T10:00"]);
}

#[test]
fn a_repeated_job_takes_its_step_once() {
    let bench = Bench::new();
    let sequence = bench.sequence(drip(json!([send("a", "PT0S", json!(null)), send("b", "P1D", json!(null))])));
    let ada = bench.contact(|_| {});
    let enrollment = bench.enroll(ada.id, sequence.id).unwrap().value;
    let first = bench.the_job(JobKind::StepEnrollment);
    block_on(bench.tidings.worker.perform(&first)).unwrap();
    // Its claim has expired, and a new job of the same visit does nothing.
    block_on(bench.tidings.worker.perform(&first)).unwrap();
    bench.work();
    assert_eq!(bench.said(ada.id).len(), 1);
    assert_eq!(bench.enrollment(enrollment.id).step.as_deref(), Some("b"));
}

#[test]
fn a_paused_sequence_takes_no_step_and_loses_none() {
    let bench = Bench::new();
    let sequence = bench.sequence(drip(json!([send("a", "P1D", json!(null)), send("b", "P1D", json!(null))])));
    bench.clock.set(at("2026-06-01T00:00:00Z"));
    let (ada, bob) = (bench.contact(|_| {}), bench.contact(|_| {}));
    bench.enroll(ada.id, sequence.id).unwrap();
    bench.advance_to(at("2026-06-01T12:00:00Z"));
    bench.edit(sequence.id, |it| it.status = Some(SequenceStatus::Paused)).unwrap();
    assert_eq!(bench.enroll(bob.id, sequence.id), Err(Error::SequenceNotActive));
    assert_eq!(
        bench.enroll(ada.id, sequence.id).unwrap().outcome,
        Outcome::Unchanged,
        "the contact is already enrolled"
    );
    bench.advance_to(at("2026-06-05T00:00:00Z"));
    assert_eq!(bench.said(ada.id), []);
    bench.edit(sequence.id, |it| it.status = Some(SequenceStatus::Active)).unwrap();
    bench.advance_to(at("2026-06-08T00:00:00Z"));
    let said: Vec<_> = bench.said(ada.id).into_iter().map(|(at, _)| at).collect();
    assert_eq!(said, ["2026-06-05T00:00", "2026-06-06T00:00"]);
}

#[test]
fn repeats_a_dead_lettered_review_and_loses_no_step() {
    let bench = Bench::new();
    let sequence = bench.sequence(drip(json!([send("a", "P1D", json!(null))])));
    bench.clock.set(at("2026-06-01T00:00:00Z"));
    let ada = bench.contact(|_| {});
    bench.enroll(ada.id, sequence.id).unwrap();
    bench.edit(sequence.id, |it| it.status = Some(SequenceStatus::Paused)).unwrap();
    bench.advance_to(at("2026-06-03T00:00:00Z"));
    bench.edit(sequence.id, |it| it.status = Some(SequenceStatus::Active)).unwrap();
    let review = ClaimedJob { attempts: 11, ..bench.the_job(JobKind::ReviewSequence) };
    let error = Error::Store(StoreError::Corrupt("a test".to_owned()));
    block_on(bench.tidings.worker.give_back(&review, &error)).unwrap();
    bench.advance_to(at("2026-06-03T00:59:00Z"));
    assert_eq!(bench.said(ada.id), []);
    bench.advance_to(at("2026-06-03T01:00:00Z"));
    let said: Vec<_> = bench.said(ada.id).into_iter().map(|(at, _)| at).collect();
    assert_eq!(said, ["2026-06-03T01:00"]);
}

#[test]
fn an_edited_delay_moves_the_waiting_step() {
    let bench = Bench::new();
    let sequence = bench.sequence(drip(json!([send("a", "P10D", json!(null)), send("b", "PT1H", json!(null))])));
    bench.clock.set(at("2026-06-01T00:00:00Z"));
    let ada = bench.contact(|_| {});
    let enrollment = bench.enroll(ada.id, sequence.id).unwrap().value;
    assert_eq!(enrollment.next_run_at, Some(at("2026-06-11T00:00:00Z")));
    let steps = |delay: &str| parse_steps(&json!([send("a", delay, json!(null)), send("b", "PT1H", json!(null))])).ok();
    bench.edit(sequence.id, |it| it.steps = steps("P2D")).unwrap();
    bench.advance_to(at("2026-06-01T01:00:00Z"));
    assert_eq!(bench.enrollment(enrollment.id).next_run_at, Some(at("2026-06-03T00:00:00Z")));
    bench.edit(sequence.id, |it| it.steps = steps("P4D")).unwrap();
    bench.advance_to(at("2026-06-20T00:00:00Z"));
    let said: Vec<_> = bench.said(ada.id).into_iter().map(|(at, _)| at).collect();
    assert_eq!(said, ["2026-06-05T00:00", "2026-06-05T01:00"], "each step runs once");
}

#[test]
fn waiting_enrollments_follow_edited_steps() {
    let bench = Bench::new();
    let sequence = bench.sequence(drip(json!([send("a", "PT0S", json!(null)), send("b", "P5D", json!(null))])));
    bench.clock.set(at("2026-06-01T00:00:00Z"));
    let ada = bench.contact(|_| {});
    let enrollment = bench.enroll(ada.id, sequence.id).unwrap().value;
    bench.advance_to(at("2026-06-01T00:00:00Z"));
    let edited = json!([send("a", "PT0S", json!(null)), send("x", "P1D", json!(null)), send("b", "P1D", json!(null))]);
    bench.edit(sequence.id, |it| it.steps = parse_steps(&edited).ok()).unwrap();
    bench.advance_to(at("2026-06-02T12:00:00Z"));
    // Removing the next step leaves nothing to do.
    bench.edit(sequence.id, |it| it.steps = parse_steps(&json!([send("x", "P1D", json!(null))])).ok()).unwrap();
    bench.advance_to(at("2026-06-10T00:00:00Z"));
    let said: Vec<_> = bench.said(ada.id).into_iter().map(|(_, text)| text).collect();
    assert_eq!(said, ["a for you", "x for you"]);
    assert_eq!(bench.enrollment(enrollment.id).status, EnrollmentStatus::Completed);
}

#[test]
fn pausing_an_enrollment_delays_only_that_enrollment() {
    let bench = Bench::new();
    let sequence = bench.sequence(drip(json!([send("a", "P1D", json!(null)), send("b", "P1D", json!(null))])));
    bench.clock.set(at("2026-06-01T00:00:00Z"));
    let (ada, bob) = (bench.contact(|_| {}), bench.contact(|_| {}));
    bench.enroll(ada.id, sequence.id).unwrap();
    bench.enroll(bob.id, sequence.id).unwrap();
    let (access, by_ada) = (&bench.access, ContactRef::Id(ada.id));
    let pause = || block_on(bench.tidings.enrollments.pause(access, &by_ada, sequence.id, None)).unwrap();
    let resume = || block_on(bench.tidings.enrollments.resume(access, &by_ada, sequence.id, None)).unwrap();
    let paused = pause();
    assert_eq!((paused.outcome, paused.value.next_run_at), (Outcome::Changed, None));
    assert_eq!(pause().outcome, Outcome::Unchanged);
    // An edit in the meantime does not resume it.
    bench.edit(sequence.id, |it| it.time_zone = Some(crate::sequences::SequenceZone::Workspace)).unwrap();
    bench.advance_to(at("2026-06-03T12:00:00Z"));
    assert_eq!((bench.said(ada.id).len(), bench.said(bob.id).len()), (0, 2));
    assert_eq!(resume().value.next_run_at, Some(at("2026-06-03T12:00:00Z")));
    assert_eq!(resume().outcome, Outcome::Unchanged);
    bench.advance_to(at("2026-06-10T00:00:00Z"));
    let said: Vec<_> = bench.said(ada.id).into_iter().map(|(at, _)| at).collect();
    assert_eq!(said, ["2026-06-03T12:00", "2026-06-04T12:00"]);
}

#[test]
fn a_step_starts_a_flow_and_continues_if_it_already_runs() {
    let bench = Bench::new();
    let flow = bench.flow();
    let start =
        |id: &str, delay: &str| json!({"id": id, "delay": delay, "action": {"type": "start_flow", "flow_id": flow}});
    let steps = json!([start("a", "PT0S"), start("b", "PT1H"), start("c", "P2D"), send("d", "PT1H", json!(null))]);
    let sequence = bench.sequence(drip(steps));
    let ada = bench.contact(|_| {});
    let begun = bench.enroll(ada.id, sequence.id).unwrap().value;
    bench.advance_to(begun.started_at.plus(std::time::Duration::from_secs(4 * 86_400)));
    let over = bench.enrollment(begun.id);
    let outcomes: Vec<_> = over.steps_done.iter().map(|done| done.outcome.as_str()).collect();
    assert_eq!(outcomes, ["started", "already running", "started", "queued"]);
    let runs: Vec<_> = over.steps_done.iter().filter_map(|done| done.run).collect();
    assert_eq!((runs[0], runs.len()), (runs[1], 3));
    assert_eq!(over.status, EnrollmentStatus::Completed);
    let nobody = json!([{"id": "a", "delay": "P1D", "action": {"type": "start_flow", "flow_id": bench.nobody::<crate::ids::FlowId>()}}]);
    let refused = block_on(bench.tidings.sequences.create(&bench.access, drip(nobody), None));
    let Err(Error::Invalid(violations)) = refused else { panic!("the unknown flow was not rejected: {refused:?}") };
    assert_eq!((violations[0].pointer.as_str(), violations[0].code), ("/steps/0/action/flow_id", "unknown_flow"));
}

#[test]
fn enrolls_again_after_completion_if_the_policy_allows_it() {
    let bench = Bench::new();
    let mut again = drip(json!([send("a", "PT0S", json!(null))]));
    again.reenroll = Reenroll::AfterCompletion;
    let again = bench.sequence(again);
    let once = bench.sequence(drip(json!([send("b", "PT0S", json!(null))])));
    let ada = bench.contact(|_| {});
    for (sequence, expected) in [(&again, Outcome::Created), (&again, Outcome::Unchanged), (&once, Outcome::Created)] {
        assert_eq!(bench.enroll(ada.id, sequence.id).unwrap().outcome, expected);
    }
    bench.work();
    assert!(matches!(bench.enroll(ada.id, once.id), Err(Error::ReenrollmentForbidden(_))));
    let second = bench.enroll(ada.id, again.id).unwrap();
    assert_eq!((second.outcome, second.value.number), (Outcome::Created, 2));
    bench.work();
    assert_eq!(bench.said(ada.id).len(), 3);
    assert!(bench.claim(Pool::Work).is_empty());
    assert_eq!(block_on(bench.store.live_enrollments(&bench.access, ada.id)), Ok(vec![]));
}

#[test]
fn flow_nodes_enroll_contacts_and_end_enrollments() {
    let bench = Bench::new();
    let mut again = drip(json!([send("a", "P1D", json!(null))]));
    again.reenroll = Reenroll::Always;
    let again = bench.sequence(again);
    let once = bench.sequence(drip(json!([send("b", "P1D", json!(null))])));
    // Within one step: enroll, exit and enroll again in one sequence; enroll twice in the other.
    let nodes = json!([
        {"id": "1", "type": "enroll_sequence", "sequence": again.id, "next": "2"},
        {"id": "2", "type": "exit_sequence", "sequence": again.id, "next": "3"},
        {"id": "3", "type": "exit_sequence", "sequence": again.id, "next": "4"},
        {"id": "4", "type": "enroll_sequence", "sequence": again.id, "next": "5"},
        {"id": "5", "type": "enroll_sequence", "sequence": once.id, "next": "6"},
        {"id": "6", "type": "enroll_sequence", "sequence": once.id, "next": "7"},
        {"id": "7", "type": "exit_sequence", "sequence": once.id, "next": "8"},
        {"id": "8", "type": "enroll_sequence", "sequence": once.id, "next": "end"},
        {"id": "end", "type": "end"},
    ]);
    let flow = NewFlow { name: "Comings and goings".into(), definition: json!({"start": "1", "nodes": nodes}) };
    let flow = block_on(bench.tidings.flows.create(&bench.access, flow, None)).unwrap().value.id;
    block_on(bench.tidings.flows.publish(&bench.access, flow, InFlight::Pin, &ExpectedVersion::Any, None)).unwrap();
    let ada = bench.contact(|_| {});
    let contact = ContactRef::Id(ada.id);
    let start = StartFlow { flow, vars: serde_json::Map::new(), mode: None };
    let run = block_on(bench.tidings.flows.start(&bench.access, &contact, start, None)).unwrap().value.id;
    bench.work();
    let run = block_on(bench.tidings.flows.run(&bench.access, run)).unwrap();
    let outcomes: Vec<_> = run.trace.iter().map(|entry| entry.outcome.as_str()).collect();
    let expected = [
        "enrolled",
        "exited",
        "not enrolled",
        "enrolled",
        "enrolled",
        "already enrolled",
        "exited",
        "skipped: reenrollment_forbidden",
        "completed",
    ];
    assert_eq!(outcomes, expected);
    let live = block_on(bench.store.live_enrollments(&bench.access, ada.id)).unwrap();
    let live: Vec<_> = live.iter().map(|it| (it.sequence, it.number, it.enrolled_by.kind_str())).collect();
    assert_eq!(live, [(again.id, 2, "flow")]);
    let refused = bench.tidings.sequences.delete(&bench.access, again.id, Deletion::IfUnused, &ExpectedVersion::Any);
    assert!(matches!(block_on(refused), Err(Error::InUse(_))), "a flow uses the sequence");
}
