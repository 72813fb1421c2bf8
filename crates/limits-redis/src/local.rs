//! The local state of one instance: admitted requests, unreported requests and promises.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tidings_domain::access::limiter::{Decision, RateWindow};

use crate::Link;

/// Number of clients at which idle ones are first removed.
const FIRST_SWEEP: usize = 1_024;
/// Duration of a promise after its release ends. It covers the rolling minute of the requests that were admitted
/// because of the release.
const AFTERMATH_MS: i64 = 62_000;

pub(crate) trait Epoch {
    fn epoch(&self) -> &str;
}

impl Epoch for Link {
    fn epoch(&self) -> &str {
        &self.epoch
    }
}

pub(crate) struct Local<L> {
    expected: u32,
    memory: Mutex<Memory<L>>,
}

struct Memory<L> {
    /// The connection to Redis, while it is in use.
    link: Option<L>,
    present: u32,
    clients: HashMap<String, Client>,
    sweep_at: usize,
}

#[derive(Default)]
struct Client {
    /// All requests that this instance admitted in the last minute, alone or through Redis.
    own: RateWindow,
    /// Unreported requests that it admitted alone, by second.
    untold: BTreeMap<i64, u32>,
    /// Number of unanswered requests to Redis.
    pending: u32,
    /// End of the promise not to use the share, in milliseconds.
    promised_until: i64,
}

impl<L: Epoch + Clone> Local<L> {
    pub(crate) fn new(expected: u32) -> Self {
        let memory = Memory { link: None, present: 0, clients: HashMap::new(), sweep_at: FIRST_SWEEP };
        Self { expected: expected.max(1), memory: Mutex::new(memory) }
    }

    fn memory(&self) -> MutexGuard<'_, Memory<L>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn link(&self) -> Option<L> {
        self.memory().link.clone()
    }

    pub(crate) fn present(&self) -> u32 {
        self.memory().present
    }

    pub(crate) fn saw(&self, present: u32) {
        self.memory().present = present;
    }

    /// Returns how many instances share a limit.
    pub(crate) fn instances(&self) -> u32 {
        self.expected.max(self.memory().present)
    }

    /// Starts a request to Redis. Returns `None` without a connection.
    pub(crate) fn begin<'l>(&'l self, name: &'l str) -> Option<(L, Pending<'l, L>)> {
        let mut memory = self.memory();
        let link = memory.link.clone()?;
        memory.client(name).pending += 1;
        Some((link, Pending { local: self, name }))
    }

    /// Decides within the share of this instance.
    pub(crate) fn admit_alone(&self, name: &str, limit: u32, now_ms: i64) -> Decision {
        let mut memory = self.memory();
        let part = limit / self.expected.max(memory.present);
        memory.sweep(now_ms);
        let client = memory.client(name);
        if client.promised_until > now_ms {
            let wait = u32::try_from((client.promised_until - now_ms + 999) / 1_000).unwrap_or(1);
            return Decision { admitted: false, limit, remaining: 0, reset_seconds: wait.max(1) };
        }
        // Pending requests may have been admitted.
        let decision = client.own.admit(part.saturating_sub(client.pending), now_ms);
        if decision.admitted {
            *client.untold.entry(second(now_ms)).or_default() += 1;
        }
        Decision { limit, ..decision }
    }

    /// Stops using Redis. Returns false if it was already stopped or the epoch is another one.
    pub(crate) fn lose(&self, epoch: &str) -> bool {
        let mut memory = self.memory();
        let was = memory.link.as_ref().is_some_and(|link| link.epoch() == epoch);
        if was {
            memory.link = None;
        }
        was
    }

    /// Marks all requests of the last minute as unreported, for a new epoch.
    pub(crate) fn forget_what_was_told(&self, now_ms: i64) {
        for client in self.memory().clients.values_mut() {
            client.untold = client.own.by_second(now_ms).into_iter().collect();
        }
    }

    pub(crate) fn untold(&self) -> Vec<UnreportedAdmissions> {
        let mut memory = self.memory();
        let take = |(name, client): (&String, &mut Client)| {
            let told = std::mem::take(&mut client.untold).into_iter();
            told.map(|(second, count)| UnreportedAdmissions { name: name.clone(), second, count }).collect::<Vec<_>>()
        };
        memory.clients.iter_mut().flat_map(take).collect()
    }

    /// Adds back requests that could not be reported.
    pub(crate) fn still_untold(&self, untold: &UnreportedAdmissions) {
        *self.memory().client(&untold.name).untold.entry(untold.second).or_default() += untold.count;
    }

    /// Starts using Redis. Returns false if there are unreported requests.
    pub(crate) fn join(&self, link: L) -> bool {
        let mut memory = self.memory();
        let told = memory.clients.values().all(|client| client.untold.is_empty());
        if told {
            memory.link = Some(link);
        }
        told
    }

    /// Promises not to use the share of a client's limit for `lasting_ms` plus [`AFTERMATH_MS`]. Returns false without
    /// a promise while Redis is not in use.
    pub(crate) fn promise(&self, name: &str, lasting_ms: i64, now_ms: i64) -> bool {
        let mut memory = self.memory();
        let joined = memory.link.is_some();
        if joined {
            let client = memory.client(name);
            client.promised_until = client.promised_until.max(now_ms + lasting_ms + AFTERMATH_MS);
        }
        joined
    }
}

