//! Rows of a table of contacts, imported many at once.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesOrdered;
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::Access;
use tidings_domain::contacts::{
    ContactKey, ContactNames, ContactPatch, ContactService, ContactTable, NewTag, OnError, ReadRow, WrongCell,
};
use tidings_domain::imports::unreadable;
use tidings_domain::outcome::Outcome;
use tidings_domain::tables::{Row as TableRow, TableReader};
use tidings_http::rejected_rows::RejectedTable;
use tokio::time::sleep;

use super::import_source::{PIECE, Source};
use super::retry_refused::retry_with_pauses;
use crate::failure::Failure;

/// The maximum number of rows that are imported at once; they share transactions. While one transaction is written, the
/// rows of the next ones are decided. SQLite writes a page of an index once for all rows of a transaction, so large
/// transactions cost less per row.
const AT_ONCE: usize = 512;

/// The results of the rows.
#[derive(Debug, Default, Serialize)]
pub(super) struct Imported {
    pub(super) lines: u64,
    pub(super) created: u64,
    pub(super) updated: u64,
    pub(super) unchanged: u64,
    pub(super) rejected: u64,
    /// Contacts that the table subscribes but that had opted out; the opt-out remains.
    pub(super) still_opted_out: u64,
    /// Cells that do not fit their columns; the rest of their rows was imported.
    pub(super) skipped_cells: u64,
    /// Local times that a clock change skips or repeats.
    pub(super) clock_changes: u64,
    /// The file with the rejected rows and the rows with skipped cells, each with the reasons.
    pub(super) rejected_file: Option<PathBuf>,
}

/// A valid row.
struct Row {
    number: u64,
    cells: Vec<String>,
    /// Identifiers of its contact.
    names: Vec<String>,
    patch: ContactPatch,
    tags: Vec<NewTag>,
    skipped: Vec<WrongCell>,
}

/// An import, and its results so far.
pub(super) struct Import {
    pub(super) contacts: ContactService,
    pub(super) access: Access,
    pub(super) table: ContactTable,
    pub(super) on_error: OnError,
    pub(super) rejected: Rejected,
    pub(super) done: Imported,
}

/// A row and its outcome.
struct Written {
    number: u64,
    cells: Vec<String>,
    names: Vec<String>,
    skipped: Vec<WrongCell>,
    outcome: Result<Outcome, Error>,
    still_opted_out: bool,
}

/// Imports a row, and repeats it with pauses while the store refuses it.
async fn write(
    (contacts, access, key): (&ContactService, &Access, Option<ContactKey>),
    Row { number, cells, names, patch, tags, skipped }: Row,
    pause: impl AsyncFn(Duration),
) -> Written {
    let attempt = async || contacts.import_row(access, patch.clone(), tags.clone(), key).await;
    let result = retry_with_pauses(attempt, pause).await;
    let still_opted_out = result.as_ref().is_ok_and(|row| row.still_opted_out);
    Written { number, cells, names, skipped, outcome: result.map(|row| row.outcome), still_opted_out }
}

impl Import {
    /// Imports all rows from the byte `from` on.
    pub(super) async fn run(&mut self, source: &mut Source, mut reader: TableReader, from: u64) -> Result<(), Failure> {
        source.seek(from)?;
        let (contacts, access, key) = (self.contacts.clone(), self.access.clone(), self.table.key());
        let one = |row: Row| write((&contacts, &access, key), row, sleep);
        let (mut under_way, mut named) = (FuturesOrdered::new(), BTreeSet::<String>::new());
        let mut piece = vec![0; PIECE];
        loop {
            let bytes = source.next(&mut piece)?;
            let is_over = bytes.is_empty();
            let pushed = if is_over { reader.finish() } else { reader.push(bytes) };
            pushed.map_err(|error| Failure::with_advice(error.to_string()))?;
            while let Some(row) = reader.next_row().map_err(|error| Failure::with_advice(error.to_string()))? {
                self.done.lines += 1;
                let Some(row) = self.read(row)? else { continue };
                // Several rows about the same contact are imported in their order.
                while under_way.len() >= AT_ONCE || row.names.iter().any(|name| named.contains(name)) {
                    let Some(written) = under_way.next().await else { break };
                    self.count(written, &mut named)?;
                }
                named.extend(row.names.iter().cloned());
                under_way.push_back(one(row));
            }
            if is_over {
                break;
            }
        }
        while let Some(written) = under_way.next().await {
            self.count(written, &mut named)?;
        }
        Ok(())
    }

