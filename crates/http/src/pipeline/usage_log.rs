//! A bounded buffer of the usage log, before it is stored.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tidings_domain::access::usage::{KeyUse, UsageRecord};
use tidings_domain::ids::KeyId;

/// The maximum number of buffered requests. Further ones are dropped and counted.
const MOST: usize = 20_000;

#[derive(Default)]
pub(crate) struct UsageBuffer {
    waiting: Mutex<Waiting>,
    dropped: AtomicU64,
}

/// The requests since the last write.
#[derive(Default)]
pub(crate) struct Waiting {
    pub(crate) requests: Vec<UsageRecord>,
    pub(crate) uses: HashMap<KeyId, KeyUse>,
}

impl UsageBuffer {
    /// Adds a request and the use of its key.
    pub(crate) fn push(&self, record: UsageRecord) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = record.key {
            waiting.uses.insert(key, KeyUse { key, at: record.at, address: record.address.clone() });
        }
        if waiting.requests.len() < MOST {
            waiting.requests.push(record);
        } else {
            self.lose(1);
        }
    }

    pub(crate) fn lose(&self, requests: u64) {
        self.dropped.fetch_add(requests, Ordering::Relaxed);
    }

    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Removes and returns the buffered requests.
    pub(crate) fn take(&self) -> Waiting {
        std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
