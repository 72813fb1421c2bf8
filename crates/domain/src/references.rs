//! What names what: a published flow names its tags, and so they are in use.

mod changes;
mod members;
mod model;
#[cfg(test)]
mod tests;

use crate::access::Access;
use crate::error::Error;
use crate::ports::{Change, ChangeSet, CommitError, Conflict, Guard, Object, ReferenceQueries};
use crate::retry::AttemptError;
use crate::time::Timestamp;

pub use changes::ReferenceChange;
pub(crate) use members::lost_members;
pub use model::{Dependent, LostReference, LostReferenceView, Referent, Referrer};

impl Referent {
    /// The object whose row is locked while it is looked at.
    pub fn object(self) -> Object {
        match self {
            Self::Tag(id) => Object::Tag(id),
            Self::Field(id) => Object::Field(id),
            Self::BotField(id) => Object::BotField(id),
            Self::Secret(id) => Object::Secret(id),
            Self::Flow(id) => Object::Flow(id),
            Self::Sequence(id) => Object::Sequence(id),
            Self::Channel(id) => Object::Channel(id),
            Self::Segment(id) => Object::Segment(id),
        }
    }
}

/// What becomes of the references to an object that is deleted, to stand before its deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Deletion {
    /// It is refused while something names the object.
    #[default]
    IfUnused,
    /// It goes on, and what named the object has lost it.
    ByForce,
}

impl Deletion {
    /// Guards and changes that go before the deletion of `target`, which was called `name`.
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

/// Turns a deletion that did not go through into those that name the object.
pub(crate) async fn in_use(references: &dyn ReferenceQueries, access: &Access, error: CommitError) -> AttemptError {
    let CommitError::Conflict(Conflict::InUse(target)) = error else { return error.into() };
    match references.dependents(access, target).await {
        Ok(dependents) if dependents.is_empty() => AttemptError::Retry,
        Ok(dependents) => Error::InUse(dependents).into(),
        Err(error) => error.into(),
    }
}
