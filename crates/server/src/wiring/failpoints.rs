//! Tests that let every call of the store fail once: it does not reach the database, its response is lost, or the
//! COMMIT is rejected, lost or unanswered. Reported results must hold, nothing may be partial, and a retry takes effect
//! once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

mod channel;
mod operations;
mod setup;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fail::FailScenario;
use tidings_storage::FAILPOINTS;
use tidings_storage_suite::databases::{PostgresDatabase, SqliteFile};

use channel::{Receive, SendOnce};
use operations::{Create, Deliver, Once, Rotate, Step};
use setup::Setup;

/// An operation that calls the store.
trait Operation {
    /// The objects that it needs, created before anything fails.
    type Subject;
    /// The result for its caller.
    type Told;

    async fn prepare(&self, setup: &Setup) -> Self::Subject;

    async fn act(&self, setup: &Setup, subject: &Self::Subject) -> Self::Told;

    /// Panics if the state contradicts the result, or is inconsistent.
    async fn check(&self, setup: &Setup, subject: Self::Subject, told: Self::Told);
}

/// Runs the operation without failures, then once per pass of each failpoint, which fails that time. Returns the number
/// of passes of each failpoint.
async fn sweep(setup: &Setup, operation: &impl Operation) -> BTreeMap<&'static str, usize> {
    let mut passed = BTreeMap::new();
    for point in FAILPOINTS {
        let passes = Arc::new(AtomicUsize::new(0));
        let counting = Arc::clone(&passes);
        let subject = operation.prepare(setup).await;
        fail::cfg_callback(*point, move || {
            counting.fetch_add(1, Ordering::SeqCst);
        })
        .unwrap();
        let told = operation.act(setup, &subject).await;
        fail::remove(*point);
        operation.check(setup, subject, told).await;

        let passes = passes.load(Ordering::SeqCst);
        for before in 0..passes {
            let subject = operation.prepare(setup).await;
            let skipped = if before == 0 { String::new() } else { format!("{before}*off->") };
            fail::cfg(*point, &format!("{skipped}1*return")).unwrap();
            let told = operation.act(setup, &subject).await;
            fail::remove(*point);
            operation.check(setup, subject, told).await;
        }
        passed.insert(*point, passes);
    }
    passed
}

async fn every_call_fails_once(url: String, points: &[&str]) {
    let scenario = FailScenario::setup();
    let setup = Setup::new(&url).await;
    let passed = [
        ("create a contact", sweep(&setup, &Create).await),
        ("create one with a key", sweep(&setup, &Once).await),
        ("rotate a secret", sweep(&setup, &Rotate).await),
        ("step a run", sweep(&setup, &Step).await),
        ("deliver an event", sweep(&setup, &Deliver).await),
        ("receive a message", sweep(&setup, &Receive).await),
        ("send a message", sweep(&setup, &SendOnce).await),
    ];
    scenario.teardown();
    for (operation, passed) in &passed {
        println!("{operation}: {passed:?}");
        // The first operation has all that it reads in memory.
        let reads = *operation != "create a contact";
        let is_passed = |point: &&&str| passed[**point] > 0 || (!reads && **point == "storage.read");
        let missed: Vec<_> = points.iter().filter(|point| !is_passed(point)).collect();
        assert!(missed.is_empty(), "{operation} does not pass {missed:?}");
    }
}

#[actix_web::test]
async fn every_call_fails_once_on_sqlite() {
    let file = SqliteFile::new();
    // A COMMIT to a file cannot get lost on the way.
    let points = ["storage.call", "storage.read", "storage.written", "storage.commit.refused"];
    every_call_fails_once(file.url(), &points).await;
}

#[actix_web::test]
async fn every_call_fails_once_on_postgresql() {
    let database = PostgresDatabase::new().await;
    every_call_fails_once(database.url(), FAILPOINTS).await;
}
