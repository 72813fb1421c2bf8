//! Simulations, seen from their request to their trace.

mod bounded;
mod flows;
mod promise;
mod sequences;
mod setup;
