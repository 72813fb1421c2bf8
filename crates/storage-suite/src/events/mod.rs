//! The feed of events, and those who wait for events.

pub mod event_waits;
pub mod feed;
pub mod listeners;
