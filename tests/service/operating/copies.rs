//! Copies of a SQLite file: made during writes, and restored without sending anything twice.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use tidings_storage_suite::databases::SqliteFile;

use super::{contact, hook};
use crate::support::{Receiver, Server, Store};

const RETRIES: (&str, &str) =
    ("TIDINGS__WEBHOOKS__RETRY_SCHEDULE", "PT0S,PT1S,PT1S,PT1S,PT1S,PT1S,PT1S,PT1S,PT1S,PT1S");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restored_copies_start_paused_and_send_once_when_enabled() {
    let mut server = Server::start(Store::sqlite().await, &[RETRIES]);
    let (client, receiver) = (server.client(), Receiver::start());
    receiver.answer(503);
    hook(&client, &receiver).await;
    contact(&client, "before").await;
    let stop = Arc::new(AtomicBool::new(false));
    let writer = {
        let (client, stop) = (client.clone(), stop.clone());
        tokio::spawn(async move {
            let mut written = 0;
            while !stop.load(Ordering::SeqCst) || written < 20 {
                contact(&client, &format!("during-{written}")).await;
                written += 1;
            }
        })
    };
    let folder = SqliteFile::new();
    let copy = folder.folder().join("copy.db");
    let name = copy.to_string_lossy().into_owned();
    let made = server.command(&["backup", &name]);
    stop.store(true, Ordering::SeqCst);
    writer.await.unwrap();
    assert_eq!((&made["ok"], made["bytes"].as_u64()), (&json!(true), Some(fs::metadata(&copy).unwrap().len())));
    let (again, said) = server.attempt(&["backup", &name], &[]);
    assert!(!again && said.contains("already exists"), "{said}");
    server.kill();
    let before = receiver.received().len();
    receiver.answer(204);

    let place = SqliteFile::new();
    let mut restored = server.elsewhere(Store::At(place.url()));
    let report = restored.command(&["restore", &name, "--check"]);
    assert_eq!((&report["ok"], &report["pending"], &report["master_key"]), (&json!(true), &json!(0), &json!("fits")));
    assert!(!place.path().exists(), "a check restores nothing");
    assert_eq!(restored.command(&["restore", &name])["mode"], "hold");
    let left = fs::read_dir(place.folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| !name.to_string_lossy().ends_with(".lock")).collect();
    assert_eq!(left, ["tidings.db"], "no temporary files are left");

    restored.serve();
    let client = restored.client();
    let contacts = client.get("/api/v1/contacts?limit=100").await.expect(200);
    let ids: Vec<String> =
        contacts["data"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect();
    assert!(!ids.is_empty(), "the copy contains earlier contacts");
    // Internal work continues: each event is in the feed and has its delivery.
    let fed = |feed: &serde_json::Value| feed["data"].as_array().unwrap().len() >= ids.len().min(100);
    client.until("/api/v1/events?types=contact.created&limit=100", fed).await;
    assert_eq!(receiver.received().len(), before, "a restored copy sends nothing");
    let shown = restored.command(&["outbound", "show"]);
    assert_eq!((&shown["mode"], &shown["reason"]), (&json!("hold"), &json!("restored from copy.db")));
    assert_eq!(shown["restored"], true);

    restored.command(&["outbound", "send"]);
    receiver.until("everything that waited", |came| came.len() >= before + ids.len()).await;
    contact(&client, "after").await;
    let came = receiver.until("what is new", |came| came.len() > before + ids.len()).await;
    let mut times = BTreeMap::<String, u32>::new();
    for delivery in &came[before..] {
        *times.entry(delivery.envelope()["data"]["object"]["id"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    assert!(ids.iter().all(|id| times.get(id) == Some(&1)), "{times:?}");
    assert!(
        times.len() == ids.len() + 1 && times.values().all(|times| *times == 1),
        "each event is sent once: {times:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejects_an_unusable_copy_with_the_reason() {
    let server = Server::start(Store::sqlite().await, &[]);
    hook(&server.client(), &Receiver::start()).await;
    let folder = SqliteFile::new();
    let copy = folder.folder().join("a copy?.db");
    server.command(&["backup", &copy.to_string_lossy()]);

    let place = SqliteFile::new();
    let restored = server.elsewhere(Store::At(place.url()));
    let refused = |file: &Path, settings: &[(&str, &str)], why: &str| {
        for more in [["--check"].as_slice(), &[]] {
            let name = file.to_string_lossy();
            let arguments: Vec<&str> = ["restore", &name].into_iter().chain(more.iter().copied()).collect();
            let (well, said) = restored.attempt(&arguments, settings);
            assert!(!well && said.contains(why), "{arguments:?}: {said}");
            assert!(!place.path().exists());
        }
    };
    refused(&folder.folder().join("none.db"), &[], "does not exist");
    let other_key = "b3RoZXIgYnl0ZXMsIGFsc28gMzIgb2YgdGhlbSwgb2s=";
    refused(&copy, &[("TIDINGS__SECRETS__MASTER_KEY", other_key)], "a different master key");
    refused(&copy, &[("TIDINGS__SECRETS__MASTER_KEY", "")], "there is no master key");
    let text = folder.folder().join("text.db");
    fs::write(&text, "This is no database, however long it may be.".repeat(100)).unwrap();
    refused(&text, &[], "text.db");
    let damaged = folder.folder().join("damaged.db");
    let mut bytes = fs::read(&copy).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8_192].fill(0xA5);
    fs::write(&damaged, bytes).unwrap();
    refused(&damaged, &[], "damaged.db");

    fs::write(place.folder().join("credentials.json"), "{}").unwrap();
    let (well, said) = restored.attempt(&["restore", &copy.to_string_lossy()], &[]);
    assert!(!well && said.contains("is not empty (it contains credentials.json)"), "{said}");
    fs::remove_file(place.folder().join("credentials.json")).unwrap();
    let (well, said) = restored.attempt(&["restore", &copy.to_string_lossy()], &[]);
    assert!(well && said.contains("Outbound sending is paused"), "{said}");
    let (well, said) = restored.attempt(&["restore", &copy.to_string_lossy()], &[]);
    assert!(!well && said.contains("is not empty"), "{said}");
}

#[test]
fn explains_backups_of_postgresql() {
    let server = tokio::runtime::Runtime::new().unwrap().block_on(async { Store::sqlite().await });
    let server = Server::provision(server, &[]);
    let postgres = [("TIDINGS__STORAGE__URL", "postgres://tidings@127.0.0.1:1/tidings")];
    let (well, said) = server.attempt(&["backup", "copy.dump"], &postgres);
    assert!(!well && said.contains("pg_dump --format=custom"), "{said}");
    assert!(said.contains("tidings outbound hold --restored"), "a copy must not poll beside its original: {said}");
    let (well, said) = server.attempt(&["restore", "copy.dump"], &postgres);
    assert!(!well && said.contains("pg_restore"), "{said}");
}
