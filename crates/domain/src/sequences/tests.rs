//! Sequences: decisions as values, and whole ways through the store in memory, in virtual time.

mod bench;
mod deciding;
mod endings;
mod journeys;
