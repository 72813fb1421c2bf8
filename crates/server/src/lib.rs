//! The binary `tidings`: settings, wiring and commands. It is also a library, so that tests can start the same program.

mod backoff;
pub mod cli;
mod commands;
mod credentials_file;
mod descriptors;
mod failure;
mod hint_carrier;
mod log_lines;
mod logging;
mod master_key;
mod media_bucket;
mod media_folder;
mod media_probe;
mod media_store;
mod metrics;
mod outbound;
mod output;
mod private_file;
mod readiness;
mod run;
pub mod settings;
mod sole_server;
mod wiring;
mod write_probe;

pub use failure::Failure;
