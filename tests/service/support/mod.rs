//! Support for end-to-end tests: the built binary, a separate database, and HTTP.

pub mod bodies;
pub mod client;
pub mod cluster;
pub mod dice;
pub mod inbox;
pub mod keys;
pub mod patience;
pub mod people;
pub mod provider;
pub mod proxy;
pub mod receiver;
pub mod redis;
pub mod seed;
pub mod server;
pub mod stream;

pub use client::{Client, Reply};
pub use dice::Dice;
pub use patience::Patience;
pub use people::Person;
pub use receiver::Receiver;
pub use server::{METRICS_TOKEN, Server, Store};
pub use stream::EventStream;

/// Returns a text of letters and digits that compresses badly; deterministic for a seed.
pub fn noise(seed: u64, length: usize) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut state = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let letters = std::iter::repeat_with(|| {
        // An xorshift generator.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        LETTERS[(state >> 58) as usize] as char
    });
    letters.take(length).collect()
}
