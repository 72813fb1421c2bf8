//! Who starts when, how many races there are, and who won how many.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::{StreamExt, stream};

use super::setup::Setup;

/// A small repeatable source of numbers (SplitMix64), so that the offsets of a seed come again.
pub struct Dice(u64);

impl Dice {
    /// The dice of one race.
    pub fn of(number: usize) -> Self {
        Self(seed().wrapping_add((number as u64) << 32))
    }

    /// A number from 0 to below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % bound
    }

    /// A number from `-most` to `most`.
    pub fn within(&mut self, most: i64) -> i64 {
        self.below(most as u64 * 2 + 1) as i64 - most
    }
}

/// How many milliseconds one side starts after the other. Whoever won gives way the next time, so
/// that the race stays open on a fast machine as on a busy one.
pub struct Handicap {
    centre: AtomicI64,
    spread: i64,
    wins: [AtomicBool; 2],
    /// How many races were over before both sides had won one.
    one_sided: AtomicI64,
}

impl Handicap {
    /// Begins with this offset, and draws from so much around it.
    pub fn new(centre: i64, spread: i64) -> Self {
        Self { centre: AtomicI64::new(centre), spread, wins: Default::default(), one_sided: AtomicI64::new(0) }
    }

    /// The offset of one race.
    pub fn draw(&self, dice: &mut Dice) -> i64 {
        self.centre.load(Ordering::Relaxed) + dice.within(self.spread)
    }

    /// Notes whether the side that starts by the offset won. Until both have, the strides are long, and grow: on a busy machine
    /// one side may need a lead of a second.
    pub fn note(&self, won: bool) {
        self.wins[usize::from(won)].store(true, Ordering::Relaxed);
        let stride = match self.wins.iter().all(|it| it.load(Ordering::Relaxed)) {
            true => 2,
            false => 5 + self.one_sided.fetch_add(1, Ordering::Relaxed) / 8,
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

/// How often each race is run on each database.
pub fn races() -> usize {
    setting("TIDINGS_TEST_RACES").unwrap_or(200) as usize
}

/// Runs `race` for every number, so many at a time; returns what came of each, in no order.
pub async fn run<R, F: Future<Output = R>>(at_once: usize, race: impl Fn(usize) -> F) -> Vec<R> {
    each(at_once, 0..races(), race).await
}

/// Does something for each of these, so many at a time.
pub async fn each<T, R, F: Future<Output = R>>(
    at_once: usize,
    these: impl IntoIterator<Item = T>,
    done: impl Fn(T) -> F,
) -> Vec<R> {
    stream::iter(these).map(done).buffer_unordered(at_once).collect().await
}

/// Milliseconds since the Unix epoch, as the server's times have them.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

/// The start of a side, so many milliseconds from now; at once where that is past.
pub async fn start_in(millis: i64) {
    if let Ok(millis @ 1..) = u64::try_from(millis) {
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }
}

/// Prints how many races each side won, and makes sure that each of these won some.
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
