//! Time that goes on evenly, whatever becomes of the machine's clock.

use std::sync::OnceLock;
use std::time::Instant;

use tidings_domain::time::Timestamp;

/// How long ago this process first asked, as an instant after 1970. One process serves a SQLite file, and frees at its
/// start what the one before had claimed: so it may time leases by this. It is before every instant of the machine's
/// clock.
pub(crate) fn now() -> Timestamp {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    Timestamp::from_millis(0).plus(BEGAN.get_or_init(Instant::now).elapsed())
}
