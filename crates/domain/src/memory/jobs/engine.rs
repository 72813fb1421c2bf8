//! Claims, numbering of events and expiry, for the engine. The lease of a claim is stored in the due time of the job.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use async_trait::async_trait;

use uuid::Uuid;

use crate::access::storage_usage::{StorageUsage, StoredBytes, StoredPlace, StoredPortion};
use crate::channels::ChannelStatus;
use crate::flows::Run;
use crate::ids::{ChannelId, EventId, WorkspaceId};
use crate::memory::{JobRecord, MemoryStore, State};
use crate::ports::{
    Claim, ClaimRequest, ClaimedJob, ConnectedChannel, DeletedContact, EngineStore, FilePlace, HeldClaim, Lease,
    NewJob, Pool, StoreError, StoredEvent, SweepPlace,
};
use crate::references::Referent;
use crate::time::Timestamp;
use crate::webhooks::{Delivery, DeliveryStatus};
use crate::work::MOST_CLAIMS;

impl JobRecord {
    fn claim(&mut self, until: Timestamp) -> ClaimedJob {
        self.claimed = true;
        self.token += 1;
        self.queued.due_at = until;
        let NewJob { id, job, .. } = self.queued;
        ClaimedJob { id, workspace: self.workspace, job, token: self.token, attempts: self.attempts, delivery: None }
    }
}

/// Returns the keys of the oldest rows.
fn oldest<K: Ord>(rows: impl Iterator<Item = (Timestamp, K)>, limit: u32) -> Vec<K> {
    let mut old: Vec<_> = rows.collect();
    old.sort_unstable();
    old.truncate(limit as usize);
    old.into_iter().map(|(_, key)| key).collect()
}

/// Removes rows; returns their number.
fn remove<K: Ord, V>(rows: &mut BTreeMap<K, V>, keys: &[K]) -> u64 {
    for key in keys {
        rows.remove(key);
    }
    keys.len() as u64
}

#[async_trait]
impl EngineStore for MemoryStore {
    /// Claims in this store ignore pause marks.
    async fn pauses_ended(&self) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn claim(&self, request: ClaimRequest) -> Result<Vec<ClaimedJob>, StoreError> {
        let mut state = self.lock();
        let in_turn = request.pool == Pool::Deliveries;
        let skips = request.pool.waits_for_others();
        let is_full = |workspace: &WorkspaceId| skips && request.full_workspaces.contains(workspace);
        let is_due = |job: &JobRecord| {
            job.queued.job.pool() == request.pool
                && job.dead.is_none()
                && !job.parked
                && job.claims < MOST_CLAIMS
                && job.queued.due_at <= request.now
                && !is_full(&job.workspace)
                && !(request.pool.leaves() && state.held_by(job.workspace).is_some())
                && !job.queued.job.group().is_some_and(|group| request.full_groups.contains(&group))
        };
        let mut due: Vec<_> =
            state.jobs.iter().filter(|(_, job)| is_due(job)).map(|(id, job)| (job.queued.due_at, *id)).collect();
        due.sort_unstable();
        let heads = state.heads();
        due.retain(|(_, id)| {
            let lane = state.jobs.get(id).and_then(|job| job.queued.job.columns().lane);
            lane.is_none() || heads.contains(id)
        });
        due = match in_turn {
            true => state.taken_in_turn(due, &request),
            false => state.taken_around_workspaces(due, &request),
        };
        let mut claimed = Vec::new();
        for (_, id) in due.into_iter().take(request.limit as usize) {
            let delivery = state.jobs.get(&id).and_then(|job| state.told_of(job));
            let Some(job) = state.jobs.get_mut(&id) else { continue };
            job.claims += 1;
            claimed.push(ClaimedJob { delivery, ..job.claim(request.now.plus(request.lease)) });
        }
        Ok(claimed)
    }

    async fn poisoned(&self, limit: u32, lease: Duration, now: Timestamp) -> Result<Vec<ClaimedJob>, StoreError> {
        let mut state = self.lock();
        let is_poison =
            |job: &&mut JobRecord| job.dead.is_none() && job.claims >= MOST_CLAIMS && job.queued.due_at <= now;
        let poison = state.jobs.values_mut().filter(is_poison).take(limit as usize);
        Ok(poison.map(|job| job.claim(now.plus(lease))).collect())
    }

    async fn extend(&self, claims: Vec<HeldClaim>, lease: Duration, now: Timestamp) -> Result<Vec<Claim>, StoreError> {
        let mut state = self.lock();
        let mut extended = Vec::new();
        for HeldClaim { claim, .. } in claims {
            let held = state.jobs.get_mut(&claim.job).filter(|job| job.claimed && job.token == claim.token);
            if let Some(job) = held {
                job.queued.due_at = now.plus(lease);
                extended.push(claim);
            }
        }
        Ok(extended)
    }

