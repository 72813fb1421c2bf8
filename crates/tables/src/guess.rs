//! Guesses the format of a column: an accumulator that sees every cell once, in constant memory.

mod verdicts;

use crate::cells::{CellError, content, read};
use crate::conventions::{self, Conventions, Writer};
use crate::dates::DateOrder;
use crate::formats::Format;
use crate::kinds::ColumnKind;
use crate::options::Options;
use crate::phones::{Country, PhoneForm};
use crate::reasons::Reason;
use verdicts::Verdicts;

/// The number of examples for each format.
const EXAMPLES: usize = 3;

/// Parameters of a guess.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    /// Locales that order the proposals, the most important one first. They never decide.
    pub locales: Vec<String>,
    /// The default country for national phone numbers. It also orders the proposals if no locale does.
    pub country: Option<Country>,
}

/// A cell that does not fit a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// The row of the cell.
    pub row: u64,
    /// The error, with the accepted form.
    pub error: CellError,
}

/// A cell and its value in a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The row of the cell.
    pub row: u64,
    /// The cell.
    pub cell: String,
    /// The value, as `2026-04-03`, `1234.5` or `+49301234567`.
    pub value: String,
}

/// A format for a column, with the cells that do not fit it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The format.
    pub format: Format,
    /// The number of cells that do not fit.
    pub failures: u64,
    /// The first of these cells, at most three.
    pub misfits: Vec<Misfit>,
    /// A cell that has other values in other proposals.
    pub sample: Option<Sample>,
}

/// The result of a guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// All cells are empty. The format is the first one of the kind.
    Empty(Format),
    /// All cells fit this format, and every other format that fits gives the same values.
    Fits(Format),
    /// Several formats fit equally well and give different values, or the only one needs a confirmation. The user
    /// decides.
    Undecided(Vec<Proposal>),
    /// No format fits all cells. The best one, with its failures.
    Misfits(Proposal),
}

/// A guess for a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// The number of cells with text.
    pub filled: u64,
    /// The number of empty cells.
    pub empty: u64,
    /// The result.
    pub outcome: Outcome,
}

impl Guess {
    /// The format, if it is decided and all cells fit.
    pub fn format(&self) -> Option<Format> {
        match &self.outcome {
            Outcome::Empty(format) | Outcome::Fits(format) => Some(*format),
            Outcome::Undecided(_) | Outcome::Misfits(_) => None,
        }
    }
}

/// The state of one format.
#[derive(Debug, Clone)]
struct Candidate {
    format: Format,
    failures: u64,
    /// The number of cells that speak for the format: those with its list separator.
    evidence: u64,
    misfits: Vec<Misfit>,
    /// The first candidate that gave the same verdict for every cell so far.
    class: usize,
}

impl Candidate {
    fn misfit(&mut self, row: u64, text: &str, reason: Reason, options: &Options) {
        self.failures += 1;
        if self.misfits.len() < EXAMPLES {
            self.misfits.push(Misfit { row, error: CellError::new(text, reason, self.format, options) });
        }
    }
}

/// Guesses the format of a column.
#[derive(Debug, Clone)]
pub struct ColumnGuess {
    options: Options,
    hints: Hints,
    candidates: Vec<Candidate>,
    /// Cells at which formats parted, with their rows. There are fewer of them than formats.
    splits: Vec<(u64, String)>,
    filled: u64,
    empty: u64,
}

impl ColumnGuess {
    /// A guess for a column of a kind. `options` are the options of a select field; other columns have none.
    pub fn new(kind: ColumnKind, options: Options, hints: Hints) -> Self {
        Self::among(kind.formats(hints.country), options, hints)
    }

    /// A check of a column with a given format. It counts the cells that do not fit.
    pub fn of_format(format: Format, options: Options) -> Self {
        Self::among(vec![format], options, Hints::default())
    }

    fn among(formats: Vec<Format>, options: Options, hints: Hints) -> Self {
        let candidate = |format| Candidate { format, failures: 0, evidence: 0, misfits: Vec::new(), class: 0 };
        let candidates = formats.into_iter().map(candidate).collect();
        Self { options, hints, candidates, splits: Vec::new(), filled: 0, empty: 0 }
    }

    /// Adds a cell. The row is repeated in examples.
    pub fn add(&mut self, row: u64, cell: &str) {
        let text = content(cell);
        if text.is_empty() {
            self.empty += 1;
            return;
        }
        self.filled += 1;
        if let [only] = self.candidates.as_mut_slice() {
            if let Err(reason) = verdicts::verdict(text, only.format, &self.options) {
                only.misfit(row, text, reason, &self.options);
            }
            return;
        }
        let verdicts = Verdicts::of(text, self.candidates.iter().map(|it| it.format), &self.options);
        let mut is_split = false;
        for (place, candidate) in self.candidates.iter_mut().enumerate() {
            let verdict = verdicts.get(place);
            candidate.evidence += u64::from(verdict.is_evidence);
            is_split |= !verdict.is_same(verdicts.get(candidate.class));
            if let Err(reason) = verdict.signature {
                candidate.misfit(row, text, reason, &self.options);
            }
        }
        if is_split {
            self.split(&verdicts);
            self.splits.push((row, text.to_owned()));
        }
    }

