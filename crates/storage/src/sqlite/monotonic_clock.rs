//! A steady clock, independent of changes to the system clock.

use std::sync::OnceLock;
use std::time::Instant;

use tidings_domain::time::Timestamp;

/// Returns the time since this process first called it, as an instant after 1970. Only one process uses a SQLite file,
/// and it releases the leases of its predecessor at the start. Leases can therefore use this clock. Its instants are
/// before all instants of the system clock.
pub(crate) fn now() -> Timestamp {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    Timestamp::from_millis(0).plus(BEGAN.get_or_init(Instant::now).elapsed())
}
