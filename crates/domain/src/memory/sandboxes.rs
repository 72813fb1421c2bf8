//! The clocks of sandboxes.

use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::apply::Applied;
use super::{JobRecord, MemoryStore, State};
use crate::ids::WorkspaceId;
use crate::ports::{Agenda, Conflict, SandboxQueries, StoreError};
use crate::sandboxes::SandboxChange;
use crate::time::Timestamp;

/// A sandbox's clock, with the process that moves it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KeptClock {
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
    pub(super) fn change_sandboxes(&mut self, ws: WorkspaceId, change: SandboxChange) -> Applied {
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
    pub(super) fn empty(&mut self, ws: WorkspaceId) {
        macro_rules! without {
            ($($rows:ident),* $(,)?) => { $(self.$rows.retain(|(of, _), _| *of != ws);)* };
        }
        without!(
            unparsed,
            contacts,
            identities,
            links,
            values,
            custom_events,
            erasures,
            merges,
            opt_outs,
            fields,
            bot_fields,
            references,
            conversations,
            messages,
            flows,
            versions,
            filled,
            triggers,
            awaited,
            schedules,
            runs,
            node_counts,
            segment_counts,
            segment_refreshes,
            bulk_operations,
            imports,
            import_tables,
            import_rejects,
            broadcasts,
            broadcast_recipients,
            broadcast_counts,
            sequences,
            enrollments,
            webhooks,
            events,
            deliveries,
            counts,
            replays,
            attempts,
            facts,
            counters,
            reply_times,
            answers,
        );
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
