//! Dates: forms, and the calendar day of a cell in a form.

use chrono::{NaiveDate, NaiveDateTime};

use crate::reasons::Reason;
use crate::times::{self, Moment, TimeText};

/// A form of dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DateForm {
    /// `2026-05-31` (ISO 8601).
    Iso,
    /// `31.05.2026`
    DmyDot,
    /// `31/05/2026`
    DmySlash,
    /// `05/31/2026`
    MdySlash,
    /// `31-05-2026`
    DmyDash,
    /// `05-31-2026`
    MdyDash,
    /// `2026/05/31`
    YmdSlash,
    /// `2026.05.31`
    YmdDot,
    /// `20260531` (ISO 8601, basic format).
    Compact,
}

/// The order of day, month and year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DateOrder {
    /// Day, month, year.
    Dmy,
    /// Month, day, year.
    Mdy,
    /// Year, month, day.
    Ymd,
}

impl DateForm {
    /// All forms. Of forms that give the same values the first one is chosen.
    pub const ALL: [Self; 9] = [
        Self::Iso,
        Self::DmyDot,
        Self::DmySlash,
        Self::MdySlash,
        Self::DmyDash,
        Self::MdyDash,
        Self::YmdSlash,
        Self::YmdDot,
        Self::Compact,
    ];

    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Iso => "yyyy-mm-dd",
            Self::DmyDot => "dd.mm.yyyy",
            Self::DmySlash => "dd/mm/yyyy",
            Self::MdySlash => "mm/dd/yyyy",
            Self::DmyDash => "dd-mm-yyyy",
            Self::MdyDash => "mm-dd-yyyy",
            Self::YmdSlash => "yyyy/mm/dd",
            Self::YmdDot => "yyyy.mm.dd",
            Self::Compact => "yyyymmdd",
        }
    }

    /// The last day of May 2026 in this form.
    pub fn example(self) -> &'static str {
        match self {
            Self::Iso => "2026-05-31",
            Self::DmyDot => "31.05.2026",
            Self::DmySlash => "31/05/2026",
            Self::MdySlash => "05/31/2026",
            Self::DmyDash => "31-05-2026",
            Self::MdyDash => "05-31-2026",
            Self::YmdSlash => "2026/05/31",
            Self::YmdDot => "2026.05.31",
            Self::Compact => "20260531",
        }
    }

    /// The order of day, month and year.
    pub fn order(self) -> DateOrder {
        match self {
            Self::DmyDot | Self::DmySlash | Self::DmyDash => DateOrder::Dmy,
            Self::MdySlash | Self::MdyDash => DateOrder::Mdy,
            Self::Iso | Self::YmdSlash | Self::YmdDot | Self::Compact => DateOrder::Ymd,
        }
    }

    fn sign(self) -> Option<u8> {
        match self {
            Self::Iso | Self::DmyDash | Self::MdyDash => Some(b'-'),
            Self::DmyDot | Self::YmdDot => Some(b'.'),
            Self::DmySlash | Self::MdySlash | Self::YmdSlash => Some(b'/'),
            Self::Compact => None,
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == text)
    }
}

/// A date and the text behind it, before a form is chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outline<'c> {
    /// The three numbers, each with its count of digits.
    parts: [(u32, usize); 3],
    sign: Option<u8>,
    rest: &'c str,
}

impl<'c> Outline<'c> {
    /// Reads the outline of a trimmed cell.
    pub(crate) fn of(cell: &'c str) -> Result<Self, Reason> {
        let (first, rest) = number(cell).ok_or(Reason::NotADate)?;
        // Spreadsheets count days from 1900: dates of these years have five digits, and times are fractions.
        if first.1 == 5 && (rest.is_empty() || rest.starts_with(['.', ','])) {
            return Err(Reason::SerialNumber);
        }
        if first.1 == 8 && (rest.is_empty() || rest.starts_with(['T', ' '])) {
            let parts = [(first.0 / 10_000, 4), (first.0 / 100 % 100, 2), (first.0 % 100, 2)];
            return Ok(Self { parts, sign: None, rest });
        }
        let sign = rest.bytes().next().filter(|byte| b".-/".contains(byte));
        let Some(sign) = sign else { return Err(Reason::NotADate) };
        // Czech and Hungarian dates have spaces behind their points.
        let behind = |text: &'c str| {
            let text = text.strip_prefix(char::from(sign))?;
            Some(if sign == b'.' { text.trim_start_matches(' ') } else { text })
        };
        let (second, rest) = behind(rest).and_then(number).ok_or(Reason::NotADate)?;
        let (third, rest) = behind(rest).and_then(number).ok_or(Reason::NotADate)?;
        let rest = if sign == b'.' && third.1 <= 2 { rest.strip_prefix('.').unwrap_or(rest) } else { rest };
        let rest = if sign == b'.' && rest == "." { "" } else { rest };
        let parts = [first, second, third];
        if parts.iter().all(|(_, digits)| *digits <= 2) {
            return Err(Reason::TwoDigitYear);
        }
        Ok(Self { parts, sign: Some(sign), rest })
    }

    /// The day in a form.
    pub(crate) fn day(&self, form: DateForm) -> Result<NaiveDate, Reason> {
        let [a, b, c] = self.parts;
        let (year, month, day) = match form.order() {
            DateOrder::Dmy => (c, b, a),
            DateOrder::Mdy => (c, a, b),
            DateOrder::Ymd => (a, b, c),
        };
        if form.sign() != self.sign || year.1 != 4 || !(1..=2).contains(&month.1) || !(1..=2).contains(&day.1) {
            return Err(Reason::OtherDateForm);
        }
        let year = i32::try_from(year.0).ok().filter(|year| *year >= 1_000).ok_or(Reason::NoSuchDay)?;
        // `31/05/2026` has no month 31: it is a date in another form.
        let wrong = if (13..=31).contains(&month.0) && day.0 <= 12 { Reason::OtherDateForm } else { Reason::NoSuchDay };
        NaiveDate::from_ymd_opt(year, month.0, day.0).ok_or(wrong)
    }

    /// The text behind the date.
    pub(crate) fn time(&self) -> Result<TimeText, Reason> {
        times::read(self.rest)
    }

    /// The day in a form, of a cell without a time. Midnight is no time: spreadsheets add it to dates.
    pub(crate) fn date(&self, form: DateForm) -> Result<NaiveDate, Reason> {
        let day = self.day(form)?;
        if self.rest.is_empty() || self.time()?.is_plain_midnight() { Ok(day) } else { Err(Reason::HasTime) }
    }

    /// The date and time in a form, with a zone or without.
    pub(crate) fn moment(&self, form: DateForm, has_zone: bool) -> Result<Moment, Reason> {
        let day = self.day(form)?;
        let TimeText { time, offset } = self.time()?;
        let local = NaiveDateTime::new(day, time.ok_or(Reason::NoTime)?);
        match (offset, has_zone) {
            (None, false) => Ok(Moment::Local(local)),
            (Some(offset), true) => {
                local.and_local_timezone(offset).single().map(Moment::Zoned).ok_or(Reason::NoSuchDay)
            }
            (Some(_), false) => Err(Reason::HasZone),
            (None, true) => Err(Reason::NoZone),
        }
    }
}

