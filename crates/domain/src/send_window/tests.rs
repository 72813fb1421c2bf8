//! Windows over days, weeks, midnights and clock changes.

use chrono_tz::Tz;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const BERLIN: Tz = Tz::Europe__Berlin;

fn window(value: Value) -> SendWindow {
    SendWindow::parse(&value).expect("the window is valid")
}

fn at(text: &str) -> Timestamp {
    text.parse().expect("the time is valid")
}

fn next(window_of: Value, from: &str, zone: Tz) -> String {
    window(window_of).next_allowed(at(from), zone).to_string().replace(":00.000Z", "")
}

fn office() -> Value {
    json!({"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "to": "18:00", "time_zone": "contact"})
}

#[test]
fn moves_times_outside_the_window_to_its_next_opening() {
    // 2 June 2026 is a Tuesday; Berlin is two hours ahead of UTC.
    assert_eq!(next(office(), "2026-06-02T07:00:00Z", BERLIN), "2026-06-02T07:00");
    assert_eq!(next(office(), "2026-06-02T06:59:00Z", BERLIN), "2026-06-02T07:00");
    assert_eq!(next(office(), "2026-06-02T15:59:00Z", BERLIN), "2026-06-02T15:59");
    assert_eq!(next(office(), "2026-06-02T16:00:00Z", BERLIN), "2026-06-03T07:00", "the end is outside the window");
    assert_eq!(
        next(office(), "2026-06-05T16:00:00Z", BERLIN),
        "2026-06-08T07:00",
        "the window is closed on the weekend"
    );
}

#[test]
fn each_zone_has_its_own_hours() {
    assert_eq!(next(office(), "2026-06-02T03:00:00Z", Tz::Asia__Tokyo), "2026-06-02T03:00");
    assert_eq!(next(office(), "2026-06-02T03:00:00Z", Tz::America__New_York), "2026-06-02T13:00");
    assert_eq!(Zone::Contact.of(Some(&"Asia/Tokyo".parse().expect("the time zone is valid")), BERLIN), Tz::Asia__Tokyo);
    assert_eq!(Zone::Contact.of(None, BERLIN), BERLIN);
    assert_eq!(Zone::Workspace.of(Some(&"Asia/Tokyo".parse().expect("the time zone is valid")), BERLIN), BERLIN);
}

#[test]
fn a_window_may_last_over_midnight() {
    let night = || json!({"days": ["fri"], "from": "22:00", "to": "02:00"});
    assert_eq!(next(night(), "2026-06-05T23:30:00Z", Tz::UTC), "2026-06-05T23:30");
    assert_eq!(next(night(), "2026-06-06T01:59:00Z", Tz::UTC), "2026-06-06T01:59");
    assert_eq!(next(night(), "2026-06-06T02:00:00Z", Tz::UTC), "2026-06-12T22:00");
}

#[test]
fn an_opening_in_a_gap_is_the_first_instant_after_it() {
    // On 2026-03-29 the clocks in Berlin go from 02:00 to 03:00, at 01:00 UTC.
    let early = || json!({"from": "02:30", "to": "04:00"});
    assert_eq!(next(early(), "2026-03-29T00:00:00Z", BERLIN), "2026-03-29T01:00");
    // A window that is completely in the gap does not open on that day.
    let lost = || json!({"from": "02:10", "to": "02:50"});
    assert_eq!(next(lost(), "2026-03-29T00:00:00Z", BERLIN), "2026-03-30T00:10");
}

#[test]
fn a_repeated_hour_opens_a_window_once() {
    // On 2026-10-25 the clocks in Berlin go from 03:00 back to 02:00: 02:15 is 00:15 and 01:15 UTC.
    let repeated = || json!({"from": "02:15", "to": "02:45"});
    assert_eq!(next(repeated(), "2026-10-25T00:00:00Z", BERLIN), "2026-10-25T00:15");
    assert_eq!(next(repeated(), "2026-10-25T00:45:00Z", BERLIN), "2026-10-26T01:15");
}

#[test]
fn a_skipped_calendar_day_does_not_open() {
    // Samoa had no 30 December 2011, a Friday.
    let fridays = || json!({"days": ["fri"], "from": "09:00", "to": "18:00"});
    assert_eq!(next(fridays(), "2011-12-29T12:00:00Z", Tz::Pacific__Apia), "2012-01-05T19:00");
}

#[test]
fn missing_parts_and_empty_windows_restrict_nothing() {
    assert_eq!(next(json!({}), "2026-06-02T03:14:00Z", BERLIN), "2026-06-02T03:14");
    assert_eq!(next(json!({"to": "24:00"}), "2026-06-02T03:14:00Z", BERLIN), "2026-06-02T03:14");
    for empty in [json!({"days": []}), json!({"from": "09:00", "to": "09:00"})] {
        assert!(window(empty.clone()).is_empty());
        assert_eq!(next(empty, "2026-06-02T03:14:00Z", BERLIN), "2026-06-02T03:14");
    }
}

#[test]
fn reports_every_violation_of_a_window() {
    let wrong = |value: Value| -> Vec<(String, &'static str)> {
        let found = SendWindow::parse(&value).expect_err("the window is invalid");
        found.into_iter().map(|it| (it.pointer, it.code)).collect()
    };
    let all = json!({"days": ["mon", "noday", 3], "from": "24:00", "to": "9:00", "time_zone": "Mars", "form": 1});
    let expected = [
        ("/form", "unknown_field"),
        ("/days/1", "invalid_value"),
        ("/days/2", "wrong_type"),
        ("/from", "invalid_value"),
        ("/to", "invalid_format"),
        ("/time_zone", "invalid_value"),
    ];
    assert_eq!(wrong(all), expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    assert_eq!(wrong(json!([])), [(String::new(), "wrong_type")]);
}

#[test]
fn messages_name_the_expected_form_of_each_part() {
    let told = |value: Value| -> Vec<(String, &'static str, String)> {
        let found = SendWindow::parse(&value).expect_err("the window is invalid");
        found.into_iter().map(|it| (it.pointer, it.code, it.message)).collect()
    };
    let days = "expected one of: mon, tue, wed, thu, fri, sat, sun";
    let time = "expected a time of day from 00:00 to 24:00 such as 09:00";
    let zone = "expected contact, workspace or an IANA time zone such as Europe/Berlin";
    let nulls = json!({"zzzzzzzz": 1, "time_zone": null, "to": null, "from": null, "days": null, "form": 1});
    let expected = [
        ("/zzzzzzzz", "unknown_field", "unknown field; expected one of: days, from, to, time_zone"),
        ("/form", "unknown_field", "unknown field; did you mean: from"),
        ("/days", "wrong_type", "expected a list of days such as mon"),
        ("/from", "wrong_type", time),
        ("/to", "wrong_type", time),
        ("/time_zone", "wrong_type", zone),
    ];
    assert_eq!(told(nulls), expected.map(|(pointer, code, message)| (pointer.to_owned(), code, message.to_owned())));
    let others = json!({"days": [1, "sun", "noday"], "from": "24:00", "to": "25:00", "time_zone": "Mars"});
    let expected = [
        ("/days/0", "wrong_type", days),
        ("/days/2", "invalid_value", days),
        ("/from", "invalid_value", "24:00 is only allowed as the end of a day; use 00:00"),
        ("/to", "invalid_format", time),
        ("/time_zone", "invalid_value", zone),
    ];
    assert_eq!(told(others), expected.map(|(pointer, code, message)| (pointer.to_owned(), code, message.to_owned())));
    let object = "expected an object with days, from, to and time_zone";
    assert_eq!(told(json!([])), [(String::new(), "wrong_type", object.to_owned())]);
}

proptest! {
    #[test]
    fn the_next_allowed_time_is_not_earlier_and_is_stable(
        minutes in 0_i64..2_000_000,
        days in proptest::collection::vec(0_usize..7, 1..7),
        from in 0_u32..1_440,
        to in 0_u32..1_440,
        zone in proptest::sample::select(vec![BERLIN, Tz::UTC, Tz::America__New_York, Tz::Australia__Lord_Howe, Tz::Asia__Kathmandu]),
    ) {
        let clock = |minute: u32| format!("{:02}:{:02}", minute / 60, minute % 60);
        let words: Vec<&str> = days.iter().map(|day| DAYS[*day].0).collect();
        let window = window(json!({"days": words, "from": clock(from), "to": clock(to)}));
        let instant = Timestamp::from_millis(Timestamp::EPOCH_2026.millis() + minutes * 60_000);
        let allowed = window.next_allowed(instant, zone);
        prop_assert!(allowed >= instant);
        prop_assert_eq!(window.next_allowed(allowed, zone), allowed);
        prop_assert!(allowed.since(instant) <= std::time::Duration::from_secs(8 * 86_400 + 3_600 * 48));
    }
}
