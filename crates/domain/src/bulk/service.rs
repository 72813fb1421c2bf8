use std::sync::Arc;

use super::check::{CheckedOperation, Checker};
use super::model::KEPT;
use super::{BulkCounts, BulkOperation, BulkStatus, NewBulkOperation};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::{BulkOperationId, JobId, TypedId};
use crate::outcome::{Done, IdempotencyHook};
use crate::pagination::{Order, Page, PageRequest};
use crate::ports::{Change, ChangeSet, Counted, Guard, Ids, Job, NewJob, Object, Ports, Row, StoreError};
use crate::retry::{commit_outcome, retry_on_conflict};
use crate::segments::{Audiences, differs};
use crate::time::Timestamp;

/// Maximum number of operations per workspace that have not ended.
const MAX_OPEN: i64 = 3;
/// Maximum number of stored operations per workspace. The oldest ones that have ended are deleted.
const MAX_KEPT: u64 = 100;

/// Use cases of bulk operations.
#[derive(Clone)]
pub struct BulkService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl BulkService {
    /// Returns an operation.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, operation: BulkOperationId) -> Result<BulkOperation, Error> {
        let mut found = self.ports.bulk.get(access, operation).await?.ok_or(Error::NotFound)?;
        Audiences { ports: self.ports.clone() }.rename(access, found.filter.condition_mut()).await?;
        Ok(found)
    }

    /// Returns the operations of the workspace, optionally with one status.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(
        &self,
        access: &Access,
        status: Option<BulkStatus>,
        page: PageRequest,
    ) -> Result<Page<BulkOperation>, Error> {
        let mut page = self.ports.bulk.list(access, status, page).await?;
        let filters = page.items.iter_mut().filter_map(|it| it.filter.condition_mut());
        Audiences { ports: self.ports.clone() }.rename(access, filters).await?;
        Ok(page)
    }

    /// Creates an operation that runs in the background. The number of matches may differ from an expected number by at
    /// most 5 %. Deletions, and filters that match every contact, require this number.
    ///
    /// # Errors
    /// [`Error::ScopeTooLow`] for the action, [`Error::Invalid`], [`Error::FlowNotActive`],
    /// [`Error::SequenceNotActive`], [`Error::AudienceChanged`], [`Error::Full`], [`Error::Store`].
    pub async fn start(
        &self,
        access: &Access,
        new: NewBulkOperation,
        idempotency: IdempotencyHook<'_, BulkOperation>,
    ) -> Result<Done<BulkOperation>, Error> {
        let now = self.ports.clock.now();
        let CheckedOperation { filter, condition, matched, .. } = Checker { ports: &self.ports, access, now }
            .check(&new.filter, Some(&new.action), new.expected_count.is_some())
            .await?;
        if new.expected_count.is_some_and(|told| differs(told, matched)) {
            return Err(Error::AudienceChanged { count: matched });
        }
        retry_on_conflict(|| async {
            let operation = BulkOperation {
                id: BulkOperationId::from_uuid(self.ports.ids.next()),
                action: new.action.clone(),
                filter: filter.clone(),
                condition: Some(condition.clone()),
                counts: BulkCounts { matched, ..BulkCounts::default() },
                created_by: access.actor().clone(),
                created_at: now,
                updated_at: now,
                ..BulkOperation::default()
            };
            let mut set = ChangeSet::new(access.workspace());
            set.guard(Guard::Room { what: Counted::BulkOperations, adding: 1, most: MAX_OPEN });
            for old in self.superseded(access).await? {
                set.change(Change::Delete(Object::BulkOperation(old)));
            }
            set.change(Change::Insert(Row::BulkOperation(Box::new(operation.clone()))));
            let draft = AuditDraft::about(AuditAction::BulkOperationCreated, Some(operation.id.to_string()));
            let draft = draft.with("action", &new.action.kind()).with("matched", &matched);
            let draft = draft.with("target", &new.action.target());
            self.ports.add_audit(draft, access, &mut set);
            let job = Job::ChangeContacts { operation: operation.id };
            set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), job, now));
            let done = Done::accepted(operation);
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Returns the ended operations to delete before another one is created.
    async fn superseded(&self, access: &Access) -> Result<Vec<BulkOperationId>, StoreError> {
        let oldest = PageRequest { limit: 1 + MAX_OPEN as u32, order: Order::OldestFirst, after: None, counted: true };
        let page = self.ports.bulk.list(access, None, oldest).await?;
        if page.total.is_none_or(|it| it.rows < MAX_KEPT) {
            return Ok(Vec::new());
        }
        Ok(page.items.iter().filter(|it| it.status.is_over()).map(|it| it.id).collect())
    }

    /// Cancels an operation: the remaining contacts are not processed. Changes nothing if it has ended.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn cancel(
        &self,
        access: &Access,
        operation: BulkOperationId,
        idempotency: IdempotencyHook<'_, BulkOperation>,
    ) -> Result<Done<BulkOperation>, Error> {
        retry_on_conflict(|| async {
            let mut operation = self.get(access, operation).await?;
            let mut set = ChangeSet::new(access.workspace());
            let done = if operation.status.is_over() {
                Done::unchanged(operation)
            } else {
                operation.end(BulkStatus::Cancelled, self.ports.clock.now());
                add_finished(&mut set, &operation, &*self.ports.ids);
                let draft = AuditDraft::about(AuditAction::BulkOperationCancelled, Some(operation.id.to_string()));
                self.ports.add_audit(draft, access, &mut set);
                Done::changed(operation)
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }
}

/// Stores an ended operation, and queues its deletion.
pub(super) fn add_finished(set: &mut ChangeSet, operation: &BulkOperation, ids: &dyn Ids) {
    let due_at: Timestamp = operation.ended_at.unwrap_or(operation.updated_at).plus(KEPT);
    let job = Job::ForgetBulkOperation { operation: operation.id };
    set.change(Change::Update(Row::BulkOperation(Box::new(operation.clone()))));
    set.jobs.push(NewJob::new(JobId::from_uuid(ids.next()), job, due_at));
}
