//! The life of connections: who keeps the server waiting is cut, there is a place for everybody else, and nobody is cut
//! off when it stops.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails loudly")]

#[path = "connections/crowds.rs"]
mod crowds;
#[path = "connections/overdue.rs"]
mod overdue;
#[path = "connections/proxies.rs"]
mod proxies;
#[path = "connections/stopping.rs"]
mod stopping;
mod support;
#[path = "connections/wire.rs"]
mod wire;
