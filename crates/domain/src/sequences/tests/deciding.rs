//! Delays, windows, edits, policies and exits, without a store.

use chrono_tz::Tz;
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::access::Actor;
use crate::contacts::Contact;
use crate::ids::{ContactId, EnrollmentId, SequenceId, TypedId};
use crate::sequences::{
    Decision, Enrollment, EnrollmentStatus, ExitOn, ExitReason, Person, Reenroll, Refusal, Sequence, SequenceStatus,
    SequenceZone, StepRecord, decide, may_enroll, next_step, parse_steps,
};
use crate::testing::a_contact;
use crate::time::Timestamp;

fn at(text: &str) -> Timestamp {
    text.parse().expect("a valid time")
}

/// A step that sends its own ID, after this delay and in this window.
fn step(id: &str, delay: &str, window: Value) -> Value {
    let message = json!({"type": "text", "text": id});
    json!({"id": id, "delay": delay, "window": window, "action": {"type": "send_message", "message": message}})
}

fn sequence(steps: Value) -> Sequence {
    let now = at("2026-01-01T00:00:00Z");
    let (id, steps) = (SequenceId::from_uuid(Uuid::from_u128(0x5E)), parse_steps(&steps).expect("valid steps"));
    Sequence {
        status: SequenceStatus::Active,
        exit_on: vec![ExitOn::Unsubscribe],
        ..Sequence::draft(id, "Drip", steps, now)
    }
}

fn enrolled(started_at: &str) -> Enrollment {
    let (id, contact) = (EnrollmentId::from_uuid(Uuid::from_u128(0xE)), ContactId::from_uuid(Uuid::from_u128(0xC0)));
    Enrollment::new(id, &sequence(json!([])), contact, Actor::system(), at(started_at))
}

/// The enrollment after this step ran at this time.
fn done(mut enrollment: Enrollment, step: &str, at: Timestamp) -> Enrollment {
    let (step, kind, outcome) = (step.to_owned(), "send_message".to_owned(), "queued".to_owned());
    enrollment.steps_done.push(StepRecord { step, kind, at, outcome, message: None, run: None });
    enrollment
}

/// The decision as a word.
fn describe_decision(sequence: &Sequence, enrollment: &Enrollment, contact: &Contact, now: &str) -> String {
    let person = Person { contact, workspace_zone: Tz::UTC, exit_when_holds: false };
    match decide(sequence, enrollment, &person, at(now)) {
        Decision::Run(step) => format!("run {}", step.id),
        Decision::Wait { step, until } => format!("{} at {until}", step.id).replace(":00.000Z", ""),
        Decision::Hold => "hold".to_owned(),
        Decision::Complete => "complete".to_owned(),
        Decision::Exit(reason) => format!("exit: {}", reason.as_str()),
    }
}

fn in_zone(zone: &str) -> Contact {
    Contact { time_zone: zone.parse().ok(), ..a_contact().build() }
}

#[test]
fn a_delay_counts_from_the_previous_step_or_the_enrollment() {
    let sequence = sequence(json!([step("a", "PT1H", json!(null)), step("b", "P1D", json!(null))]));
    let (contact, start) = (a_contact().build(), enrolled("2026-06-01T10:00:00Z"));
    assert_eq!(describe_decision(&sequence, &start, &contact, "2026-06-01T10:00:00Z"), "a at 2026-06-01T11:00");
    assert_eq!(describe_decision(&sequence, &start, &contact, "2026-06-01T11:00:00Z"), "run a");
    // The first step was late. The delay of the second one starts when the first ran.
    let second = done(start, "a", at("2026-06-01T15:00:00Z"));
    assert_eq!(describe_decision(&sequence, &second, &contact, "2026-06-02T11:00:00Z"), "b at 2026-06-02T15:00");
    let over = done(second, "b", at("2026-06-02T15:00:00Z"));
    assert_eq!(describe_decision(&sequence, &over, &contact, "2026-06-02T15:00:00Z"), "complete");
}

