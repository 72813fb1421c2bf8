//! Applies change sets inside a transaction: guards first, then rows.

use diesel_async::AsyncPgConnection;
use tidings_domain::ports::{ChangeSet, Conflict, MAX_BYTES, MAX_ROWS};

use super::locks::Locks;
use super::places::Patience;
use super::program::Program;
use super::run;
use super::shares::is_of_one;
use crate::connection::Connection;
use crate::faults::Fault;
use crate::{guards, jobs};

/// Refuses a set that is larger than any decision should be.
pub(crate) fn check_size(set: &ChangeSet) -> Result<(), Fault> {
    let bytes: usize = set.events.iter().map(|event| event.full.len() + event.thin.len()).sum();
    if set.rows() > MAX_ROWS || bytes > 4 * MAX_BYTES {
        return Err(jobs::too_large(set.rows()).into());
    }
    Ok(())
}

/// Writes all of one set, inside a transaction that somebody else began. The first contradiction in the order of guards,
/// changes, events, jobs and the idempotency record is the one that is told.
pub(crate) async fn apply(c: &mut Connection<'_>, set: &ChangeSet) -> Result<(), Fault> {
    let program = Program::of(std::slice::from_ref(set));
    match c {
        // Guards and rows are sent together; what the guards say is heard first.
        Connection::Postgres(connection) if set.guards.iter().all(is_of_one) => {
            let locks = Locks::of(std::slice::from_ref(set));
            let (held, written) = futures::join!(locks.take(connection, Patience::Wait), run::run(c, program));
            match held {
                Ok(held) => held.judge(set).and(written),
                Err(fault) => run::first_fault([fault].into_iter().chain(written.err()).collect()),
            }
        }
        Connection::Postgres(_) | Connection::Sqlite(_) => {
            for guard in &set.guards {
                guards::check(c, set, guard).await?;
            }
            run::run(c, program).await
        }
    }
}

/// What became of sets that share a transaction: all others are written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shared {
    /// Each of these contradicts what is there, as its guards say.
    pub(crate) refused: Vec<(usize, Conflict)>,
    /// These are to go alone: others hold rows of theirs, or it is not the guards that say what they contradict by.
    pub(crate) apart: Vec<usize>,
}

impl Shared {
    /// Whether the set at this place was written.
    pub(crate) fn has_written(&self, place: usize) -> bool {
        !self.apart.contains(&place) && !self.refused.iter().any(|(refused, _)| *refused == place)
    }
}

/// Writes sets of which none writes what another writes or guards: first their guards and all rows that they are going to
/// write, in one order of locks, and who contradicts is left out; then the rows.
pub(crate) async fn apply_together(connection: &AsyncPgConnection, sets: &[ChangeSet]) -> Result<Shared, Fault> {
    let held = Locks::of(sets).take(connection, Patience::PassBy).await?;
    let (mut left, mut shared) = (Vec::with_capacity(sets.len()), Shared::default());
    for (place, set) in sets.iter().enumerate() {
        match held.judge(set) {
            _ if !held.finds_all_of(set) => shared.apart.push(place),
            Ok(()) if held.has_all_written_by(set) => left.push(set),
            Ok(()) => shared.apart.push(place),
            Err(Fault::Conflict(conflict)) => shared.refused.push((place, conflict)),
            Err(fault) => return Err(fault),
        }
    }
    run::run(&mut Connection::Postgres(connection), Program::of(left)).await?;
    Ok(shared)
}
