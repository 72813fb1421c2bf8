//! The rows that one commit imports.

use std::collections::BTreeSet;

use futures::{StreamExt, stream};
use tidings_tables::{Place, RowError, TableReader};

use super::{BODY_PART, Import, ImportChange, OnExisting, RejectedRow, unreadable};
use crate::access::Access;
use crate::contacts::{
    ContactChange, ContactService, ContactTable, DecidedRow, MOST_WRONG, OnError, ReadRow, RowOutcome, WrongCell,
};
use crate::error::Error;
use crate::ids::ContactId;
use crate::opt_outs::is_remembered;
use crate::outcome::Outcome;
use crate::ports::{Change, ChangeSet, FieldChange, MAX_BYTES, MAX_ROWS, OptOutChange, Row, StoreError, TagChange};
use crate::retry::AttemptError;
use crate::stored::StoredRow;
use crate::work::{ROWS_BESIDE, weight};

/// Number of parts of the table per read. A row is at most one part long, and starts in the first one.
const PARTS: i64 = 3;
/// Number of rows that are processed concurrently.
const AT_ONCE: usize = 16;
/// Maximum number of stored rejected rows per import.
const MOST_REJECTED: i64 = 10_000;
/// Rows with skipped cells are stored until an import has this many skipped cells. They do not count as rejected rows.
const MOST_SKIPPED: i64 = 10_000;

/// A row of the table.
struct Line {
    /// Its first line in the table.
    number: u64,
    /// Position after the row.
    end: Place,
    /// Size of the cells in memory, in bytes.
    length: usize,
    cells: Result<Vec<String>, RowError>,
}

impl Line {
    fn cells(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().flatten().map(String::as_str)
    }
}

/// The failure of an earlier attempt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trouble {
    /// The workspace has reached its limit of tags: rows with a new tag are rejected.
    pub(super) tags_are_full: bool,
}

/// The context for the rows of one commit.
pub(super) struct Portion<'a> {
    pub(super) contacts: ContactService,
    pub(super) access: &'a Access,
    pub(super) table: ContactTable,
    pub(super) existing: OnExisting,
    pub(super) on_error: OnError,
    pub(super) trouble: Trouble,
}

/// The decision on a row.
enum RowDecision {
    /// The row is rejected.
    Wrong(Vec<WrongCell>),
    /// The contact does not change.
    Kept,
    /// The contact is written, or is equal to the row already.
    Row(Box<ChangeSet>, ContactId, RowOutcome, Vec<WrongCell>),
}