/// The number at the start of a text, with its count of digits, and the text behind it.
fn number(text: &str) -> Option<((u32, usize), &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(digits).filter(|_| (1..=8).contains(&digits))?;
    Some(((number.parse().ok()?, digits), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn days(cell: &str) -> Vec<(&'static str, String)> {
        let day = |form: DateForm| Some((form.as_str(), Outline::of(cell).ok()?.date(form).ok()?.to_string()));
        DateForm::ALL.into_iter().filter_map(day).collect()
    }

    #[test]
    fn reads_each_form() {
        for form in DateForm::ALL {
            let days = days(form.example());
            assert_eq!(days, [(form.as_str(), "2026-05-31".to_owned())]);
            assert_eq!(DateForm::parse(form.as_str()), Some(form));
        }
        for cell in ["1.5.2026", "01. 05. 2026", "1.05.2026", "2026-5-1", "2026. 05. 01.", "01.05.2026 00:00:00"] {
            assert_eq!(days(cell).first().map(|(_, day)| day.as_str()), Some("2026-05-01"), "{cell}");
        }
    }

    #[test]
    fn slashes_and_hyphens_may_have_two_readings() {
        assert_eq!(days("03/04/2026").len(), 2);
        assert_eq!(days("03-04-2026").len(), 2);
        assert_eq!(days("03.04.2026").len(), 1);
        assert_eq!(days("13/04/2026"), [("dd/mm/yyyy", "2026-04-13".to_owned())]);
    }

    #[test]
    fn refuses_other_texts_with_reasons() {
        let refusal = |cell: &str, form| Outline::of(cell).and_then(|it| it.date(form)).err();
        for (cell, reason) in [
            ("45291", Reason::SerialNumber),
            ("45291.75", Reason::SerialNumber),
            ("31.05.26", Reason::TwoDigitYear),
            ("5/31/26", Reason::TwoDigitYear),
            ("31.02.2026", Reason::NoSuchDay),
            ("31/05/2026", Reason::OtherDateForm),
            ("31.05.2026 18:00", Reason::HasTime),
            ("31.05.2026 xx", Reason::NotATime),
            ("31. Mai 2026", Reason::NotADate),
            ("2026", Reason::NotADate),
            ("31.05", Reason::NotADate),
            ("00.05.2026", Reason::NoSuchDay),
            ("31.05.0026", Reason::NoSuchDay),
        ] {
            assert_eq!(refusal(cell, DateForm::DmyDot), Some(reason), "{cell}");
        }
        assert_eq!(refusal("31/05/2026", DateForm::MdySlash), Some(Reason::OtherDateForm));
    }

    proptest! {
        #[test]
        fn every_form_reads_its_own_days(year in 1000_i32..9999, ordinal in 1_u32..=365, at in 0_usize..9) {
            let day = NaiveDate::from_yo_opt(year, ordinal).unwrap();
            let form = DateForm::ALL[at];
            let pattern = form.as_str().replace("yyyy", "%Y").replace("mm", "%m").replace("dd", "%d");
            let cell = day.format(&pattern).to_string();
            prop_assert_eq!(Outline::of(&cell).and_then(|it| it.date(form)), Ok(day));
        }

        #[test]
        fn never_panics_on_any_text(cell in "\\PC{0,20}|[0-9./T: -]{0,20}") {
            for form in DateForm::ALL {
                let _ = Outline::of(&cell).and_then(|it| it.date(form));
                let _ = Outline::of(&cell).and_then(|it| it.moment(form, true));
            }
        }
    }
}
