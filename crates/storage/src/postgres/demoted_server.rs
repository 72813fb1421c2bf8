//! Detection of a read-only server: a demoted primary with open connections, or a standby (25006).

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Minimum age of a closed connection. The read-only server may be the only one, and must not be overloaded by
/// reconnects.
const REST: Duration = Duration::from_secs(2);

/// The last contact with a read-only server.
#[derive(Default)]
pub(super) struct DemotedServer(Mutex<Option<Met>>);

#[derive(Clone, Copy)]
struct Met {
    last: Instant,
    /// Time of the last report.
    told: Instant,
}

impl DemotedServer {
    /// Records a contact. Returns true if it should be reported because there was no recent report.
    pub(super) fn note(&self) -> bool {
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let told = met.map(|met| met.told).filter(|told| told.elapsed() < REST);
        *met = Some(Met { last: now, told: told.unwrap_or(now) });
        told.is_none()
    }

    /// Returns true if a connection opened at `made` must not be reused.
    pub(super) fn covers(&self, made: Instant) -> bool {
        let met = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        met.is_some_and(|met| made < met.last) && made.elapsed() >= REST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_only_connections_made_before_the_server_stepped_down() {
        let (server, now) = (DemotedServer::default(), Instant::now());
        let old = now.checked_sub(REST).unwrap();
        assert!(!server.covers(old), "no server has stepped down yet");
        assert!(server.note());
        assert!(!server.note(), "a contact is reported once");
        assert!(server.covers(old));
        assert!(!server.covers(now), "a new connection is not covered");
        assert!(!server.covers(Instant::now()), "a connection made afterwards is not covered");
    }
}
