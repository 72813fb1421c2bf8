//! The pure core of Tidings: the model, the rules, the use cases, and their ports.
//!
//! This crate uses no database, socket or system clock. A use case reads through query ports, decides, and passes one
//! [`ports::ChangeSet`] to the [`ports::Ledger`], which commits all or nothing. Embedding programs create a [`Tidings`]
//! from [`ports::Ports`], with their own implementations or those in [`memory`].

pub mod access;
pub mod analytics;
pub mod audit;
pub mod broadcasts;
pub mod bulk;
pub mod catalog;
pub mod channels;
pub mod conditions;
pub mod contacts;
pub mod conversations;
mod cooperate;
pub mod custom_events;
pub mod disclosure;
pub mod erasures;
mod error;
pub mod events;
pub mod fields;
pub mod flows;
pub mod hints;
pub mod ids;
pub mod imports;
pub mod jobs;
pub mod keywords;
pub mod list_filter;
pub mod memory;
pub mod merges;
pub mod opt_outs;
pub mod outcome;
pub mod pagination;
pub mod patch;
pub mod platform;
pub mod ports;
pub mod read;
pub mod references;
pub mod retention;
mod retry;
pub mod sandboxes;
pub mod saved_replies;
pub mod sealing;
pub mod secrets;
pub mod segments;
pub mod send_window;
pub mod sequences;
pub mod simulation;
pub mod step_outcome;
pub mod stored;
pub mod tags;
pub mod text;
mod tidings;
pub mod time;
pub mod timeline;
pub mod trial;
pub mod turns;
pub mod webhooks;
mod words;
pub mod work;

#[cfg(any(test, feature = "mocks"))]
pub mod testing;

pub use error::{Error, Violation};
pub use retry::AttemptError;
pub use tidings::{Tidings, TidingsSettings};
pub use tidings_tables as tables;
