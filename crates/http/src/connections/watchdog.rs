//! Watches the threads that answer requests, in debug builds: no task of theirs may keep its thread for long.
//!
//! A task of each thread reads, twenty times a second, how much processor time the thread has used. The other
//! tasks used the difference between two of its readings. The time of other threads and other programs does not count.

use std::time::Duration;

/// So much processor time may pass between two turns. A debug build takes several times as long as a release build.
const MOST: Duration = Duration::from_millis(250);
/// The clock is read after each such interval.
const EVERY: Duration = Duration::from_millis(50);
/// The kernel's account of the thread that reads it; the first number is its processor time in nanoseconds.
const ACCOUNT: &str = "/proc/thread-self/schedstat";

/// Begins to watch this thread; not where the system has no such account.
pub(super) fn watch_this_thread() {
    if cfg!(debug_assertions) {
        actix_web::rt::spawn(watch());
    }
}

async fn watch() {
    let Some(mut before) = processor_time() else { return };
    loop {
        tokio::time::sleep(EVERY).await;
        let Some(now) = processor_time() else { return };
        let turn = now.saturating_sub(before);
        if turn > MOST {
            metrics::counter!("tidings_http_long_turns_total").increment(1);
            tracing::warn!(milliseconds = turn.as_millis(), "one task blocked a thread that serves requests");
        }
        before = now;
    }
}

fn processor_time() -> Option<Duration> {
    let account = std::fs::read_to_string(ACCOUNT).ok()?;
    account.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
