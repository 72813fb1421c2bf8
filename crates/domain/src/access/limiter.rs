//! The limit of requests per minute: any rolling 60 seconds admit at most the limit. The client can use all of it at
//! once.
//!
//! Admitted requests are counted by second, in a ring of 61 seconds. A minute that starts within a second touches 61
//! seconds. So if these never exceed the limit, no rolling minute does. In return, a request can be admitted up to one
//! second late. A token bucket with a steady refill would admit twice the limit within a minute.

/// The length of the rolling window, in seconds.
pub const RATE_WINDOW_SECONDS: u32 = 60;

const SLOTS: i64 = RATE_WINDOW_SECONDS as i64 + 1;

/// The decision on one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Whether the request is admitted.
    pub admitted: bool,
    /// The requested limit, in requests per rolling minute.
    pub limit: u32,
    /// The number of further requests that would be admitted now.
    pub remaining: u32,
    /// Whole seconds until the oldest counted second leaves the window, at least 1: the time to retry.
    pub reset_seconds: u32,
}

/// The admitted requests of one client in the last minute.
#[derive(Debug, Clone)]
pub struct RateWindow {
    /// Admitted requests by second, at index second modulo [`SLOTS`].
    counts: [u32; SLOTS as usize],
    /// The sum of `counts`.
    total: u32,
    /// The latest observed second since the epoch.
    latest: i64,
}

impl Default for RateWindow {
    fn default() -> Self {
        Self { counts: [0; SLOTS as usize], total: 0, latest: i64::MIN }
    }
}

impl RateWindow {
    /// Creates an empty window.
    pub fn new() -> Self {
        Self::default()
    }

    /// Admits one request at `now_ms` (milliseconds since the epoch) if the window has fewer than `limit`. Refused
    /// requests are not counted. The limit may change between calls.
    ///
    /// If the clock goes back by up to a minute, the latest observed second is used. If it goes back further, the
    /// window follows, and all counted requests move to the new time. Neither admits more requests.
    pub fn admit(&mut self, limit: u32, now_ms: i64) -> Decision {
        self.advance(now_ms.div_euclid(1_000));
        let admitted = self.total < limit;
        if admitted {
            self.add(self.latest, 1);
        }
        Decision {
            admitted,
            limit,
            remaining: limit.saturating_sub(self.total),
            reset_seconds: self.reset_seconds(now_ms),
        }
    }

    /// Counts one request that another instance admitted.
    pub fn count(&mut self, now_ms: i64) {
        self.advance(now_ms.div_euclid(1_000));
        self.add(self.latest, 1);
    }

    /// Returns the number of requests in the window at `now_ms`.
    pub fn used(&mut self, now_ms: i64) -> u32 {
        self.advance(now_ms.div_euclid(1_000));
        self.total
    }

    /// Returns the requests in the window at `now_ms`, by second since the epoch.
    pub fn by_second(&mut self, now_ms: i64) -> Vec<(i64, u32)> {
        self.advance(now_ms.div_euclid(1_000));
        let seconds = self.latest.saturating_sub(SLOTS - 1)..=self.latest;
        let counted = seconds.map(|second| (second, self.slot(second).map_or(0, |count| *count)));
        counted.filter(|(_, count)| *count > 0).collect()
    }

    /// Whether the window is empty at `now_ms` and can be dropped.
    pub fn is_idle(&mut self, now_ms: i64) -> bool {
        self.used(now_ms) == 0
    }

    /// Moves the end of the window to `second`, and drops the seconds that leave it.
    fn advance(&mut self, second: i64) {
        let ahead = second.saturating_sub(self.latest);
        if ahead >= SLOTS {
            *self = Self { latest: second, ..Self::default() };
        } else if ahead > 0 {
            for left in self.latest + 1..=second {
                self.forget(left);
            }
            self.latest = second;
        } else if ahead <= -SLOTS {
            let total = self.total;
            *self = Self { latest: second, ..Self::default() };
            self.add(second, total);
        }
    }

    fn slot(&mut self, second: i64) -> Option<&mut u32> {
        usize::try_from(second.rem_euclid(SLOTS)).ok().and_then(|place| self.counts.get_mut(place))
    }

    fn add(&mut self, second: i64, count: u32) {
        if let Some(slot) = self.slot(second) {
            *slot += count;
            self.total += count;
        }
    }

    fn forget(&mut self, second: i64) {
        let left = self.slot(second).map_or(0, std::mem::take);
        self.total -= left;
    }