    /// Reads a row. `None` if it was rejected.
    fn read(&mut self, row: TableRow<'_>) -> Result<Option<Row>, Failure> {
        let number = row.line;
        let (cells, read) = match row.cells {
            Ok(cells) => {
                let read = self.table.row(cells.iter(), self.on_error);
                (cells.iter().map(str::to_owned).collect(), read)
            }
            Err(error) => (Vec::new(), Err(vec![unreadable(&error)])),
        };
        match read {
            Err(wrong) => self.reject(number, &cells, &wrong).map(|()| None),
            Ok(ReadRow { patch, tags, skipped }) => {
                let names = ContactNames::from(&patch).keys();
                Ok(Some(Row { number, cells, names, patch, tags, skipped }))
            }
        }
    }

    /// Counts the outcome of a row, whose contact is no longer `named`.
    fn count(&mut self, written: Written, named: &mut BTreeSet<String>) -> Result<(), Failure> {
        let Written { number, cells, names, skipped, outcome, still_opted_out } = written;
        for name in &names {
            named.remove(name);
        }
        self.done.still_opted_out += u64::from(still_opted_out);
        match outcome {
            Ok(Outcome::Created | Outcome::Accepted) => self.done.created += 1,
            Ok(Outcome::Changed) => self.done.updated += 1,
            Ok(Outcome::Unchanged) => self.done.unchanged += 1,
            Err(Error::Store(error)) => {
                eprintln!("Stopped before line {number}. Run the command again; imported rows are not imported twice.");
                return Err(Error::Store(error).into());
            }
            Err(error) => return self.reject(number, &cells, &self.table.refusal(&error)),
        }
        let changes = self.table.clock_changes(cells.iter().map(String::as_str)).len();
        self.done.clock_changes += u64::try_from(changes).unwrap_or_default();
        if !skipped.is_empty() {
            self.done.skipped_cells += u64::try_from(skipped.len()).unwrap_or_default();
            self.tell(number, &cells, &skipped)?;
        }
        Ok(())
    }

    fn reject(&mut self, number: u64, cells: &[String], wrong: &[WrongCell]) -> Result<(), Failure> {
        self.done.rejected += 1;
        self.tell(number, cells, wrong)
    }

    fn tell(&mut self, number: u64, cells: &[String], wrong: &[WrongCell]) -> Result<(), Failure> {
        self.rejected.write(number, cells, wrong)?;
        self.done.rejected_file = Some(self.rejected.path.clone());
        Ok(())
    }
}

/// The file of rejected rows, created with its first line.
pub(super) struct Rejected {
    pub(super) table: RejectedTable,
    pub(super) path: PathBuf,
    pub(super) file: Option<File>,
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

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::{Arc, Mutex};

    use async_trait::async_trait;
    use futures::executor::block_on;
    use tidings_domain::access::{NewWorkspace, Plan};
    use tidings_domain::memory::MemoryStore;
    use tidings_domain::patch::Patch;
    use tidings_domain::ports::{ChangeSet, CommitError, Ledger, StoreError};
    use tidings_domain::{Ports, Tidings};

    use super::*;

    /// A ledger that refuses the next commits.
    struct BusyLedger {
        ledger: Arc<dyn Ledger>,
        refusals: Mutex<usize>,
    }

    impl BusyLedger {
        fn refuses(&self) -> bool {
            let mut left = self.refusals.lock().unwrap();
            let refuses = *left > 0;
            *left = left.saturating_sub(1);
            refuses
        }
    }

    #[async_trait]
    impl Ledger for BusyLedger {
        async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
            if self.refuses() {
                return Err(StoreError::Unavailable("the workspace has too many running commits".to_owned()).into());
            }
            self.ledger.commit(set).await
        }
    }

    #[test]
    fn repeats_a_row_while_the_store_refuses_it() {
        let ports = Ports::in_memory(Arc::new(MemoryStore::new()));
        let ledger = Arc::new(BusyLedger { ledger: ports.ledger.clone(), refusals: Mutex::new(0) });
        let tidings = Tidings::new(Ports { ledger: ledger.clone(), ..ports });
        let workspace = block_on(tidings.access.create_workspace(NewWorkspace::new("Acme", Plan::Pro))).unwrap();
        *ledger.refusals.lock().unwrap() = 2;

        let (access, delays) = (Access::system(workspace.id), RefCell::new(Vec::new()));
        let email = Patch::Set("ada@example.com".parse().unwrap());
        let patch = ContactPatch { email, ..ContactPatch::default() };
        let row = Row { number: 2, cells: vec![], names: vec![], patch, tags: vec![], skipped: vec![] };
        let pause = async |delay: Duration| delays.borrow_mut().push(delay.as_secs());
        let written = block_on(write((&tidings.contacts, &access, None), row, pause));
        assert_eq!((written.outcome, delays.into_inner()), (Ok(Outcome::Created), vec![1, 2]));
    }
}
