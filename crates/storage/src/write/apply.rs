//! Applies change sets inside a transaction: guards first, then rows.

use diesel_async::AsyncPgConnection;
use tidings_domain::ports::{ChangeSet, Conflict, MAX_BYTES, MAX_ROWS};

use super::conflicts::is_of_one;
use super::locks::Locks;
use super::passed_guards::PassedGuards;
use super::row_location::LockWait;
use super::run;
use super::write_plan::WritePlan;
use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::jobs;
use crate::write::guards;

pub(crate) fn check_size(set: &ChangeSet) -> Result<(), Fault> {
    let bytes: usize = set.events.iter().map(|event| event.full.len() + event.thin.len()).sum();
    if set.rows() > MAX_ROWS || bytes > 4 * MAX_BYTES {
        return Err(jobs::too_large(set.rows()).into());
    }
    Ok(())
}

/// Writes one set inside an open transaction. Reports the first conflict in the order of guards, changes, events, jobs
/// and the idempotency record.
pub(crate) async fn apply(c: &mut Connection<'_>, set: &ChangeSet) -> Result<(), Fault> {
    let plan = WritePlan::of(std::slice::from_ref(set));
    match c {
        // Guards and rows are pipelined. Conflicts of guards are reported first.
        Connection::Postgres(connection) if set.guards.iter().all(is_of_one) => {
            let locks = Locks::of(std::slice::from_ref(set));
            let (held, written) = futures::join!(locks.take(connection, LockWait::Wait), run::run(c, plan));
            match held {
                Ok(held) => held.judge(set).and(written),
                Err(fault) => run::first_fault([fault].into_iter().chain(written.err()).collect()),
            }
        }
        Connection::Postgres(_) | Connection::Sqlite(_) => {
            for guard in &set.guards {
                guards::check(c, set, guard).await?;
            }
            run::run(c, plan).await
        }
    }
}

/// Writes one set inside an open transaction of SQLite, behind other sets. Guards that these have passed are not checked
/// again.
pub(crate) async fn apply_behind(
    c: &mut Connection<'_>,
    set: &ChangeSet,
    passed: &mut PassedGuards,
) -> Result<(), Fault> {
    for guard in &set.guards {
        if !passed.contain(set, guard) {
            guards::check(c, set, guard).await?;
            passed.add(set, guard);
        }
    }
    let written = run::run(c, WritePlan::of(std::slice::from_ref(set))).await;
    passed.note_written(set);
    written
}

/// The outcome of sets that share a transaction. All sets not listed here are written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shared {
    /// Sets with a conflict that their guards show.
    pub(crate) refused: Vec<(usize, Conflict)>,
    /// Sets that must commit alone: other transactions have locked their rows, or they have a conflict that their
    /// guards do not show.
    pub(crate) apart: Vec<usize>,
}

impl Shared {
    /// Returns true if the set at this index was written.
    pub(crate) fn has_written(&self, place: usize) -> bool {
        !self.apart.contains(&place) && !self.refused.iter().any(|(refused, _)| *refused == place)
    }
}

/// Writes sets that do not write what another set writes or guards. First locks their guards and all rows that they
/// write, in a fixed order, and excludes sets with conflicts. Then writes the rows.
pub(crate) async fn apply_together(connection: &AsyncPgConnection, sets: &[ChangeSet]) -> Result<Shared, Fault> {
    let held = Locks::of(sets).take(connection, LockWait::PassBy).await?;
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
    run::run(&mut Connection::Postgres(connection), WritePlan::of(left)).await?;
    Ok(shared)
}
