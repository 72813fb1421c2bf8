//! Upgrades of a database that a killed program with an earlier schema left: nothing is lost, and claimed and due work
//! is done once. `tests/dumps/make.py` makes the dumps.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use tidings_storage_suite::databases::{PostgresDatabase, SqliteFile, texts};

use crate::support::{Receiver, Server, Store};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/dumps");
/// The schemas with a dump.
const DUMPS: [&str; 2] = ["2026-11-22-001200", "2026-11-22-006000"];
const RETRIES: (&str, &str) = ("TIDINGS__WEBHOOKS__RETRY_SCHEDULE", "PT0S,PT1S,PT1S,PT1S,PT1S,PT1S,PT1S,PT1S");

fn read(name: &str) -> Vec<u8> {
    let path = format!("{FOLDER}/{name}");
    let mut bytes = Vec::new();
    let file = File::open(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(file.metadata().unwrap().len() <= 200_000, "{name} must be small");
    GzDecoder::new(file).read_to_end(&mut bytes).unwrap();
    bytes
}

fn facts(dump: &str, database: &str) -> Value {
    let all: Value = serde_json::from_slice(&std::fs::read(format!("{FOLDER}/{dump}.json")).unwrap()).unwrap();
    all[database].clone()
}

/// Checks that acknowledged data of the earlier program exists and that its unfinished work is done.
async fn is_taken_over(store: Store, facts: &Value) {
    let text = |name: &str| facts[name].as_str().unwrap().to_owned();
    let mut server = Server::of(store, &[RETRIES], text("workspace"), text("key"));
    assert!(server.command(&["migrate"])["applied"].as_u64().unwrap() > 0, "the dump has an earlier schema");
    assert!(
        (facts["claimed"].as_u64(), facts["waiting"].as_u64()) > (Some(0), Some(1)),
        "the dump contains unfinished jobs"
    );
    // Outbound traffic is paused until the webhooks point to this test's receiver.
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
    // The run waited for a minute; its message is sent now, after the earlier one.
    let sent = |list: &Value| list["data"].as_array().unwrap().iter().filter(|it| it["status"] == "sent").count() == 2;
    let messages = client.until(&text("messages"), sent).await;
    assert_eq!(messages["data"].as_array().unwrap().len(), 2);
    // Committed just before the kill: messages of one lane, and contacts without relayed events.
    if let Some(path) = facts["burst_messages"].as_str() {
        let count = facts["burst_count"].as_u64().unwrap() as usize;
        let path = format!("{path}?limit=100");
        let sent = |list: &Value| list["data"].as_array().unwrap().iter().all(|it| it["status"] == "sent");
        let messages = client.until(&path, sent).await;
        let mut texts: Vec<_> =
            messages["data"].as_array().unwrap().iter().map(|it| it["text"].as_str().unwrap()).collect();
        texts.reverse();
        assert_eq!(texts, (0..count).map(|number| format!("Burst {number}")).collect::<Vec<_>>());
    }
    let burst = facts["burst_contacts"].as_array().cloned().unwrap_or_default();
    // Ten deliveries that failed once, the one in progress at the kill, and the burst's deliveries.
    let waited = 11 + burst.len();
    let came = receiver.until("what was waiting", |came| came.len() >= waited).await;
    let mut told = BTreeMap::<(String, String), u32>::new();
    for delivery in &came {
        let of = delivery.envelope()["data"]["object"]["id"].as_str().unwrap().to_owned();
        *told.entry((delivery.kind(), of)).or_default() += 1;
    }
    assert!(told.values().all(|times| *times == 1), "{told:?}");
    for contact in &contacts {
        assert!(told.contains_key(&("contact.created".to_owned(), (*contact).to_owned())), "{contact}");
    }
    let named: Vec<_> = came.iter().map(|it| it.envelope()["data"]["object"]["external_id"].clone()).collect();
    assert!(burst.iter().all(|contact| named.contains(contact)), "{burst:?} {named:?}");
    assert!(told.contains_key(&("contact.updated".to_owned(), contacts[1].to_owned())));
    // New work is processed, too.
    super::contact(&client, "new").await;
    receiver.until("the event of a new contact", |came| came.len() == waited + 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn upgrades_a_sqlite_file_of_an_earlier_schema() {
    for dump in DUMPS {
        let file = SqliteFile::new();
        std::fs::write(file.path(), read(&format!("{dump}.db.gz"))).unwrap();
        is_taken_over(Store::Sqlite(file), &facts(dump, "sqlite")).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn upgrades_a_postgresql_database_of_an_earlier_schema() {
    for dump in DUMPS {
        let database = PostgresDatabase::new().await;
        database.execute(&String::from_utf8(read(&format!("{dump}.sql.gz"))).unwrap()).await;
        is_taken_over(Store::Postgres(database), &facts(dump, "postgres")).await;
    }
}

/// A fingerprint of tables and indexes that changes when one is created, changed or rewritten.
const SHAPE: &str = "SELECT concat_ws(' ', c.relname, c.relfilenode, c.relnatts, c.reloptions::text, c.xmin) \
                     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace ORDER BY c.relname";

/// Checks that a plan lists exactly the applied migrations, and that planning changes nothing.
async fn is_planned(store: Store, facts: &Value, shape: impl AsyncFn() -> Vec<String>) {
    let text = |name: &str| facts[name].as_str().unwrap().to_owned();
    let mut server = Server::of(store, &[], text("workspace"), text("key"));
    let before = shape().await;
    let plan = server.command(&["migrate", "--plan"]);
    assert_eq!(shape().await, before, "planning changes nothing");
    let is_later = |migration: &&Value| migration["after_rollout"] == true;
    let planned = plan["migrations"].as_array().unwrap();
    let later: Vec<&Value> = planned.iter().filter(is_later).collect();
    assert!(planned.len() > 10, "{plan}");

    let applied = server.command(&["migrate", "--before-rollout"])["applied"].clone();
    assert_eq!(applied, planned.len() - later.len());
    assert_eq!(json!(later), server.command(&["migrate", "--plan"])["migrations"], "only later migrations are left");
    server.serve();
    server.client().until_status("/readyz", 200).await;
    assert_eq!(server.command(&["migrate"])["applied"], later.len(), "later migrations run beside a server");
    assert_eq!(server.command(&["migrate", "--plan"])["migrations"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn describes_the_plan_of_an_upgrade() {
    let file = SqliteFile::new();
    std::fs::write(file.path(), read(&format!("{}.db.gz", DUMPS[0]))).unwrap();
    let path = file.path();
    let bytes = async || vec![format!("{:x?}", std::fs::read(&path).unwrap())];
    is_planned(Store::Sqlite(file), &facts(DUMPS[0], "sqlite"), bytes).await;

    let database = PostgresDatabase::new().await;
    database.execute(&String::from_utf8(read(&format!("{}.sql.gz", DUMPS[0]))).unwrap()).await;
    let url = database.url();
    let shape = async || texts(&url, SHAPE).await;
    is_planned(Store::Postgres(database), &facts(DUMPS[0], "postgres"), shape).await;
}

/// A process of the previous release does not know the delivery queue. Deliveries of a webhook that it enables become
/// due anyway.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn delivers_to_a_webhook_that_the_previous_release_enabled() {
    let database = PostgresDatabase::new().await;
    database.execute(&String::from_utf8(read(&format!("{}.sql.gz", DUMPS[0]))).unwrap()).await;
    let (url, facts) = (database.url(), facts(DUMPS[0], "postgres"));
    let text = |name: &str| facts[name].as_str().unwrap().to_owned();
    let server = Server::of(Store::Postgres(database), &[], text("workspace"), text("key"));
    server.command(&["migrate", "--before-rollout"]);

    let change = async |statement: &str| {
        texts(&url, &format!("WITH it AS ({statement} RETURNING 1) SELECT count(*)::text FROM it")).await;
    };
    change("UPDATE webhooks SET status = 'disabled'").await;
    let park =
        "UPDATE deliveries SET queue = 3, queued_for = webhook_id, next_attempt_at = NULL WHERE status = 'pending'";
    change(park).await;
    let count = async |which: &str| {
        let query = format!("SELECT count(*)::text FROM deliveries WHERE {which}");
        texts(&url, &query).await[0].parse::<u64>().unwrap()
    };
    let parked = count("queue = 3").await;
    assert!(parked > 0, "some deliveries wait for their webhook");
    change("UPDATE webhooks SET status = 'disabled'").await;
    assert_eq!(count("queue = 3").await, parked, "the webhook is not active yet");

    change("UPDATE webhooks SET status = 'active'").await;
    let called = "queue = CASE WHEN attempts > round_start THEN 2 ELSE 1 END AND next_attempt_at <= now()";
    assert_eq!((count("queue = 3").await, count(called).await), (0, parked));
    server.command(&["migrate"]);
    let left = "SELECT count(*)::text FROM pg_trigger WHERE tgname = 'webhooks_call_for_deliveries'";
    assert_eq!(texts(&url, left).await, ["0"], "the next migration removes the trigger");
}
