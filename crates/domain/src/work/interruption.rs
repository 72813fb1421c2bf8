//! The wait of a claimed job after its process ended.

use std::time::Duration;

/// The number of claims without a result after which a job is dead-lettered.
pub const MOST_CLAIMS: i32 = 5;

/// The waits after a process ended: the number of claims without a result, and the wait for the next one. Fewer claims
/// have no wait. So a server that is restarted often within a minute does not use up all claims of a harmless job, and
/// a job that ends its processes delays the others less.
pub const WAITS_AFTER_INTERRUPTIONS: [(i32, Duration); 2] =
    [(MOST_CLAIMS - 2, Duration::from_secs(10)), (MOST_CLAIMS - 1, Duration::from_secs(60))];
