//! The loop that adds up how much text each workspace stores.

use std::collections::BTreeMap;
use std::time::Duration;

use tidings_domain::access::storage_usage::{StoredBytes, StoredPlace};
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{Lease, StoreError};
use tidings_domain::time::Timestamp;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::pool::{LoopContext, stopped};

/// Interval between measurements.
const EVERY: Duration = Duration::from_secs(300);
/// Sums younger than this are current: other processes do not repeat them.
const CURRENT: Duration = Duration::from_secs(240);
/// Pause before the next attempt while another process measures.
const AGAIN: Duration = Duration::from_secs(10);
/// Lease of the measuring process. If it dies, another process can measure after this time.
const LEASE: Duration = Duration::from_secs(60);
/// Interval at which a long measurement renews its lease.
const RENEWAL: Duration = Duration::from_secs(20);
/// Maximum number of objects that one query reads. It takes milliseconds.
const PORTION: u32 = 2_000;
/// Maximum number of workspaces that one transaction writes.
const BATCH: usize = 500;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Current,
    Busy,
}

/// Measures stored text until `stop` turns true. A process always measures when it starts: text that another process
/// wrote is unknown until it is measured, and that process may have died.
pub(crate) async fn measure(context: LoopContext, mut stop: watch::Receiver<bool>) {
    let (holder, began) = (context.name(), context.clock.now());
    loop {
        let pause = tokio::select! {
            () = stopped(&mut stop) => return,
            outcome = add_up(&context, holder, began) => match outcome {
                Ok(Outcome::Current) => EVERY,
                Ok(Outcome::Busy) => AGAIN,
                Err(error) => {
                    tracing::warn!(%error, "stored text could not be measured; retrying in five minutes");
                    EVERY
                }
            }
        };
        tokio::select! {
            () = stopped(&mut stop) => return,
            () = sleep(pause) => {}
        }
    }
}

/// Returns true if the sums must be measured again: they are older than this process or than [`CURRENT`].
fn is_old(sums: Option<Timestamp>, began: Timestamp, now: Timestamp) -> bool {
    sums.is_none_or(|at| at < began.max(now.minus(CURRENT)))
}

/// Adds up all stored text, unless the sums are current or another process is measuring. It pauses after each portion
/// for as long as the portion took, to use at most half of a processor. It gives up if another process took over the
/// lease.
async fn add_up(context: &LoopContext, holder: Uuid, process_began: Timestamp) -> Result<Outcome, StoreError> {
    let (store, began) = (&context.store, context.clock.now());
    if !is_old(store.last_measured().await?, process_began, began) {
        return Ok(Outcome::Current);
    }
    let (mut sums, mut place) = (BTreeMap::<WorkspaceId, StoredBytes>::new(), Some(StoredPlace::default()));
    let mut renewal = Instant::now();
    while let Some(from) = place {
        if Instant::now() >= renewal {
            if !store.take_lease(Lease::Measuring, holder, LEASE, context.clock.now()).await? {
                return Ok(Outcome::Busy);
            }
            renewal = Instant::now() + RENEWAL;
        }
        let asked = Instant::now();
        let portion = store.measure_stored(from, PORTION).await?;
        for (workspace, bytes) in &portion.bytes {
            sums.entry(*workspace).or_default().add(bytes);
        }
        place = portion.next;
        sleep(asked.elapsed()).await;
    }
    let sums: Vec<_> = sums.into_iter().collect();
    for batch in sums.chunks(BATCH) {
        store.keep_stored(batch.to_vec(), began).await?;
    }
    store.forget_stored(began).await?;
    // Releases the lease for processes that start now.
    store.take_lease(Lease::Measuring, holder, Duration::ZERO, context.clock.now()).await?;
    Ok(Outcome::Current)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tidings_domain::access::storage_usage::StoredPortion;
    use tidings_domain::ids::TypedId;
    use tidings_domain::ports::MockEngineStore;

    use super::*;
    use crate::testing::{Scripted, loop_context};

    #[tokio::test(start_paused = true)]
    async fn the_lease_holder_measures_every_five_minutes() {
        // The lease is refused once at the second measurement and is free again after ten seconds. Each measurement
        // releases the lease.
        let workspace = |number| WorkspaceId::from_uuid(Uuid::from_u128(number));
        let mut store = MockEngineStore::new();
        store.expect_last_measured().times(3).returning(|| Ok(None));
        let mut turns = vec![true, true, false, true, true].into_iter();
        store.expect_take_lease().times(5).returning(move |_, _, _, _| Ok(turns.next().unwrap()));
        let second = StoredPlace { walk: 1, ..StoredPlace::default() };
        store.expect_measure_stored().times(4).returning(move |from, _| {
            let flows = StoredBytes { flows: 5, ..StoredBytes::default() };
            let events = StoredBytes { events: 7, ..StoredBytes::default() };
            Ok(match from.walk {
                0 => StoredPortion { bytes: vec![(workspace(1), flows), (workspace(2), flows)], next: Some(second) },
                _ => StoredPortion { bytes: vec![(workspace(2), events)], next: None },
            })
        });
        let kept = Arc::new(Mutex::new(Vec::new()));
        let keeping = kept.clone();
        store.expect_keep_stored().times(2).returning(move |all, _| {
            *keeping.lock().unwrap() = all.iter().map(|(_, bytes)| (bytes.flows, bytes.events)).collect();
            Ok(())
        });
        store.expect_forget_stored().times(2).returning(|_| Ok(()));
        let (stop, stopped) = watch::channel(false);
        let measuring = tokio::spawn(measure(loop_context(store, Scripted::default()), stopped));
        tokio::time::sleep(Duration::from_secs(311)).await;
        stop.send(true).unwrap();
        measuring.await.unwrap();
        assert_eq!(*kept.lock().unwrap(), [(5, 0), (5, 7)]);
    }

    #[test]
    fn measures_again_after_a_start_and_when_sums_are_old() {
        let at = |seconds: u64| Timestamp::EPOCH_2026.plus(Duration::from_secs(seconds));
        let cases = [
            (None, 100, 100, true),
            // A process that has died made these sums a moment ago, and wrote more text after that.
            (Some(99), 100, 100, true),
            // Another process made these sums after this process started.
            (Some(101), 100, 110, false),
            (Some(101), 100, 341, false),
            (Some(101), 100, 342, true),
        ];
        for (sums, began, now, old) in cases {
            assert_eq!(is_old(sums.map(at), at(began), at(now)), old, "{sums:?} at {now}");
        }
    }
}
