//! Checks of single values of the settings. Each returns the value, or an error that names the setting.

use std::time::Duration;

use tidings_domain::retention::Retention;
use tidings_domain::time::IsoDuration;
use tidings_egress::{AddressFilter, Network, NetworkError};

use super::SettingsError;
use super::error::wrong;

pub(super) fn within(key: &'static str, value: usize, least: usize, most: usize) -> Result<usize, SettingsError> {
    if (least..=most).contains(&value) { Ok(value) } else { Err(wrong(key, format!("expected {least} to {most}"))) }
}

/// Parses a duration of at most `most`.
pub(super) fn time(key: &'static str, text: &str, most: Duration) -> Result<Duration, SettingsError> {
    let time = text.trim().parse::<IsoDuration>().map_err(|error| wrong(key, error.to_string()))?.get();
    if time <= most { Ok(time) } else { Err(wrong(key, format!("expected at most {} seconds", most.as_secs()))) }
}

/// Parses a duration above zero.
pub(super) fn positive_time(key: &'static str, text: &str) -> Result<Duration, SettingsError> {
    let time = time(key, text, Duration::from_secs(3_600))?;
    if time.is_zero() { Err(wrong(key, "expected more than zero")) } else { Ok(time) }
}

/// Parses a lease: long enough for a pause of its engine, and short enough to recover from its loss.
pub(super) fn lease(text: &str) -> Result<Duration, SettingsError> {
    const KEY: &str = "engine.lease";
    let lease = time(KEY, text, Duration::from_secs(600))?;
    if lease < Duration::from_secs(2) { Err(wrong(KEY, "expected PT2S or more")) } else { Ok(lease) }
}

/// Parses a duration for the server library. Its clock has a resolution of half a second.
pub(super) fn coarse(key: &'static str, text: &str) -> Result<Duration, SettingsError> {
    let time = positive_time(key, text)?;
    if time < Duration::from_secs(1) { Err(wrong(key, "expected PT1S or more")) } else { Ok(time) }
}

pub(super) fn network(text: &str) -> Result<Network, SettingsError> {
    text.trim().parse().map_err(|error: NetworkError| wrong("egress.allowed_networks", error.to_string()))
}

pub(super) fn host(text: &str) -> Result<String, SettingsError> {
    AddressFilter::plain_http_host(text.trim()).map_err(|error| wrong("egress.plain_http_hosts", error.to_string()))
}

pub(super) fn days(key: &'static str, days: u32) -> Result<u32, SettingsError> {
    let (least, most) = (Retention::LEAST, Retention::MOST);
    if (least..=most).contains(&days) { Ok(days) } else { Err(wrong(key, format!("expected {least} to {most} days"))) }
}

/// Reads a retention of content; 0 means for ever.
pub(super) fn content_days(key: &'static str, days: u32) -> Result<u32, SettingsError> {
    let (least, most) = (Retention::LEAST_CONTENT, Retention::MOST_CONTENT);
    match days == 0 || (least..=most).contains(&days) {
        true => Ok(days),
        false => Err(wrong(key, format!("expected 0 (for ever) or {least} to {most} days"))),
    }
}

pub(super) fn retry_schedule(texts: &[String]) -> Result<Vec<Duration>, SettingsError> {
    const KEY: &str = "webhooks.retry_schedule";
    let waits: Result<Vec<_>, _> = texts.iter().map(|text| text.trim().parse::<IsoDuration>()).collect();
    let waits: Vec<_> =
        waits.map_err(|error| wrong(KEY, error.to_string()))?.into_iter().map(IsoDuration::get).collect();
    if waits.len() > 100 || waits.first().is_none_or(|first| !first.is_zero()) {
        return Err(wrong(KEY, "expected 1 to 100 waits, starting with PT0S, because the first attempt is immediate"));
    }
    Ok(waits)
}
