//! The rate limiter of one process, with a rolling window for each client.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

use super::limiter::{Decision, RateWindow};
use crate::ports::{LimitedClient, RateLimiter};
use crate::time::Timestamp;

/// The number of rate windows at which idle ones are first dropped.
const FIRST_SWEEP: usize = 1_024;

/// A limiter without shared counts. Each of several instances admits its share of the limit.
#[derive(Debug)]
pub struct RateWindowsInProcess {
    parts: u32,
    windows: Mutex<RateWindows>,
}

#[derive(Debug)]
struct RateWindows {
    by_client: HashMap<LimitedClient, RateWindow>,
    sweep_at: usize,
}

impl Default for RateWindowsInProcess {
    fn default() -> Self {
        Self::one_of(1)
    }
}

impl RateWindowsInProcess {
    /// Creates the windows of one of `instances` instances.
    pub fn one_of(instances: u32) -> Self {
        let windows = Mutex::new(RateWindows { by_client: HashMap::new(), sweep_at: FIRST_SWEEP });
        Self { parts: instances.max(1), windows }
    }

    fn count(&self, client: LimitedClient, limit: u32, now: Timestamp) -> Decision {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.by_client.len() >= windows.sweep_at {
            windows.by_client.retain(|_, window| !window.is_idle(now.millis()));
            // Twice the number in use: sweeps stay cheap with many busy clients.
            windows.sweep_at = FIRST_SWEEP.max(windows.by_client.len() * 2);
        }
        let decision = windows.by_client.entry(client).or_default().admit(limit / self.parts, now.millis());
        Decision { limit, ..decision }
    }
}

#[async_trait]
impl RateLimiter for RateWindowsInProcess {
    async fn admit(&self, client: LimitedClient, limit: u32, now: Timestamp) -> Decision {
        self.count(client, limit, now)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::{TypedId, WorkspaceId};

    fn workspace(number: u128) -> LimitedClient {
        LimitedClient::Workspace(WorkspaceId::from_uuid(Uuid::from_u128(number)))
    }

    #[test]
    fn removes_windows_of_idle_clients_only() {
        let windows = RateWindowsInProcess::default();
        let start = Timestamp::EPOCH_2026;
        let later = Timestamp::from_millis(start.millis() + 120_000);
        for number in 0..FIRST_SWEEP as u128 - 1 {
            windows.count(workspace(number), 5, start);
        }
        windows.count(workspace(7_000), 5, later);
        assert_eq!(windows.count(workspace(8_000), 5, later).remaining, 4);
        assert_eq!(windows.windows.lock().unwrap().by_client.len(), 2);
        assert_eq!(windows.count(workspace(7_000), 5, later).remaining, 3);
    }

    #[test]
    fn several_instances_together_admit_no_more_than_the_limit() {
        let instances: Vec<_> = (0..3).map(|_| RateWindowsInProcess::one_of(3)).collect();
        let now = Timestamp::EPOCH_2026;
        let ask = |instance: &RateWindowsInProcess| instance.count(workspace(1), 10, now);
        let admitted = instances.iter().flat_map(|it| (0..10).map(move |_| ask(it))).filter(|it| it.admitted);
        let admitted: Vec<_> = admitted.collect();
        assert_eq!(admitted.len(), 9);
        assert!(admitted.iter().all(|decision| decision.limit == 10));
    }
}