impl Portion<'_> {
    /// Adds the next rows of an import to a set, at most `most`, and advances the import. Returns whether these rows
    /// were the last.
    pub(super) async fn take(&self, it: &mut Import, most: usize, set: &mut ChangeSet) -> Result<bool, AttemptError> {
        let (lines, mut is_last) = self.lines(it, most).await?;
        if lines.is_empty() && !is_last {
            return Err(self.without_lines(it).await);
        }
        let decided = lines.into_iter().map(|line| async move { (self.decide(&line).await, line) });
        let decided: Vec<_> = stream::iter(decided).buffered(AT_ONCE).collect().await;
        let (mut contacts, mut rows, mut bytes) = (BTreeSet::new(), ROWS_BESIDE, 0);
        let mut taken = ChangeSet::new(set.workspace);
        for (decided, line) in decided {
            let decided = self.bounded(decided?);
            if let RowDecision::Row(own, contact, _, skipped) = &decided {
                let (own_rows, own_bytes) = weight(own);
                // The errors are stored with the cells of the row.
                let own_rows = own_rows + usize::from(!skipped.is_empty());
                let own_bytes = own_bytes + if skipped.is_empty() { 0 } else { line.length };
                let has_both = makes_tag(&taken) && makes_tag(own);
                let is_full = rows + own_rows > MAX_ROWS || bytes + own_bytes > MAX_BYTES;
                // A decision that depends on changes of the same commit is left to the next commit.
                if !taken.is_empty() && (has_both || is_full) || !contacts.insert(*contact) {
                    is_last = false;
                    break;
                }
                (rows, bytes) = (rows + own_rows, bytes + own_bytes);
            } else {
                let length = line.length;
                if !taken.is_empty() && (rows >= MAX_ROWS || bytes + length > MAX_BYTES) {
                    is_last = false;
                    break;
                }
                (rows, bytes) = (rows + 1, bytes + length);
            }
            it.next = line.end;
            self.add(it, line, decided, &mut taken);
        }
        // Adjacent changes of one kind are written by one statement.
        taken.changes.sort_by_key(place);
        shift_required(&mut taken.changes, |own| own);
        taken.changes.dedup_by(|one, before| is_required(one) && one == before);
        set.guards.extend(taken.guards);
        set.changes.extend(taken.changes);
        set.events.extend(taken.events);
        Ok(is_last)
    }

    /// Returns the error for a table that ends too early. Retries if the import has changed: another worker was faster.
    async fn without_lines(&self, it: &Import) -> AttemptError {
        match self.contacts.ports.imports.get(self.access, it.id).await {
            Ok(Some(now)) if now.version == it.version => {
                StoreError::Corrupt("the table of an import ends too early".to_owned()).into()
            }
            Ok(_) => AttemptError::Retry,
            Err(error) => error.into(),
        }
    }

    /// Returns the next rows, at most `most`, and whether they are the last. If two rows have a common identifier, the
    /// second one starts the next portion.
    async fn lines(&self, it: &Import, most: usize) -> Result<(Vec<Line>, bool), StoreError> {
        let ports = &self.contacts.ports;
        let corrupt = |error| StoreError::Corrupt(format!("the table of an import: {error}"));
        let part = BODY_PART as u64;
        let mut first = it.next.byte / part;
        let mut skipped = usize::try_from(it.next.byte - first * part).unwrap_or_default();
        let mut reader = TableReader::resume(it.reading.dialect(), it.columns.clone(), it.next);
        let (mut found, mut named) = (Vec::new(), BTreeSet::new());
        loop {
            let parts = ports.imports.table(self.access, it.id, signed(first)..signed(first) + PARTS).await?;
            let is_whole = signed(first * part) + signed(parts.len() as u64) >= it.size;
            reader.push(parts.get(skipped..).unwrap_or_default()).map_err(corrupt)?;
            if is_whole {
                reader.finish().map_err(corrupt)?;
            }
            while found.len() < most {
                let Some(row) = reader.next_row().map_err(corrupt)? else { break };
                let cells = row.cells.map(|cells| cells.iter().map(str::to_owned).collect::<Vec<_>>());
                let length = cells.iter().flatten().map(String::len).sum();
                let line = Line { number: row.line, end: row.end, length, cells };
                let names = self.table.names(line.cells()).keys();
                if names.iter().any(|name| named.contains(name)) {
                    return Ok((found, false));
                }
                named.extend(names);
                found.push(line);
            }
            if is_whole || !found.is_empty() || parts.is_empty() {
                let is_last = is_whole && found.len() < most;
                return Ok((found, is_last));
            }
            // Only blank rows: the next row is in later parts.
            (first, skipped) = (first + PARTS as u64, 0);
        }
    }

    async fn decide(&self, line: &Line) -> Result<RowDecision, AttemptError> {
        if let Err(error) = &line.cells {
            return Ok(RowDecision::Wrong(vec![unreadable(error)]));
        }
        let ReadRow { patch, tags, skipped } = match self.table.row(line.cells(), self.on_error) {
            Ok(read) => read,
            Err(wrong) => return Ok(RowDecision::Wrong(wrong)),
        };
        let updates = self.existing == OnExisting::Update;
        match self.contacts.decide_row(self.access, patch, tags, (self.table.key(), updates)).await {
            Ok(DecidedRow::Written(set, done, outcome)) => Ok(RowDecision::Row(set, done.value.id, outcome, skipped)),
            Ok(DecidedRow::Known(known)) if self.existing == OnExisting::Reject => {
                let reason = format!("the contact already exists: {}", known.id);
                Ok(RowDecision::Wrong(vec![WrongCell::in_line("contact_exists", reason)]))
            }
            Ok(DecidedRow::Known(_)) => Ok(RowDecision::Kept),
            Err(AttemptError::Final(error)) if !matches!(error, Error::Store(_)) => {
                Ok(RowDecision::Wrong(self.table.refusal(&error)))
            }
            Err(error) => Err(error),
        }
    }

    /// Rejects a row that does not fit into any commit.
    fn bounded(&self, decided: RowDecision) -> RowDecision {
        let RowDecision::Row(set, ..) = &decided else { return decided };
        if self.trouble.tags_are_full && makes_tag(set) {
            return RowDecision::Wrong(vec![WrongCell::in_line(
                "full",
                "the workspace has reached its limit of tags; use existing tags, or delete unused ones",
            )]);
        }
        if ROWS_BESIDE + weight(set).0 > MAX_ROWS {
            return RowDecision::Wrong(vec![WrongCell::in_line(
                "too_many",
                "the row sets too many tags and fields at once",
            )]);
        }
        decided
    }

    fn add(&self, it: &mut Import, line: Line, decided: RowDecision, taken: &mut ChangeSet) {
        match decided {
            RowDecision::Kept => it.counts.kept += 1,
            RowDecision::Row(mut own, _, RowOutcome { outcome, still_opted_out }, skipped) => {
                shift_required(&mut own.changes, |own| -own);
                match outcome {
                    Outcome::Created | Outcome::Accepted => it.counts.created += 1,
                    Outcome::Changed => it.counts.updated += 1,
                    Outcome::Unchanged => it.counts.kept += 1,
                }
                it.counts.still_opted_out += i64::from(still_opted_out);
                it.counts.clock_changes += signed(self.table.clock_changes(line.cells()).len() as u64);
                let new = own.guards.into_iter().filter(|guard| !taken.guards.contains(guard));
                let new: Vec<_> = new.collect();
                taken.guards.extend(new);
                taken.changes.extend(own.changes);
                taken.events.extend(own.events);
                if !skipped.is_empty() {
                    it.counts.skipped_cells += signed(skipped.len() as u64);
                    if it.counts.skipped_cells <= MOST_SKIPPED {
                        self.keep(it, line, skipped, taken);
                    }
                }
            }
            RowDecision::Wrong(wrong) => {
                it.counts.rejected += 1;
                if it.counts.rejected <= MOST_REJECTED {
                    self.keep(it, line, wrong, taken);
                }
            }
        }
    }

    /// Stores a row with its errors.
    fn keep(&self, it: &Import, line: Line, mut wrong: Vec<WrongCell>, taken: &mut ChangeSet) {
        wrong.truncate(MOST_WRONG);
        let names = self.table.names(line.cells());
        let row = RejectedRow { line: signed(line.number), cells: line.cells.unwrap_or_default(), wrong, names };
        taken.change(Change::Import(ImportChange::Reject { import: it.id, row: Box::new(row) }));
    }
}

