//! The test suite for storage adapters: the rules of the ledger and of the query ports, as cases that use only the
//! ports.
//!
//! An adapter's tests are one line, [`suite!`], with a function that creates an empty store. No case sleeps to
//! synchronise, and each has its own store, so all may run concurrently.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a suite of tests"
)]

mod access;
pub mod analytics;
pub mod broadcasts;
mod cases;
pub mod contacts;
pub mod conversations;
mod events;
pub mod fixtures;
pub mod flows;
pub mod jobs;
mod ledger;
pub mod lists;
pub mod sequences;
pub mod webhooks;

pub use access::{audit, outbound, people, sandboxes, sealed, stored, usage, workspaces};
pub use analytics::reply_times;
pub use broadcasts::repeats;
pub use contacts::{bulk, conditions, erasures, imports, merges, opt_outs, segments, timeline};
pub use conversations::{channels, cut_off_sends, expiry, media, replies, sent_in_parts};
pub use events::{event_waits, feed, listeners};
pub use fixtures::{databases, seed};
pub use flows::{flow_calls, published, runs, schedules, statistics};
pub use jobs::{calls, claim_races, dead_letters, full_channels, held, lanes};
pub use ledger::{
    atomicity, deadlocks, guards, idempotency, isolation, links, read_back, references, unique_keys, versions,
};
pub use lists::{at_once, list_filters, queries, sorts};
pub use tidings_domain::ports::Ports;
pub use webhooks::{delivery_queue, turns};
