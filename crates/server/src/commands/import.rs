//! `tidings import contacts FILE`: a table of contacts, line by line.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use futures::{StreamExt, stream};
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::Access;
use tidings_domain::contacts::{ContactNames, ContactPatch, ContactService, ContactTable, Lines, NewTag, WrongCell};
use tidings_domain::outcome::Outcome;
use tidings_http::rejected::RejectedTable;

use super::keys::access_to;
use super::{block_on, opened};
use crate::cli::ImportOptions;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// A file has so many bytes at the most.
const MAX_FILE: u64 = 1 << 30;
/// So many lines are held at once,
const HELD: usize = 512;
/// and so many of them are under way: they share transactions.
const AT_ONCE: usize = 64;

/// What became of the lines.
#[derive(Debug, Default, Serialize)]
struct Imported {
    lines: u64,
    created: u64,
    updated: u64,
    unchanged: u64,
    rejected: u64,
    /// Of how many contacts the line says that they are subscribed, and they had opted out: that stays.
    still_opted_out: u64,
    /// Where the rejected lines stand, with what is wrong with them.
    rejected_file: Option<PathBuf>,
}

/// A line that can be read.
struct Row {
    number: u64,
    cells: Vec<String>,
    patch: ContactPatch,
    tags: Vec<NewTag>,
}

/// Imports a table of contacts. The same file again changes nothing that is as it says.
pub(crate) fn import_contacts(options: &ImportOptions, json: bool) -> Result<(), Failure> {
    let imported = block_on(async {
        let tidings = opened().await?.tidings;
        let access = access_to(&tidings.access, &options.workspace).await?;
        let mut lines = Lines::of(open(&options.file)?);
        let fields = tidings.ports.fields.all(&access).await.map_err(Error::from)?;
        let head = lines.next().map_err(Failure::with_file("read", &options.file))?;
        let head =
            head.ok_or_else(|| Failure::refused("the file is empty: the first line must contain the column names"))?;
        let head = head.cells.map_err(Failure::refused)?;
        let columns = head.iter().map(String::as_str).collect::<Vec<_>>();
        let names = mapping(&options.columns)?;
        let table =
            ContactTable::read(&columns, &names, &fields).and_then(|table| table.by(options.key)).map_err(unusable)?;
        let path = options.rejected.clone().unwrap_or_else(|| options.file.with_extension("rejected.csv"));
        if is_same(&path, &options.file) {
            return Err(Failure::refused("--rejected is the table to import: use another file"));
        }
        let mut import = Import {
            contacts: tidings.contacts,
            access,
            table,
            rejected: Rejected { table: RejectedTable::of(&head, &names), path, file: None },
            done: Imported::default(),
        };
        import.run(&mut lines, &options.file).await?;
        Ok(import.done)
    })?;
    if json {
        print_json(&imported);
    } else {
        let Imported { lines, created, updated, unchanged, rejected, .. } = &imported;
        print_line(&format!(
            "{lines} lines: {created} contacts created, {updated} updated, {unchanged} unchanged, {rejected} rejected."
        ));
        if imported.still_opted_out > 0 {
            print_line(&format!("{} contacts had opted out, and stay opted out.", imported.still_opted_out));
        }
        if let Some(path) = &imported.rejected_file {
            let path = path.display();
            eprintln!(
                "The rejected lines are in {path}, each with its errors. Correct that file, and import it in the same \
                 way."
            );
        }
    }
    Ok(())
}

/// Whether two paths lead to one file, which is there.
fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// The file behind its mark of UTF-8, if it has one.
fn open(path: &Path) -> Result<impl Read, Failure> {
    let mut file = File::open(path).map_err(Failure::with_file("read", path))?;
    let length = file.metadata().map_err(Failure::with_file("read", path))?.len();
    if length > MAX_FILE {
        return Err(Failure::refused(format!(
            "{} has {length} bytes; at most {MAX_FILE} are allowed. Split the file",
            path.display()
        )));
    }
    let mut first = Vec::new();
    Read::by_ref(&mut file).take(3).read_to_end(&mut first).map_err(Failure::with_file("read", path))?;
    if first.starts_with(&[0xff, 0xfe]) || first.starts_with(&[0xfe, 0xff]) {
        return Err(Failure::refused(format!("{} is UTF-16; save it as UTF-8", path.display())));
    }
    let text = if first == [0xef, 0xbb, 0xbf] { Vec::new() } else { first };
    Ok(std::io::Cursor::new(text).chain(file))
}

