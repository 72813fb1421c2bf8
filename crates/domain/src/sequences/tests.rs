//! Tests of sequences: decisions as values, and complete sequences over the in-memory store in virtual time.

mod bench;
mod deciding;
mod endings;
mod journeys;
