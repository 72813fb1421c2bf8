//! Streams of what happens in workspaces: how many are open, who reads for them, and what each is still to be told.
//!
//! A workspace of which a stream is open in this process is one [`Topic`](topic::Topic): one [reader](reader) asks the store
//! for new events and gathers hints, and all streams of the workspace take the same frames from one bounded
//! [ring](ring::Ring). A stream that opens reads what it missed from the store, at its client's own pace, and joins the ring
//! where that ends.

mod connection;
mod frame;
mod holder;
mod places;
mod reader;
mod ring;
mod streams;
mod topic;

pub(crate) use connection::{Connection, Opening};
pub(crate) use frame::EXAMPLE;
pub(crate) use holder::Holder;
pub(crate) use places::Full;
pub(crate) use streams::Streams;