impl<L> Memory<L> {
    fn client(&mut self, name: &str) -> &mut Client {
        if !self.clients.contains_key(name) {
            self.clients.insert(name.to_owned(), Client::default());
        }
        self.clients.entry(name.to_owned()).or_default()
    }

    fn sweep(&mut self, now_ms: i64) {
        if self.clients.len() < self.sweep_at {
            return;
        }
        self.clients.retain(|_, client| {
            !client.untold.is_empty()
                || client.pending > 0
                || client.promised_until > now_ms
                || !client.own.is_idle(now_ms)
        });
        self.sweep_at = FIRST_SWEEP.max(self.clients.len() * 2);
    }
}

/// Unreported requests of a client in one second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnreportedAdmissions {
    pub(crate) name: String,
    pub(crate) second: i64,
    pub(crate) count: u32,
}

impl UnreportedAdmissions {
    /// Returns how many milliseconds ago the second ended, at least.
    pub(crate) fn age_ms(&self, now_ms: i64) -> i64 {
        now_ms.saturating_sub(self.second.saturating_add(1).saturating_mul(1_000)).max(0)
    }
}

fn second(now_ms: i64) -> i64 {
    now_ms.div_euclid(1_000)
}

pub(crate) struct Pending<'l, L: Epoch + Clone> {
    local: &'l Local<L>,
    name: &'l str,
}

impl<L: Epoch + Clone> Pending<'_, L> {
    pub(crate) fn admitted(self, now_ms: i64) {
        let mut memory = self.local.memory();
        memory.sweep(now_ms);
        memory.client(self.name).own.count(now_ms);
    }
}

impl<L: Epoch + Clone> Drop for Pending<'_, L> {
    fn drop(&mut self) {
        let mut memory = self.local.memory();
        let client = memory.client(self.name);
        client.pending = client.pending.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_750_000_000_250;

    #[derive(Clone)]
    struct Wire;

    impl Epoch for Wire {
        fn epoch(&self) -> &str {
            "e"
        }
    }

    fn alone(local: &Local<Wire>, limit: u32, now_ms: i64) -> u32 {
        (0..limit + 3).map(|_| u32::from(local.admit_alone("w", limit, now_ms).admitted)).sum()
    }

    #[test]
    fn an_instance_alone_admits_its_share_minus_earlier_requests() {
        let local = Local::new(2);
        assert!(local.join(Wire));
        for _ in 0..3 {
            local.begin("w").unwrap().1.admitted(NOW);
        }
        assert!(local.lose("e") && !local.lose("e"));
        assert!(local.begin("w").is_none());
        assert_eq!(alone(&local, 10, NOW), 2);
        assert_eq!(alone(&local, 10, NOW + 61_000), 5);
    }

    #[test]
    fn counts_pending_requests_as_admitted() {
        let local = Local::new(1);
        assert!(local.join(Wire));
        let (_, pending) = local.begin("w").unwrap();
        assert_eq!(alone(&local, 10, NOW), 9);
        drop(pending);
        assert_eq!(alone(&local, 10, NOW), 1);
    }

    #[test]
    fn does_not_use_a_promised_share_until_it_expires() {
        let local = Local::new(2);
        assert!(!local.promise("w", 5_000, NOW), "no instance received it");
        assert!(local.join(Wire));
        assert!(local.promise("w", 5_000, NOW));
        local.lose("e");
        assert_eq!(alone(&local, 10, NOW + 66_999), 0);
        assert_eq!(alone(&local, 10, NOW + 67_000), 5);
    }

    #[test]
    fn reports_requests_admitted_alone_before_it_rejoins() {
        let local = Local::new(1);
        assert_eq!(alone(&local, 4, NOW), 4);
        assert!(!local.join(Wire));
        let untold = local.untold();
        assert_eq!(untold, [UnreportedAdmissions { name: "w".to_owned(), second: NOW / 1_000, count: 4 }]);
        assert_eq!((untold[0].age_ms(NOW), untold[0].age_ms(NOW + 3_000)), (0, 2_250));
        local.still_untold(&untold[0]);
        assert!(!local.join(Wire));
        local.untold();
        assert!(local.join(Wire));
        local.forget_what_was_told(NOW + 3_000);
        assert_eq!(local.untold(), untold);
    }

    #[test]
    fn shares_the_limit_with_unexpected_instances() {
        let local: Local<Wire> = Local::new(1);
        local.saw(4);
        assert_eq!(alone(&local, 10, NOW), 2);
    }
}
