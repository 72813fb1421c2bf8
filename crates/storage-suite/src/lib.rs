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

pub mod analytics;
pub mod at_once;
pub mod atomicity;
pub mod audit;
pub mod broadcasts;
pub mod bulk;
pub mod calls;
mod cases;
pub mod claim_races;
pub mod conditions;
pub mod contacts;
pub mod conversations;
pub mod cut_off_sends;
pub mod databases;
pub mod dead_letters;
pub mod delivery_queue;
pub mod erasures;
pub mod event_waits;
pub mod feed;
pub mod fixtures;
pub mod flow_calls;
pub mod flows;
pub mod guards;
pub mod held;
pub mod idempotency;
pub mod imports;
pub mod isolation;
pub mod jobs;
pub mod lanes;
pub mod links;
pub mod list_filters;
pub mod listeners;
pub mod lists;
pub mod merges;
pub mod opt_outs;
pub mod outbound;
pub mod people;
pub mod published;
pub mod queries;
pub mod read_back;
pub mod references;
pub mod repeats;
pub mod replies;
pub mod reply_times;
pub mod runs;
pub mod sandboxes;
pub mod schedules;
pub mod sealed;
pub mod seed;
pub mod segments;
pub mod sequences;
pub mod sorts;
pub mod statistics;
pub mod stored;
pub mod timeline;
pub mod turns;
pub mod unique_keys;
pub mod usage;
pub mod versions;
pub mod webhooks;
pub mod workspaces;

pub use cases::CASES;
pub use tidings_domain::ports::Ports;