#[test]
fn a_missed_step_runs_at_once_within_its_window() {
    let office = json!({"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "to": "18:00"});
    let sequence = sequence(json!([step("a", "PT1H", office)]));
    let (contact, start) = (a_contact().build(), enrolled("2026-06-05T10:00:00Z"));
    // Due on Friday at 11:00; the worker resumes on Friday afternoon, or on Saturday.
    assert_eq!(describe_decision(&sequence, &start, &contact, "2026-06-05T17:00:00Z"), "run a");
    assert_eq!(describe_decision(&sequence, &start, &contact, "2026-06-06T12:00:00Z"), "a at 2026-06-08T09:00");
    assert_eq!(describe_decision(&sequence, &start, &contact, "2026-06-08T09:00:00Z"), "run a");
}

#[test]
fn windows_use_the_time_zone_that_the_sequence_selects() {
    let nine = json!({"from": "09:00", "to": "10:00"});
    let own = json!({"from": "09:00", "to": "10:00", "time_zone": "America/New_York"});
    let mut sequence = sequence(json!([step("a", "PT0S", nine), step("b", "PT0S", own)]));
    let (tokyo, start) = (in_zone("Asia/Tokyo"), enrolled("2026-06-01T12:00:00Z"));
    assert_eq!(describe_decision(&sequence, &start, &tokyo, "2026-06-01T12:00:00Z"), "a at 2026-06-02T00:00");
    let nowhere = a_contact().build();
    assert_eq!(describe_decision(&sequence, &start, &nowhere, "2026-06-01T12:00:00Z"), "a at 2026-06-02T09:00");
    sequence.time_zone = SequenceZone::Workspace;
    assert_eq!(describe_decision(&sequence, &start, &tokyo, "2026-06-01T12:00:00Z"), "a at 2026-06-02T09:00");
    let second = done(start, "a", at("2026-06-02T00:00:00Z"));
    assert_eq!(describe_decision(&sequence, &second, &tokyo, "2026-06-02T09:00:00Z"), "b at 2026-06-02T13:00");
}

#[test]
fn keeps_windows_across_clock_changes() {
    let berlin = in_zone("Europe/Berlin");
    let nine = sequence(json!([step("a", "P1D", json!({"from": "09:00", "to": "18:00"}))]));
    // Clocks go forward in the night to 2026-03-29: 09:00 is an hour earlier.
    let spring = enrolled("2026-03-28T07:00:00Z");
    assert_eq!(describe_decision(&nine, &spring, &berlin, "2026-03-28T07:00:00Z"), "a at 2026-03-29T07:00");
    // A day is a calendar day: 17:30 the day before becomes 17:30, which is in the window.
    let evening = enrolled("2026-03-28T16:30:00Z");
    assert_eq!(describe_decision(&nine, &evening, &berlin, "2026-03-28T16:30:00Z"), "a at 2026-03-29T15:30");
    // Clocks go back in the night to 2026-10-25: an hour later.
    let autumn = enrolled("2026-10-24T07:00:00Z");
    assert_eq!(describe_decision(&nine, &autumn, &berlin, "2026-10-24T07:00:00Z"), "a at 2026-10-25T08:00");
    // 02:30 is skipped in spring and repeated in autumn: the step runs at the first instant after the gap, and once.
    let night = sequence(json!([step("a", "PT1H", json!({"from": "02:30", "to": "04:00"}))]));
    let spring = enrolled("2026-03-28T22:00:00Z");
    assert_eq!(describe_decision(&night, &spring, &berlin, "2026-03-28T22:00:00Z"), "a at 2026-03-29T01:00");
    let autumn = enrolled("2026-10-24T22:00:00Z");
    assert_eq!(describe_decision(&night, &autumn, &berlin, "2026-10-24T22:00:00Z"), "a at 2026-10-25T00:30");
}

#[test]
fn continues_an_edited_sequence_after_the_last_step_taken() {
    let steps = |ids: &[&str]| sequence(ids.iter().map(|id| step(id, "PT0S", json!(null))).collect()).steps;
    let passed = |ids: &[&str]| ids.iter().fold(enrolled("2026-06-01T00:00:00Z"), |it, id| done(it, id, it_at()));
    let next = |today: &[&str], taken: &[&str]| {
        next_step(&steps(today), &passed(taken)).map(|step| step.id.clone()).unwrap_or_default()
    };
    assert_eq!(next(&["a", "b", "c"], &["a"]), "b");
    assert_eq!(next(&["a", "x", "b", "c"], &["a"]), "x", "an inserted step is taken");
    assert_eq!(next(&["x", "a", "b"], &["a"]), "b", "no earlier step is taken");
    assert_eq!(next(&["b", "c"], &["a"]), "b", "a removed step is ignored");
    assert_eq!(next(&["c", "a", "b"], &["a", "b"]), "", "a step moved before the last taken one is skipped");
    assert_eq!(next(&["b", "c", "a"], &["a", "b"]), "");
    assert_eq!(next(&["a", "c"], &["a", "b"]), "c");
    assert_eq!(next(&["a", "b", "c", "d"], &["a", "b", "c"]), "d", "an appended step is taken");
    assert_eq!(next(&[], &[]), "");
}

fn it_at() -> Timestamp {
    at("2026-06-01T00:00:00Z")
}

#[test]
fn reasons_to_exit_take_precedence_over_due_steps() {
    let mut sequence = sequence(json!([step("a", "PT0S", json!(null))]));
    let (mut contact, start, now) = (a_contact().build(), enrolled("2026-06-01T00:00:00Z"), "2026-06-01T00:00:00Z");
    sequence.status = SequenceStatus::Paused;
    assert_eq!(describe_decision(&sequence, &start, &contact, now), "hold");
    contact.subscribed = false;
    assert_eq!(describe_decision(&sequence, &start, &contact, now), "exit: unsubscribed");
    sequence.exit_on.clear();
    assert_eq!(describe_decision(&sequence, &start, &contact, now), "hold");
    sequence.status = SequenceStatus::Active;
    assert_eq!(describe_decision(&sequence, &start, &contact, now), "run a");
    let person = Person { contact: &contact, workspace_zone: Tz::UTC, exit_when_holds: true };
    assert_eq!(decide(&sequence, &start, &person, at(now)), Decision::Exit(ExitReason::Condition));
    sequence.status = SequenceStatus::Archived;
    assert_eq!(describe_decision(&sequence, &start, &contact, now), "exit: sequence_archived");
    sequence.status = SequenceStatus::Active;
    sequence.deleted_at = Some(at(now));
    assert_eq!(describe_decision(&sequence, &start, &contact, now), "exit: sequence_archived");
    contact.deleted_at = Some(at(now));
    assert_eq!(describe_decision(&sequence, &start, &contact, now), "exit: contact_deleted");
}

#[test]
fn the_policy_decides_about_another_enrollment() {
    let ended = |status: EnrollmentStatus| Enrollment {
        status,
        ended_at: Some(at("2026-06-10T00:00:00Z")),
        ..enrolled("2026-06-01T00:00:00Z")
    };
    let (completed, exited) = (ended(EnrollmentStatus::Completed), ended(EnrollmentStatus::Exited));
    let now = at("2026-06-11T00:00:00Z");
    let after = |text: &str| Reenroll::parse(&json!({"after": text})).expect("a valid policy");
    for policy in [Reenroll::Never, Reenroll::AfterCompletion, Reenroll::Always, after("P30D")] {
        assert_eq!(may_enroll(&policy, None, now), Ok(()), "the first enrollment is always allowed");
    }
    assert_eq!(may_enroll(&Reenroll::Never, Some(&completed), now), Err(Refusal::Never));
    assert_eq!(may_enroll(&Reenroll::Always, Some(&exited), now), Ok(()));
    assert_eq!(may_enroll(&Reenroll::AfterCompletion, Some(&completed), now), Ok(()));
    assert_eq!(may_enroll(&Reenroll::AfterCompletion, Some(&exited), now), Err(Refusal::NotCompleted));
    assert_eq!(may_enroll(&after("P1D"), Some(&exited), now), Ok(()), "the enrollment is allowed from that instant on");
    let left = std::time::Duration::from_secs(86_400);
    assert_eq!(may_enroll(&after("P2D"), Some(&completed), now), Err(Refusal::TooEarly(left)));
}

#[test]
fn reads_and_writes_reenrollment_policies() {
    for written in [json!("never"), json!("after_completion"), json!("always"), json!({"after": "P4W"})] {
        assert_eq!(Reenroll::parse(&written).map(|it| it.to_value()), Ok(written));
    }
    let wrong = |value: Value| {
        let wrong = Reenroll::parse(&value).err().unwrap_or_default();
        wrong.into_iter().map(|it| (it.pointer, it.code)).collect::<Vec<_>>()
    };
    assert_eq!(wrong(json!("sometimes")), [(String::new(), "invalid_value")]);
    assert_eq!(wrong(json!({"after": "a month"})), [("/after".to_owned(), "invalid_format")]);
    assert_eq!(wrong(json!({"after": 30})), [("/after".to_owned(), "wrong_type")]);
    assert_eq!(wrong(json!({"aftr": "P1D"})), [(String::new(), "invalid_value")]);
    assert_eq!(wrong(json!(7)), [(String::new(), "wrong_type")]);
}

#[test]
fn allows_only_the_listed_status_changes() {
    use SequenceStatus::{Active, Archived, Draft, Paused};
    let allowed = [
        (Draft, Active),
        (Draft, Archived),
        (Active, Paused),
        (Paused, Active),
        (Active, Archived),
        (Paused, Archived),
    ];
    for from in [Draft, Active, Paused, Archived] {
        for to in [Draft, Active, Paused, Archived] {
            assert_eq!(from.may_become(to), from == to || allowed.contains(&(from, to)), "{from:?} to {to:?}");
        }
    }
}

/// Runs the next step, or replaces the steps of the sequence.
#[derive(Debug, Clone)]
enum Turn {
    Take,
    Edit(Vec<u8>),
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let edit = prop::collection::vec(0..12_u8, 0..8).prop_map(|mut ids| {
        let mut seen = std::collections::HashSet::new();
        ids.retain(|id| seen.insert(*id));
        Turn::Edit(ids)
    });
    prop::collection::vec(prop_oneof![2 => Just(Turn::Take), 1 => edit], 0..40)
}

proptest! {
    #[test]
    fn edits_repeat_no_step_and_never_go_back(turns in turns()) {
        let ids = |ids: &[u8]| sequence(ids.iter().map(|id| step(&id.to_string(), "PT0S", json!(null))).collect());
        let mut today = ids(&[0, 1, 2, 3]);
        let mut enrollment = enrolled("2026-06-01T00:00:00Z");
        for turn in turns {
            match turn {
                Turn::Edit(order) => today = ids(&order),
                Turn::Take => {
                    let Some(next) = next_step(&today.steps, &enrollment) else { continue };
                    let place = today.steps.iter().position(|step| step.id == next.id);
                    let behind = today.steps.iter().skip(place.unwrap_or(0)).any(|step| enrollment.has_passed(&step.id));
                    prop_assert!(!behind, "no step before a taken one is taken");
                    let id = next.id.clone();
                    enrollment = done(enrollment, &id, it_at());
                }
            }
            let mut taken: Vec<&str> = enrollment.steps_done.iter().map(|done| done.step.as_str()).collect();
            taken.sort_unstable();
            prop_assert!(taken.windows(2).all(|pair| pair[0] != pair[1]), "{taken:?}");
        }
        // Without further edits it completes, in the order of the steps.
        let mut places = Vec::new();
        while let Some(next) = next_step(&today.steps, &enrollment) {
            places.push(today.steps.iter().position(|step| step.id == next.id));
            let id = next.id.clone();
            enrollment = done(enrollment, &id, it_at());
        }
        prop_assert!(places.is_sorted());
    }

    #[test]
    fn a_step_is_due_within_its_window_and_never_in_the_past(
        start in 0..400_000_000_i64, late in 0..40_000_000_i64, hours in 0..80_u32,
        from in 0..24_u8, to in 0..=24_u8, zone in prop::sample::select(vec!["UTC", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia"]),
    ) {
        prop_assume!(from != to);
        let window = json!({"from": format!("{from:02}:00"), "to": format!("{to:02}:00")});
        let sequence = sequence(json!([step("a", &format!("PT{hours}H"), window.clone())]));
        let contact = in_zone(zone);
        let person = Person { contact: &contact, workspace_zone: Tz::UTC, exit_when_holds: false };
        let begun = Timestamp::from_millis(at("2020-01-01T00:00:00Z").millis() + start * 1_000);
        let enrollment = Enrollment { started_at: begun, ..enrolled("2026-06-01T00:00:00Z") };
        let now = Timestamp::from_millis(begun.millis() + late * 1_000);
        let due = match decide(&sequence, &enrollment, &person, now) {
            Decision::Run(_) => now,
            Decision::Wait { until, .. } => until,
            other => return Err(TestCaseError::fail(format!("{other:?}"))),
        };
        prop_assert!(due >= now && due >= begun.plus(std::time::Duration::from_secs(u64::from(hours) * 3_600)));
        let window = crate::send_window::SendWindow::parse(&window).expect("a valid window");
        prop_assert_eq!(window.next_allowed(due, zone.parse().expect("a valid time zone")), due);
    }
}
