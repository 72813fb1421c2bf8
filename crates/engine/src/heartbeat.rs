//! A check that the loops of an engine are still running.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tidings_domain::ports::Pool;
use tokio::time::Instant;

/// A loop without a turn for this long counts as stuck. Each loop turns far more often, at least to check for due work.
const STALLED_AFTER: Duration = Duration::from_secs(30);

/// The times of the last turns of an engine's loops. Clones refer to the same engine.
#[derive(Debug, Clone)]
pub struct Heartbeat {
    began: Instant,
    /// For each pool: milliseconds from `began` to the last turn.
    turns: Arc<[AtomicU64; Pool::ALL.len()]>,
    stopped: Arc<Mutex<bool>>,
}

impl Heartbeat {
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), turns: Arc::default(), stopped: Arc::default() }
    }

    pub(crate) fn note_turn(&self, pool: Pool) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        if let Some(turn) = self.turn(pool) {
            turn.store(now, Ordering::Relaxed);
        }
    }

    pub(crate) fn stop(&self) {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }

    fn turn(&self, pool: Pool) -> Option<&AtomicU64> {
        Pool::ALL.iter().position(|it| *it == pool).and_then(|place| self.turns.get(place))
    }

    /// Returns the pools with a stuck or stopped loop.
    pub fn stalled_pools(&self) -> Vec<Pool> {
        if *self.stopped.lock().unwrap_or_else(PoisonError::into_inner) {
            return Pool::ALL.to_vec();
        }
        let elapsed = self.began.elapsed();
        let last = |pool: &Pool| self.turn(*pool).map_or(0, |turn| turn.load(Ordering::Relaxed));
        let is_stalled = |pool: &Pool| elapsed.saturating_sub(Duration::from_millis(last(pool))) > STALLED_AFTER;
        Pool::ALL.into_iter().filter(is_stalled).collect()
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn reports_loops_that_do_not_turn() {
        let heartbeat = Heartbeat::new();
        advance(STALLED_AFTER).await;
        assert_eq!(heartbeat.stalled_pools(), []);
        heartbeat.note_turn(Pool::Sends);
        advance(Duration::from_millis(1)).await;
        assert_eq!(heartbeat.stalled_pools(), [Pool::Work, Pool::Deliveries, Pool::Polls]);
        [Pool::Work, Pool::Deliveries, Pool::Polls].into_iter().for_each(|pool| heartbeat.note_turn(pool));
        assert_eq!(heartbeat.stalled_pools(), []);
        heartbeat.stop();
        assert_eq!(heartbeat.stalled_pools(), Pool::ALL);
    }
}
