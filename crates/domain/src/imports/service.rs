use std::collections::BTreeMap;
use std::sync::Arc;

use tidings_tables::MAX_ROW;

use super::model::KEPT;
use super::plan::refusal;
use super::{
    DryRun, GuessedTable, Import, ImportChange, ImportCheck, ImportCounts, ImportStatus, NewImport, Plan, RejectedRow,
    TableGuess,
};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::contacts::ContactTable;
use crate::cooperate::give_way;
use crate::error::Error;
use crate::ids::{ImportId, JobId, TypedId};
use crate::outcome::{Done, IdempotencyHook};
use crate::pagination::{Page, PageRequest};
use crate::ports::{Change, ChangeSet, Counted, Guard, Ids, Job, NewJob, Ports, Row};
use crate::retry::{commit_outcome, retry_on_conflict};
use crate::time::Timestamp;

/// Maximum size of a table in bytes.
pub const MAX_TABLE: usize = 5 << 20;
/// Number of bytes of a table that are read before other tasks of the thread can run.
const PIECE: usize = 16 << 10;
/// Maximum number of imports per workspace that have not ended. Each stores its table.
const MAX_OPEN: i64 = 20;

/// Use cases of imports.
#[derive(Clone)]
pub struct ImportService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl ImportService {
    /// Returns an import.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, import: ImportId) -> Result<Import, Error> {
        self.ports.imports.get(access, import).await?.ok_or(Error::NotFound)
    }

    /// Returns the imports of the workspace.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<Import>, Error> {
        Ok(self.ports.imports.list(access, page).await?)
    }

    /// Returns the rejected rows of an import after line `behind`, ordered by line.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn rejected(
        &self,
        access: &Access,
        import: ImportId,
        behind: i64,
        limit: u32,
    ) -> Result<Vec<RejectedRow>, Error> {
        Ok(self.ports.imports.rejected(access, import, behind, limit).await?)
    }

    /// Checks a table: returns how an import would read it. Stores nothing.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not a table of text, [`Error::Store`].
    pub async fn check(&self, access: &Access, new: &NewImport<'_>) -> Result<ImportCheck, Error> {
        let Read { guessed, plan, table } = self.read(access, new).await?;
        let Some(table) = table else { return Ok(ImportCheck::of(&guessed, &plan, None)) };
        let mut run = DryRun::new(table, &plan.reading, &guessed.headings, guessed.rows_from);
        let begin = usize::try_from(guessed.rows_from.byte).unwrap_or(usize::MAX);
        for piece in new.table.get(begin..).unwrap_or_default().chunks(PIECE) {
            run.push(piece)?;
            give_way().await;
        }
        run.finish()?;
        Ok(ImportCheck::of(&guessed, &plan, Some(run)))
    }

    /// Reads a table once: the first pass.
    async fn read(&self, access: &Access, new: &NewImport<'_>) -> Result<Read, Error> {
        if new.table.len() > MAX_TABLE {
            let message = format!("the table has {} bytes; at most {MAX_TABLE} are allowed", new.table.len());
            return Err(Error::invalid("", "too_long", message));
        }
        let fields = self.ports.fields.all(access).await?;
        let workspace = self.ports.access.workspace(access.workspace()).await?.ok_or(Error::NotFound)?;
        let mut options = new.options.clone();
        options.country = options.country.or(workspace.default_country);
        let mut guess = TableGuess::new(&options, &fields);
        for piece in new.table.chunks(PIECE) {
            guess.push(piece)?;
            give_way().await;
        }
        let guessed = guess.finish()?;
        if let Some(line) = guessed.too_long {
            let message = format!("line {line} has more than {MAX_ROW} bytes or too many cells. Is a `\"` missing?");
            return Err(Error::invalid("", "too_long", message));
        }
        let mut plan = Plan::of(&guessed, &options, new.on_error, &workspace.time_zone.to_string());
        let table = ContactTable::new(&guessed.headings, &plan.reading.columns, &fields, plan.reading.zone())
            .and_then(|it| it.by(new.key));
        let table = match table {
            Ok(table) => Some(table),
            Err(wrong) => {
                // Another column may identify contacts after an open decision.
                if plan.problems.is_empty() {
                    plan.require(&wrong);
                }
                None
            }
        };
        Ok(Read { guessed, plan, table })
    }

    /// Creates an import, which runs in the background.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the table cannot be imported, [`Error::Full`], [`Error::Store`].
    pub async fn start(
        &self,
        access: &Access,
        new: NewImport<'_>,
        idempotency: IdempotencyHook<'_, Import>,
    ) -> Result<Done<Import>, Error> {
        let Read { guessed, plan, .. } = self.read(access, &new).await?;
        if !plan.problems.is_empty() {
            return Err(refusal(&plan.problems));
        }
        let table: Arc<[u8]> = Arc::from(new.table);
        let names: BTreeMap<String, String> = new.options.columns.iter().cloned().collect();
        retry_on_conflict(|| async {
            let now = self.ports.clock.now();
            let import = Import {
                id: ImportId::from_uuid(self.ports.ids.next()),
                existing: new.existing,
                key: new.key,
                columns: guessed.headings.clone(),
                names: names.clone(),
                reading: plan.reading.clone(),
                size: i64::try_from(table.len()).unwrap_or(i64::MAX),
                next: guessed.rows_from,
                counts: ImportCounts { rows: signed(guessed.rows), ..ImportCounts::default() },
                created_by: access.actor().clone(),
                created_at: now,
                updated_at: now,
                ..Import::default()
            };
            let mut set = ChangeSet::new(access.workspace());
            set.guard(Guard::Room { what: Counted::Imports, adding: 1, most: MAX_OPEN });
            set.change(Change::Insert(Row::Import(Box::new(import.clone()))));
            set.change(Change::Import(ImportChange::PutTable { import: import.id, table: table.clone() }));
            let job = Job::ImportContacts { import: import.id };
            set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), job, now));
            let draft = AuditDraft::about(AuditAction::ImportCreated, Some(import.id.to_string()));
            let draft = draft.with("rows", &import.counts.rows).with("existing", &import.existing);
            self.ports.add_audit(draft, access, &mut set);
            let done = Done::accepted(import);
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Cancels an import: the remaining rows are not imported. Changes nothing if it has ended.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn cancel(
        &self,
        access: &Access,
        import: ImportId,
        idempotency: IdempotencyHook<'_, Import>,
    ) -> Result<Done<Import>, Error> {
        retry_on_conflict(|| async {
            let mut import = self.get(access, import).await?;
            let mut set = ChangeSet::new(access.workspace());
            let done = if import.status.is_over() {
                Done::unchanged(import)
            } else {
                import.end(ImportStatus::Cancelled, self.ports.clock.now());
                add_finished(&mut set, &import, &*self.ports.ids);
                let draft = AuditDraft::about(AuditAction::ImportCancelled, Some(import.id.to_string()));
                self.ports.add_audit(draft, access, &mut set);
                Done::changed(import)
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }
}

/// A table after its first pass.
struct Read {
    guessed: GuessedTable,
    plan: Plan,
    /// `None` if no column identifies contacts.
    table: Option<ContactTable>,
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Stores an ended import. Deletes its table immediately, and queues the deletion of its rejected rows.
pub(super) fn add_finished(set: &mut ChangeSet, import: &Import, ids: &dyn Ids) {
    let due_at: Timestamp = import.ended_at.unwrap_or(import.updated_at).plus(KEPT);
    let job = Job::ForgetImport { import: import.id };
    set.change(Change::Update(Row::Import(Box::new(import.clone()))));
    set.change(Change::Import(ImportChange::DropTable { import: import.id }));
    set.jobs.push(NewJob::new(JobId::from_uuid(ids.next()), job, due_at));
}
