//! Start offsets, the number of races, and the count of wins.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::{StreamExt, stream};

use super::setup::Setup;
use crate::support::Dice;

/// Returns the random numbers of one race.
pub fn dice_of(number: usize) -> Dice {
    Dice::new(seed().wrapping_add((number as u64) << 32))
}

/// The offset in milliseconds of one side's start. The winner starts later the next time, so both sides can win on fast
/// and on busy machines.
pub struct Handicap {
    centre: AtomicI64,
    spread: i64,
    wins: [AtomicBool; 2],
    /// The number of races before both sides had won one.
    one_sided: AtomicI64,
}

impl Handicap {
    /// Starts with this offset, and draws up to `spread` around it.
    pub fn new(centre: i64, spread: i64) -> Self {
        Self { centre: AtomicI64::new(centre), spread, wins: Default::default(), one_sided: AtomicI64::new(0) }
    }

    /// Returns the offset of one race.
    pub fn draw(&self, dice: &mut Dice) -> i64 {
        self.centre.load(Ordering::Relaxed) + dice.within(self.spread)
    }

    /// Records whether the side with the offset won. Until both sides have won, the steps are large and grow, because
    /// on a busy machine one side may need a lead of a second.
    pub fn note(&self, won: bool) {
        self.wins[usize::from(won)].store(true, Ordering::Relaxed);
        let stride = match self.wins.iter().all(|it| it.load(Ordering::Relaxed)) {
            true => 2,
            false => 5 + self.one_sided.fetch_add(1, Ordering::Relaxed) / 4,
        };
        self.centre.fetch_add(if won { stride } else { -stride }, Ordering::Relaxed);
    }
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

fn seed() -> u64 {
    setting("TIDINGS_TEST_SEED").unwrap_or(0x71D1)
}

/// Returns how often each race runs on each database.
pub fn races() -> usize {
    setting("TIDINGS_TEST_RACES").unwrap_or(100) as usize
}

/// Runs `race` for every number with limited concurrency; returns the results in any order.
pub async fn run<R, F: Future<Output = R>>(at_once: usize, race: impl Fn(usize) -> F) -> Vec<R> {
    each(at_once, 0..races(), race).await
}

/// Runs a future for each item with limited concurrency.
pub async fn each<T, R, F: Future<Output = R>>(
    at_once: usize,
    these: impl IntoIterator<Item = T>,
    done: impl Fn(T) -> F,
) -> Vec<R> {
    stream::iter(these).map(done).buffer_unordered(at_once).collect().await
}

/// Returns the milliseconds since the Unix epoch, as in the server's times.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

/// Waits this many milliseconds; returns at once if negative.
pub async fn start_in(millis: i64) {
    if let Ok(millis @ 1..) = u64::try_from(millis) {
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }
}

/// Prints how many races each side won, and checks that each of `sides` won some.
pub fn judge(race: &str, setup: &Setup, winners: &[&str], sides: &[&str]) {
    let mut wins = BTreeMap::<&str, usize>::new();
    for winner in winners {
        *wins.entry(winner).or_default() += 1;
    }
    let (store, count, seconds) = (setup.store, winners.len(), setup.began.elapsed().as_secs());
    println!("{race} on {store}, {count} races in {seconds} s, seed {}: {wins:?}", seed());
    for side in sides {
        assert!(wins.contains_key(side), "{race} on {store}: {side} never came first");
    }
}
