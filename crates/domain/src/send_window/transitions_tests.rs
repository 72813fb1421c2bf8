//! Every zone at every clock change from 2024 to 2030: delays, windows and schedules occur once per local day.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{Offset as _, TimeZone as _};
use chrono_tz::TZ_VARIANTS;
use serde_json::json;

use super::*;
use crate::flows::Cron;

/// Returns the days (UTC) when the clocks of a zone change.
fn changes(zone: Tz) -> Vec<NaiveDate> {
    let day = |year| NaiveDate::from_ymd_opt(year, 1, 1).expect("the day is valid");
    let offset = |day: NaiveDate| zone.offset_from_utc_datetime(&day.and_time(NaiveTime::MIN)).fix();
    let days = day(2024).iter_days().take_while(|it| *it < day(2031));
    days.filter(|it| it.succ_opt().is_some_and(|next| offset(*it) != offset(next))).collect()
}

/// Returns the days from three days before to three days after.
fn around(change: NaiveDate) -> impl Iterator<Item = NaiveDate> {
    (0..7_u64).filter_map(move |ahead| change.checked_sub_days(Days::new(3))?.checked_add_days(Days::new(ahead)))
}

#[test]
fn schedules_fire_once_per_local_day_around_clock_changes() {
    let times: Vec<(NaiveTime, Cron)> = [(0, 0), (1, 30), (2, 30)]
        .into_iter()
        .map(|(hour, minute)| {
            let time = NaiveTime::from_hms_opt(hour, minute, 0).expect("the time is valid");
            (time, Cron::parse(&format!("{minute} {hour} * * *")).expect("the schedule is valid"))
        })
        .collect();
    let mut seen = 0;
    for zone in TZ_VARIANTS {
        for change in changes(zone) {
            seen += 1;
            let days: Vec<NaiveDate> = around(change).collect();
            for (time, cron) in &times {
                let mut fired: BTreeMap<NaiveDate, Vec<Timestamp>> = BTreeMap::new();
                let begin = instant_of(days[0].and_time(NaiveTime::MIN), zone).minus(Duration::from_millis(1));
                let mut last = cron.next_after(begin, zone);
                while let Some(at) = last.filter(|at| local(*at, zone).date() <= days[6]) {
                    fired.entry(local(at, zone).date()).or_default().push(at);
                    last = cron.next_after(at, zone);
                }
                for day in &days {
                    let delayed = instant_of(day.and_time(*time), zone);
                    let place = format!("{zone} on {day} at {time}");
                    assert_eq!(
                        fired.get(day),
                        Some(&vec![delayed]),
                        "{place}: the schedule fires once, when the delay ends"
                    );
                    let shown = local(delayed, zone);
                    let is_there = !matches!(zone.from_local_datetime(&day.and_time(*time)), LocalResult::None);
                    assert_eq!(shown.time() == *time, is_there, "{place}: {shown}");
                    assert!(
                        shown.time() >= *time && local(delayed.minus(Duration::from_millis(1)), zone) < shown,
                        "{place}"
                    );
                }
            }
        }
    }
    assert!(seen > 2_000, "{seen}");
}

#[test]
fn waits_of_days_keep_the_local_time_across_clock_changes() {
    let spans = ["P1D", "P1DT12H", "PT24H"].map(|text| text.parse::<IsoDuration>().expect("the duration is valid"));
    for zone in TZ_VARIANTS {
        for change in changes(zone) {
            for (day, minutes) in around(change).skip(2).take(3).flat_map(|day| [(day, 90), (day, 150), (day, 1_410)]) {
                let begin = instant_of(day.and_time(NaiveTime::MIN), zone).plus(Duration::from_secs(minutes * 60));
                let shown = local(begin, zone);
                for span in spans {
                    let end = after(begin, span, zone);
                    if span.days() == 0 {
                        assert_eq!(end, begin.plus(span.rest()), "{zone}: {span:?} after {begin}");
                        continue;
                    }
                    let meant = shown.checked_add_days(Days::new(span.days())).expect("the day is valid");
                    let day_ends = end.minus(span.rest());
                    assert!(end >= begin.plus(shortest(span)), "{zone}: {span:?} after {begin} is shorter");
                    assert!(end > begin && day_ends == instant_of(meant, zone), "{zone}: {span:?} after {begin}");
                    let is_there = !matches!(zone.from_local_datetime(&meant), LocalResult::None);
                    assert_eq!(local(day_ends, zone) == meant, is_there, "{zone}: {span:?} after {begin}");
                }
            }
        }
    }
}

#[test]
fn windows_open_once_per_local_day_around_clock_changes() {
    let window = SendWindow::parse(&json!({"from": "09:00", "to": "21:00"})).expect("the window is valid");
    let (from, to) = (
        NaiveTime::from_hms_opt(9, 0, 0).expect("the time is valid"),
        NaiveTime::from_hms_opt(21, 0, 0).expect("the time is valid"),
    );
    for zone in TZ_VARIANTS {
        for change in changes(zone) {
            for day in around(change) {
                let midnight = instant_of(day.and_time(NaiveTime::MIN), zone);
                let mut openings = Vec::new();
                for minutes in (0..24 * 60).step_by(30) {
                    let asked = midnight.plus(Duration::from_secs(minutes * 60));
                    let allowed = window.next_allowed(asked, zone);
                    let shown = local(allowed, zone);
                    let place = format!("{zone} at {asked}: {shown}");
                    assert!(allowed >= asked && from <= shown.time() && shown.time() < to, "{place}");
                    if allowed > asked && shown.date() == day {
                        openings.push(allowed);
                    }
                }
                openings.dedup();
                assert_eq!(openings.len(), 1, "{zone} on {day}");
            }
        }
    }
}
