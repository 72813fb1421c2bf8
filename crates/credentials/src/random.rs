//! Sources of random bytes.

use ring::rand::SecureRandom;

/// A source of unpredictable bytes.
pub trait RandomSource: Send + Sync {
    /// Fills all of `bytes`.
    fn fill(&self, bytes: &mut [u8]);
}

/// The operating system's generator.
///
/// If the system has no randomness, the process aborts: every further key could be guessed, and no caller could handle
/// the failure.
#[derive(Debug, Clone)]
pub struct SystemRandom(ring::rand::SystemRandom);

impl SystemRandom {
    /// Creates the generator. It keeps no file open.
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

/// Returns `N` random bytes.
pub(crate) fn bytes<const N: usize>(random: &dyn RandomSource) -> [u8; N] {
    let mut bytes = [0; N];
    random.fill(&mut bytes);
    bytes
}

/// Aborts the process if continuing would put secrets at risk.
pub(crate) fn stop(reason: &str) -> ! {
    eprintln!("tidings stopped: {reason}");
    std::process::abort()
}

/// Random sources for tests.
#[cfg(test)]
pub(crate) mod testing {
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::RandomSource;

    /// Returns the bytes 0 to 255 in turn, repeatedly.
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
