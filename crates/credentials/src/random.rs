//! Where unguessable bytes come from.

use ring::rand::SecureRandom;

/// A source of bytes that nobody can guess.
pub trait RandomSource: Send + Sync {
    /// Fills all of `bytes`.
    fn fill(&self, bytes: &mut [u8]);
}

/// The operating system's generator.
///
/// Where the system has no randomness the process ends at once: every key that it would go on to
/// make could be guessed, and no caller could do better.
#[derive(Debug, Clone)]
pub struct SystemRandom(ring::rand::SystemRandom);

impl SystemRandom {
    /// The generator; it holds nothing open.
    pub fn new() -> Self {
        Self(ring::rand::SystemRandom::new())
    }
}

impl Default for SystemRandom {
    fn default() -> Self {
        Self::new()
    }
}

impl RandomSource for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        self.0.fill(bytes).unwrap_or_else(|_| stop("the operating system returned no random bytes"));
    }
}

/// `N` fresh bytes.
pub(crate) fn bytes<const N: usize>(random: &dyn RandomSource) -> [u8; N] {
    let mut bytes = [0; N];
    random.fill(&mut bytes);
    bytes
}

/// Ends the process where going on would put secrets at risk.
pub(crate) fn stop(reason: &str) -> ! {
    eprintln!("tidings stopped: {reason}");
    std::process::abort()
}

/// Sources for tests.
#[cfg(test)]
pub(crate) mod testing {
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::RandomSource;

    /// Every byte from 0 to 255 in turn, again and again.
    #[derive(Default)]
    pub(crate) struct Counting(AtomicU8);

    impl RandomSource for Counting {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill_with(|| self.0.fetch_add(1, Ordering::Relaxed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_draws_are_equal() {
        let random = SystemRandom::new();
        assert_ne!(bytes::<32>(&random), bytes::<32>(&random));
    }
}