    /// Parts candidates that were the same before this cell.
    fn split(&mut self, verdicts: &Verdicts) {
        let before: Vec<usize> = self.candidates.iter().map(|it| it.class).collect();
        let same = |one: usize, other: usize| {
            before.get(one) == before.get(other) && verdicts.get(one).is_same(verdicts.get(other))
        };
        for (place, candidate) in self.candidates.iter_mut().enumerate() {
            candidate.class = (0..place).find(|other| same(*other, place)).unwrap_or(place);
        }
    }

    /// The guess after the last cell.
    pub fn finish(self) -> Guess {
        Guess { filled: self.filled, empty: self.empty, outcome: self.outcome() }
    }

    fn outcome(&self) -> Outcome {
        let fewest = self.candidates.iter().map(|it| it.failures).min().unwrap_or_default();
        let mut best: Vec<_> = self.candidates.iter().filter(|it| it.failures == fewest).collect();
        // Of formats that fail for the same cells, one with the form of the dates explains the failures best.
        best.sort_by_key(|it| it.misfits.iter().filter(|it| it.error.reason == Reason::OtherDateForm).count());
        if best.iter().any(|it| it.evidence > 0) {
            best.retain(|it| it.evidence > 0);
        }
        // The default country is a decision: that a national number also begins like a country code is no doubt.
        if best.iter().any(|it| matches!(it.format, Format::Phone(PhoneForm::National(_)))) {
            best.retain(|it| it.format != Format::Phone(PhoneForm::Digits));
        }
        let mut classes = Vec::new();
        best.retain(|it| {
            let is_new = !classes.contains(&it.class);
            classes.push(it.class);
            is_new
        });
        best.sort_by_key(|it| self.rank(it.format));
        let Some(first) = best.first() else { return Outcome::Empty(Format::Text) };
        let proposals = || best.iter().map(|it| self.proposal(it, &best)).collect();
        match (self.filled, best.as_slice()) {
            (0, _) => Outcome::Empty(first.format),
            (_, [only]) if fewest == 0 && !self.needs_confirmation(only.format) => Outcome::Fits(only.format),
            (_, [only]) if fewest > 0 => Outcome::Misfits(Proposal { sample: None, ..self.proposal(only, &best) }),
            _ => Outcome::Undecided(proposals()),
        }
    }

    /// A national number may look like a country code and a number.
    fn needs_confirmation(&self, format: Format) -> bool {
        format == Format::Phone(PhoneForm::Digits) && self.candidates.len() > 1
    }

    fn proposal(&self, candidate: &Candidate, best: &[&Candidate]) -> Proposal {
        let value = |text: &str, format| read(text, format, &self.options).map(|it| it.to_string());
        let differs = |text: &str| {
            let own = value(text, candidate.format);
            own.is_ok()
                && (best.len() == 1 || best.iter().any(|it| value(text, it.format).is_ok_and(|it| Ok(it) != own)))
        };
        let split = self.splits.iter().find(|(_, text)| differs(text));
        let sample = split.and_then(|(row, text)| {
            Some(Sample { row: *row, cell: text.clone(), value: value(text, candidate.format).ok()? })
        });
        let Candidate { format, failures, misfits, .. } = candidate;
        Proposal { format: *format, failures: *failures, misfits: misfits.clone(), sample }
    }

    /// The place among proposals, by the first locale that prefers one, otherwise by the country.
    fn rank(&self, format: Format) -> usize {
        let prefers = |conventions: Conventions| match format {
            Format::Number(form) => conventions.decimal.map(|it| it == form.decimal),
            Format::Date(form) | Format::DateTime { date: form, .. } => {
                conventions.date.filter(|_| form.order() != DateOrder::Ymd).map(|it| it == form.order())
            }
            Format::Text
            | Format::Id
            | Format::FullName(_)
            | Format::YesNo { .. }
            | Format::List(_)
            | Format::Phone(_)
            | Format::TimeZone
            | Format::Locale
            | Format::Choice
            | Format::Choices(_) => None,
        };
        let by_locale = self.hints.locales.iter().find_map(|locale| prefers(conventions::of(Some(locale))));
        let of_country = Writer { locale: None, country: self.hints.country };
        match by_locale.or_else(|| prefers(conventions::of_writer(of_country))) {
            Some(true) => 0,
            Some(false) => 2,
            None => 1,
        }
    }
}

#[cfg(test)]
mod tests;
