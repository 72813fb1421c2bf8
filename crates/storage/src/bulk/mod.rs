//! Several change sets at once on PostgreSQL: one statement for each kind of row, however many sets.
//!
//! Only plain sets are written so: those whose changes are rows of their own, or counts that commute, so that it does
//! not matter in which order they are made. If anything contradicts, nothing is written, and the sets are tried again
//! in halves until the one that contradicts is alone; what it contradicted by goes alone from then on.
//!
//! The log of requests and its sums, which go past the ledger, are written by statements of the same kind.

mod contents;
mod contradictions;
mod rows;

pub(crate) use contents::is_plain;
pub(crate) use contradictions::Contradictions;
pub(crate) use rows::{add_usage, insert_jobs, insert_usage, remove_usage};

use diesel_async::AsyncPgConnection;
use tidings_domain::ports::{ChangeSet, Conflict, StoreError};

use crate::faults::Fault;
use contents::Contents;

/// Writes all of the sets inside a transaction that somebody else began. The statements are sent without waiting for
/// one another.
pub(crate) async fn apply(connection: &AsyncPgConnection, sets: &[ChangeSet]) -> Result<(), Fault> {
    let it = Contents::of(sets)?;
    // All are waited for, whatever becomes of the first: the connection must be at rest afterwards. They are sent in
    // this order; the counts last, because other processes may wait for those rows.
    let (webhooks, channels, finished, updated, answers, inserted, stamps, counts) = futures::join!(
        rows::hold_webhooks(connection, &it.webhooks),
        rows::hold_channels(connection, &it.channels),
        rows::finish_jobs(connection, &it.finished),
        rows::update_deliveries(connection, &it.updated),
        rows::keep_answers(connection, &it.answers),
        async {
            futures::join!(
                rows::insert_contacts(connection, &it.contacts),
                rows::insert_identities(connection, &it.identities),
                rows::insert_events(connection, &it.events),
                rows::insert_jobs(connection, &it.jobs),
                rows::record_facts(connection, &it.facts),
                rows::insert_deliveries(connection, &it.deliveries),
                rows::insert_attempts(connection, &it.attempts),
            )
        },
        rows::stamp_webhooks(connection, &it.stamps),
        rows::count_attempts(connection, &it.counts),
    );
    let (contacts, identities, events, jobs, facts, deliveries, attempts) = inserted;
    for outcome in [contacts, identities, events, jobs, facts, deliveries, attempts, stamps, counts] {
        outcome?;
    }
    all(answers?, it.answers.len(), Conflict::IdempotencyKeyUsed)?;
    let fenced = [(webhooks, it.webhooks.len()), (channels, it.channels.len())];
    for (found, wanted) in fenced.into_iter().chain([(finished, it.finished.len()), (updated, it.updated.len())]) {
        all(found?, wanted, Conflict::ClaimLost)?;
    }
    Ok(())
}

/// Every row was there as expected.
fn all(touched: usize, wanted: usize, otherwise: Conflict) -> Result<(), Fault> {
    if touched == wanted { Ok(()) } else { Err(otherwise.into()) }
}

/// A set that is not plain came here: a mistake of this crate.
fn misplaced() -> Fault {
    StoreError::Corrupt("a change set that is not plain among plain ones".to_owned()).into()
}
