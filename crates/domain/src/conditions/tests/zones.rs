//! Days in the time zone of the contact, or otherwise of the workspace.

use std::time::Duration;

use chrono::Days;
use chrono_tz::Tz;
use serde_json::{Map, Value, json};

use super::{ada, leaf, now, parse, vocabulary};
use crate::conditions::{Facts, Question, Selection};
use crate::contacts::{Contact, TimeZone};
use crate::ids::FieldId;
use crate::send_window::local;
use crate::time::Timestamp;

fn lives(zone: &str, day: &str) -> Contact {
    let mut contact = ada();
    contact.time_zone = (!zone.is_empty()).then(|| TimeZone::from_store(zone.to_owned()));
    contact.custom_fields.insert("date".to_owned(), json!(day));
    contact
}

/// Whether the condition matches. A store's selection must give the same result.
fn holds(written: &Value, contact: &Contact, at: Timestamp, zone: Tz, vars: &Map<String, Value>) -> bool {
    let bot_fields = vocabulary().bot_values();
    let facts =
        Facts { contact, conversations: &[], bot_fields: &bot_fields, vars: Some(vars), event: None, now: at, zone };
    let condition = parse(written);
    let held = condition.holds(&facts);
    if vars.is_empty() {
        let keys =
            |field: FieldId| vocabulary().custom_fields.values().find(|it| it.id == field).map(|it| it.key.clone());
        let chosen = condition.selection(&bot_fields, at, zone).chooses(contact, &[], &keys);
        assert_eq!(held, chosen, "{written} at {at} in {zone}: a selection matches like the condition");
    }
    held
}

#[test]
fn evaluates_days_in_each_time_zone_as_a_store_does() {
    let (today, none) = (leaf("custom_fields.date", "within_last", json!("PT0S")), Map::new());
    // Each step compares the days of all time zones, so only every seventh is tested.
    for (place, zone) in chrono_tz::TZ_VARIANTS.iter().enumerate().step_by(7) {
        // Each zone uses a different hour and workspace.
        let at = now().plus(Duration::from_secs(place as u64 % 24 * 3_600 + 1_800));
        let of_workspace = [Tz::UTC, Tz::Pacific__Kiritimati, Tz::Pacific__Pago_Pago][place % 3];
        let here = local(at, *zone).date();
        for ahead in [-1_i64, 0, 1] {
            let day = match ahead {
                -1 => here.checked_sub_days(Days::new(1)),
                ahead => here.checked_add_days(Days::new(ahead.unsigned_abs())),
            };
            let contact = lives(zone.name(), &day.expect("the day is valid").to_string());
            assert_eq!(holds(&today, &contact, at, of_workspace, &none), ahead == 0, "{zone} at {at}: {ahead}");
        }
    }
}

#[test]
fn uses_the_zone_of_the_contact_or_the_workspace() {
    let none = Map::new();
    let today = leaf("custom_fields.date", "within_last", json!("PT0S"));
    for zone in ["", "Mars/Base"] {
        let contact = lives(zone, "2026-01-01");
        assert!(holds(&today, &contact, now(), Tz::Pacific__Kiritimati, &none), "{zone}");
        assert!(!holds(&today, &contact, now(), Tz::Pacific__Pago_Pago, &none), "{zone}");
    }
    let vars = Map::from_iter([("day".to_owned(), json!("2025-12-31"))]);
    let of_vars = leaf("vars.day", "within_last", json!("PT0S"));
    assert!(holds(&of_vars, &lives("Pacific/Pago_Pago", "2025-12-31"), now(), Tz::UTC, &vars));
    assert!(!holds(&of_vars, &lives("", "2025-12-31"), now(), Tz::UTC, &vars));
}

#[test]
fn counts_calendar_days_across_clock_changes() {
    let none = Map::new();
    // 00:30 after the day of 23 hours on which Berlin's clocks went forward.
    let at: Timestamp = "2026-03-29T22:30:00Z".parse().expect("the time is valid");
    let yesterday = leaf("custom_fields.date", "within_last", json!("P1D"));
    for (day, expected) in [("2026-03-28", false), ("2026-03-29", true), ("2026-03-30", true), ("2026-03-31", false)] {
        assert_eq!(holds(&yesterday, &lives("Europe/Berlin", day), at, Tz::UTC, &none), expected, "{day}");
    }
}

#[test]
fn selects_contacts_by_few_groups_of_time_zones() {
    let selection = parse(&leaf("custom_fields.date", "within_last", json!("P7D")));
    for hour in 0..24 {
        let at = now().plus(Duration::from_secs(hour * 3_600));
        let Selection::Any(groups) = selection.selection(&Map::new(), at, Tz::UTC) else {
            panic!("the selection is `Any`")
        };
        assert!((2..=6).contains(&groups.len()), "{hour}: {}", groups.len());
        let names = |it: &Selection| match it {
            Selection::Holds(_, Question::OneOf(names)) => names.len(),
            _ => 0,
        };
        let Selection::All(last) = &groups[groups.len() - 1] else { panic!("the last group is `All`") };
        assert!(last.iter().map(names).sum::<usize>() > 0);
    }
}
