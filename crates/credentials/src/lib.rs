//! API keys, hashing and sealing of secrets; the system's clock, ids and randomness.

pub mod access_token;
mod fair_queue;
pub mod key;
pub mod master_key;
pub mod opaque_token;
pub mod passwords;
pub mod random;
pub mod sealing;
pub mod secrets;
pub mod system;
mod token_crypto;
pub mod webhook_secret;
