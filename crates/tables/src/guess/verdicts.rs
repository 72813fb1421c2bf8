//! The verdicts of all candidate formats on one cell, from one outline of the cell.

use chrono::Datelike;

use super::Reason;
use crate::cells;
use crate::dates;
use crate::formats::Format;
use crate::lists;
use crate::numbers;
use crate::options::Options;
use crate::phones;
use crate::reasons::{is_scientific, refuse_damage};
use crate::times::TimeText;
use crate::yes_no;

/// The most candidates of a kind: nine forms of dates, each alone, with a time, and with a time and a zone.
const MAX_CANDIDATES: usize = 27;

/// The verdict of one format.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verdict {
    /// A number that is equal for equal values of this cell, or the reason why the cell does not fit.
    pub(super) signature: Result<u64, Reason>,
    /// Whether the cell speaks for the format.
    pub(super) is_evidence: bool,
}

impl Verdict {
    const NONE: Self = Self { signature: Err(Reason::NotADate), is_evidence: false };

    /// Whether both give the same value, or none.
    pub(super) fn is_same(self, other: Self) -> bool {
        self.signature.ok() == other.signature.ok()
    }
}

/// The verdicts on one cell.
#[derive(Debug)]
pub(super) struct Verdicts([Verdict; MAX_CANDIDATES]);

impl Verdicts {
    pub(super) fn of(text: &str, formats: impl Iterator<Item = Format>, options: &Options) -> Self {
        let mut verdicts = [Verdict::NONE; MAX_CANDIDATES];
        let mut cell = Cell::new(text, options);
        for (verdict, format) in verdicts.iter_mut().zip(formats) {
            *verdict = cell.verdict(format);
        }
        Self(verdicts)
    }

    pub(super) fn get(&self, place: usize) -> Verdict {
        self.0.get(place).copied().unwrap_or(Verdict::NONE)
    }
}

/// The verdict of one format, for columns that have no other.
pub(super) fn verdict(text: &str, format: Format, options: &Options) -> Result<(), Reason> {
    Cell::new(text, options).verdict(format).signature.map(|_| ())
}

/// A cell with the outlines that its formats share.
struct Cell<'c> {
    text: &'c str,
    damage: Result<(), Reason>,
    number: Option<Result<numbers::Outline, Reason>>,
    date: Option<Result<Date<'c>, Reason>>,
    phone: Option<Result<phones::Digits, Reason>>,
    options: &'c Options,
}

/// The outline of a date, and the time behind it.
struct Date<'c> {
    outline: dates::Outline<'c>,
    time: Result<TimeText, Reason>,
}

impl<'c> Cell<'c> {
    fn new(text: &'c str, options: &'c Options) -> Self {
        Self { text, damage: refuse_damage(text), number: None, date: None, phone: None, options }
    }

    fn verdict(&mut self, format: Format) -> Verdict {
        let signature = match self.damage {
            Ok(()) => self.signature(format),
            Err(reason) => Err(reason),
        };
        let is_evidence = match format {
            Format::List(form) | Format::Choices(form) => signature.is_ok() && form.occurs_in(self.text),
            Format::Text
            | Format::Id
            | Format::FullName(_)
            | Format::Number(_)
            | Format::YesNo { .. }
            | Format::Date(_)
            | Format::DateTime { .. }
            | Format::Phone(_)
            | Format::TimeZone
            | Format::Locale
            | Format::Choice => false,
        };
        Verdict { signature, is_evidence }
    }

    fn signature(&mut self, format: Format) -> Result<u64, Reason> {
        match format {
            Format::Text => Ok(0),
            Format::Id if is_scientific(self.text) => Err(Reason::ScientificNotation),
            Format::Id => Ok(0),
            Format::Number(form) => {
                let outline = self.number.get_or_insert_with(|| numbers::Outline::of(self.text));
                let decimals = outline.as_ref().map_err(|reason| *reason)?.decimals(form);
                decimals.map(u64::from).ok_or(Reason::OtherNumberForm)
            }
            Format::YesNo { .. } => yes_no::read(self.text).map(u64::from).ok_or(Reason::NotYesNo),
            Format::Date(form) => {
                let Date { outline, time } = self.date()?;
                let day = outline.day(form)?;
                match time {
                    Ok(time) if time.time.is_none() || time.is_plain_midnight() => Ok(number(day)),
                    Ok(_) => Err(Reason::HasTime),
                    Err(reason) => Err(*reason),
                }
            }
            Format::DateTime { date, has_zone } => {
                let Date { outline, time } = self.date()?;
                let day = outline.day(date)?;
                let time = time.as_ref().map_err(|reason| *reason)?;
                match (time.time, time.offset.is_some()) {
                    (None, _) => Err(Reason::NoTime),
                    (Some(_), true) if !has_zone => Err(Reason::HasZone),
                    (Some(_), false) if has_zone => Err(Reason::NoZone),
                    (Some(_), _) => Ok(number(day)),
                }
            }
            Format::List(form) => {
                lists::refuse_other_form(self.text, form)?;
                Ok(if form.occurs_in(self.text) { 1 } else { 0 })
            }
            Format::Choices(form) => {
                for item in lists::read(self.text, form)? {
                    self.options.find(&item)?;
                }
                Ok(if form.occurs_in(self.text) { 1 } else { 0 })
            }
            Format::Phone(form) => {
                let digits = self.phone.get_or_insert_with(|| phones::Digits::of(self.text));
                phones::signature(digits.as_ref().map_err(|reason| *reason)?, form)
            }
            Format::FullName(_) | Format::TimeZone | Format::Locale | Format::Choice => {
                cells::read(self.text, format, self.options).map(|_| 0)
            }
        }
    }

    fn date(&mut self) -> Result<&Date<'c>, Reason> {
        let text = self.text;
        let read = || dates::Outline::of(text).map(|outline| Date { outline, time: outline.time() });
        self.date.get_or_insert_with(read).as_ref().map_err(|reason| *reason)
    }
}

fn number(day: chrono::NaiveDate) -> u64 {
    u64::try_from(day.num_days_from_ce()).unwrap_or_default()
}
