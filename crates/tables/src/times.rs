//! Times of day and zones behind a date.

use chrono::{DateTime, FixedOffset, NaiveDateTime, NaiveTime};

use crate::reasons::Reason;

/// A date with a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Without a zone. The importer applies a zone, and resolves times that a change of the clocks skips or repeats.
    Local(NaiveDateTime),
    /// With the offset from UTC that the text has.
    Zoned(DateTime<FixedOffset>),
}

/// The text behind a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimeText {
    pub(crate) time: Option<NaiveTime>,
    pub(crate) offset: Option<FixedOffset>,
}

impl TimeText {
    pub(crate) fn is_plain_midnight(self) -> bool {
        self.time == Some(NaiveTime::MIN) && self.offset.is_none()
    }
}

/// Reads the text behind a date: nothing, or `T`, a space or a comma, and a time with an optional zone.
pub(crate) fn read(text: &str) -> Result<TimeText, Reason> {
    if text.is_empty() {
        return Ok(TimeText { time: None, offset: None });
    }
    let rest = text.strip_prefix(['T', 't']).or_else(|| {
        let rest = text.strip_prefix(',').unwrap_or(text);
        Some(rest.trim_start()).filter(|it| it.len() < text.len())
    });
    let (time, rest) = rest.and_then(time).ok_or(Reason::NotATime)?;
    let offset = zone(rest.trim()).ok_or(Reason::NotATime)?;
    Ok(TimeText { time: Some(time), offset })
}

/// Reads `18:00`, `18:00:00`, `18:00:00.000` or `6:00 pm` at the start of a text.
pub(crate) fn time(text: &str) -> Option<(NaiveTime, &str)> {
    let (hour, rest) = digits(text, 2).filter(|(_, rest)| rest.len() < text.len())?;
    let (minute, rest) = two_digits(rest.strip_prefix(':')?)?;
    let (second, rest) = match rest.strip_prefix(':') {
        Some(rest) => two_digits(rest)?,
        None => (0, rest),
    };
    let (nanos, rest) = match rest.strip_prefix(['.', ',']) {
        Some(rest) => {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (fraction, behind) = rest.split_at_checked(length).filter(|_| (1..=9).contains(&length))?;
            (format!("{fraction:0<9}").parse().ok()?, behind)
        }
        None => (0, rest),
    };
    let (hour, rest) = half_of_day(hour, rest)?;
    Some((NaiveTime::from_hms_nano_opt(hour, minute, second, nanos)?, rest))
}

/// Applies `am` or `pm` behind a time, if there is one.
fn half_of_day(hour: u32, text: &str) -> Option<(u32, &str)> {
    let rest = text.trim_start();
    let marks = [("a.m.", 0), ("p.m.", 12), ("am", 0), ("pm", 12)];
    let found =
        marks.into_iter().find(|(mark, _)| rest.get(..mark.len()).is_some_and(|it| it.eq_ignore_ascii_case(mark)));
    let Some((mark, add)) = found else { return Some((hour, text)) };
    let hour = (1..=12).contains(&hour).then_some(hour % 12 + add)?;
    Some((hour, rest.get(mark.len()..)?))
}

/// The offset of a zone; the outer `None` if the text is none. An empty text has no offset.
fn zone(text: &str) -> Option<Option<FixedOffset>> {
    if text.is_empty() {
        return Some(None);
    }
    let names = ["UTC", "GMT", "Z"];
    let name = names.into_iter().find(|it| text.get(..it.len()).is_some_and(|start| start.eq_ignore_ascii_case(it)));
    let rest = text.get(name.map_or(0, str::len)..)?;
    if rest.is_empty() {
        return FixedOffset::east_opt(0).map(Some);
    }
    let is_west = match rest.chars().next()? {
        '+' => false,
        '-' | '\u{2212}' => true,
        _ => return None,
    };
    let (hours, rest) = digits(rest.trim_start_matches(['+', '-', '\u{2212}']), 2)?;
    let minutes = if rest.is_empty() {
        0
    } else {
        digits(rest.strip_prefix(':').unwrap_or(rest), 2).filter(|it| it.1.is_empty())?.0
    };
    if hours > 14 || minutes > 59 {
        return None;
    }
    let seconds = i32::try_from(hours * 3_600 + minutes * 60).ok()?;
    FixedOffset::east_opt(if is_west { -seconds } else { seconds }).map(Some)
}

fn two_digits(text: &str) -> Option<(u32, &str)> {
    digits(text, 2).filter(|(_, rest)| rest.len() + 2 == text.len())
}

/// The number at the start of a text, of at most `most` digits, and the text behind it.
pub(crate) fn digits(text: &str, most: usize) -> Option<(u32, &str)> {
    let length = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(length)?;
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        let TimeText { time, offset } = read(text).ok()?;
        let zone = offset.map(|it| it.to_string()).unwrap_or_default();
        Some(format!("{}{zone}", time?))
    }

    #[test]
    fn reads_times_and_zones() {
        for (text, expected) in [
            (" 18:00", "18:00:00"),
            ("T18:00:05", "18:00:05"),
            (", 18:00", "18:00:00"),
            (" 6:00 pm", "18:00:00"),
            (" 12:30 AM", "00:30:00"),
            (" 12:30 p.m.", "12:30:00"),
            (" 09:05:07.250", "09:05:07.250"),
            ("T18:00:00Z", "18:00:00+00:00"),
            (" 18:00:00 UTC", "18:00:00+00:00"),
            (" 18:00 +0200", "18:00:00+02:00"),
            ("T18:00:00.000-03:30", "18:00:00-03:30"),
            (" 18:00 GMT+2", "18:00:00+02:00"),
            (" 18:00+02", "18:00:00+02:00"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn refuses_other_texts() {
        for text in [
            " 24:00",
            " 18",
            " 18:0",
            "18:00",
            " 18:60",
            " 13:00 pm",
            " 0:30 am",
            " 18:00 CET",
            " 18:00 +2:0:0",
            " 18:00 +15",
            "x",
        ] {
            assert_eq!(read(text), Err(Reason::NotATime), "{text}");
        }
        assert_eq!(read(""), Ok(TimeText { time: None, offset: None }));
    }
}
