use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};

use super::*;

/// Never ends by itself.
const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
/// Takes far more instructions than pass between two calls of the handler.
const LONG: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT count(*) FROM n";

fn connection() -> SqliteConnection {
    assert!(install());
    SqliteConnection::establish(":memory:").unwrap()
}

fn limits(deadline: Instant) -> Limits {
    Limits { deadline: Some(deadline), ..Limits::default() }
}

#[test]
fn interrupts_at_the_deadline() {
    let mut connection = connection();
    let (outcome, why) = interruptible(limits(Instant::now()), || connection.batch_execute(ENDLESS));
    assert_eq!(outcome.unwrap_err().to_string(), "interrupted");
    assert_eq!(why, Some(Interruption::Deadline));
}

#[test]
fn interrupts_when_another_thread_cancels() {
    let mut connection = connection();
    let (limits, begun) = (Limits::default(), AtomicBool::new(false));
    let cancelled = Arc::clone(&limits.cancelled);
    let (outcome, why) = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !begun.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            cancelled.store(true, Ordering::Relaxed);
        });
        interruptible(limits, || {
            begun.store(true, Ordering::Relaxed);
            connection.batch_execute(ENDLESS)
        })
    });
    assert!(outcome.is_err());
    assert_eq!(why, Some(Interruption::Cancelled));
}

#[test]
fn the_connection_works_after_an_interruption_in_a_transaction() {
    let mut connection = connection();
    connection.batch_execute("CREATE TABLE t (i INTEGER); BEGIN; INSERT INTO t VALUES (1)").unwrap();
    let (outcome, _) = interruptible(limits(Instant::now()), || connection.batch_execute(ENDLESS));
    assert!(outcome.is_err());
    connection.batch_execute("ROLLBACK").unwrap();
    connection.batch_execute("BEGIN; INSERT INTO t VALUES (2); COMMIT").unwrap();
    connection.batch_execute(LONG).unwrap();
}

#[test]
fn neither_interrupts_what_ends_in_time_nor_what_has_no_limits() {
    let mut connection = connection();
    let later = Instant::now() + Duration::from_secs(600);
    let (outcome, why) = interruptible(limits(later), || connection.batch_execute(LONG));
    assert_eq!((outcome, why), (Ok(()), None));
    assert_eq!(connection.batch_execute(LONG), Ok(()));
}

#[test]
fn limits_end_with_work_that_panics() {
    let mut connection = connection();
    let panicking = || interruptible(limits(Instant::now()), || panic!("in the middle"));
    assert!(catch_unwind(AssertUnwindSafe(panicking)).is_err());
    assert_eq!(connection.batch_execute(LONG), Ok(()));
}

#[test]
fn other_threads_are_not_interrupted() {
    let (mut mine, mut other) = (connection(), connection());
    let limits = Limits::default();
    limits.cancelled.store(true, Ordering::Relaxed);
    interruptible(limits, || {
        std::thread::scope(|scope| scope.spawn(|| other.batch_execute(LONG).unwrap()).join().unwrap());
        assert!(mine.batch_execute(LONG).is_err());
    });
}
