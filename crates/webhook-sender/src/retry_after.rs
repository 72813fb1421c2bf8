//! `Retry-After` (RFC 9110, section 10.2.3).

use std::time::{Duration, UNIX_EPOCH};

use tidings_domain::time::Timestamp;

/// The longest wait that is returned. Longer ones make no difference, and adding this one cannot overflow.
const LONGEST: Duration = Duration::from_secs(366 * 86_400);

/// Parses seconds or an HTTP date as a wait from `now`, at most a year; a past date is a wait of zero. `None` if the
/// value is neither.
pub fn parse(value: &str, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    let wait = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        Duration::from_secs(value.parse().unwrap_or(u64::MAX))
    } else {
        let date = httpdate::parse_http_date(value).ok()?.duration_since(UNIX_EPOCH).ok()?;
        Timestamp::from_millis(0).plus(date).since(now)
    };
    Some(wait.min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_seconds_and_dates() {
        let now = Timestamp::from_millis(784_111_777_000);
        for (value, seconds) in [
            ("0", Some(0)),
            ("120", Some(120)),
            (" 120 ", Some(120)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", Some(10)),
            ("Sunday, 06-Nov-94 08:49:47 GMT", Some(10)),
            ("Sun Nov  6 08:49:47 1994", Some(10)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(0)),
            ("Sun, 06 Nov 1988 08:49:37 GMT", Some(0)),
            ("Fri, 31 Dec 9999 23:59:59 GMT", Some(LONGEST.as_secs())),
            ("99999999999999999999999", Some(LONGEST.as_secs())),
            ("", None),
            ("-1", None),
            ("+1", None),
            ("1.5", None),
            ("soon", None),
            ("1994-11-06T08:49:47Z", None),
        ] {
            assert_eq!(parse(value, now), seconds.map(Duration::from_secs), "{value}");
        }
    }
}
