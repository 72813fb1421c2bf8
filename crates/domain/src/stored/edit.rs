//! The steps that use cases of objects with a name have in common.

use uuid::Uuid;

use super::StoredObject;
use crate::access::Access;
use crate::audit::AuditDraft;
use crate::error::Error;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook, record_of};
use crate::ports::{
    Change, ChangeSet, CommitError, Conflict, Counted, Guard, Object, Ports, ReferenceChange, Row, StoreError,
};
use crate::references::{Referent, Referrer, in_use};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;

/// An object with a name or key that is unique in the workspace ([`StoredObject::UNIQUE`]).
pub(crate) trait NamedObject: StoredObject {
    /// The kind of the object and its unique field, as words of [`Error::Taken`].
    const WORDS: [&'static str; 2];

    /// Returns the stored object with the name or key of this object.
    fn holder(&self, ports: &Ports, access: &Access) -> impl Future<Output = Result<Option<Self>, StoreError>> + Send;

    /// Returns this object as a referrer, with the objects to which it refers; `None` for types without references.
    fn references(&self) -> Option<(Referrer, Vec<Referent>)> {
        None
    }
}

/// Adds the change that replaces the references of an object.
fn refer(set: &mut ChangeSet, references: Option<(Referrer, Vec<Referent>)>) {
    if let Some((owner, targets)) = references {
        set.change(Change::Reference(ReferenceChange::Put { owner, targets }));
    }
}

impl Ports {
    /// Returns the changes that an actor can make to simple objects.
    pub(crate) fn edit<'a>(&'a self, access: &'a Access) -> Edit<'a> {
        Edit { ports: self, access }
    }
}

/// Makes the change sets of a use case, each with its audit log entry, and commits them.
pub(crate) struct Edit<'a> {
    ports: &'a Ports,
    access: &'a Access,
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

    /// Creates and commits the object that `make` returns for a new ID and the current time.
    ///
    /// # Errors
    /// [`Error::Taken`] if another object has the name, [`Error::Full`], [`Error::Store`].
    pub(crate) async fn create_named<T: NamedObject>(
        &self,
        idempotency: IdempotencyHook<'_, T>,
        make: impl Fn(Uuid, Timestamp) -> T + Send + Sync,
    ) -> Result<Done<T>, Error> {
        retry_on_conflict(|| async {
            let it = make(self.ports.ids.next(), self.ports.clock.now());
            let mut set = self.create(&it);
            refer(&mut set, it.references().filter(|(_, targets)| !targets.is_empty()));
            let done = Done::created(it);
            set.idempotency = record_of(idempotency, &done);
            self.commit_named(set, &done.value).await?;
            Ok::<_, AttemptError>(done)
        })
        .await
    }

    /// Updates the object that `find` returns to the result of `change`, if that differs.
    ///
    /// # Errors
    /// Those of `find`, [`Error::PreconditionFailed`], [`Error::Taken`] if another object has the name,
    /// [`Error::Store`].
    pub(crate) async fn update_named<T: NamedObject, Fut>(
        &self,
        find: impl Fn() -> Fut + Send + Sync,
        expected: &ExpectedVersion,
        change: impl Fn(T) -> T + Send + Sync,
    ) -> Result<T, Error>
    where
        Fut: Future<Output = Result<T, Error>> + Send,
    {
        retry_on_conflict(|| async {
            let before = find().await?;
            expected.check(before.version())?;
            let mut after = change(before.clone());
            if after == before {
                return Ok(before);
            }
            let mut set = self.update(&before, &mut after);
            let references = after.references();
            if references != before.references() {
                refer(&mut set, references);
            }
            self.commit_named(set, &after).await?;
            Ok::<_, AttemptError>(after)
        })
        .await
    }

    /// Deletes the object that `find` returns, after the guards and changes that `prepare` adds.
    ///
    /// # Errors
    /// Those of `find`, [`Error::PreconditionFailed`], [`Error::InUse`] if `prepare` guards the references to the
    /// object, [`Error::Store`].
    pub(crate) async fn delete<T: StoredObject, Fut>(
        &self,
        find: impl Fn() -> Fut + Send + Sync,
        expected: &ExpectedVersion,
        prepare: impl Fn(&T, &mut ChangeSet) + Send + Sync,
    ) -> Result<(), Error>
    where
        Fut: Future<Output = Result<T, Error>> + Send,
    {
        let [_, _, deleted] = T::ACTIONS;
        retry_on_conflict(|| async {
            let found = find().await?;
            expected.check(found.version())?;
            let mut set = ChangeSet::new(self.access.workspace());
            prepare(&found, &mut set);
            set.change(Change::Delete(Object::Stored(found.id().into())));
            self.audit(&mut set, AuditDraft::deleted(deleted, &found));
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(()),
                Err(error) => Err(in_use(&*self.ports.references, self.access, error).await),
            }
        })
        .await
    }

    /// Commits a set that writes `it`. If its name is taken, the error names the holder. Without a holder, the object
    /// with the name was deleted in the meantime, and the use case is repeated.
    async fn commit_named<T: NamedObject>(&self, set: ChangeSet, it: &T) -> Result<(), AttemptError> {
        match self.ports.ledger.commit(set).await {
            Err(CommitError::Conflict(Conflict::Exists(key))) if Some(key) == T::UNIQUE => {
                let [what, field] = T::WORDS;
                Err(match it.holder(self.ports, self.access).await? {
                    Some(it) => Error::Taken { what, field, existing: Some(it.id().to_string()) }.into(),
                    None => AttemptError::Retry,
                })
            }
            outcome => Ok(outcome?),
        }
    }

    fn audit(&self, set: &mut ChangeSet, draft: impl Into<Option<AuditDraft>>) {
        self.ports.add_audit(draft, self.access, set);
    }
}
