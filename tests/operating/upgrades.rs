//! A database that a killed program of an earlier schema left behind is brought up to date by today's: nothing is
//! lost, and what was claimed or due is done, once. `tests/dumps/make.py` makes the dumps.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use tidings_storage_suite::databases::{PostgresDatabase, SqliteFile};

use super::support::{Receiver, Server, Store};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/dumps");
/// Each schema of which there is a dump.
const DUMPS: [&str; 1] = ["2026-11-22-001200"];
const RETRIES: (&str, &str) = ("TIDINGS__WEBHOOKS__RETRY_SCHEDULE", "PT0S,PT1S,PT1S,PT1S,PT1S,PT1S,PT1S,PT1S");

fn read(name: &str) -> Vec<u8> {
    let path = format!("{FOLDER}/{name}");
    let mut bytes = Vec::new();
    let file = File::open(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(file.metadata().unwrap().len() <= 200_000, "{name} is small");
    GzDecoder::new(file).read_to_end(&mut bytes).unwrap();
    bytes
}

fn facts(dump: &str, database: &str) -> Value {
    let all: Value = serde_json::from_slice(&std::fs::read(format!("{FOLDER}/{dump}.json")).unwrap()).unwrap();
    all[database].clone()
}

/// What the earlier program acknowledged is there, and what it left to be done is done.
async fn is_taken_over(store: Store, facts: &Value) {
    let text = |name: &str| facts[name].as_str().unwrap().to_owned();
    let mut server = Server::of(store, &[RETRIES], text("workspace"), text("key"));
    assert!(server.command(&["migrate"])["applied"].as_u64().unwrap() > 0, "it is of an earlier schema");
    assert!((facts["claimed"].as_u64(), facts["waiting"].as_u64()) > (Some(0), Some(1)), "there is work to be done");
    // Nothing leaves before the receivers are those of this test.
    server.command(&["outbound", "hold"]);
    server.serve();
    let (client, receiver) = (server.client(), Receiver::start());
    for hook in ["refused_webhook", "hanging_webhook"] {
        let path = format!("/api/v1/webhooks/{}", text(hook));
        client.call("PATCH", &path, Some(&json!({"url": receiver.url}))).await.expect(200);
    }

    server.command(&["outbound", "send"]);

    let contacts: Vec<&str> = facts["contacts"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    for (number, contact) in contacts.iter().enumerate() {
        let shown = client.get(&format!("/api/v1/contacts/{contact}")).await.expect(200);
        assert_eq!(shown["external_id"], format!("old-{number}"));
    }
    // The run waited for its minute; its message goes out now, behind the one that went out before.
    let sent = |list: &Value| list["data"].as_array().unwrap().iter().filter(|it| it["status"] == "sent").count() == 2;
    let messages = client.until(&text("messages"), sent).await;
    assert_eq!(messages["data"].as_array().unwrap().len(), 2);
    // Ten deliveries that failed once, and the one that was under way as the program was killed.
    let came = receiver.until("what was waiting", |came| came.len() >= 11).await;
    let mut told = BTreeMap::<(String, String), u32>::new();
    for delivery in &came {
        let of = delivery.envelope()["data"]["object"]["id"].as_str().unwrap().to_owned();
        *told.entry((delivery.kind(), of)).or_default() += 1;
    }
    assert!(told.values().all(|times| *times == 1), "{told:?}");
    for contact in &contacts {
        assert!(told.contains_key(&("contact.created".to_owned(), (*contact).to_owned())), "{contact}");
    }
    assert!(told.contains_key(&("contact.updated".to_owned(), contacts[1].to_owned())));
    // And it takes new work.
    super::contact(&client, "new").await;
    receiver.until("the event of a new contact", |came| came.len() == 12).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sqlite_file_of_an_earlier_schema_is_taken_over() {
    for dump in DUMPS {
        let file = SqliteFile::new();
        std::fs::write(file.path(), read(&format!("{dump}.db.gz"))).unwrap();
        is_taken_over(Store::Sqlite(file), &facts(dump, "sqlite")).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgresql_database_of_an_earlier_schema_is_taken_over() {
    for dump in DUMPS {
        let database = PostgresDatabase::new().await;
        database.execute(&String::from_utf8(read(&format!("{dump}.sql.gz"))).unwrap()).await;
        is_taken_over(Store::Postgres(database), &facts(dump, "postgres")).await;
    }
}
