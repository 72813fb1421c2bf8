//! A task that stores the usage log each second, notifies streams, and removes old entries.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tidings_domain::access::attempts::MEMORY;
use tidings_domain::access::usage::{KeyUse, UsageRecord};
use tidings_domain::hints::{ChangedKind, Hint};
use tidings_domain::ports::StoreError;
use tidings_domain::retention::days;

use crate::pipeline::state::State;
use crate::pipeline::usage_log::Waiting;
use crate::pipeline::usage_rule;

/// The number of requests in a write.
const BATCH: usize = 500;
const EVERY: Duration = Duration::from_secs(1);
/// The number of writes between two removals of old entries.
const TIDY_AFTER: u32 = 60;
/// The maximum number of rows of a removal.
const PORTION: u32 = 1_000;

impl State {
    /// Stores the buffered requests, and notifies the streams of their workspaces. Requests that cannot be stored are
    /// dropped and counted.
    pub async fn write_usage(&self) {
        let Waiting { requests, uses } = self.usage.take();
        let mut uses: Vec<KeyUse> = uses.into_values().collect();
        let mut rest = requests.into_iter().peekable();
        let mut told = HashSet::new();
        while rest.peek().is_some() || !uses.is_empty() {
            let batch: Vec<UsageRecord> = rest.by_ref().take(BATCH).collect();
            let (lost, new) = (batch.len() as u64, usage_rule::told_of(&batch));
            match self.services.ports.usage.record(batch, std::mem::take(&mut uses)).await {
                Ok(()) => told.extend(new),
                Err(error) => {
                    self.usage.lose(lost);
                    tracing::warn!(%error, lost, "cannot write requests to the usage log");
                }
            }
        }
        let hint = [Hint::several(ChangedKind::Request)];
        told.into_iter().for_each(|workspace| self.hints.tell(workspace, &hint));
    }

    /// Returns the number of lost requests since the start.
    pub fn usage_dropped(&self) -> u64 {
        self.usage.dropped()
    }

    /// Runs forever: stores the usage log each second, and removes old entries.
    pub async fn keep_usage(self: Arc<Self>) {
        let mut second = tokio::time::interval(EVERY);
        second.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            for _ in 0..TIDY_AFTER {
                second.tick().await;
                self.write_usage().await;
                // At least a second between two notifications, even after a slow write.
                second.reset();
            }
            if let Err(error) = self.tidy().await {
                tracing::warn!(%error, "cannot remove old sessions and requests");
            }
        }
    }

    async fn tidy(&self) -> Result<(), StoreError> {
        let now = self.services.ports.clock.now();
        let before = now.minus(days(self.usage_days));
        while self.services.ports.usage.expire(before, PORTION).await? >= u64::from(PORTION) {}
        let (accounts, forgotten) = (&self.services.ports.accounts, now.minus(MEMORY));
        while accounts.expire(now, forgotten, PORTION).await? >= u64::from(PORTION) {}
        Ok(())
    }
}

#[cfg(test)]
mod tests;
