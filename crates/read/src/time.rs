//! Instants and durations in the form of the API.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An instant in UTC, in milliseconds since 1970-01-01T00:00:00Z.
///
/// Written as RFC 3339 with exactly three decimals and `Z`; read with any offset. Further decimals are truncated, so
/// every store returns the written value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The error for a text that is not an RFC 3339 time between the years 1 and 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an RFC 3339 time such as 2026-01-31T09:30:00Z")]
pub struct InvalidTimestamp;

impl Timestamp {
    /// 2026-01-01T00:00:00Z.
    pub const EPOCH_2026: Self = Self(1_767_225_600_000);
    /// The last instant.
    pub const END: Self = Self(Self::MAX);
    const MIN: i64 = -62_135_596_800_000;
    const MAX: i64 = 253_402_300_799_999;

    /// Returns the instant at a number of milliseconds since the Unix epoch, clamped to the years 1 to 9999.
    pub const fn from_millis(millis: i64) -> Self {
        if millis < Self::MIN {
            Self(Self::MIN)
        } else if millis > Self::MAX {
            Self(Self::MAX)
        } else {
            Self(millis)
        }
    }

    /// Returns the milliseconds since the Unix epoch.
    pub fn millis(self) -> i64 {
        self.0
    }

    /// Returns the whole seconds since the Unix epoch, rounded down.
    pub fn unix_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Returns the instant `duration` later, at most the end of the year 9999.
    pub fn plus(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self::from_millis(self.0.saturating_add(millis))
    }

    /// Returns the instant `duration` earlier, at least the start of the year 1.
    pub fn minus(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self::from_millis(self.0.saturating_sub(millis))
    }

    /// Returns the time since `earlier`; zero if `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = DateTime::<Utc>::from_timestamp_millis(self.0).unwrap_or_default();
        out.write_str(&time.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, InvalidTimestamp> {
        let millis = DateTime::parse_from_rfc3339(text).map_err(|_| InvalidTimestamp)?.timestamp_millis();
        if (Self::MIN..=Self::MAX).contains(&millis) { Ok(Self(millis)) } else { Err(InvalidTimestamp) }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Timestamp {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::schema::{KnownFormat, SchemaFormat, Type};
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .examples([serde_json::json!("2026-01-31T09:30:00.000Z")])
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Timestamp {
    fn name() -> std::borrow::Cow<'static, str> {
        "Timestamp".into()
    }
}

/// A duration in the part of ISO 8601 that does not depend on a calendar: `P2W`, `P3D`, `PT30M`, `P1DT12H`, `PT0.5S`. A
/// day has 24 hours; years and months are rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct IsoDuration {
    days: u64,
    rest: Duration,
}

/// The error for a text that is not an accepted duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as PT30M or P3D")]
pub struct InvalidDuration;

impl IsoDuration {
    /// Ten years. Longer durations are rejected.
    pub const MAX: Duration = Duration::from_secs(3_660 * 86_400);

    /// Returns the duration, with days of 24 hours.
    pub fn get(self) -> Duration {
        Duration::from_secs(self.days.saturating_mul(86_400)).saturating_add(self.rest)
    }

    /// Returns the weeks and days, in days.
    pub fn days(self) -> u64 {
        self.days
    }

    /// Returns the hours, minutes and seconds.
    pub fn rest(self) -> Duration {
        self.rest
    }
}

impl FromStr for IsoDuration {
    type Err = InvalidDuration;

    fn from_str(text: &str) -> Result<Self, InvalidDuration> {
        let rest = text.strip_prefix('P').filter(|rest| !rest.is_empty()).ok_or(InvalidDuration)?;
        let (date, time) = match rest.split_once('T') {
            Some((_, "")) => return Err(InvalidDuration),
            Some((date, time)) => (date, time),
            None => (rest, ""),
        };
        let days = designated(date, &[('W', 604_800_000), ('D', 86_400_000)])? / 86_400_000;
        let rest = Duration::from_millis(designated(time, &[('H', 3_600_000), ('M', 60_000), ('S', 1_000)])?);
        let duration = Self { days, rest };
        if duration.get() > Self::MAX { Err(InvalidDuration) } else { Ok(duration) }
    }
}

/// Returns the sum of `<number><unit>` pairs in milliseconds: each unit at most once and in order, decimals only before
/// `S`.
fn designated(mut text: &str, units: &[(char, u64)]) -> Result<u64, InvalidDuration> {
    let mut sum = 0_u64;
    for (unit, millis) in units {
        let Some((number, rest)) = text.split_once(*unit) else { continue };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let fraction_allowed = *unit == 'S' && fraction.len() <= 3;
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(fraction) || (number.contains('.') && !fraction_allowed) {
            return Err(InvalidDuration);
        }
        let whole: u64 = whole.parse().map_err(|_| InvalidDuration)?;
        let thousandths: u64 = format!("{fraction:0<3}").parse().map_err(|_| InvalidDuration)?;
        let value = whole.checked_mul(*millis).and_then(|value| value.checked_add(thousandths));
        sum = value.and_then(|value| sum.checked_add(value)).ok_or(InvalidDuration)?;
        text = rest;
    }
    if text.is_empty() { Ok(sum) } else { Err(InvalidDuration) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_any_offset_and_writes_utc_with_milliseconds() {
        let read = |text: &str| text.parse::<Timestamp>().map(|time| time.to_string());
        assert_eq!(read("2026-01-31T10:30:00+01:00").as_deref(), Ok("2026-01-31T09:30:00.000Z"));
        assert_eq!(read("2026-01-31T09:30:00.123987Z").as_deref(), Ok("2026-01-31T09:30:00.123Z"));
        assert_eq!(read("2026-01-31 09:30"), Err(InvalidTimestamp));
        assert_eq!(read("0000-01-01T00:00:00Z"), Err(InvalidTimestamp));
    }

    #[test]
    fn reads_durations_by_their_designators() {
        let read = |text: &str| text.parse::<IsoDuration>().map(|it| it.get().as_millis());
        assert_eq!(read("PT30M"), Ok(1_800_000));
        assert_eq!(read("P3D"), Ok(259_200_000));
        assert_eq!(read("P1W2DT3H4M5.25S"), Ok(788_645_250));
        assert_eq!(read("PT0S"), Ok(0));
        let parts = |text: &str| text.parse::<IsoDuration>().map(|it| (it.days(), it.rest().as_secs()));
        assert_eq!((parts("P1W2DT3H"), parts("PT48H")), (Ok((9, 10_800)), Ok((0, 172_800))));
        for text in
            ["", "P", "PT", "30M", "P1M", "P1Y", "PT1.5H", "PT5M1H", "P-1D", "PT1", "P1DT", "P99999999999D", "PT1S2S"]
        {
            assert_eq!(read(text), Err(InvalidDuration), "{text}");
        }
    }
}
