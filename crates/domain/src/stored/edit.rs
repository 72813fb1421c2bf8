//! The steps that use cases of simple objects have in common.

use super::StoredObject;
use crate::access::Access;
use crate::audit::AuditDraft;
use crate::error::Error;
use crate::ports::{Change, ChangeSet, CommitError, Conflict, Counted, Guard, Object, Ports, Row, StoreError};
use crate::retry::AttemptError;

/// Makes the change sets of a use case, each with its audit log entry.
pub(crate) struct Edit<'a> {
    /// The ports of the use case.
    pub(crate) ports: &'a Ports,
    /// The actor of the use case.
    pub(crate) access: &'a Access,
}

impl Edit<'_> {
    /// Creates an object, if the limit of its kind allows it.
    pub(crate) fn create<T: StoredObject>(&self, it: &T) -> ChangeSet {
        let [created, _, _] = T::ACTIONS;
        let mut set = ChangeSet::new(self.access.workspace());
        set.guard(Guard::Room { what: Counted::Stored(T::STORED), adding: 1, most: T::STORED.limit() });
        set.change(Change::Insert(Row::Stored(it.clone().into())));
        self.audit(&mut set, AuditDraft::created(created, it));
        set
    }

    /// Gives `after`, a changed copy of `before`, its next version and updates the row.
    pub(crate) fn update<T: StoredObject>(&self, before: &T, after: &mut T) -> ChangeSet {
        let [_, updated, _] = T::ACTIONS;
        after.revise(self.ports.clock.now());
        let mut set = ChangeSet::new(self.access.workspace());
        set.change(Change::Update(Row::Stored(after.clone().into())));
        self.audit(&mut set, AuditDraft::changed(updated, before, after));
        set
    }

    /// Deletes an object, after the changes that the set has.
    pub(crate) fn delete<T: StoredObject>(&self, set: &mut ChangeSet, it: &T) {
        let [_, _, deleted] = T::ACTIONS;
        set.change(Change::Delete(Object::Stored(it.id().into())));
        self.audit(set, AuditDraft::deleted(deleted, it));
    }

    fn audit(&self, set: &mut ChangeSet, draft: impl Into<Option<AuditDraft>>) {
        self.ports.add_audit(draft, self.access, set);
    }
}

/// Converts the error of a commit: if the unique value is taken, the answer names the holder. Without a holder, the
/// object with the value was deleted in the meantime, and the use case is repeated.
pub(crate) async fn name_taken<T: StoredObject>(
    error: CommitError,
    what: &'static str,
    holder: impl Future<Output = Result<Option<T>, StoreError>> + Send,
) -> AttemptError {
    match error {
        CommitError::Conflict(Conflict::Exists(key)) if Some(key) == T::UNIQUE => match holder.await {
            Ok(found) => found.map_or(AttemptError::Retry, |it| {
                let existing = Some(it.id().to_string());
                AttemptError::Final(Error::Taken { what, field: "name", existing })
            }),
            Err(error) => error.into(),
        },
        error => error.into(),
    }
}
