//! One transaction on one connection, from BEGIN to the answer to COMMIT or its absence.

use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use futures::future::BoxFuture;
use tidings_domain::ports::StoreError;

use super::outcome::{self, Xid};
use super::unavailable;
use crate::connection::faults::Fault;
use crate::connection::{Connection, failpoints};

/// The reason why a transaction failed.
pub(super) enum TransactionError {
    Fault(Fault),
    /// COMMIT was sent, and its outcome is unknown.
    Unclear(Option<Xid>),
}

impl TransactionError {
    pub(super) fn into_fault(self) -> Fault {
        match self {
            Self::Fault(fault) => fault,
            Self::Unclear(_) => StoreError::OutcomeUnknown.into(),
        }
    }
}

impl From<Fault> for TransactionError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

#[derive(Default)]
pub(super) struct Committing {
    pub(super) xid: Option<Xid>,
    pub(super) sent: bool,
}

pub(super) enum Ended<T> {
    Committed(T),
    RolledBack(Fault),
    /// The connection must not be reused.
    Broken(Fault),
    /// COMMIT was sent, and the outcome is unknown.
    Unclear,
}

/// Runs `work` in a transaction and commits it on success. `committing` contains the progress, for a caller that stops
/// waiting.
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
    // The query for the ID is pipelined with the first statement.
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

/// Returns true if the error means a lost connection and not a rejected COMMIT.
fn is_gone(message: &str) -> bool {
    ["connection closed", "terminating connection", "error communicating"].iter().any(|sign| message.contains(sign))
}
