//! One transaction on one connection, from its beginning to the answer to COMMIT, or to the lack of one.

use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use futures::future::BoxFuture;
use tidings_domain::ports::StoreError;

use super::outcome::{self, Xid};
use super::unavailable;
use crate::connection::Connection;
use crate::failpoints;
use crate::faults::Fault;

/// Why an attempt at a transaction did not end well.
pub(super) enum Failed {
    Fault(Fault),
    /// COMMIT was sent, and whether it arrived is not known.
    Unclear(Option<Xid>),
}

impl Failed {
    pub(super) fn into_fault(self) -> Fault {
        match self {
            Self::Fault(fault) => fault,
            Self::Unclear(_) => StoreError::OutcomeUnknown.into(),
        }
    }
}

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// How far a transaction came.
#[derive(Default)]
pub(super) struct Committing {
    pub(super) xid: Option<Xid>,
    /// Whether COMMIT was sent.
    pub(super) sent: bool,
}

/// How a transaction ended.
pub(super) enum Ended<T> {
    Committed(T),
    RolledBack(Fault),
    /// The connection is not to be used again.
    Broken(Fault),
    /// Neither, and COMMIT was sent.
    Unclear,
}

/// Runs `work` in a transaction, and commits it where all went well. How far it came stands in `committing`, for
/// whoever waits no longer.
pub(super) async fn transaction<T>(
    connection: &AsyncPgConnection,
    begin: &str,
    numbered: bool,
    work: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>>,
    committing: &mut Committing,
) -> Ended<T> {
    let mut statements = connection;
    if let Err(error) = statements.batch_execute(begin).await {
        return Ended::Broken(error.into());
    }
    // The question for the number travels with the first statement.
    let number = async { if numbered { outcome::current(connection).await.ok() } else { None } };
    let (xid, done) = futures::join!(number, work(Connection::Postgres(connection)));
    committing.xid = xid;
    match done {
        Ok(_) if numbered && xid.is_none() => match statements.batch_execute("ROLLBACK").await {
            Ok(()) => Ended::RolledBack(unavailable("the transaction has no ID")),
            Err(error) => Ended::Broken(error.into()),
        },
        Ok(value) => {
            if let Err(refused) = failpoints::refused() {
                return match statements.batch_execute("ROLLBACK").await {
                    Ok(()) => Ended::RolledBack(refused),
                    Err(error) => Ended::Broken(error.into()),
                };
            }
            committing.sent = true;
            if failpoints::lost().is_err() {
                return Ended::Unclear;
            }
            match statements.batch_execute("COMMIT").await {
                Ok(()) if failpoints::unanswered().is_err() => Ended::Unclear,
                Ok(()) => Ended::Committed(value),
                Err(diesel::result::Error::DatabaseError(kind, info)) if !is_gone(info.message()) => {
                    Ended::RolledBack(diesel::result::Error::DatabaseError(kind, info).into())
                }
                Err(_) => Ended::Unclear,
            }
        }
        Err(fault) => match statements.batch_execute("ROLLBACK").await {
            Ok(()) => Ended::RolledBack(fault),
            Err(_) => Ended::Broken(fault),
        },
    }
}

/// Whether the error tells of a connection that is gone, not of a COMMIT that was refused.
fn is_gone(message: &str) -> bool {
    ["connection closed", "terminating connection", "error communicating"].iter().any(|sign| message.contains(sign))
}
