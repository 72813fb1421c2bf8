//! The loop that gives committed events their positions in the feed.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::pool::{LoopContext, stopped};

/// Interval between searches for events without a position. An event appears in the feed after at most this time plus
/// the time of the numbering.
const EVERY: Duration = Duration::from_millis(200);
/// Lease: for this long, no other process numbers events after this one did.
const LEASE: Duration = Duration::from_secs(5);
/// Maximum number of events that one transaction numbers.
const BATCH: u32 = 1_000;

/// Numbers events until `stop` turns true.
pub(crate) async fn number_events(context: LoopContext, mut stop: watch::Receiver<bool>) {
    let holder = context.name();
    let mut beat = interval(EVERY);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut failing = false;
    loop {
        tokio::select! {
            () = stopped(&mut stop) => return,
            _ = beat.tick() => {}
        }
        // After a full batch, the next one follows at once.
        loop {
            match context.store.number_events(holder, LEASE, BATCH, context.clock.now()).await {
                Ok(numbered) => {
                    failing = false;
                    if numbered < u64::from(BATCH) || *stop.borrow() {
                        break;
                    }
                }
                Err(error) => {
                    if !std::mem::replace(&mut failing, true) {
                        tracing::warn!(%error, "events could not be numbered; retrying");
                    }
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tidings_domain::ports::{MockEngineStore, StoreError};

    use super::*;
    use crate::testing::{Scripted, loop_context};

    #[tokio::test(start_paused = true)]
    async fn numbers_full_batches_at_once_and_retries_failures() {
        let mut store = MockEngineStore::new();
        let mut answers =
            vec![Ok(1_000), Ok(1_000), Ok(3), Err(StoreError::Unavailable("a test".to_owned())), Ok(0)].into_iter();
        store
            .expect_number_events()
            .withf(|holder, _, limit, _| !holder.is_nil() && *limit == 1_000)
            .times(5)
            .returning(move |_, _, _, _| answers.next().unwrap());
        let (stop, stopped) = watch::channel(false);
        let numbering = tokio::spawn(number_events(loop_context(store, Scripted::default()), stopped));
        tokio::time::sleep(Duration::from_millis(500)).await;
        stop.send(true).unwrap();
        numbering.await.unwrap();
    }
}
