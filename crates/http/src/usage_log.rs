//! The log of requests on its way to the store: a bounded buffer.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tidings_domain::access::usage::{KeyUse, UsageRecord};
use tidings_domain::ids::KeyId;

/// How many requests wait at the most; more are dropped and counted.
const MOST: usize = 20_000;

/// What waits to be written.
#[derive(Default)]
pub(crate) struct UsageBuffer {
    waiting: Mutex<Waiting>,
    dropped: AtomicU64,
}

/// What came since it was last taken.
#[derive(Default)]
pub(crate) struct Waiting {
    pub(crate) requests: Vec<UsageRecord>,
    pub(crate) uses: HashMap<KeyId, KeyUse>,
}

impl UsageBuffer {
    /// Notes a request, and that its key was used.
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

    /// Counts requests that are lost.
    pub(crate) fn lose(&self, requests: u64) {
        self.dropped.fetch_add(requests, Ordering::Relaxed);
    }

    /// How many were lost since the start.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Takes what waits, to be written.
    pub(crate) fn take(&self) -> Waiting {
        std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
