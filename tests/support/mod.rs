//! The product as its users have it: the built binary, a database of its own, HTTP.

#![allow(
    dead_code,
    unused_imports,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "shared by several tests, each of which uses a part of it and may fail loudly"
)]

pub mod client;
pub mod cluster;
pub mod keys;
pub mod people;
pub mod proxy;
pub mod receiver;
pub mod seed;
pub mod server;
pub mod stream;

pub use client::{Client, Reply};
pub use people::Person;
pub use receiver::Receiver;
pub use server::{METRICS_TOKEN, Server, Store};
pub use stream::EventStream;
