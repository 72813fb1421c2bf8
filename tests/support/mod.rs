//! The product as its users have it: the built binary, a database of its own, HTTP.

pub mod client;
pub mod cluster;
pub mod keys;
pub mod patience;
pub mod people;
pub mod proxy;
pub mod receiver;
pub mod redis;
pub mod seed;
pub mod server;
pub mod stream;

pub use client::{Client, Reply};
pub use patience::Patience;
pub use people::Person;
pub use receiver::Receiver;
pub use server::{METRICS_TOKEN, Server, Store};
pub use stream::EventStream;
