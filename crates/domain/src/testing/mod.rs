//! For tests of the domain and of what embeds it: builders, beside the store of [`crate::memory`] and mocks of every port
//! (`Mock…`, in [`crate::ports`]).

mod builders;

pub use builders::{ContactBuilder, RunBuilder, a_channel, a_contact, a_run};

/// How many generated inputs a test tries: `PROPTEST_CASES` if it is set, otherwise `usual`.
#[cfg(test)]
pub(crate) fn cases(usual: usize) -> usize {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}
