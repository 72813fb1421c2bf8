//! The clocks of sandboxes.

use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use crate::ids::WorkspaceId;
use crate::memory::apply::Applied;
use crate::memory::{JobRecord, MemoryStore, State};
use crate::ports::{Agenda, Conflict, SandboxQueries, StoreError};
use crate::sandboxes::SandboxChange;
use crate::time::Timestamp;

/// A sandbox's clock, with the process that moves it.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::memory) struct KeptClock {
    ahead: Duration,
    held: Option<(Uuid, Timestamp)>,
}

#[async_trait]
impl SandboxQueries for MemoryStore {
    async fn ahead(&self, sandbox: WorkspaceId) -> Result<Duration, StoreError> {
        Ok(self.lock().sandboxes.get(&sandbox).map_or(Duration::ZERO, |clock| clock.ahead))
    }

    async fn agenda(&self, sandbox: WorkspaceId) -> Result<Agenda, StoreError> {
        let state = self.lock();
        let own = state.jobs.values().filter(|job| job.workspace == sandbox && job.dead.is_none());
        let (claimed, waiting): (Vec<_>, Vec<_>) = own.partition(|job| job.claimed);
        let is_held = state.held_by(sandbox).is_some();
        let heads = state.heads();
        let may_come = |job: &&&JobRecord| {
            let is_next = job.queued.job.columns().lane.is_none() || heads.contains(&job.queued.id);
            !job.parked && is_next && !(is_held && job.queued.job.pool().leaves())
        };
        Ok(Agenda {
            busy: !claimed.is_empty(),
            next: waiting.iter().filter(may_come).map(|job| job.queued.due_at).min(),
        })
    }
}

impl State {
    pub(in crate::memory) fn change_sandboxes(&mut self, ws: WorkspaceId, change: SandboxChange) -> Applied {
        let clock = self.sandboxes.entry(ws).or_default();
        let is_of = |holder: Uuid| clock.held.is_some_and(|(held_by, _)| held_by == holder);
        match change {
            SandboxChange::Hold { holder, now, until } => {
                if clock.held.is_some_and(|(held_by, until)| held_by != holder && until > now) {
                    return Err(Conflict::ClaimLost.into());
                }
                clock.held = Some((holder, until));
            }
            SandboxChange::Release { holder } => clock.held = clock.held.filter(|_| !is_of(holder)),
            SandboxChange::Advance { holder, by, now } => {
                if !is_of(holder) {
                    return Err(Conflict::ClaimLost.into());
                }
                clock.ahead += by;
                let moved = |job: &&mut JobRecord| {
                    job.workspace == ws && !job.claimed && !job.parked && job.dead.is_none() && job.queued.due_at > now
                };
                let mut nearer = Vec::new();
                for job in self.jobs.values_mut().filter(moved) {
                    job.queued.due_at = job.queued.due_at.minus(by).max(now);
                    nearer.push((job.queued.id, job.queued.due_at));
                }
                for (job, due_at) in nearer {
                    self.plan_delivery(ws, job, Some(due_at));
                }
            }
            SandboxChange::Empty { holder } => {
                if !is_of(holder) {
                    return Err(Conflict::ClaimLost.into());
                }
                self.empty(ws);
            }
        }
        Ok(())
    }

    /// Removes everything of a workspace except its row, channels, keys, members, request log and audit log.
    pub(in crate::memory) fn empty(&mut self, ws: WorkspaceId) {
        self.unparsed.retain(|(of, _), _| *of != ws);
        self.provider_events.retain(|(of, _), _| *of != ws);
        self.contacts.retain(|(of, _), _| *of != ws);
        self.identities.retain(|(of, _), _| *of != ws);
        self.links.retain(|(of, _), _| *of != ws);
        self.values.retain(|(of, _), _| *of != ws);
        self.custom_events.retain(|(of, _), _| *of != ws);
        self.erasures.retain(|(of, _), _| *of != ws);
        self.merges.retain(|(of, _), _| *of != ws);
        self.opt_outs.retain(|(of, _), _| *of != ws);
        self.references.retain(|(of, _), _| *of != ws);
        self.conversations.retain(|(of, _), _| *of != ws);
        self.messages.retain(|(of, _), _| *of != ws);
        self.flows.retain(|(of, _), _| *of != ws);
        self.versions.retain(|(of, _), _| *of != ws);
        self.filled.retain(|(of, _), _| *of != ws);
        self.triggers.retain(|(of, _), _| *of != ws);
        self.awaited.retain(|(of, _), _| *of != ws);
        self.schedules.retain(|(of, _), _| *of != ws);
        self.runs.retain(|(of, _), _| *of != ws);
        self.node_counts.retain(|(of, _), _| *of != ws);
        self.segment_counts.retain(|(of, _), _| *of != ws);
        self.segment_refreshes.retain(|(of, _), _| *of != ws);
        self.bulk_operations.retain(|(of, _), _| *of != ws);
        self.imports.retain(|(of, _), _| *of != ws);
        self.import_tables.retain(|(of, _), _| *of != ws);
        self.import_rejects.retain(|(of, _), _| *of != ws);
        self.broadcasts.retain(|(of, _), _| *of != ws);
        self.broadcast_recipients.retain(|(of, _), _| *of != ws);
        self.broadcast_counts.retain(|(of, _), _| *of != ws);
        self.sequences.retain(|(of, _), _| *of != ws);
        self.enrollments.retain(|(of, _), _| *of != ws);
        self.webhooks.retain(|(of, _), _| *of != ws);
        self.events.retain(|(of, _), _| *of != ws);
        self.deliveries.retain(|(of, _), _| *of != ws);
        self.counts.retain(|(of, _), _| *of != ws);
        self.replays.retain(|(of, _), _| *of != ws);
        self.attempts.retain(|(of, _), _| *of != ws);
        self.facts.retain(|(of, _), _| *of != ws);
        self.counters.retain(|(of, _), _| *of != ws);
        self.reply_times.retain(|(of, _), _| *of != ws);
        self.answers.retain(|(of, _), _| *of != ws);
        self.tables.empty(ws);
        self.opt_out_keys.remove(&ws);
        self.flow_recipients.retain(|(of, ..)| *of != ws);
        self.unnumbered.retain(|(of, _)| *of != ws);
        self.jobs.retain(|_, job| job.workspace != ws);
        // Positions continue after the existing ones.
        self.stored.remove(&ws);
        self.sandboxes.remove(&ws);
    }
}
