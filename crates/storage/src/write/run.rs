//! Runs the steps of a plan in order.

use diesel_async::AsyncPgConnection;
use futures::FutureExt;
use tidings_domain::ports::StoreError;

use super::rows::Rows;
use super::step::Write;
use super::write_plan::WritePlan;
use super::write_rows;
use crate::connection::Connection;
use crate::connection::faults::Fault;

/// At most this many statements are sent before their results arrive.
const AHEAD: usize = 24;

/// Runs all steps. On PostgreSQL, steps of one statement are pipelined in order. Returns the error of the first
/// statement that fails: the others fail with the transaction.
pub(super) async fn run(c: &mut Connection<'_>, plan: WritePlan<'_>) -> Result<(), Fault> {
    match c {
        Connection::Sqlite(_) => {
            for step in plan.steps {
                match step {
                    Write::Grouped(rows) => write_rows::write(c, rows).await?,
                    Write::Unbatched(change) => change.write(c).await?,
                }
            }
        }
        Connection::Postgres(connection) => {
            let mut ahead = Vec::new();
            for step in plan.steps {
                match step {
                    Write::Grouped(rows) => {
                        ahead.push(rows);
                        if ahead.len() == AHEAD {
                            send(connection, std::mem::take(&mut ahead)).await?;
                        }
                    }
                    Write::Unbatched(change) => {
                        send(connection, std::mem::take(&mut ahead)).await?;
                        change.write(&mut Connection::Postgres(connection)).await?;
                    }
                }
            }
            send(connection, ahead).await?;
        }
    }
    Ok(())
}

/// Sends a statement for each kind of rows, without waiting for earlier results.
async fn send(connection: &AsyncPgConnection, ahead: Vec<Rows<'_>>) -> Result<(), Fault> {
    let one = |rows| async move { write_rows::write(&mut Connection::Postgres(connection), rows).await }.boxed();
    let outcomes = futures::future::join_all(ahead.into_iter().map(one)).await;
    first_fault(outcomes.into_iter().filter_map(Result::err).collect())
}

/// Returns the first error of pipelined statements. A statement that is new to its connection is prepared first and may
/// arrive after a later one that failed. Its error only says that the transaction has failed.
pub(super) fn first_fault(faults: Vec<Fault>) -> Result<(), Fault> {
    let follows = |fault: &Fault| matches!(fault, Fault::Store(StoreError::Unavailable(_)));
    let (follow, mut tell): (Vec<_>, Vec<_>) = faults.into_iter().partition(follows);
    tell.extend(follow);
    tell.into_iter().next().map_or(Ok(()), Err)
}
