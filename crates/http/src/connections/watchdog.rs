//! A watchdog of the request threads, in debug builds: it reports tasks that block their thread.
//!
//! A task of each thread reads the processor time of the thread 20 times per second. The difference between two
//! readings is the time of the other tasks. Other threads and programs do not count.

use std::time::Duration;

/// The processor time that may pass between two readings. A debug build takes several times as long as a release build.
const MOST: Duration = Duration::from_millis(250);
/// The interval between two readings.
const EVERY: Duration = Duration::from_millis(50);
/// The kernel's statistics of the reading thread. The first number is its processor time in nanoseconds.
const ACCOUNT: &str = "/proc/thread-self/schedstat";

/// Starts to watch this thread, if the system has such statistics.
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
