//! Tests of waits and of the maximum duration of a run.

use super::*;

#[test]
fn delays_respect_the_window_even_after_downtime() {
    let mut stage = Stage::of(json!([
        {"id": "d", "type": "delay", "for": "P1D", "window": {"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "to": "18:00"}, "next": "end"}]));
    stage.contact.time_zone = "Europe/Berlin".parse().ok();
    // 1 January 2026 is a Thursday. A day later it is Friday, 01:00 in Berlin.
    let step = stage.play(Input::Timer);
    let until = |step: &StepResult| match &step.ending {
        StepEnd::Wait { wait, .. } => wait.until.map(|until| until.to_string()),
        other => panic!("{other:?}"),
    };
    assert_eq!(until(&step).as_deref(), Some("2026-01-02T08:00:00.000Z"));
    // The service was down until Friday evening.
    stage.now = "2026-01-02T18:30:00Z".parse().expect("a time");
    let step = stage.play(Input::Timer);
    assert_eq!(until(&step).as_deref(), Some("2026-01-05T08:00:00.000Z"));
    stage.now = "2026-01-05T08:00:00Z".parse().expect("a time");
    assert_eq!(stage.play(Input::Timer).ending, StepEnd::Completed);
}

#[test]
fn local_times_use_the_time_zone_of_the_contact() {
    let until = |until: &str, zone: &str| {
        let mut stage = Stage::of(json!([{"id": "d", "type": "delay", "until": until, "next": "end"}]));
        stage.contact.time_zone = zone.parse().ok();
        stage.zone = Tz::Europe__London;
        stage.run.vars.insert("when".to_owned(), json!("2026-07-01T09:00"));
        match stage.play(Input::Timer).ending {
            StepEnd::Wait { wait, .. } => wait.until.expect("a time").to_string(),
            other => format!("{other:?}"),
        }
    };
    assert_eq!(until("2026-07-01T09:00", "Europe/Berlin"), "2026-07-01T07:00:00.000Z");
    assert_eq!(until("{{ vars.when }}", "America/New_York"), "2026-07-01T13:00:00.000Z");
    assert_eq!(until("2026-07-01T09:00:00+02:00", "Asia/Tokyo"), "2026-07-01T07:00:00.000Z");
    assert_eq!(
        until("2026-07-01T09:00", ""),
        "2026-07-01T08:00:00.000Z",
        "a contact without a time zone uses the time zone of the workspace"
    );
    assert_eq!(until("2025-07-01T09:00", "Asia/Tokyo"), "Completed", "a time in the past causes no wait");
    assert!(until("{{ vars.none }}x", "Asia/Tokyo").contains("template_error"));
}

#[test]
fn a_waiting_run_expires_after_30_days() {
    let mut stage = asking(json!({}));
    stage.play(Input::Timer);
    stage.later(30 * 86_400 - 1);
    assert!(matches!(stage.step(Input::Timer).ending, StepEnd::Wait { .. }));
    stage.later(1);
    assert_eq!(stage.step(Input::Timer).ending, StepEnd::Expired);
    assert_eq!(stage.step(Input::Reply("zoe@example.com")).ending, StepEnd::Expired);
}

#[test]
fn a_wait_for_an_event_ends_by_the_event_or_the_timeout() {
    let waiting = || {
        Stage::of(json!([
            {"id": "w", "type": "wait_for_event", "custom_event": "order.paid", "timeout": "PT1H",
             "save_to": "vars.order", "next": "yes", "on_timeout": "no"},
            say("yes", "Thanks for {{ vars.order.total }}", "end"), say("no", "Nothing?", "end")]))
    };
    let mut stage = waiting();
    let begun = stage.play(Input::Timer);
    let StepEnd::Wait { wait, .. } = &begun.ending else { panic!("{begun:?}") };
    assert_eq!((wait.kind, wait.until), (WaitKind::Event, Some(NOW.plus(Duration::from_secs(3_600)))));
    stage.later(3_599);
    assert_eq!(stage.step(Input::Timer).ending, begun.ending, "an early timer changes nothing");
    assert_eq!(stage.step(Input::Reply("hello")).ending, begun.ending, "a reply does not end the wait for an event");
    let mut came = waiting();
    came.play(Input::Timer);
    let event = came.run.wait.as_mut().and_then(|wait| wait.event.as_mut()).expect("the run waits for an event");
    event.came = Some(json!({"name": "order.paid", "data": {"total": 7}}));
    let step = came.play(Input::Timer);
    assert_eq!(
        (said(&step), step.trace[0].outcome.as_str()),
        (vec!["Thanks for 7".to_owned()], "event received, saved to vars.order")
    );
    stage.later(1);
    let step = stage.play(Input::Timer);
    assert_eq!((said(&step), step.trace[0].exit.as_deref()), (vec!["Nothing?".to_owned()], Some("on_timeout")));
}
