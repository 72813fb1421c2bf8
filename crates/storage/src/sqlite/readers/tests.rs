//! Workspaces take turns, queries without a client end, and one thread is reserved for the process itself.

use std::sync::mpsc;

use futures::FutureExt;
use futures::future::join_all;
use tidings_storage_suite::databases::SqliteFile;

use super::*;
use crate::connection::concurrency_limit::{ConcurrencyLimit, WaitLimits};
use crate::connection::load;

const ADA: DbId = DbId(Uuid::from_u128(1));
const BOB: DbId = DbId(Uuid::from_u128(2));
/// A query that never ends.
const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0";

#[derive(diesel::QueryableByName)]
struct Number {
    #[diesel(sql_type = diesel::sql_types::BigInt, column_name = i)]
    _number: i64,
}

fn readers(threads: usize) -> (Readers, SqliteFile) {
    assert!(tidings_sqlite_interrupt::install());
    let file = SqliteFile::new();
    let settings =
        SqliteSettings { path: file.path(), readers: threads, batch_time: Duration::from_millis(5), max_pages: None };
    (Readers::start(&settings).unwrap(), file)
}

/// Starts a query that blocks its thread until its sender is dropped. It is running when this returns.
async fn blocking(
    readers: &Readers,
    workspace: DbId,
) -> (mpsc::Sender<()>, tokio::task::JoinHandle<Result<(), Fault>>) {
    let ((release, released), (begun, running)) = (mpsc::channel::<()>(), oneshot::channel());
    let readers = readers.clone();
    let query = tokio::spawn(async move {
        let turn = Turn::of(workspace);
        readers
            .run(turn, move |_| {
                let _ = begun.send(());
                let _ = released.recv();
                async { Ok(()) }.boxed()
            })
            .await
    });
    running.await.unwrap();
    (release, query)
}

async fn endless(readers: &Readers, turn: Turn) -> Result<(), Fault> {
    readers
        .run_as_one(turn, |mut c| {
            async move {
                let found: Vec<Number> = load!(uncached, &mut c, diesel::sql_query(ENDLESS))?;
                assert!(found.is_empty());
                Ok(())
            }
            .boxed()
        })
        .await
}

async fn short(readers: &Readers, workspace: DbId) -> Result<u8, Fault> {
    readers.run(Turn::of(workspace), |_| async { Ok(7) }.boxed()).await
}

#[tokio::test]
async fn one_workspace_uses_at_most_half_of_the_threads() {
    let (readers, _file) = readers(4);
    let blocked = [blocking(&readers, ADA).await, blocking(&readers, ADA).await];
    let mut third = Box::pin(short(&readers, ADA));
    assert!((&mut third).now_or_never().is_none());
    assert_eq!(short(&readers, BOB).await.unwrap(), 7, "another workspace gets a thread");
    assert!((&mut third).now_or_never().is_none(), "the third query still waits");
    // A thread becomes idle shortly after its answer.
    while readers.status() != (5, 3, 1) {
        tokio::task::yield_now().await;
    }
    drop(blocked);
    assert_eq!(third.await.unwrap(), 7);
}

#[tokio::test]
async fn reserves_one_thread_for_the_process() {
    let (readers, _file) = readers(1);
    let blocked = blocking(&readers, ADA).await;
    assert_eq!(short(&readers, SYSTEM).await.unwrap(), 7);
    let of_process = blocking(&readers, SYSTEM).await;
    let mut next = Box::pin(short(&readers, SYSTEM));
    assert!((&mut next).now_or_never().is_none());
    drop(blocked);
    assert_eq!(next.await.unwrap(), 7, "the other threads also serve the process");
    drop(of_process);
}

#[tokio::test]
async fn workspaces_take_turns() {
    let (readers, _file) = readers(1);
    let (release, blocked) = blocking(&readers, ADA).await;
    let order = Arc::new(Mutex::new(Vec::new()));
    let noted = [ADA, ADA, ADA, BOB, BOB].map(|workspace| {
        let (readers, order) = (readers.clone(), Arc::clone(&order));
        async move {
            let turn = Turn::of(workspace);
            readers
                .run(turn, move |_| {
                    order.lock().unwrap().push(workspace);
                    async { Ok(()) }.boxed()
                })
                .await
        }
    });
    let mut all = Box::pin(join_all(noted));
    assert!((&mut all).now_or_never().is_none());
    drop(release);
    assert!(all.await.iter().all(Result::is_ok));
    blocked.await.unwrap().unwrap();
    assert_eq!(*order.lock().unwrap(), [ADA, BOB, ADA, BOB, ADA]);
}

#[tokio::test]
async fn never_starts_a_cancelled_query() {
    let (readers, _file) = readers(1);
    let blocked = blocking(&readers, ADA).await;
    let (started, start) = mpsc::channel();
    let mut waiting = Box::pin(readers.run(Turn::of(ADA), move |_| {
        let _ = started.send(());
        async { Ok(()) }.boxed()
    }));
    assert!((&mut waiting).now_or_never().is_none());
    drop(waiting);
    let last = short(&readers, ADA);
    drop(blocked);
    assert_eq!(last.await.unwrap(), 7);
    assert!(start.try_recv().is_err());
    assert_eq!(readers.status().2, 0);
}

#[tokio::test]
async fn ends_a_running_query_when_it_is_cancelled() {
    let (readers, _file) = readers(1);
    let turn = Turn { time: Duration::from_secs(3_600), ..Turn::of(ADA) };
    let mut running = Box::pin(endless(&readers, turn));
    assert!((&mut running).now_or_never().is_none());
    drop(running);
    assert_eq!(short(&readers, ADA).await.unwrap(), 7, "the thread of the query is free");
}

#[tokio::test]
async fn only_expensive_queries_fail_as_too_slow() {
    let (readers, _file) = readers(2);
    let limit = ConcurrencyLimit::new(1, 1);
    let pass = limit.enter(ADA.0, WaitLimits { waiting: 1, time: Duration::ZERO }).await.unwrap();
    let outcome = endless(&readers, Turn::expensive(ADA, Duration::ZERO, pass)).await;
    assert!(matches!(outcome, Err(Fault::Store(StoreError::TooSlow))), "{outcome:?}");
    assert_eq!(limit.inside(), 0, "the place of the query is free");
    let outcome = endless(&readers, Turn { time: Duration::ZERO, ..Turn::of(ADA) }).await;
    assert!(matches!(outcome, Err(Fault::Store(StoreError::Unavailable(_)))), "{outcome:?}");
    assert_eq!(short(&readers, ADA).await.unwrap(), 7);
}

#[tokio::test]
async fn cancelled_queries_do_not_fill_the_queue() {
    let (readers, _file) = readers(1);
    let blocked = blocking(&readers, ADA).await;
    for _ in 0..EACH {
        assert!(short(&readers, ADA).now_or_never().is_none());
    }
    let last = tokio::spawn({
        let readers = readers.clone();
        async move { short(&readers, ADA).await }
    });
    drop(blocked);
    assert_eq!(last.await.unwrap().unwrap(), 7);
}
