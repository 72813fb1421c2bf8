//! The filter `date`: formats dates and times.

use std::fmt::Write as _;

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use minijinja::machinery::ast::{CallArg, Expr};
use minijinja::value::Kwargs;
use minijinja::{Error, State, Value};
use serde_json::{Map, json};

use super::arguments::{is_absent, shown, text_argument, wrong};
use crate::send_window::Zone;
use crate::time::Timestamp;

pub(super) const DATE: &str = "date";
/// The default format.
const PLAIN: &str = "%Y-%m-%d";
const MAX_FORMAT: usize = 100;
/// Directives for dates and times, without `%`.
const OF_DATES: [&str; 15] = ["Y", "y", "m", "-m", "B", "b", "d", "-d", "j", "A", "a", "u", "G", "V", "%"];
/// Directives for times only.
const OF_INSTANTS: [&str; 10] = ["H", "-H", "I", "-I", "p", "M", "S", "z", ":z", "Z"];
/// Name of the time zones in the template values; no template can use it.
const ZONES: &str = "$zones";

/// Adds the time zones for `date`: the contact's and the workspace's.
pub(in crate::flows) fn put_zones(values: &mut Map<String, serde_json::Value>, contact: Tz, workspace: Tz) {
    values.insert(ZONES.to_owned(), json!({"contact": contact.name(), "workspace": workspace.name()}));
}

enum DateInput {
    Day(NaiveDate),
    Instant(Timestamp),
}

/// Formats a date or a time; a time is converted to a time zone, by default the contact's.
///
/// # Errors
/// The value is neither, or the format or time zone does not exist.
pub(super) fn date(
    state: &State<'_, '_>,
    value: &Value,
    format: Option<&Value>,
    zone: Option<&Value>,
    named: Kwargs,
) -> Result<Value, Error> {
    let format = text_argument(format, &named, "format")?;
    let zone = text_argument(zone, &named, "zone")?;
    named.assert_all_used()?;
    let format = format.as_deref().unwrap_or(PLAIN);
    let zone = zone.as_deref().map_or(Ok(Zone::Contact), zone_named).map_err(wrong)?;
    let directives = directives(format).map_err(wrong)?;
    if is_absent(value) {
        return Ok(Value::UNDEFINED);
    }
    let mut text = String::new();
    let written = match date_input(value)? {
        DateInput::Day(day) => {
            if let Some(directive) = directives.iter().find(|it| OF_INSTANTS.contains(it)) {
                let message =
                    format!("%{directive} formats a time of day, but {} is a date without a time", shown(value));
                return Err(wrong(message));
            }
            write!(text, "{}", day.format(format))
        }
        DateInput::Instant(instant) => {
            let utc = DateTime::<Utc>::from_timestamp_millis(instant.millis()).unwrap_or_default();
            write!(text, "{}", utc.with_timezone(&meant(state, zone)).format(format))
        }
    };
    written.map_err(|_| wrong(format!("the format {format} cannot be applied to {}", shown(value))))?;
    Ok(Value::from(text))
}

/// Checks the literal arguments of a call.
pub(super) fn check(args: &[CallArg<'_>]) -> Result<(), String> {
    for (place, arg) in args.iter().enumerate() {
        let (name, expr) = match arg {
            CallArg::Pos(expr) => (["format", "zone"].get(place).copied().unwrap_or_default(), expr),
            CallArg::Kwarg(name, expr) => (*name, expr),
            CallArg::PosSplat(_) | CallArg::KwargSplat(_) => continue,
        };
        let Expr::Const(literal) = expr else { continue };
        match (name, literal.value.as_str()) {
            ("format", Some(format)) => drop(directives(format)?),
            ("zone", Some(zone)) => drop(zone_named(zone)?),
            _ => {}
        }
    }
    Ok(())
}

fn date_input(value: &Value) -> Result<DateInput, Error> {
    let expected = || {
        let message = "date requires a date such as 2026-01-31 or a time such as 2026-01-31T09:30:00Z, got";
        wrong(format!("{message} {}", shown(value)))
    };
    let text = value.as_str().ok_or_else(expected)?.trim();
    if let Ok(instant) = text.parse() {
        return Ok(DateInput::Instant(instant));
    }
    // Ten characters without a sign, as in fields of type `date`.
    let plain = Some(text).filter(|text| text.len() == 10 && text.starts_with(|c: char| c.is_ascii_digit()));
    let day = plain.and_then(|text| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok());
    day.map(DateInput::Day).ok_or_else(expected)
}

fn directives(format: &str) -> Result<Vec<&'static str>, String> {
    if format.chars().count() > MAX_FORMAT {
        return Err(format!("a date format has at most {MAX_FORMAT} characters"));
    }
    let (mut found, mut rest) = (Vec::new(), format);
    while let Some((_, behind)) = rest.split_once('%') {
        let known = OF_DATES.into_iter().chain(OF_INSTANTS);
        let Some((directive, behind)) = known.filter_map(|it| Some((it, behind.strip_prefix(it)?))).next() else {
            let unknown: String = behind.chars().take(1).collect();
            let known: Vec<String> = OF_DATES.iter().chain(&OF_INSTANTS).map(|it| format!("%{it}")).collect();
            return Err(format!("%{unknown} is not a directive of date formats; supported: {}", known.join(" ")));
        };
        found.push(directive);
        rest = behind;
    }
    Ok(found)
}

fn zone_named(name: &str) -> Result<Zone, String> {
    let name = name.trim();
    Zone::named(name).ok_or_else(|| {
        let name = crate::text::cut(name.to_owned(), 60);
        format!("unknown time zone {name}; expected contact, workspace or a time zone such as Europe/Berlin")
    })
}

/// Resolves the time zone from the template values.
fn meant(state: &State<'_, '_>, zone: Zone) -> Tz {
    let known = |whose: &str| {
        let zones = state.lookup(ZONES)?;
        let name = zones.get_attr(whose).ok()?;
        name.as_str()?.parse().ok()
    };
    match zone {
        Zone::Contact => known("contact").unwrap_or(Tz::UTC),
        Zone::Workspace => known("workspace").unwrap_or(Tz::UTC),
        Zone::Iana(zone) => zone,
    }
}
