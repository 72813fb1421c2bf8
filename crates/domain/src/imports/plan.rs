//! The plan of an import: the columns, derived from headings, cells and parameters, and the open decisions.

use tidings_tables::{Format, Guess, HeadingError, Match, Outcome, Proposal, Target, shortened, unnamed};

use super::guess::{GuessedColumn, GuessedTable, target_of};
use super::{Reading, TableOptions};
use crate::contacts::{OnError, ReadColumn, WrongCell};
use crate::error::{Error, Violation};
use crate::text::nearest;

/// Maximum number of headings of ignored columns that an import lists.
const MAX_IGNORED: usize = 100;
/// Maximum number of characters of such a heading.
const SHOWN: usize = 60;

/// Something that the user must decide or correct before the table can be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The heading; empty for the table as a whole.
    pub column: String,
    /// The code.
    pub code: &'static str,
    /// Description of the problem, and of the expected value.
    pub message: String,
}

impl Problem {
    pub(super) fn new(column: &str, code: &'static str, message: impl Into<String>) -> Self {
        Self { column: column.to_owned(), code, message: message.into() }
    }

    fn describe(&self) -> String {
        match self.column.as_str() {
            "" => self.message.clone(),
            column => format!("column `{column}`: {}", self.message),
        }
    }
}

/// Returns the error for a table with these problems.
pub(super) fn refusal(problems: &[Problem]) -> Error {
    Error::Invalid(problems.iter().map(|it| Violation::new("", it.code, it.describe())).collect())
}

/// The plan of an import.
#[derive(Debug)]
pub struct Plan {
    /// The reading. It skips undecided columns.
    pub reading: Reading,
    /// Problems that must be solved before the import.
    pub problems: Vec<Problem>,
}

impl Plan {
    /// Adds errors of the table as a whole.
    pub fn require(&mut self, wrong: &[WrongCell]) {
        self.problems.extend(wrong.iter().map(|it| Problem::new(&it.column, "required", &it.reason)));
    }

    /// Returns the plan for a table after its first pass.
    pub fn of(table: &GuessedTable, options: &TableOptions, on_error: OnError, time_zone: &str) -> Self {
        let mut problems = parameters(table, options);
        let columns: Vec<_> = table.columns.iter().map(|column| planned(column, &mut problems)).collect();
        let read = table.columns.iter().zip(&columns);
        let ignored = read.filter(|(column, read)| read.target == Target::Skip && column.filled > 0);
        let ignored = ignored.map(|(column, _)| shortened(&column.heading, SHOWN)).take(MAX_IGNORED).collect();
        let reading = Reading {
            encoding: table.dialect.encoding.map(|it| it.name()),
            delimiter: table.dialect.delimiter.to_string(),
            columns,
            time_zone: time_zone.to_owned(),
            on_error,
            ignored,
        };
        Self { reading, problems }
    }
}

/// Returns the errors of the parameters themselves.
fn parameters(table: &GuessedTable, options: &TableOptions) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (heading, is) in &options.columns {
        if Target::parse(is).is_none() {
            problems.push(Problem::new(heading, "unknown_column", unknown(is)));
        }
    }
    for problem in &table.problems {
        problems.push(match problem {
            HeadingError::Missing { heading, .. } => Problem::new(heading, "unknown_column", problem.to_string()),
            HeadingError::Repeated { heading } | HeadingError::SameTarget { heading, .. } => {
                Problem::new(heading, "duplicate", problem.to_string())
            }
        });
    }
    for (heading, format) in unnamed(&table.headings, &options.formats) {
        let message = format!("the table has no column with this heading; correct it in `format={heading}:{format}`");
        problems.push(Problem::new(heading, "unknown_column", message));
    }
    problems
}

/// Returns the message for an unknown name, with the most similar known name.
fn unknown(name: &str) -> String {
    let known: Vec<_> = Target::PLAIN.iter().map(ToString::to_string).collect();
    match nearest(name, known.iter().map(String::as_str)).into_iter().next() {
        Some(near) => format!("`{name}` is not a known column; did you mean `{near}`?"),
        None => format!(
            "`{name}` is not a known column: use an attribute such as `email`, `status`, `subscribed`, `tags`, \
             `custom_fields.KEY`, or `-` to skip it"
        ),
    }
}

