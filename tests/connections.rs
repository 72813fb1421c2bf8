//! The life of connections: who keeps the server waiting is cut, there is a place for everybody else, and nobody is cut
//! off when it stops.

mod crowds;
mod overdue;
mod proxies;
mod stopping;
mod wire;
