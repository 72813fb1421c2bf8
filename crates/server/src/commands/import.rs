//! `tidings import contacts FILE`: imports a table of contacts.

use std::collections::BTreeMap;
use std::path::Path;

use tidings_domain::Error;
use tidings_domain::contacts::{ContactTable, WrongCell};
use tidings_domain::imports::{CheckedColumn, ColumnState, DryRun, GuessedTable, ImportCheck, Plan, TableOptions};
use tidings_domain::tables::{Format, TableReader};
use tidings_http::rejected_rows::RejectedTable;

use super::import_options::repeated_options;
use super::import_questions::decide;
use super::import_rows::{Import, Imported, Rejected};
use super::import_source::{Source, unreadable_table};
use super::keys::access_to;
use super::{block_on, opened};
use crate::cli::ImportOptions;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Imports a table of contacts. Importing it again changes nothing. It fails if every row is rejected.
pub(crate) fn import_contacts(options: &ImportOptions, json: bool) -> Result<(), Failure> {
    block_on(async {
        let tidings = opened().await?.tidings;
        let mut source = Source::open(&options.file)?;
        let access = access_to(&tidings.access, &options.workspace).await?;
        let workspace = tidings.ports.access.workspace(access.workspace()).await.map_err(Error::from)?;
        let workspace = workspace.ok_or(Error::NotFound)?;
        let zone = workspace.time_zone.to_string();
        let fields = tidings.ports.fields.all(&access).await.map_err(Error::from)?;
        let mut table = TableOptions {
            encoding: options.encoding,
            delimiter: options.delimiter,
            columns: mapping(&options.columns)?,
            formats: formats(&options.formats)?,
            country: workspace.default_country,
        };
        let on_error = options.on_error;
        let (guessed, plan) = loop {
            let guessed = source.guess(&table, &fields)?;
            let plan = Plan::of(&guessed, &table, on_error, &zone);
            let asks = !options.check && source.can_ask && !json && !plan.problems.is_empty();
            if !asks || !decide(&plan.problems, &mut table)? {
                break (guessed, plan);
            }
        };
        let contacts = ContactTable::new(&guessed.headings, &plan.reading.columns, &fields, plan.reading.zone());
        let contacts = contacts.and_then(|table| table.by(options.key));
        if options.check {
            return check(&mut source, &guessed, plan, contacts, json);
        }
        if !plan.problems.is_empty() {
            return Err(unusable(plan.problems.into_iter().map(|it| (it.column, it.message))));
        }
        let contacts = contacts.map_err(|wrong| unusable(wrong.into_iter().map(|it| (it.column, it.reason))))?;
        let path = options.rejected.clone().unwrap_or_else(|| source.rejected_path());
        if is_same(&path, &options.file) {
            return Err(Failure::with_advice("--rejected is the table to import: use another file"));
        }
        name_skipped_columns(&ImportCheck::of(&guessed, &plan, None));
        let names: BTreeMap<String, String> = table.columns.into_iter().collect();
        let mut import = Import {
            contacts: tidings.contacts,
            access,
            table: contacts,
            on_error,
            rejected: Rejected { table: RejectedTable::of(&guessed.headings, &names), path, file: None },
            done: Imported::default(),
        };
        let reader = TableReader::resume(plan.reading.dialect(), guessed.headings, guessed.rows_from);
        import.run(&mut source, reader, guessed.rows_from.byte).await?;
        report(&import.done, json);
        if matches!(import.done, Imported { lines: 1.., created: 0, updated: 0, unchanged: 0, .. }) {
            return Err(Failure::with_advice(
                "every row was rejected: correct the table, or map its columns with --column",
            ));
        }
        Ok(())
    })
}

/// The resolution of times at a clock change.
const CLOCK_CHANGES: &str = "a clock change skips or repeats them. Skipped times are the first instant after it, repeated times the \
                             first of both.";

fn report(imported: &Imported, json: bool) {
    if json {
        print_json(imported);
        return;
    }
    let Imported { lines, created, updated, unchanged, rejected, .. } = imported;
    print_line(&format!(
        "{lines} lines: {created} contacts created, {updated} updated, {unchanged} unchanged, {rejected} rejected."
    ));
    if imported.skipped_cells > 0 {
        print_line(&format!("{} wrong cells were skipped.", imported.skipped_cells));
    }
    if imported.clock_changes > 0 {
        print_line(&format!("{} times: {CLOCK_CHANGES}", imported.clock_changes));
    }
    if imported.still_opted_out > 0 {
        print_line(&format!("{} contacts had opted out, and stay opted out.", imported.still_opted_out));
    }
    if let Some(path) = &imported.rejected_file {
        let path = path.display();
        eprintln!(
            "The rejected rows and the rows with skipped cells are in {path}, each with its errors. Correct that file, \
             and import it in the same way."
        );
    }
}

