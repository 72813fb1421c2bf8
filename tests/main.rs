//! End-to-end tests with the built program, its databases and its documentation. Run one subject with `cargo test
//! --test service webhooks::`.
//!
//! All tests are one binary, which is linked once; while one test waits, another runs. Tests of how others are served
//! under load are in a separate binary, `under_load.rs`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]
#![allow(clippy::disallowed_methods, reason = "an outside program has a clock and a client of its own")]

/// Declares a test on SQLite and one on PostgreSQL for each case.
macro_rules! on_both {
    ($($case:path => $sqlite:ident, $postgresql:ident;)*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $sqlite() {
            $case($crate::support::Store::sqlite().await).await;
        }

        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $postgresql() {
            $case($crate::support::Store::postgres().await).await;
        }
    )*};
}

mod analyser;
mod architecture;
mod auth;
mod bad_input;
mod behaviour;
mod broadcasts;
mod commands;
mod connections;
mod contract;
mod crash;
mod database;
mod demo;
mod documents;
mod email;
mod exports;
mod fuzz;
mod inbound;
mod limits;
mod matrix;
mod openapi;
mod operating;
mod outage;
mod panel;
mod people;
mod plain_english;
mod races;
mod schedules;
mod secrets;
mod sequences;
mod shared_limits;
mod streams;
mod support;
mod telegram;
mod tour;
mod webhooks;
mod whatsapp;
