//! Tests of cron expressions: which are accepted, and when they fire.

use std::time::{Duration, Instant};

use chrono_tz::Tz;
use proptest::prelude::*;

use super::cron::{Cron, InvalidCron};
use super::plan::last_firing;
use crate::time::Timestamp;

fn at(text: &str) -> Timestamp {
    text.parse().expect("a valid time")
}

fn cron(line: &str) -> Cron {
    Cron::parse(line).unwrap_or_else(|wrong| panic!("{line}: {wrong}"))
}

fn times(line: &str, after: &str, zone: Tz, count: usize) -> Vec<String> {
    let cron = cron(line);
    let times = std::iter::successors(cron.next_after(at(after), zone), |at| cron.next_after(*at, zone));
    times.take(count).map(|at| at.to_string().replace(":00.000Z", "")).collect()
}

#[test]
fn accepts_lines_of_five_fields_and_finds_their_times() {
    let monday = "2026-06-01T00:00:00Z";
    assert_eq!(times("0 9 * * MON", monday, Tz::UTC, 2), ["2026-06-01T09:00", "2026-06-08T09:00"]);
    assert_eq!(
        times("*/30 8-9 * * *", monday, Tz::UTC, 3),
        ["2026-06-01T08:00", "2026-06-01T08:30", "2026-06-01T09:00"]
    );
    assert_eq!(times("0 0 1 jan,jul *", monday, Tz::UTC, 2), ["2026-07-01T00:00", "2027-01-01T00:00"]);
    // Day of month or day of week.
    assert_eq!(
        times("0 12 13 * FRI", monday, Tz::UTC, 3),
        ["2026-06-05T12:00", "2026-06-12T12:00", "2026-06-13T12:00"]
    );
    assert_eq!(times("15 6 29 2 *", monday, Tz::UTC, 1), ["2028-02-29T06:15"]);
    assert_eq!(times("0 9 * * 7", monday, Tz::UTC, 1), ["2026-06-07T09:00"]);
    assert_eq!(times("  0   9 * * * ", monday, Tz::UTC, 1), ["2026-06-01T09:00"]);
}

#[test]
fn rejects_lines_that_are_invalid_too_frequent_or_never_fire() {
    let form = [
        "",
        "0 9 * *",
        "0 9 * * * *",
        "* * * * * *",
        "@daily",
        "0 9 * * * 2030",
        "60 9 * * *",
        "0 24 * * *",
        "0 9 0 * *",
        "0 9 * 13 *",
        "0 9 * * 8",
        "a b c d e",
        "0 9 * * MO",
        "-5 9 * * *",
        "5- 9 * * *",
        "0/0 9 * * *",
        "0 9 * * \u{0664}",
        "1-0 9 * * *",
    ];
    for line in form {
        assert_eq!(Cron::parse(line), Err(InvalidCron::Form), "{line:?}");
    }
    assert_eq!(Cron::parse(&format!("0 9 * * {}", "1,".repeat(100))), Err(InvalidCron::Form), "the line is too long");
    let often = [
        "* * * * *",
        "*/4 * * * *",
        "0,4 9 * * *",
        "0-5 9 1 1 *",
        "2,58 * * * *",
        "0,57 0,23 * * *",
        "59,0 0,23 28,29 2 *",
    ];
    for line in often {
        assert_eq!(Cron::parse(line), Err(InvalidCron::TooOften), "{line}");
    }
    for line in ["*/5 * * * *", "0,5 9 * * *", "0,57 0,23 * * MON", "0,57 0,22 * * *", "4,59 * * * *"] {
        assert!(Cron::parse(line).is_ok(), "{line}");
    }
    for line in ["0 9 30 2 *", "0 9 31 4,6,9,11 *", "0 0 30,31 2 *"] {
        let begun = Instant::now();
        assert_eq!(Cron::parse(line), Err(InvalidCron::Never), "{line}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{line}: {:?}", begun.elapsed());
    }
}

#[test]
fn fires_after_a_skipped_hour_and_once_in_a_repeated_hour() {
    // In Berlin, clocks change from 02:00 to 03:00 on 2026-03-29, and from 03:00 to 02:00 on 2026-10-25.
    let berlin = Tz::Europe__Berlin;
    let spring = times("30 2 * * *", "2026-03-28T12:00:00Z", berlin, 2);
    assert_eq!(spring, ["2026-03-29T01:00", "2026-03-30T00:30"]);
    let autumn = times("30 2 * * *", "2026-10-24T12:00:00Z", berlin, 2);
    assert_eq!(autumn, ["2026-10-25T00:30", "2026-10-26T01:30"]);
    let hourly = times("0 * * * *", "2026-10-24T23:30:00Z", berlin, 3);
    assert_eq!(hourly, ["2026-10-25T00:00", "2026-10-25T02:00", "2026-10-25T03:00"], "the repeated hour fires once");
    let minutes = times("*/20 * * * *", "2026-03-29T00:30:00Z", berlin, 3);
    assert_eq!(
        minutes,
        ["2026-03-29T00:40", "2026-03-29T01:00", "2026-03-29T01:20"],
        "the skipped times fire once, at the end of the gap"
    );
    assert!(cron("30 2 * * *").fires_at(at("2026-03-29T01:00:00Z"), berlin));
    assert!(!cron("30 2 * * *").fires_at(at("2026-03-29T01:30:00Z"), berlin));
}

#[test]
fn finds_the_last_firing_of_several_years() {
    let (yearly, often) = (cron("0 9 1 1 *"), cron("*/5 * * * *"));
    let last = |crons: &[&Cron], from: &str, until: &str| last_firing(crons, at(from), at(until), Tz::UTC);
    let (from, until) = ("2026-01-01T09:00:00Z", "2029-12-31T23:59:00Z");
    assert_eq!(last(&[&yearly], from, until), Some(at("2029-01-01T09:00:00Z")));
    assert_eq!(last(&[&yearly, &often], from, until), Some(at("2029-12-31T23:55:00Z")));
    assert_eq!(last(&[&yearly], from, "2026-01-01T09:00:00Z"), Some(at(from)), "both ends are included");
    assert_eq!(last(&[&yearly], "2026-01-01T09:00:00.001Z", "2026-06-01T09:00:00Z"), None);
}

proptest! {
    #[test]
    fn accepts_or_rejects_any_text_without_a_panic(line in "[-0-9A-Z*/,#L?+ ]{0,24}", seconds in 0_i64..200_000_000) {
        if let Ok(cron) = Cron::parse(&line) {
            let after = Timestamp::from_millis(Timestamp::EPOCH_2026.millis() + seconds * 1_000);
            let next = cron.next_after(after, Tz::Europe__Berlin);
            prop_assert!(next.is_none_or(|next| next > after));
        }
    }

    #[test]
    fn accepted_lines_fire_at_least_five_minutes_apart(
        minutes in proptest::collection::vec(0_u32..60, 1..4),
        hours in proptest::collection::vec(0_u32..24, 1..4),
        day in proptest::sample::select(vec!["*", "1", "28-31", "*/2"]),
    ) {
        let list = |numbers: &[u32]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let line = format!("{} {} {day} * *", list(&minutes), list(&hours));
        let Ok(cron) = Cron::parse(&line) else { return Ok(()) };
        let mut last = Timestamp::EPOCH_2026;
        for _ in 0..200 {
            let Some(next) = cron.next_after(last, Tz::UTC) else { break };
            prop_assert!(last == Timestamp::EPOCH_2026 || next.since(last) >= Duration::from_secs(300), "{line}: {next}");
            last = next;
        }
    }
}
