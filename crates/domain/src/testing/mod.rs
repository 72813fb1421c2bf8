//! Builders for tests, also of embedding programs. Use them with the store of [`crate::memory`] and the mocks of all
//! ports (`Mock…`, in [`crate::ports`]).

mod builders;

pub use builders::{ContactBuilder, RunBuilder, a_channel, a_contact, a_run};

/// Returns the number of generated inputs of a test: `PROPTEST_CASES` if it is set, otherwise `usual`.
#[cfg(test)]
pub(crate) fn cases(usual: usize) -> usize {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}
