//! Limits of conditions.

/// Maximum nesting depth of a condition; a single leaf has depth 1.
pub const MAX_DEPTH: usize = 5;
/// Maximum number of leaves of a condition.
pub const MAX_LEAVES: usize = 50;