/// What the columns are that the options name, as `COLUMN=FIELD`.
fn mapping(columns: &[String]) -> Result<BTreeMap<String, String>, Failure> {
    let pair = |text: &String| {
        let (column, field) = text.rsplit_once('=').ok_or_else(|| {
            Failure::refused(format!("`{text}` is not a column mapping; use the form --column \"E-Mail=email\""))
        })?;
        Ok((column.to_owned(), field.to_owned()))
    };
    columns.iter().map(pair).collect()
}

fn unusable(wrong: Vec<WrongCell>) -> Failure {
    let of_columns = wrong.iter().any(|it| !it.column.is_empty());
    let told = wrong.into_iter().map(|it| match it.column.as_str() {
        "" => it.reason,
        column => format!("column `{column}`: {}", it.reason),
    });
    let advice = "Map a column with --column \"COLUMN=FIELD\", or skip it with --column \"COLUMN=-\".";
    let told: Vec<_> = told.chain(of_columns.then(|| advice.to_owned())).collect();
    Failure::refused(told.join("\n"))
}

struct Import {
    contacts: ContactService,
    access: Access,
    table: ContactTable,
    rejected: Rejected,
    done: Imported,
}

impl Import {
    async fn run(&mut self, lines: &mut Lines<impl Read>, path: &Path) -> Result<(), Failure> {
        let (mut rows, mut named): (Vec<Row>, BTreeSet<String>) = Default::default();
        while let Some(line) = lines.next().map_err(Failure::with_file("read", path))? {
            self.done.lines += 1;
            let read = match &line.cells {
                Ok(cells) => self.table.line(&cells.iter().map(String::as_str).collect::<Vec<_>>()),
                Err(reason) => Err(vec![WrongCell::in_line("invalid_line", reason)]),
            };
            let (number, cells) = (line.from.line, line.cells.unwrap_or_default());
            match read {
                Err(wrong) => self.reject(number, &cells, &wrong)?,
                Ok((patch, tags)) => {
                    // What one person is told by several lines is done in their order.
                    let names = ContactNames::from(&patch).keys();
                    if rows.len() >= HELD || names.iter().any(|name| named.contains(name)) {
                        self.write(std::mem::take(&mut rows)).await?;
                        named.clear();
                    }
                    named.extend(names);
                    rows.push(Row { number, cells, patch, tags });
                }
            }
        }
        self.write(rows).await
    }

    async fn write(&mut self, rows: Vec<Row>) -> Result<(), Failure> {
        let (contacts, access, key) = (&self.contacts, &self.access, self.table.key());
        let one = |Row { number, cells, patch, tags }: Row| async move {
            (number, cells, contacts.import_row(access, patch, tags, key).await)
        };
        let outcomes: Vec<_> = stream::iter(rows.into_iter().map(one)).buffered(AT_ONCE).collect().await;
        for (number, cells, outcome) in outcomes {
            let outcome = outcome.map(|row| {
                self.done.still_opted_out += u64::from(row.still_opted_out);
                row.outcome
            });
            match outcome {
                Ok(Outcome::Created | Outcome::Accepted) => self.done.created += 1,
                Ok(Outcome::Changed) => self.done.updated += 1,
                Ok(Outcome::Unchanged) => self.done.unchanged += 1,
                Err(Error::Store(error)) => {
                    eprintln!(
                        "Stopped before line {number}. Run the command again; imported lines are not imported twice."
                    );
                    return Err(Error::Store(error).into());
                }
                Err(error) => self.reject(number, &cells, &self.table.refusal(&error))?,
            }
        }
        Ok(())
    }

    fn reject(&mut self, number: u64, cells: &[String], wrong: &[WrongCell]) -> Result<(), Failure> {
        self.done.rejected += 1;
        self.rejected.write(number, cells, wrong)?;
        self.done.rejected_file = Some(self.rejected.path.clone());
        Ok(())
    }
}

/// The file of what was rejected; it is made with its first line.
struct Rejected {
    table: RejectedTable,
    path: PathBuf,
    file: Option<File>,
}

impl Rejected {
    fn write(&mut self, number: u64, cells: &[String], wrong: &[WrongCell]) -> Result<(), Failure> {
        let (head, file) = match &mut self.file {
            Some(file) => ("", file),
            none => {
                let file = File::create(&self.path).map_err(Failure::with_file("write", &self.path))?;
                (self.table.head(), none.insert(file))
            }
        };
        let text = head.to_owned() + &self.table.row(number, cells, wrong);
        file.write_all(text.as_bytes()).map_err(Failure::with_file("write", &self.path))
    }
}