    async fn next_due(&self, pool: Pool) -> Result<Option<Timestamp>, StoreError> {
        let state = self.lock();
        let heads = state.heads();
        let open = state.jobs.iter().filter(|(id, job)| {
            let is_open = job.queued.job.pool() == pool && job.dead.is_none() && !job.claimed;
            is_open && (job.queued.job.columns().lane.is_none() || heads.contains(id))
        });
        Ok(open.map(|(_, job)| job.queued.due_at).min())
    }

    async fn event(&self, workspace: WorkspaceId, event: EventId) -> Result<Option<StoredEvent>, StoreError> {
        let state = self.lock();
        Ok(state.events.get(&(workspace, event)).map(|it| StoredEvent {
            id: it.id,
            kind: it.kind,
            at: it.at,
            full: it.full.clone(),
            thin: it.thin.clone(),
        }))
    }

    async fn count_facts(&self, limit: u32) -> Result<u64, StoreError> {
        Ok(self.move_facts(limit))
    }

    async fn expire_idempotency(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let mut state = self.lock();
        let old = state.answers.iter().filter(|(_, record)| record.created_at < before);
        let old: Vec<_> = old.map(|(key, _)| key.clone()).take(limit as usize).collect();
        Ok(remove(&mut state.answers, &old))
    }

    async fn number_events(
        &self,
        holder: Uuid,
        lease: Duration,
        limit: u32,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let mut state = self.lock();
        if state.sequencer.is_some_and(|(other, until)| other != holder && until > now) {
            return Ok(0);
        }
        state.sequencer = Some((holder, now.plus(lease)));
        let count = state.unnumbered.len().min(limit as usize);
        let batch: Vec<_> = state.unnumbered.drain(..count).collect();
        for (ws, event) in batch {
            let last = state.positions.keys().filter(|(of, _)| *of == ws).map(|(_, position)| *position).max();
            state.positions.insert((ws, last.unwrap_or(0) + 1), event);
        }
        Ok(count as u64)
    }

    async fn expire_events(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let mut state = self.lock();
        let planned: BTreeSet<_> = state
            .deliveries
            .iter()
            .filter(|(_, it)| it.status == DeliveryStatus::Pending && it.next_attempt_at.is_some())
            .map(|((ws, _), it)| (*ws, it.event))
            .collect();
        let numbered: BTreeSet<_> = state.positions.iter().map(|((ws, _), event)| (*ws, *event)).collect();
        let old = state
            .events
            .iter()
            .filter(|(key, event)| event.at < before && numbered.contains(*key) && !planned.contains(*key));
        let old: BTreeSet<_> = old.map(|(key, _)| *key).take(limit as usize).collect();
        let State { events, deliveries, attempts, .. } = &mut *state;
        deliveries.retain(|(ws, id), it| {
            let goes = old.contains(&(*ws, it.event));
            if goes {
                attempts.retain(|(of, (delivery, _)), _| (of, delivery) != (ws, id));
            }
            !goes
        });
        events.retain(|key, _| !old.contains(key));
        state.forget_places();
        Ok(old.len() as u64)
    }

    async fn expire_deliveries(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let mut state = self.lock();
        let is_planned = |it: &Delivery| it.status == DeliveryStatus::Pending && it.next_attempt_at.is_some();
        let old = state.deliveries.iter().filter(|(_, it)| it.created_at < before && !is_planned(it));
        let old: BTreeSet<_> = old.map(|(key, _)| *key).take(limit as usize).collect();
        state.attempts.retain(|(ws, (delivery, _)), _| !old.contains(&(*ws, *delivery)));
        state.deliveries.retain(|key, _| !old.contains(key));
        state.forget_places();
        Ok(old.len() as u64)
    }

    async fn expire_unparsed(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let mut state = self.lock();
        let old = state.unparsed.iter().filter(|(_, it)| it.received_at < before);
        let old = oldest(old.map(|(key, it)| (it.received_at, *key)), limit);
        Ok(remove(&mut state.unparsed, &old))
    }

    async fn expire_provider_events(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let mut state = self.lock();
        let old = state.provider_events.iter().filter(|(_, at)| **at < before);
        let old = oldest(old.map(|(key, at)| (*at, *key)), limit);
        Ok(remove(&mut state.provider_events, &old))
    }

    async fn expire_media(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let mut state = self.lock();
        let unused = state.tables.media.iter().filter(|((ws, id), it)| {
            !it.used_by.is_used() && it.created_at < before && !state.is_referred_to(*ws, Referent::Media(*id))
        });
        let old = oldest(unused.map(|(key, it)| (it.created_at, *key)), limit);
        Ok(remove(&mut state.tables.media, &old))
    }

    async fn existing_media(&self, files: Vec<FilePlace>) -> Result<Vec<FilePlace>, StoreError> {
        let state = self.lock();
        let has_row = |file: &FilePlace| state.tables.media.contains_key(&(file.workspace, file.media));
        Ok(files.into_iter().filter(has_row).collect())
    }