/// Returns the reading of a column. Adds open decisions to the problems.
fn planned(column: &GuessedColumn, problems: &mut Vec<Problem>) -> ReadColumn {
    let heading = column.heading.as_str();
    let mut refuse = |code, message: String| {
        problems.push(Problem::new(heading, code, message));
        ReadColumn::SKIPPED
    };
    match &column.matched {
        Match::Given(Target::Skip) | Match::Superseded { .. } | Match::ReadOnly | Match::RejectionReason => {
            ReadColumn::SKIPPED
        }
        Match::Nameless if column.filled == 0 => ReadColumn::SKIPPED,
        Match::Nameless => refuse(
            "unknown_column",
            format!(
                "the column has cells but no heading. Map it with `column={heading}:TARGET`, skip it with \
                 `column={heading}:-`, or write a heading above it"
            ),
        ),
        Match::Unknown => refuse(
            "unknown_column",
            format!(
                "no attribute or custom field has this name. Create a custom field with this name, map the column with \
                 `column={heading}:TARGET`, or skip it with `column={heading}:-`{}",
                near(heading)
            ),
        ),
        Match::Proposed { target, .. } => {
            let format = format_of(column).map(|it| format!(" and `format={heading}:{it}`")).unwrap_or_default();
            refuse(
                "unconfirmed_column",
                format!(
                    "the heading probably means `{target}`. Confirm it with `column={heading}:{target}`{format}, or \
                     skip it with `column={heading}:-`"
                ),
            )
        }
        Match::Conflict { target, .. } => {
            refuse("duplicate", format!("two columns contain `{target}`. Choose one with `column={heading}:{target}`"))
        }
        Match::Given(target) | Match::Mapped(target) => {
            let Some(guess) = &column.guess else {
                return refuse("unknown_column", missing_field(target));
            };
            if let Some(format) = column.unsuitable {
                return refuse("invalid_format", format!("the format `{format}` does not suit the target `{target}`"));
            }
            match &guess.outcome {
                Outcome::Empty(format) | Outcome::Fits(format) => {
                    ReadColumn { target: target.clone(), format: *format }
                }
                Outcome::Misfits(proposal) => ReadColumn { target: target.clone(), format: proposal.format },
                Outcome::Undecided(proposals) => refuse("ambiguous_format", ambiguous(heading, proposals)),
            }
        }
    }
}

fn missing_field(target: &Target) -> String {
    match target {
        Target::CustomField(key) => {
            format!("no custom field has the key `{key}`; create the field first, or use the key of an existing field")
        }
        other => format!("`{other}` has no values"),
    }
}

fn near(heading: &str) -> String {
    let known: Vec<_> = Target::PLAIN.iter().map(ToString::to_string).collect();
    let near = nearest(heading, known.iter().map(String::as_str)).into_iter().next();
    near.map(|it| format!("; did you mean `{it}`?")).unwrap_or_default()
}

fn ambiguous(heading: &str, proposals: &[Proposal]) -> String {
    let formats: Vec<_> = proposals
        .iter()
        .map(|it| match &it.sample {
            Some(sample) => {
                format!("`format={heading}:{}` reads `{}` as {}", it.format, sample.cell, sample.value)
            }
            None => format!("`format={heading}:{}`", it.format),
        })
        .collect();
    format!("the cells fit several formats. Choose one: {}", formats.join("; "))
}

/// Returns the decided or proposed format of a column.
pub(super) fn format_of(column: &GuessedColumn) -> Option<Format> {
    target_of(&column.matched)?;
    let guess: &Guess = column.guess.as_ref()?;
    match &guess.outcome {
        Outcome::Empty(format) | Outcome::Fits(format) => Some(*format),
        Outcome::Misfits(proposal) => Some(proposal.format),
        Outcome::Undecided(_) => None,
    }
}
