//! Secrets of a workspace. Only HTTP requests of its flows use them, and only for the hosts of the secret.

mod hosts;
mod model;
mod service;
#[cfg(test)]
mod tests;

pub use hosts::MAX_HOSTS;
pub use model::{MAX_VALUE, PutSecret, Secret, SecretView, is_name, secret_context};
pub use service::SecretService;
