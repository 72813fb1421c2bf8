//! How large a condition may be.

/// How many levels a condition has at the most; a leaf alone is one level.
pub const MAX_DEPTH: usize = 5;
/// How many leaves a condition has at the most.
pub const MAX_LEAVES: usize = 50;
