//! The limits of files.

use crate::access::storage_usage::StoredLimits;

/// The limits of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MediaLimits {
    /// Maximum size of a file in bytes.
    pub max_bytes: u64,
    /// Maximum size of all files of a workspace in bytes, by plan.
    pub total: StoredLimits,
}

impl Default for MediaLimits {
    fn default() -> Self {
        Self { max_bytes: 25 * 1024 * 1024, total: StoredLimits::default() }
    }
}
