//! The documented roles: one that migrates, and one for the service, which may only read and write rows.

use serde_json::json;
use tidings_storage_suite::databases::{refusal, run, texts};

use crate::support::cluster::Cluster;
use crate::support::{Patience, Receiver, Server, Store};

const INSTALL: &str = include_str!("../../../docs/how-to/install.md");

/// Returns the SQL blocks of the documentation's section about roles.
fn documented() -> Vec<&'static str> {
    let section = INSTALL.split("\n### Roles\n").nth(1).unwrap().split("\n## ").next().unwrap();
    section.split("```sql\n").skip(1).map(|block| block.split("```").next().unwrap()).collect()
}

/// Executes a block like psql.
async fn psql(url: &str, block: &str) {
    let (mut url, mut statement) = (url.to_owned(), String::new());
    for line in block.lines() {
        if let Some(name) = line.strip_prefix("\\connect ") {
            url = format!("{}/{name}", url.rsplit_once('/').unwrap().0);
            continue;
        }
        statement += line;
        if line.ends_with(';') {
            run(&url, &std::mem::take(&mut statement)).await;
        }
    }
}

/// Returns the statements that PostgreSQL rejected for missing privileges.
async fn denials(url: &str) -> Vec<String> {
    let lines = "SELECT line FROM regexp_split_to_table(pg_read_file('log'), E'\\n') AS line";
    texts(url, &format!("{lines} WHERE line LIKE '%permission denied%' OR line LIKE '%must be owner%'")).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serves_with_a_role_that_may_only_read_and_write_rows() {
    let cluster = Cluster::start();
    let [new, existing] = documented().try_into().unwrap();
    psql(&cluster.url, new).await;
    let at = |role: &str| cluster.url.replace("tidings@", &format!("{role}@")).replace("/postgres", "/tidings");
    let (owner, service) = (at("tidings_owner"), at("tidings_service"));
    let superuser = at("tidings");

    let settings = texts(&superuser, "SELECT unnest(setconfig) FROM pg_db_role_setting WHERE setrole = 0").await;
    assert_eq!(settings, ["lc_messages=C"], "the server reads English messages");

    // Before the owner has migrated, the service reports which role must migrate.
    let early = Server::of(Store::At(service.clone()), &[], String::new(), String::new());
    for command in ["serve", "migrate"] {
        let said = early.refused(&[command]);
        assert!(said.contains("Run `tidings migrate` with the role that owns the tables"), "{command}: {said}");
    }
    assert!(early.refused(&["doctor"]).contains("`tidings migrate` with the role that owns the tables"));
    let owned = Server::of(Store::At(owner), &[], String::new(), String::new());
    assert!(owned.command(&["migrate"])["applied"].as_u64().unwrap() > 0);
    let refused_before = denials(&superuser).await;
    assert!(!refused_before.is_empty(), "the log contains the denials from above");

    let mut server = Server::start(Store::At(service.clone()), &[]);
    let (client, receiver) = (server.client(), Receiver::start());
    let hook = json!({"url": receiver.url, "events": ["contact.created"]});
    client.post("/api/v1/webhooks", &hook).await.expect(201);
    let body = json!({"external_id": "ada"}).to_string().into_bytes();
    let headers = [("content-type", "application/json"), ("idempotency-key", "once")];
    client.send("POST", "/api/v1/contacts", &headers, Some(body)).await.unwrap().expect(201);
    receiver.until("the event of the contact", |came| came.len() == 1).await;
    client.get("/readyz").await.expect(200);

    // The engine's first cleanup removes old rows.
    server.kill();
    let old = "UPDATE idempotency_keys SET created_at = created_at - interval '2 days'";
    run(&superuser, old).await;
    server.serve();
    let mut patience = Patience::new();
    loop {
        let stored = texts(&superuser, "SELECT key::text FROM idempotency_keys").await.len();
        if stored == 0 {
            break;
        }
        assert!(patience.allows(stored), "an old answer is still stored");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    server.client().post("/api/v1/contacts", &json!({"external_id": "bob"})).await.expect(201);
    receiver.until("the event of another contact", |came| came.len() == 2).await;
    assert_eq!(denials(&superuser).await, refused_before, "the service caused no further denials");
    assert!(!server.log().contains("permission denied"), "{}", server.log());

    for refused in ["CREATE TABLE t ()", "CREATE TEMP TABLE t ()", "DROP TABLE contacts", "TRUNCATE contacts"] {
        assert_eq!(refusal(&service, refused).await, "42501", "{refused}");
    }
    psql(&superuser, existing).await;
}
