//! Messages between processes with PostgreSQL's `LISTEN` and `NOTIFY`.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::time::Duration;

use futures::future::poll_immediate;
use tidings_domain::ports::HintBusConnection;
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::databases::{PostgresDatabase, SqliteFile, texts};
use tokio::time::timeout;

/// Maximum delay of a message on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

async fn connection(url: &str) -> Box<dyn HintBusConnection> {
    let storage = Storage::open(&StorageSettings::new(url)).await.unwrap();
    storage.hint_bus().unwrap().connect().await.unwrap()
}

async fn next(connection: &mut dyn HintBusConnection) -> Option<String> {
    timeout(PATIENCE, connection.next()).await.unwrap().ok()
}

#[tokio::test]
async fn every_connection_receives_each_hint_once_in_order() {
    let database = PostgresDatabase::new().await;
    let mut one = connection(&database.url()).await;
    let mut other = connection(&database.url()).await;
    assert!(poll_immediate(other.next()).await.is_none(), "nothing was sent");
    one.send(Vec::new()).await.unwrap();
    let longest = "x".repeat(7_999);
    one.send(vec!["first".to_owned(), "it's the second".to_owned()]).await.unwrap();
    other.send(vec![longest.clone()]).await.unwrap();
    for connection in [&mut *one, &mut *other] {
        for expected in ["first", "it's the second", &longest] {
            assert_eq!(next(connection).await.as_deref(), Some(expected));
        }
        assert!(poll_immediate(connection.next()).await.is_none(), "each connection receives a hint once");
    }
    assert!(one.send(vec!["x".repeat(8_000)]).await.is_err(), "the hint is longer than PostgreSQL allows");
}

#[tokio::test]
async fn a_closed_connection_reports_its_end() {
    let database = PostgresDatabase::new().await;
    let mut closed = connection(&database.url()).await;
    let close = "SELECT count(pg_terminate_backend(pid))::text FROM pg_stat_activity \
                 WHERE datname = current_database() AND query LIKE '%tidings_hints%' AND pid <> pg_backend_pid()";
    assert_eq!(texts(&database.url(), close).await, ["1"]);
    assert_eq!(next(&mut *closed).await, None);
    assert!(closed.send(vec!["lost".to_owned()]).await.is_err());
    let mut again = connection(&database.url()).await;
    again.send(vec!["found".to_owned()]).await.unwrap();
    assert_eq!(next(&mut *again).await.as_deref(), Some("found"));
}

#[tokio::test]
async fn a_sqlite_file_has_no_hint_bus() {
    let file = SqliteFile::new();
    let storage = Storage::open(&StorageSettings::new(file.url())).await.unwrap();
    assert!(storage.hint_bus().is_none());
}
