use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::portion::Portion;
use super::service::add_finished;
use super::work::{UnavailableAction, Work};
use super::{BulkOperation, BulkStatus};
use crate::access::Access;
use crate::contacts::{ContactFilter, ContactService};
use crate::error::Error;
use crate::ids::{BulkOperationId, JobId, TypedId};
use crate::ports::{Change, ChangeSet, ClaimedJob, Guard, Job, NewJob, Object, Ports, Row, StoreError};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::segments::{Audiences, Choice};
use crate::stored::StoredId;
use crate::work::ignore_lost_claim;

/// Maximum number of contacts per commit.
const CONTACTS: usize = 500;

/// Executes bulk operations.
#[derive(Clone)]
pub struct BulkExecutor {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl BulkExecutor {
    /// Processes the next contacts of an operation. One commit changes them, stores the progress, and queues the next
    /// job, so a crash repeats nothing.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn advance(&self, access: &Access, job: &ClaimedJob, operation: BulkOperationId) -> Result<(), Error> {
        let contacts = AtomicUsize::new(CONTACTS);
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(job.workspace);
            set.change(job.finish());
            if let Some(it) = self.ports.bulk.get(access, operation).await?.filter(|it| !it.status.is_over()) {
                // After a conflict with other writers of the same contacts, the next attempt processes fewer.
                let most = contacts.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |it| Some((it / 4).max(1)));
                self.take(access, it, most.unwrap_or(1), &mut set).await?;
            }
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    async fn take(
        &self,
        access: &Access,
        mut it: BulkOperation,
        most: usize,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        let now = self.ports.clock.now();
        let (work, choice) = match self.prepared(access, &it).await? {
            Ok(prepared) => prepared,
            Err((code, message)) => {
                it.fail(code, message, now);
                add_finished(set, &it, &*self.ports.ids);
                return Ok(());
            }
        };
        hold(&work, &choice, set);
        let access = access.acting_as(it.created_by.clone());
        let filter = ContactFilter {
            selection: Some(choice.selection),
            created_before: Some(it.until()),
            ..ContactFilter::default()
        };
        let contacts = ContactService { ports: self.ports.clone() };
        let portion = Portion { contacts, access: &access, work, filter, now };
        let is_last = portion.take(&mut it, most, set).await?;
        it.started_at = it.started_at.or(Some(now));
        if is_last {
            it.end(BulkStatus::Completed, now);
            add_finished(set, &it, &*self.ports.ids);
        } else {
            it.touch(now);
            it.status = BulkStatus::Running;
            let job = Job::ChangeContacts { operation: it.id };
            set.change(Change::Update(Row::BulkOperation(Box::new(it))));
            set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), job, now));
        }
        Ok(())
    }

    /// Returns the work and the contacts, or an error code and a message.
    async fn prepared(
        &self,
        access: &Access,
        it: &BulkOperation,
    ) -> Result<Result<(Work, Choice), (&'static str, String)>, StoreError> {
        let work = match Work::load(&self.ports, access, &it.action).await? {
            Ok(work) => work,
            Err(why) => return Ok(Err(unavailable_reason(why))),
        };
        let Some(condition) = &it.condition else {
            return Err(StoreError::Corrupt("an unfinished bulk operation has no condition".to_owned()));
        };
        let choice = Audiences { ports: self.ports.clone() }.choice(access, condition, it.created_at).await?;
        Ok(choice.map(|choice| (work, choice)).map_err(|wrong| {
            // The message contains only pointers, because the compared values may be personal data.
            let places: Vec<_> = wrong.iter().map(|it| format!("`{}`", it.pointer)).collect();
            let message = format!(
                "the filter refers to objects that were deleted or changed after the operation was created, and would \
                 match other contacts: {}",
                places.join(", ")
            );
            ("filter_changed", message)
        }))
    }

    /// Deletes an operation at the end of its retention.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn forget(&self, access: &Access, job: &ClaimedJob, operation: BulkOperationId) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(job.workspace);
            if self.ports.bulk.get(access, operation).await?.is_some() {
                set.change(Change::Delete(Object::BulkOperation(operation)));
            }
            set.change(job.finish());
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    /// Adds to a set that the operation failed, because its job became a dead letter.
    pub(crate) async fn abandon(
        &self,
        access: &Access,
        operation: BulkOperationId,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let found = self.ports.bulk.get(access, operation).await?;
        if let Some(mut it) = found.filter(|it| !it.status.is_over()) {
            it.fail("internal", "the next contacts could not be changed: all attempts failed", self.ports.clock.now());
            add_finished(set, &it, &*self.ports.ids);
        }
        Ok(())
    }
}

/// Returns the error code and the message for an action that is no longer possible.
fn unavailable_reason(why: UnavailableAction) -> (&'static str, String) {
    let (code, what) = match why {
        UnavailableAction::Tag => ("tag_deleted", "the tag was deleted"),
        UnavailableAction::Field => ("field_deleted", "the custom field was deleted"),
        UnavailableAction::Value(_) => ("field_changed", "the custom field was changed and does not take the value"),
        UnavailableAction::Sequence => ("sequence_deleted", "the sequence was deleted"),
        UnavailableAction::SequenceNotActive => ("sequence_not_active", "the sequence was paused or archived"),
        UnavailableAction::Flow => ("flow_deleted", "the flow was deleted"),
        UnavailableAction::FlowNotActive => ("flow_not_active", "the flow was paused or archived"),
    };
    (code, format!("{what} after the operation was created"))
}

/// Guards the tags and fields that the condition and the action use: a deletion could change which contacts match.
fn hold(work: &Work, choice: &Choice, set: &mut ChangeSet) {
    let tags = choice.names.tags.iter().map(|tag| Guard::Live(Object::Stored(StoredId::Tag(*tag))));
    let fields =
        choice.names.custom_fields.iter().map(|field| Guard::Live(Object::Stored(StoredId::CustomField(*field))));
    for guard in tags.chain(fields).chain(work.guard()) {
        if !set.guards.contains(&guard) {
            set.guard(guard);
        }
    }
}
