//! Streams of events and hints of workspaces.
//!
//! Each workspace with an open stream in this process has one [`Topic`](topic::Topic): one [reader](reader) polls the
//! store for new events and collects hints, and all streams of the workspace read the same frames from one bounded
//! [ring](ring::Ring). A new stream first reads missed events from the store at its client's pace, and then joins the
//! ring.

mod connection;
mod frame;
mod reader;
mod ring;
mod stream_access;
mod stream_limits;
mod streams;
mod topic;

pub(crate) use connection::{Connection, StreamStart};
pub(crate) use frame::EXAMPLE;
pub(crate) use stream_access::StreamAccess;
pub(crate) use stream_limits::Full;
pub(crate) use streams::Streams;
