//! Tests of simulations, from request to trace.

mod bounded;
mod degraded;
mod flows;
mod promise;
mod sequences;
mod setup;
