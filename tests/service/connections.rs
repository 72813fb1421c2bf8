//! The lifecycle of connections: slow clients are disconnected, other clients still get connections, and a shutdown
//! interrupts no request.

mod crowds;
mod overdue;
mod proxies;
mod stopping;
mod wire;
