//! The check of a table before its import: the targets of its columns, and the cells with errors.

use serde::Serialize;
use tidings_tables::{Match, Outcome, Proposal, Target, shortened};

use super::dry_run::DryRun;
use super::failures::{CellFailure, ColumnCounts, RowErrors};
use super::guess::{GuessedColumn, GuessedTable, target_of};
use super::plan::{Plan, Problem, format_of};
use crate::words::words;

/// Maximum number of characters of a cell that are shown.
const SHOWN: usize = 60;
/// Maximum number of other columns with the same target that are shown. All columns may have the same one.
const MAX_OTHERS: usize = 10;

words! {
    /// The origin of a column's target.
    ColumnState {
        /// A `column` parameter names the target.
        Given = "given",
        /// The heading names the target.
        Matched = "matched",
        /// The heading probably names the target. Confirm it with a `column` parameter. Consent is always proposed
        /// only.
        Proposed = "proposed",
        /// Several headings name the target. Choose one with a `column` parameter.
        Conflict = "conflict",
        /// Other columns have the same information and are imported instead.
        Superseded = "superseded",
        /// The column is not imported: a parameter skips it, or exports write it and imports skip it.
        Skipped = "skipped",
        /// No target was found.
        Unknown = "unknown",
    }
}

/// The check of a table. Nothing is stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct ImportCheck {
    /// Whether an import with these parameters starts.
    pub ready: bool,
    /// Encoding of the table.
    pub encoding: String,
    /// The delimiter: `,`, `;`, `tab` or `|`.
    pub delimiter: String,
    /// Number of rows, without the headings and blank rows.
    pub rows: u64,
    /// Number of rows without text. They are skipped.
    pub blank_rows: u64,
    /// The columns.
    pub columns: Vec<CheckedColumn>,
    /// Rows that cannot be read or have no identifier, whatever their other cells are.
    pub row_errors: RowErrors,
    /// Problems to solve before the import.
    pub problems: Vec<ImportProblem>,
    /// Parameters that repeat exactly this reading in an import. A column with a problem has none until it is solved.
    pub parameters: Vec<ImportParameter>,
}

/// A column of a checked table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckedColumn {
    /// The heading. A column without a heading has its position, such as `#3`.
    pub heading: String,
    /// Origin of the target.
    pub state: ColumnState,
    /// The target, such as `email` or `custom_fields.plan`; `null` if there is none.
    pub target: Option<String>,
    /// Headings of other columns with this target: at most ten, each shortened to 60 characters.
    pub other_columns: Vec<String>,
    /// The format of the cells; `null` if it is not decided or the column is not imported.
    pub format: Option<String>,
    /// Number of cells with text.
    pub filled: u64,
    /// Number of empty cells.
    pub empty: u64,
    /// Number of cells that do not fit.
    pub failing: u64,
    /// The first cells that do not fit, at most three.
    pub failures: Vec<CellFailure>,
    /// Number of local times that a clock change skips or repeats. A skipped time is imported as the first instant after
    /// the change, a repeated time as the first of both.
    pub clock_changes: u64,
    /// The formats to choose from if the cells fit several.
    pub proposals: Vec<FormatProposal>,
    /// At most three cells.
    pub samples: Vec<String>,
}

/// A format that the cells of a column fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormatProposal {
    /// The format, for a `format` parameter.
    pub format: String,
    /// Number of cells that do not fit it.
    pub failing: u64,
    /// A cell that other formats read differently.
    pub example: Option<FormatExample>,
}

/// A cell and its value in a format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormatExample {
    /// First line of the row in the table.
    pub line: u64,
    /// The cell.
    pub value: String,
    /// Its value in the format.
    pub read_as: String,
}

/// Something that must be decided or corrected before the import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportProblem {
    /// The heading; empty for the table as a whole.
    pub column: String,
    /// Error code, as in the 422 response of an import with the same parameters.
    pub code: String,
    /// Description of the problem, and of the parameter that solves it.
    pub message: String,
}

/// A query parameter of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportParameter {
    /// Name of the parameter.
    pub name: String,
    /// Value of the parameter.
    pub value: String,
}

