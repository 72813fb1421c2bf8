//! Secrets of a workspace: values that only the HTTP requests of its flows use, for the hosts that each one names.

mod hosts;
mod model;
mod service;
#[cfg(test)]
mod tests;

pub use hosts::MAX_HOSTS;
pub use model::{MAX_VALUE, PutSecret, Secret, SecretView, is_name, secret_context};
pub use service::SecretService;
