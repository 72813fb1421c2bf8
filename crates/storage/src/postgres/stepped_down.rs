//! A server that takes no writes any more: a primary that was put aside under its connections, or a standby (25006).

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// For how long a connection is used in any case: a server that takes no writes may be all that there is, and is not to be
/// busy with connections alone.
const REST: Duration = Duration::from_secs(2);

/// When such a server was met last.
#[derive(Default)]
pub(super) struct SteppedDown(Mutex<Option<Instant>>);

impl SteppedDown {
    /// One was met just now. True where none was for a while.
    pub(super) fn note(&self) -> bool {
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        met.replace(Instant::now()).is_none_or(|before| before.elapsed() >= REST)
    }

    /// Whether a connection that was made then is not used again.
    pub(super) fn covers(&self, made: Instant) -> bool {
        let met = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        met.is_some_and(|met| made < met) && made.elapsed() >= REST
    }
}
