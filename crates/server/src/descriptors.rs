//! The limit of open files. Client connections get a share that leaves enough for the database.

use tidings_http::ConnectionBounds;

use crate::settings::Settings;

/// Files for the log, the event loops, connections of operators, and connections to be refused.
const OTHERS: usize = 192;
/// The assumed limit if the system has none.
const UNLIMITED: usize = 1_000_000;
/// The effective limit of systems that report a higher one.
#[cfg(unix)]
const MODEST: u64 = 10_240;

/// Raises the soft limit to the hard limit. Returns the resulting limit.
#[cfg(unix)]
pub(crate) fn raise() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let before = getrlimit(Resource::Nofile);
    let ask = |current| setrlimit(Resource::Nofile, Rlimit { current, maximum: before.maximum }).is_ok();
    let is_raised = before.current != before.maximum && ask(before.maximum);
    if !is_raised && before.current.is_some_and(|it| it < MODEST) && before.maximum.is_none_or(|it| it > MODEST) {
        ask(Some(MODEST));
    }
    let allowed = getrlimit(Resource::Nofile).current;
    allowed.and_then(|it| usize::try_from(it).ok()).map_or(UNLIMITED, |it| it.min(UNLIMITED))
}

/// Returns the limit of systems without one.
#[cfg(not(unix))]
pub(crate) fn raise() -> usize {
    UNLIMITED
}

/// Returns the limits of client connections if `allowed` files can be open.
pub(crate) fn connections(settings: &Settings, allowed: usize) -> ConnectionBounds {
    settings.connections.within(left_for_clients(settings.pool_size, settings.concurrency, allowed))
}

fn left_for_clients(pool_size: usize, concurrency: usize, allowed: usize) -> usize {
    // The database: its pool, and twice as many for the request threads. Outgoing calls: two sends and eight deliveries
    // per unit of concurrency, and their idle connections.
    let kept = OTHERS + 3 * pool_size + 11 * concurrency;
    allowed.saturating_sub(kept).max(allowed / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserves_descriptors_for_the_database_and_outgoing_calls() {
        assert_eq!(left_for_clients(8, 16, 1_024), 1_024 - 192 - 24 - 176);
        assert_eq!(left_for_clients(8, 32, 20_000), 20_000 - 568);
        assert_eq!(left_for_clients(8, 32, 256), 128, "clients get half of a small limit");
    }

    #[test]
    fn raising_the_limit_twice_gives_the_same_limit() {
        let allowed = raise();
        assert!(allowed > 0);
        assert_eq!(raise(), allowed);
    }
}