    fn reset_seconds(&mut self, now_ms: i64) -> u32 {
        let oldest = (self.latest.saturating_sub(SLOTS - 1)..=self.latest)
            .find(|second| self.slot(*second).is_some_and(|count| *count > 0));
        let Some(oldest) = oldest else { return 1 };
        let wait_ms = oldest.saturating_add(SLOTS).saturating_mul(1_000).saturating_sub(now_ms);
        u32::try_from(wait_ms.saturating_add(999) / 1_000).unwrap_or(u32::MAX).max(1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: i64 = 1_750_000_000_250;

    fn admitted_at_once(window: &mut RateWindow, limit: u32, now_ms: i64) -> u32 {
        (0..limit + 5).map(|_| u32::from(window.admit(limit, now_ms).admitted)).sum()
    }

    #[test]
    fn admits_a_burst_up_to_the_limit_and_reports_the_reset() {
        let mut window = RateWindow::new();
        let first = window.admit(600, NOW);
        assert_eq!(first, Decision { admitted: true, limit: 600, remaining: 599, reset_seconds: 61 });
        assert_eq!(admitted_at_once(&mut window, 600, NOW), 599);
        let refused = window.admit(600, NOW + 10_000);
        assert_eq!(refused, Decision { admitted: false, limit: 600, remaining: 0, reset_seconds: 51 });
    }

    #[test]
    fn admits_again_after_the_reported_wait_and_not_earlier() {
        for offset in [0, 1, 250, 999] {
            let (mut window, start) = (RateWindow::new(), NOW - 250 + offset);
            admitted_at_once(&mut window, 10, start);
            let wait = i64::from(window.admit(10, start).reset_seconds) * 1_000;
            assert!(!window.clone().admit(10, start + wait - 1_000).admitted);
            assert!(window.admit(10, start + wait).admitted);
        }
    }

    #[test]
    fn a_lowered_limit_counts_earlier_admissions() {
        let mut window = RateWindow::new();
        admitted_at_once(&mut window, 10, NOW);
        assert_eq!(window.admit(5, NOW + 1_000).remaining, 0);
        assert!(window.admit(11, NOW + 1_000).admitted);
    }

    #[test]
    fn a_limit_of_zero_admits_nothing() {
        let decision = RateWindow::new().admit(0, NOW);
        assert_eq!(decision, Decision { admitted: false, limit: 0, remaining: 0, reset_seconds: 1 });
    }

    #[test]
    fn accepts_extreme_clock_values() {
        let mut window = RateWindow::new();
        for now in [i64::MIN, 0, i64::MAX, i64::MIN, -1, i64::MAX] {
            assert!(window.admit(10, now).reset_seconds >= 1);
        }
    }

    #[test]
    fn a_clock_jump_blocks_for_at_most_a_minute() {
        let mut window = RateWindow::new();
        assert_eq!(admitted_at_once(&mut window, 10, NOW + 3_600_000), 10);
        assert_eq!(admitted_at_once(&mut window, 10, NOW), 0);
        assert_eq!(admitted_at_once(&mut window, 10, NOW + 61_000), 10);
    }

    #[test]
    fn reports_counts_by_second() {
        let mut window = RateWindow::new();
        for at in [NOW, NOW + 1, NOW + 2_000] {
            window.count(at);
        }
        let second = NOW / 1_000;
        assert_eq!(window.by_second(NOW + 60_000), [(second, 2), (second + 2, 1)]);
        assert_eq!((window.used(NOW + 60_000), window.used(NOW + 61_000)), (3, 1));
        assert_eq!(window.by_second(NOW + 61_000), [(second + 2, 1)]);
    }

    #[test]
    fn is_idle_a_minute_after_the_last_request() {
        let mut window = RateWindow::new();
        assert!(window.is_idle(NOW));
        window.admit(10, NOW);
        assert!(!window.is_idle(NOW + 60_000));
        assert!(window.is_idle(NOW + 61_000));
    }

    /// Returns pauses between requests in milliseconds: bursts, a steady trickle and long silences.
    fn pauses() -> impl Strategy<Value = Vec<i64>> {
        let pause = prop_oneof![4 => Just(0_i64), 4 => 0..400_i64, 2 => 400..5_000_i64, 1 => 55_000..65_000_i64];
        proptest::collection::vec(pause, 1..250)
    }

    /// Returns the highest number of requests in any 60 000 milliseconds of `log`, which is sorted.
    fn most_in_a_minute(log: &[i64]) -> usize {
        let in_minute_from = |start: &i64| log.iter().filter(|at| (*start..start + 60_000).contains(at)).count();
        log.iter().map(in_minute_from).max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn no_rolling_minute_admits_more_than_the_limit(limit in 1..40_u32, start in 0..100_000_i64, pauses in pauses()) {
            let (mut window, mut now, mut log) = (RateWindow::new(), start, Vec::new());
            for pause in pauses {
                now += pause;
                let already = log.iter().filter(|at| **at / 1_000 >= now / 1_000 - 60).count();
                let decision = window.admit(limit, now);
                prop_assert_eq!(decision.admitted, already < limit as usize, "only a full minute rejects a request");
                if decision.admitted {
                    log.push(now);
                }
            }
            prop_assert!(most_in_a_minute(&log) <= limit as usize);
            prop_assert_eq!(admitted_at_once(&mut window, limit, now + 61_000), limit, "an idle minute frees all");
        }

        #[test]
        fn a_clock_set_back_admits_no_more_than_the_limit(
            limit in 1..40_u32,
            steps in pauses().prop_flat_map(|pauses| {
                let back = prop_oneof![8 => Just(0_i64), 1 => 0..3_000_i64, 1 => 0..200_000_i64];
                let backs = proptest::collection::vec(back, pauses.len());
                (Just(pauses), backs)
            }),
        ) {
            let (mut window, mut real, mut behind, mut log) = (RateWindow::new(), 10_000_000, 0, Vec::new());
            for (pause, back) in steps.0.into_iter().zip(steps.1) {
                real += pause;
                behind += back;
                if window.admit(limit, real - behind).admitted {
                    log.push(real);
                }
            }
            prop_assert!(most_in_a_minute(&log) <= limit as usize);
        }
    }
}
