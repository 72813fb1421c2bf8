//! A step of a commit: rows that are written with others of their kind, or the statements of one change.

use std::marker::PhantomData;

use futures::FutureExt;
use futures::future::BoxFuture;
use uuid::Uuid;

use super::grouping::Grouped;
use super::rows::Rows;
use crate::connection::Connection;
use crate::connection::faults::Fault;

/// A step of a commit. Each change is converted to a step once.
pub(super) enum Write<'s> {
    /// Rows that a statement can write with others of their kind.
    Grouped(Rows<'s>),
    Unbatched(Unbatched<'s>),
}

type Statements<'s> = dyn for<'c> FnOnce(&'c mut Connection<'c>) -> Writing<'s, 'c> + Send + 's;

pub(super) struct Unbatched<'s>(Box<Statements<'s>>);

/// Running statements. They borrow the change for `'s`, and the connection for the shorter `'c`.
pub(super) struct Writing<'s, 'c>(BoxFuture<'c, Result<(), Fault>>, PhantomData<&'c &'s ()>);

pub(super) fn writing<'s, 'c>(statements: impl Future<Output = Result<(), Fault>> + Send + 'c) -> Writing<'s, 'c> {
    Writing(statements.boxed(), PhantomData)
}

impl<'s> Write<'s> {
    pub(super) fn unbatched(
        statements: impl for<'c> FnOnce(&'c mut Connection<'c>) -> Writing<'s, 'c> + Send + 's,
    ) -> Self {
        Self::Unbatched(Unbatched(Box::new(statements)))
    }

    /// Returns true if a statement can write it with others of its kind.
    pub(super) fn is_grouped(&self) -> bool {
        match self {
            Self::Grouped(_) => true,
            Self::Unbatched(_) => false,
        }
    }

    /// Returns true if stored rows can conflict with it.
    pub(super) fn may_contradict(&self) -> bool {
        match self {
            Self::Grouped(rows) => rows.may_contradict(),
            Self::Unbatched(_) => true,
        }
    }

    /// Returns the row that it overwrites, if a statement may contain it only once.
    pub(super) fn target(&self) -> Option<(Uuid, Uuid)> {
        match self {
            Self::Grouped(rows) => rows.target(),
            Self::Unbatched(_) => None,
        }
    }
}

impl Grouped for Write<'_> {
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Grouped(rows), Self::Grouped(others)) => rows.is_like(others),
            (Self::Unbatched(_), Self::Unbatched(_)) => true,
            (Self::Grouped(_), Self::Unbatched(_)) | (Self::Unbatched(_), Self::Grouped(_)) => false,
        }
    }

    fn join(&mut self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Grouped(rows), Self::Grouped(others)) => rows.join(others).map(Self::Grouped),
            (Self::Grouped(_) | Self::Unbatched(_), other) => Some(other),
        }
    }
}

impl Unbatched<'_> {
    pub(super) async fn write(self, c: &mut Connection<'_>) -> Result<(), Fault> {
        (self.0)(&mut c.reborrow()).0.await
    }
}