/// Names the columns that the import does not read, although they have cells.
fn name_skipped_columns(check: &ImportCheck) {
    let skipped = check.columns.iter().filter(|it| is_skipped(it) && it.filled > 0);
    let headings: Vec<_> = skipped.map(|it| format!("`{}`", it.heading)).collect();
    if !headings.is_empty() {
        eprintln!("Columns that are not imported: {}.", headings.join(", "));
    }
}

fn is_skipped(column: &CheckedColumn) -> bool {
    matches!(column.state, ColumnState::Skipped | ColumnState::Superseded)
}

/// Prints the check of a table.
fn check(
    source: &mut Source,
    guessed: &GuessedTable,
    mut plan: Plan,
    contacts: Result<ContactTable, Vec<WrongCell>>,
    json: bool,
) -> Result<(), Failure> {
    let run = match contacts {
        Ok(table) => {
            let mut run = DryRun::new(table, &plan.reading, &guessed.headings, guessed.rows_from);
            source.pieces(guessed.rows_from.byte, |piece| run.push(piece).map_err(unreadable_table))?;
            run.finish().map_err(unreadable_table)?;
            Some(run)
        }
        Err(wrong) => {
            if plan.problems.is_empty() {
                plan.require(&wrong);
            }
            None
        }
    };
    let check = ImportCheck::of(guessed, &plan, run);
    if json {
        print_json(&check);
    } else {
        print_check(&check);
    }
    if check.ready { Ok(()) } else { Err(unusable(plan.problems.into_iter().map(|it| (it.column, it.message)))) }
}

fn print_check(check: &ImportCheck) {
    let ImportCheck { rows, encoding, delimiter, .. } = check;
    print_line(&format!("{rows} rows, encoding {encoding}, delimiter {delimiter}"));
    for column in &check.columns {
        let target = column.target.as_deref().filter(|_| !is_skipped(column)).unwrap_or("not imported");
        let format = column.format.as_deref().map(|it| format!(", {it}")).unwrap_or_default();
        let failing =
            if column.failing > 0 { format!("; cells that do not fit: {}", column.failing) } else { String::new() };
        print_line(&format!("  {} -> {target}{format}{failing}", column.heading));
        if column.clock_changes > 0 {
            print_line(&format!("    {} times: {CLOCK_CHANGES}", column.clock_changes));
        }
        for failure in &column.failures {
            print_line(&format!("    line {}: {}", failure.line, failure.message));
        }
    }
    if check.row_errors.count > 0 {
        print_line(&format!("{} rows cannot be imported:", check.row_errors.count));
        for failure in &check.row_errors.examples {
            print_line(&format!("    line {}: {}", failure.line, failure.message));
        }
    }
    print_line(&format!("Options that repeat this reading: {}", repeated_options(check)));
}

/// Whether two paths lead to the same existing file.
fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// Parses the `COLUMN=FIELD` options.
fn mapping(columns: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let pair = |text: &String| {
        let (column, field) = text.rsplit_once('=').ok_or_else(|| {
            Failure::with_advice(format!("`{text}` is not a column mapping; use the form --column \"E-Mail=email\""))
        })?;
        Ok((column.to_owned(), field.to_owned()))
    };
    columns.iter().map(pair).collect()
}

/// Parses the `COLUMN=FORMAT` options.
fn formats(formats: &[String]) -> Result<Vec<(String, Format)>, Failure> {
    let pair = |text: &String| {
        let (column, format) = text.rsplit_once('=').ok_or_else(|| {
            let form = "--format \"Since=date:dd.mm.yyyy\"";
            Failure::with_advice(format!("`{text}` is not the format of a column; use the form {form}"))
        })?;
        let format = format.parse::<Format>().map_err(|error| Failure::with_advice(error.to_string()))?;
        Ok((column.to_owned(), format))
    };
    formats.iter().map(pair).collect()
}

fn unusable(wrong: impl IntoIterator<Item = (String, String)>) -> Failure {
    let wrong: Vec<_> = wrong.into_iter().collect();
    let of_columns = wrong.iter().any(|(column, _)| !column.is_empty());
    let told = wrong.into_iter().map(|(column, reason)| match column.as_str() {
        "" => reason,
        column => format!("column `{column}`: {reason}"),
    });
    let advice = "Map a column with --column \"COLUMN=FIELD\", skip it with --column \"COLUMN=-\", and set a format \
                  with --format \"COLUMN=FORMAT\". For example, `column=A:B` above is the option --column \"A=B\".";
    let told: Vec<_> = told.chain(of_columns.then(|| advice.to_owned())).collect();
    Failure::with_advice(told.join("\n"))
}
