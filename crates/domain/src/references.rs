//! References between objects: an object that a published flow names, such as a tag, is in use.

mod changes;
mod members;
mod model;
#[cfg(test)]
mod tests;

use crate::access::Access;
use crate::error::Error;
use crate::ports::{Change, ChangeSet, CommitError, Conflict, Guard, Object, ReferenceQueries};
use crate::retry::AttemptError;
use crate::stored::StoredId;
use crate::time::Timestamp;

pub use changes::ReferenceChange;
pub(crate) use members::lost_members;
pub use model::{Dependent, LostReference, LostReferenceView, Referent, Referrer};

impl Referent {
    /// Returns the object. A check of its references locks its row.
    pub fn object(self) -> Object {
        match self {
            Self::Tag(id) => Object::Stored(StoredId::Tag(id)),
            Self::Field(id) => Object::Stored(StoredId::CustomField(id)),
            Self::BotField(id) => Object::Stored(StoredId::BotField(id)),
            Self::Secret(id) => Object::Stored(StoredId::Secret(id)),
            Self::Flow(id) => Object::Flow(id),
            Self::Sequence(id) => Object::Sequence(id),
            Self::Channel(id) => Object::Channel(id),
            Self::Segment(id) => Object::Stored(StoredId::Segment(id)),
            Self::Media(id) => Object::Stored(StoredId::Media(id)),
        }
    }
}

/// Handling of the references to a deleted object, executed before the deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Deletion {
    /// The deletion is rejected if another object refers to the target.
    #[default]
    IfUnused,
    /// The target is deleted, and the references to it become lost references.
    ByForce,
}

impl Deletion {
    /// Adds the guards and changes that precede the deletion of `target`; `name` is its current name.
    pub(crate) fn prepare(self, set: &mut ChangeSet, target: Referent, name: &str, at: Timestamp) {
        match self {
            Self::IfUnused => set.guard(Guard::Unused(target)),
            Self::ByForce => {
                set.guard(Guard::Live(target.object()));
                set.change(Change::Reference(ReferenceChange::Lose { target, name: name.to_owned(), at }))
            }
        };
    }
}

/// Converts a rejected deletion into an error with the objects that refer to the target.
pub(crate) async fn in_use(references: &dyn ReferenceQueries, access: &Access, error: CommitError) -> AttemptError {
    let CommitError::Conflict(Conflict::InUse(target)) = error else { return error.into() };
    match references.dependents(access, target).await {
        Ok(dependents) if dependents.is_empty() => AttemptError::Retry,
        Ok(dependents) => Error::InUse(dependents).into(),
        Err(error) => error.into(),
    }
}