fn makes_tag(set: &ChangeSet) -> bool {
    set.changes.iter().any(|change| matches!(change, Change::Insert(Row::Stored(StoredRow::Tag(_)))))
}

/// Whether a change requires a revision of the opt-outs. One such change is valid for all rows.
fn is_required(change: &Change) -> bool {
    matches!(change, Change::OptOut(OptOutChange::Require { .. }))
}

/// Shifts the required revision: each opt-out that a commit remembers increases it for all rows.
fn shift_required(changes: &mut [Change], by: impl Fn(i64) -> i64) {
    let own = i64::try_from(changes.iter().filter(|change| is_remembered(change)).count()).unwrap_or(i64::MAX);
    for change in changes {
        if let Change::OptOut(OptOutChange::Require { revision }) = change {
            *revision += by(own);
        }
    }
}

/// Returns the sort key of a change: after the changes that it depends on. Opt-outs precede the rows that release their
/// identifiers.
fn place(change: &Change) -> u8 {
    match change {
        Change::OptOut(OptOutChange::Remember { .. }) | Change::Insert(Row::Stored(StoredRow::Tag(_))) => 0,
        Change::Insert(_) => 1,
        Change::Update(_) => 2,
        Change::Contact(ContactChange::InsertIdentity { .. }) => 3,
        Change::Tag(TagChange::Link { .. }) => 4,
        Change::Field(FieldChange::PutValue { .. }) => 5,
        Change::OptOut(OptOutChange::Require { .. }) => 7,
        _ => 6,
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
