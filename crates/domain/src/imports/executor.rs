use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::portion::{Portion, Trouble};
use super::service::add_finished;
use super::{Import, ImportChange, ImportError, ImportStatus};
use crate::access::Access;
use crate::contacts::{ContactService, ContactTable, WrongCell};
use crate::error::Error;
use crate::ids::{ImportId, JobId, TypedId};
use crate::ports::{
    Change, ChangeSet, ClaimedJob, CommitError, Conflict, Counted, Job, NewJob, Object, Ports, Row, StoreError,
};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::stored::StoredKind;
use crate::work::ignore_lost_claim;

/// Maximum number of rows per commit.
const ROWS: usize = 160;
/// Maximum number of rejected rows that one commit deletes.
const FORGOTTEN: u32 = 500;

/// Executes imports.
#[derive(Clone)]
pub struct Importer {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl Importer {
    /// Imports the next rows of a table. One commit writes the contacts, stores the progress, and queues the next job,
    /// so a crash repeats nothing.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn advance(&self, access: &Access, job: &ClaimedJob, import: ImportId) -> Result<(), Error> {
        let (rows, tags_are_full) = (AtomicUsize::new(ROWS), AtomicBool::new(false));
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(job.workspace);
            set.change(job.finish());
            if let Some(it) = self.ports.imports.get(access, import).await?.filter(|it| !it.status.is_over()) {
                // After a conflict with other writers of the same contacts, the next attempt imports fewer rows.
                let most = rows.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |it| Some((it / 4).max(1)));
                let trouble = Trouble { tags_are_full: tags_are_full.load(Ordering::Relaxed) };
                self.take(access, it, (most.unwrap_or(1), trouble), &mut set).await?;
            }
            match self.ports.ledger.commit(set).await {
                Err(CommitError::Conflict(Conflict::Full { what: Counted::Stored(StoredKind::Tag), .. })) => {
                    tags_are_full.store(true, Ordering::Relaxed);
                    Err(AttemptError::Retry)
                }
                outcome => ignore_lost_claim(outcome),
            }
        })
        .await
    }

    async fn take(
        &self,
        access: &Access,
        mut it: Import,
        (most, trouble): (usize, Trouble),
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        let now = self.ports.clock.now();
        let fields = self.ports.fields.all(access).await?;
        if it.reading.columns.is_empty() {
            let message = "the import began before an upgrade of the service; import the table again".to_owned();
            it.error = Some(ImportError { code: "upgraded".to_owned(), message });
            it.end(ImportStatus::Failed, now);
            add_finished(set, &it, &*self.ports.ids);
            return Ok(());
        }
        let table = ContactTable::new(&it.columns, &it.reading.columns, &fields, it.reading.zone());
        let table = match table.and_then(|table| table.by(it.key)) {
            Ok(table) => table,
            Err(wrong) => {
                let message = wrong.iter().map(WrongCell::describe).collect::<Vec<_>>().join("; ");
                it.error = Some(ImportError { code: "columns_changed".to_owned(), message });
                it.end(ImportStatus::Failed, now);
                add_finished(set, &it, &*self.ports.ids);
                return Ok(());
            }
        };
        let contacts = ContactService { ports: self.ports.clone() };
        let (existing, on_error) = (it.existing, it.reading.on_error);
        let portion =
            Portion { contacts, access: &access.acting_as(it.created_by.clone()), table, existing, on_error, trouble };
        let is_last = portion.take(&mut it, most, set).await?;
        it.started_at = it.started_at.or(Some(now));
        if is_last {
            let is_rejected = it.counts.rows > 0 && it.counts.rejected == it.counts.rows;
            if is_rejected {
                let message = "every row was rejected; the table of rejected rows has the reasons".to_owned();
                it.error = Some(ImportError { code: "every_row_rejected".to_owned(), message });
            }
            it.end(if is_rejected { ImportStatus::Failed } else { ImportStatus::Completed }, now);
            add_finished(set, &it, &*self.ports.ids);
        } else {
            it.touch(now);
            it.status = ImportStatus::Running;
            let job = Job::ImportContacts { import: it.id };
            set.change(Change::Update(Row::Import(Box::new(it))));
            set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), job, now));
        }
        Ok(())
    }

    /// Deletes an import at the end of its retention: its rejected rows first, then the import.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn forget(&self, access: &Access, job: &ClaimedJob, import: ImportId) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(job.workspace);
            if !self.ports.imports.rejected(access, import, 0, 1).await?.is_empty() {
                set.change(Change::Import(ImportChange::DropRejected { import, limit: FORGOTTEN }));
                set.change(job.reschedule(self.ports.clock.now(), None));
            } else {
                if self.ports.imports.get(access, import).await?.is_some() {
                    set.change(Change::Delete(Object::Import(import)));
                }
                set.change(job.finish());
            }
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    /// Adds to a set that the import failed, because its job became a dead letter.
    pub(crate) async fn abandon(
        &self,
        access: &Access,
        import: ImportId,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let found = self.ports.imports.get(access, import).await?;
        if let Some(mut it) = found.filter(|it| !it.status.is_over()) {
            let message = format!("line {} could not be imported: all attempts failed", it.next.line);
            it.error = Some(ImportError { code: "internal".to_owned(), message });
            it.end(ImportStatus::Failed, self.ports.clock.now());
            add_finished(set, &it, &*self.ports.ids);
        }
        Ok(())
    }
}
