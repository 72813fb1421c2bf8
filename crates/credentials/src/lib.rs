//! API keys, hashing and sealing of secrets; the system's clock, ids and randomness.

pub mod key;
pub mod master_key;
pub mod random;
pub mod sealing;
pub mod secrets;
pub mod system;
pub mod webhook_secret;
