//! The loop that adds up how much text each workspace has stored.

use std::collections::BTreeMap;
use std::time::Duration;

use tidings_domain::access::stored::{StoredBytes, StoredPlace};
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{Lease, StoreError};
use tidings_domain::time::Timestamp;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::pool::{LoopContext, stopped};

/// How often.
const EVERY: Duration = Duration::from_secs(300);
/// Sums as of an instant this long ago need not be made again by another process.
const CURRENT: Duration = Duration::from_secs(240);
/// How soon a process tries again while another one counts.
const AGAIN: Duration = Duration::from_secs(10);
/// For how long no other process counts, if this one stops without a word.
const LEASE: Duration = Duration::from_secs(60);
/// How often the lease is taken anew by a count that takes long.
const RENEWAL: Duration = Duration::from_secs(20);
/// How many objects one query looks at: it is over in milliseconds.
const PORTION: u32 = 2_000;
/// How many workspaces are written in one transaction.
const BATCH: usize = 500;

/// What came of an attempt to add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The sums are current.
    Current,
    /// Another process counts.
    Busy,
}

/// Adds up stored text until `stop` turns true. A process counts when it begins, because only the process that wrote a text
/// knows of it until it is counted, and that process may be dead.
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

/// Whether the sums are to be made again: they are older than the process, or than others would leave them.
fn is_old(sums: Option<Timestamp>, began: Timestamp, now: Timestamp) -> bool {
    sums.is_none_or(|at| at < began.max(now.minus(CURRENT)))
}

/// Adds all up, unless that was done lately, or another process does it. It rests for as long as each portion took, so that it
/// never has a whole processor, and gives up if it was so slow that another process began.
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
    // Whoever begins now need not wait.
    store.take_lease(Lease::Measuring, holder, Duration::ZERO, context.clock.now()).await?;
    Ok(Outcome::Current)
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
        // Refused once at the second count, and free again after ten seconds; each count gives the lease back.
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
    fn sums_are_made_again_at_the_start_of_a_process_and_when_they_are_old() {
        let at = |seconds: u64| Timestamp::EPOCH_2026.plus(Duration::from_secs(seconds));
        let cases = [
            (None, 100, 100, true),
            // A process that died made them a moment ago, and wrote on.
            (Some(99), 100, 100, true),
            // Another process made them since this one began.
            (Some(101), 100, 110, false),
            (Some(101), 100, 341, false),
            (Some(101), 100, 342, true),
        ];
        for (sums, began, now, old) in cases {
            assert_eq!(is_old(sums.map(at), at(began), at(now)), old, "{sums:?} at {now}");
        }
    }
}