    async fn expire_custom_events(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let mut state = self.lock();
        let old = state.custom_events.iter().filter(|(_, it)| it.at < before);
        let old = oldest(old.map(|(key, it)| (it.at, *key)), limit);
        Ok(remove(&mut state.custom_events, &old))
    }

    async fn erase_workspace(&self, now: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(self.lock().erase_workspace(now))
    }

    async fn expire_messages(
        &self,
        from: SweepPlace,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<SweepPlace>, StoreError> {
        Ok(self.lock().expire_messages(from, before, limit as usize))
    }

    async fn expire_conversations(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        Ok(self.lock().expire_conversations(before, limit as usize))
    }

    async fn deleted_contacts(
        &self,
        from: SweepPlace,
        before: Timestamp,
        limit: u32,
    ) -> Result<Vec<DeletedContact>, StoreError> {
        let state = self.lock();
        let deleted = state.contacts.iter().filter_map(|((workspace, contact), it)| {
            let deleted_at = it.deleted_at?;
            Some(DeletedContact { workspace: *workspace, contact: *contact, deleted_at })
        });
        let mut found: Vec<_> = deleted.filter(|it| it.deleted_at < before && it.place() > from).collect();
        found.sort_unstable_by_key(|it| it.place());
        found.truncate(limit as usize);
        Ok(found)
    }

    async fn connected_channels(
        &self,
        after: Option<(WorkspaceId, ChannelId)>,
        limit: u32,
    ) -> Result<Vec<ConnectedChannel>, StoreError> {
        let state = self.lock();
        let connected = state.channels.iter().filter(|(_, it)| it.status == ChannelStatus::Connected);
        let found = connected.filter(|(key, _)| after.is_none_or(|after| **key > after)).take(limit as usize);
        let round = |key: &(WorkspaceId, ChannelId)| state.channel_health.get(key).map_or(0, |health| health.round);
        Ok(found.map(|(key, _)| ConnectedChannel { workspace: key.0, channel: key.1, round: round(key) }).collect())
    }

    async fn expire_audit_log(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        Ok(self.lock().expire_audit_log(before, limit as usize))
    }

    async fn expire_traces(
        &self,
        from: Timestamp,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<Timestamp>, StoreError> {
        let mut state = self.lock();
        let ended = |run: &Run| run.ended_at.filter(|at| (from..before).contains(at) && !run.trace.is_empty());
        let mut old: Vec<_> = state.runs.iter().filter_map(|(key, run)| Some((ended(run)?, *key))).collect();
        old.sort_unstable();
        old.truncate(limit as usize);
        for (_, key) in &old {
            if let Some(run) = state.runs.get_mut(key) {
                run.trace.clear();
            }
        }
        Ok(old.last().filter(|_| old.len() == limit as usize).map(|(at, _)| *at))
    }

    async fn expire_runs(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let mut state = self.lock();
        let ended = state.runs.iter().filter_map(|(key, run)| Some((run.ended_at.filter(|at| *at < before)?, *key)));
        let old = oldest(ended, limit);
        Ok(remove(&mut state.runs, &old))
    }

    async fn expire_recipients(
        &self,
        from: Timestamp,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.lock().expire_recipients(from..before, limit as usize))
    }

    async fn fill_sort_keys(&self, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn take_lease(
        &self,
        lease: Lease,
        holder: Uuid,
        length: Duration,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        // There is at most one row per type of lease.
        let mut state = self.lock();
        let other = state.leases.get(lease.as_str()).is_some_and(|(other, until)| *other != holder && *until > now);
        if !other {
            state.leases.insert(lease.as_str(), (holder, now.plus(length)));
        }
        Ok(!other)
    }

    /// Returns everything at once, because the number of rows is small.
    async fn measure_stored(&self, _: StoredPlace, _: u32) -> Result<StoredPortion, StoreError> {
        Ok(StoredPortion { bytes: self.lock().stored_bytes(), next: None })
    }

    async fn last_measured(&self) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.lock().stored.values().filter_map(|it| it.measured_at).max())
    }

    async fn keep_stored(&self, bytes: Vec<(WorkspaceId, StoredBytes)>, at: Timestamp) -> Result<(), StoreError> {
        let mut state = self.lock();
        let new = bytes.iter().filter(|(ws, _)| !state.stored.contains_key(ws)).count();
        self.bounds.admit_more(&mut state, new, 0)?;
        state.stored.extend(bytes.into_iter().map(|(ws, bytes)| (ws, StorageUsage { bytes, measured_at: Some(at) })));
        Ok(())
    }

    async fn forget_stored(&self, before: Timestamp) -> Result<(), StoreError> {
        self.lock().stored.retain(|_, it| it.measured_at >= Some(before));
        Ok(())
    }

    async fn expire_counts(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let mut state = self.lock();
        let old = state.counts.keys().filter(|(_, (_, hour, _, _))| *hour < before);
        let old: Vec<_> = old.copied().take(limit as usize).collect();
        Ok(remove(&mut state.counts, &old))
    }
}
