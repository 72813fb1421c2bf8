//! The loop that adds up how much text each workspace has stored.

use std::collections::BTreeMap;
use std::time::Duration;

use tidings_domain::access::stored::{StoredBytes, StoredPlace};
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{Lease, StoreError};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};
use uuid::Uuid;

use crate::pool::{LoopContext, stopped};

/// How often.
const EVERY: Duration = Duration::from_secs(300);
/// For how long no other process does it after this one did.
const LEASE: Duration = Duration::from_secs(240);
/// How often the lease is taken anew by a count that takes long.
const RENEWAL: Duration = Duration::from_secs(60);
/// How many objects one query looks at: it is over in milliseconds.
const PORTION: u32 = 2_000;
/// How many workspaces are written in one transaction.
const BATCH: usize = 500;

/// Adds up stored text until `stop` turns true.
pub(crate) async fn measure(context: LoopContext, mut stop: watch::Receiver<bool>) {
    let holder = context.name();
    let mut beat = interval(EVERY);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stopped(&mut stop) => return,
            _ = beat.tick() => {}
        }
        tokio::select! {
            () = stopped(&mut stop) => return,
            outcome = add_up(&context, holder) => {
                if let Err(error) = outcome {
                    tracing::warn!(%error, "stored text could not be added up; trying again in five minutes");
                }
            }
        }
    }
}

/// Adds all up, unless another process does. It rests for as long as each portion took, so that it never has a whole
/// processor, and gives up where it was so slow that another process began.
async fn add_up(context: &LoopContext, holder: Uuid) -> Result<(), StoreError> {
    let (store, began) = (&context.store, context.clock.now());
    let (mut sums, mut place) = (BTreeMap::<WorkspaceId, StoredBytes>::new(), Some(StoredPlace::default()));
    let mut renewal = Instant::now();
    while let Some(from) = place {
        if Instant::now() >= renewal {
            if !store.take_lease(Lease::Measuring, holder, LEASE, context.clock.now()).await? {
                return Ok(());
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
    store.forget_stored(began).await
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tidings_domain::access::stored::StoredPortion;
    use tidings_domain::ids::TypedId;
    use tidings_domain::ports::MockEngineStore;

    use super::*;
    use crate::testing::{Scripted, loop_context};

    #[tokio::test(start_paused = true)]
    async fn all_portions_are_added_up_and_kept_every_five_minutes_by_who_has_the_lease() {
        let workspace = |number| WorkspaceId::from_uuid(Uuid::from_u128(number));
        let mut store = MockEngineStore::new();
        let mut turns = vec![true, false, true].into_iter();
        store.expect_take_lease().times(3).returning(move |_, _, _, _| Ok(turns.next().unwrap()));
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
        tokio::time::sleep(Duration::from_secs(601)).await;
        stop.send(true).unwrap();
        measuring.await.unwrap();
        assert_eq!(*kept.lock().unwrap(), [(5, 0), (5, 7)]);
    }
}