impl ImportCheck {
    /// Returns the check from the two passes over a table. The second pass is missing if no column identifies contacts.
    pub fn of(table: &GuessedTable, plan: &Plan, run: Option<DryRun>) -> Self {
        let (counts, row_errors) = run.map(DryRun::into_parts).unwrap_or_default();
        let mut counts = counts.into_iter();
        let columns =
            table.columns.iter().map(|column| checked(column, &table.headings, counts.next().unwrap_or_default()));
        let problem = |it: &Problem| ImportProblem {
            column: it.column.clone(),
            code: it.code.to_owned(),
            message: it.message.clone(),
        };
        let reading = &plan.reading;
        let encoding = reading.encoding.clone().unwrap_or_else(|| "utf-8".to_owned());
        let parameters = [("encoding", &encoding), ("delimiter", &reading.delimiter)];
        let mut parameters: Vec<_> = parameters.map(|(name, value)| parameter(name, value.clone())).into();
        for (place, (heading, column)) in table.headings.iter().zip(&reading.columns).enumerate() {
            let is_unique = table.headings.iter().filter(|it| *it == heading).count() == 1;
            // One parameter skips all columns with this heading.
            let mut alike = table.headings.iter().zip(&reading.columns).filter(|(it, _)| *it == heading);
            let is_skipped = alike.all(|(_, it)| it.target == Target::Skip)
                && table.headings.iter().position(|it| it == heading) == Some(place);
            // Otherwise an import with these parameters would silently skip a column that is not decided.
            if plan.problems.iter().any(|it| it.column == *heading) {
                continue;
            }
            if is_unique || is_skipped {
                parameters.push(parameter("column", format!("{heading}:{}", column.target)));
            }
            if column.target != Target::Skip && is_unique {
                parameters.push(parameter("format", format!("{heading}:{}", column.format)));
            }
        }
        Self {
            ready: plan.problems.is_empty(),
            encoding,
            delimiter: reading.delimiter.clone(),
            rows: table.rows,
            blank_rows: table.blank_rows,
            columns: columns.collect(),
            row_errors,
            problems: plan.problems.iter().map(problem).collect(),
            parameters,
        }
    }
}

fn parameter(name: &str, value: String) -> ImportParameter {
    ImportParameter { name: name.to_owned(), value }
}

fn checked(column: &GuessedColumn, headings: &[String], counts: ColumnCounts) -> CheckedColumn {
    let ColumnCounts { failing, failures, clock_changes } = counts;
    let (state, others) = state(column);
    let guess = column.guess.as_ref();
    let proposals = match guess.map(|it| &it.outcome) {
        Some(Outcome::Undecided(proposals)) => proposals.iter().map(proposal).collect(),
        Some(Outcome::Empty(_) | Outcome::Fits(_) | Outcome::Misfits(_)) | None => Vec::new(),
    };
    let superseded = if let Match::Superseded { target, .. } = &column.matched { Some(target) } else { None };
    let target = target_of(&column.matched).or(superseded);
    let target = target.filter(|it| **it != Target::Skip).map(ToString::to_string);
    let heading_at = |place: &usize| Some(shortened(headings.get(*place)?, SHOWN));
    CheckedColumn {
        heading: column.heading.clone(),
        state,
        target,
        other_columns: others.iter().take(MAX_OTHERS).filter_map(heading_at).collect(),
        format: format_of(column).map(|it| it.to_string()),
        filled: column.filled,
        empty: guess.map(|it| it.empty).unwrap_or_default(),
        failing,
        failures,
        clock_changes,
        proposals,
        samples: column.samples.clone(),
    }
}

fn state(column: &GuessedColumn) -> (ColumnState, &[usize]) {
    match &column.matched {
        Match::Given(Target::Skip) | Match::ReadOnly | Match::RejectionReason => (ColumnState::Skipped, &[]),
        Match::Nameless if column.filled == 0 => (ColumnState::Skipped, &[]),
        Match::Given(_) => (ColumnState::Given, &[]),
        Match::Mapped(_) => (ColumnState::Matched, &[]),
        Match::Proposed { .. } => (ColumnState::Proposed, &[]),
        Match::Conflict { others, .. } => (ColumnState::Conflict, others),
        Match::Superseded { by, .. } => (ColumnState::Superseded, by),
        Match::Unknown | Match::Nameless => (ColumnState::Unknown, &[]),
    }
}

fn proposal(it: &Proposal) -> FormatProposal {
    let example = it.sample.as_ref().map(|sample| FormatExample {
        line: sample.row,
        value: shortened(&sample.cell, SHOWN),
        read_as: shortened(&sample.value, SHOWN),
    });
    FormatProposal { format: it.format.to_string(), failing: it.failures, example }
}
