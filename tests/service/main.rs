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

/// Declares a test on SQLite and one on PostgreSQL for each case. `case in module` is a case of a module. A case gets a
/// store, or the value that is made from `store`.
macro_rules! on_both {
    (|$store:ident| $given:expr; $($case:ident $(in $module:ident)?),+ $(,)?) => {
        mod on_sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                let $store = $crate::support::Store::sqlite().await;
                super::$($module::)?$case($given).await;
            })+
        }

        mod on_postgresql {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                let $store = $crate::support::Store::postgres().await;
                super::$($module::)?$case($given).await;
            })+
        }
    };
    ($($case:ident $(in $module:ident)?),+ $(,)?) => { on_both! { |store| store; $($case $(in $module)?),+ } };
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
mod silent_channel;
mod sms;
mod streams;
mod support;
mod telegram;
mod tour;
mod webhooks;
mod whatsapp;
