//! Tests of simulations, from request to trace.

mod bounded;
mod flows;
mod promise;
mod sequences;
mod setup;
