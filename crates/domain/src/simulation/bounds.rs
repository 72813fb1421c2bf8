//! How much is simulated.

use std::time::Duration;

/// How many scripts one request plays, and a definition keeps.
pub const MAX_SCRIPTS: usize = 20;
/// How many entries a script has.
pub(super) const MAX_ENTRIES: usize = 100;
/// How many answers of called services a script has.
pub(super) const MAX_ANSWERS: usize = 100;
/// How many jobs of the engine are done for one script.
pub const MAX_JOBS: u32 = 5_000;
/// How much time goes by in one script: ten years.
pub const MAX_TIME: Duration = Duration::from_secs(3_660 * 86_400);
/// How much is told of one script.
pub const MAX_MOMENTS: usize = 2_500;
/// And of all scripts together, in bytes of JSON.
pub(super) const MAX_TOLD: usize = 4 << 20;
/// How many other flows than the one that is tried are there.
pub(super) const MAX_FLOWS: usize = 50;
/// And how long their definitions are together, in bytes.
pub(super) const MAX_DEFINITIONS: usize = 4 << 20;
/// How much the store takes that a script is played in.
pub(super) const STORE: crate::memory::Bounds = crate::memory::Bounds { rows: 50_000, bytes: 16 << 20 };
