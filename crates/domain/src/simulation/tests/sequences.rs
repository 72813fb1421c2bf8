//! Tests of simulated sequences.

use futures::executor::block_on;
use serde_json::json;

use super::setup::{acme, scripted};
use crate::ids::SequenceId;
use crate::sequences::{
    EnrollmentStatus, ExitOn, ExitReason, NewSequence, Reenroll, SequenceStatus, SequenceZone, parse_steps,
};
use crate::simulation::{EndReason, Simulated, SimulationRequest};

use super::setup::Acme;

/// Creates a sequence with seven messages, each on the morning of a working day.
fn week(acme: &Acme) -> SequenceId {
    let step = |day: u32| {
        json!({"id": format!("day{day}"), "delay": "P1D",
            "window": {"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "to": "12:00", "time_zone": "contact"},
            "action": {"type": "send_message", "message": {"type": "text", "text": format!("Day {day}, {{{{ contact.first_name }}}}")}}})
    };
    let steps: Vec<_> = (1..=7).map(step).collect();
    let sequence = NewSequence {
        name: "Week".to_owned(),
        status: SequenceStatus::Draft,
        steps: parse_steps(&json!(steps)).unwrap(),
        exit_on: vec![ExitOn::Reply],
        exit_when: None,
        reenroll: Reenroll::Never,
        time_zone: SequenceZone::Contact,
    };
    block_on(acme.tidings.sequences.create(&acme.access, sequence, None)).unwrap().value.id
}

fn tried(acme: &Acme, sequence: SequenceId, request: SimulationRequest) -> Simulated {
    let request = SimulationRequest { contact: Some(acme.ada.clone()), ..request };
    block_on(acme.tidings.simulations.sequence(&acme.access, sequence, request)).unwrap().play(&|| true).unwrap()
}

#[test]
fn plays_a_week_within_its_windows() {
    let acme = acme();
    let sequence = week(&acme);
    // 1 January 2026 is a Thursday.
    let simulated = tried(&acme, sequence, SimulationRequest::default());
    let told = simulated.only();
    assert_eq!(told.texts().len(), 7);
    assert_eq!((told.texts()[0], told.end.reason), ("Day 1, Ada", EndReason::NothingMore));
    assert_eq!(told.end.at.to_string(), "2026-01-12T09:00:00.000Z");
    assert_eq!(told.enrollments[0].status, EnrollmentStatus::Completed);
    assert!(simulated.not_visited.is_empty());
}

#[test]
fn a_reply_ends_the_simulated_enrollment() {
    let acme = acme();
    let sequence = week(&acme);
    let script = json!({"script": [{"advance": "P3D"}, {"message": "stop it"}, {"advance": "P7D"}],
        "expect": {"nodes": ["day1", "day2"], "texts": ["Day 1"]}});
    let simulated = tried(&acme, sequence, scripted(script));
    let told = simulated.only();
    assert_eq!(told.texts(), ["Day 1, Ada"]);
    assert_eq!(told.enrollments[0].exit_reason, Some(ExitReason::Replied));
    assert_eq!(told.failed_expectations.len(), 1);
    assert_eq!(simulated.not_visited.steps, ["day2", "day3", "day4", "day5", "day6", "day7"]);
}
