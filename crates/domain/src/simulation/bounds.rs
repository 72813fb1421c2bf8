//! Limits of simulations.

use std::time::Duration;

/// Maximum number of scripts in a request or definition.
pub const MAX_SCRIPTS: usize = 20;
/// Maximum number of entries in a script.
pub(super) const MAX_ENTRIES: usize = 100;
/// Maximum number of service responses in a script.
pub(super) const MAX_ANSWERS: usize = 100;
/// Maximum number of jobs per script.
pub const MAX_JOBS: u32 = 5_000;
/// Maximum simulated time per script: ten years.
pub const MAX_TIME: Duration = Duration::from_secs(3_660 * 86_400);
/// Maximum number of trace events per script.
pub const MAX_MOMENTS: usize = 2_500;
/// Maximum size of all traces together, in bytes of JSON.
pub(super) const MAX_TOLD: usize = 4 << 20;
/// Maximum number of flows besides the simulated one.
pub(super) const MAX_FLOWS: usize = 50;
/// Maximum size of their definitions together, in bytes.
pub(super) const MAX_DEFINITIONS: usize = 4 << 20;
/// Limits of the in-memory store of a script.
pub(super) const STORE: crate::memory::Bounds = crate::memory::Bounds { rows: 50_000, bytes: 16 << 20 };
