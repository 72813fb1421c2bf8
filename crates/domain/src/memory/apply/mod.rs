//! Application of changes to a copy of the store.

mod deletes;
mod guards;
mod references;
mod rows;

use std::collections::BTreeMap;
use std::time::Duration;

use super::{JobRecord, State};
use crate::ids::WorkspaceId;
use crate::ports::{Change, ChangeSet, CommitError, Conflict, NewJob, Object, StoreError, UniqueKey};

pub(super) type Applied = Result<(), CommitError>;

/// Inserts a row with a new key.
pub(super) fn insert<K: Ord, T>(rows: &mut BTreeMap<K, T>, key: K, row: T) -> Applied {
    match rows.entry(key) {
        std::collections::btree_map::Entry::Vacant(place) => {
            place.insert(row);
            Ok(())
        }
        std::collections::btree_map::Entry::Occupied(_) => {
            Err(StoreError::Corrupt("the ID is in use".to_owned()).into())
        }
    }
}

/// Replaces a row, if the new version is the next one.
pub(super) fn update<K: Ord, T>(
    rows: &mut BTreeMap<K, T>,
    key: &K,
    row: T,
    version: impl Fn(&T) -> i64,
    object: Object,
) -> Applied {
    let place = rows.get_mut(key).filter(|place| version(place) + 1 == version(&row));
    *place.ok_or(Conflict::Stale(object))? = row;
    Ok(())
}

pub(super) fn delete<K: Ord, T>(rows: &mut BTreeMap<K, T>, key: &K, object: Object) -> Applied {
    rows.remove(key).map(|_| ()).ok_or_else(|| Conflict::Stale(object).into())
}

pub(super) fn unique(taken: bool, key: UniqueKey) -> Applied {
    if taken { Err(Conflict::Exists(key).into()) } else { Ok(()) }
}

/// A row of another workspace in a change set is a bug of its creator.
pub(super) fn own(ws: WorkspaceId, of: WorkspaceId) -> Applied {
    let foreign = || StoreError::Corrupt("a change set with a row of another workspace".to_owned());
    if ws == of { Ok(()) } else { Err(foreign().into()) }
}

pub(super) fn referenced(there: bool) -> Applied {
    if there { Ok(()) } else { Err(StoreError::Corrupt("the row refers to a missing row".to_owned()).into()) }
}

impl State {
    pub(super) fn apply(&mut self, set: ChangeSet) -> Applied {
        let ws = set.workspace;
        for guard in &set.guards {
            self.check(ws, guard)?;
        }
        let (deliveries, changes): (Vec<_>, Vec<_>) = set.changes.into_iter().partition(Change::follows_events);
        for change in changes {
            self.change(ws, change)?;
        }
        for event in set.events {
            self.unnumbered.push((ws, event.id));
            insert(&mut self.events, (ws, event.id), event)?;
        }
        for delivery in deliveries {
            self.change(ws, delivery)?;
        }
        for mut job in set.jobs {
            let lease = job.lease.take();
            if job.job.delivery(job.id).is_some() {
                // Writing the delivery, which is in the same set, has created the job.
                if let (Some(lease), Some(kept)) = (lease, self.jobs.get_mut(&job.id)) {
                    (kept.claimed, kept.token, kept.claims) = (true, NewJob::FIRST_TOKEN, 1);
                    kept.queued.due_at = job.due_at.plus(lease);
                }
                continue;
            }
            job.due_at = lease.map_or(job.due_at, |lease| job.due_at.plus(lease));
            let mut kept = JobRecord::new(ws, job);
            if lease.is_some() {
                (kept.claimed, kept.token, kept.claims) = (true, NewJob::FIRST_TOKEN, 1);
            }
            insert(&mut self.jobs, kept.queued.id, kept)?;
        }
        if let Some(record) = set.idempotency {
            let key = (ws, (record.method.clone(), record.route.clone(), record.key.clone()));
            let kept = self.answers.get(&key).map(|kept| kept.created_at);
            if kept.is_some_and(|at| at > record.created_at.minus(Duration::from_secs(86_400))) {
                return Err(Conflict::IdempotencyKeyUsed.into());
            }
            self.answers.insert(key, record);
        }
        Ok(())
    }

    /// Applies one change.
    fn change(&mut self, ws: WorkspaceId, change: Change) -> Applied {
        match change {
            Change::Insert(row) => self.insert_row(ws, row),
            Change::Update(row) => self.update_row(ws, row),
            Change::Delete(object) => self.delete_row(ws, object),
            Change::Access(it) => self.change_access(ws, it),
            Change::Account(it) => self.change_accounts(it),
            Change::Channel(it) => self.change_channels(ws, it),
            Change::Contact(it) => self.change_contacts(ws, it),
            Change::Tag(it) => self.change_tags(ws, it),
            Change::Field(it) => self.change_fields(ws, it),
            Change::Reference(it) => self.change_references(ws, it),
            Change::Conversation(it) => self.change_conversations(ws, it),
            Change::Erasure(it) => self.change_erasures(ws, it),
            Change::Merge(it) => self.change_merges(ws, it),
            Change::OptOut(it) => self.change_opt_outs(ws, it),
            Change::Flow(it) => self.change_flows(ws, it),
            Change::Sequence(it) => self.change_sequences(ws, it),
            Change::Broadcast(it) => self.change_broadcasts(ws, it),
            Change::Import(it) => self.change_imports(ws, it),
            Change::Webhook(it) => self.change_webhooks(ws, it),
            Change::Analytics(it) => self.change_analytics(ws, it),
            Change::Sandbox(it) => self.change_sandboxes(ws, it),
            Change::Job(it) => self.change_jobs(ws, it),
            Change::Audit(it) => self.log(ws, *it),
        }
    }
}
