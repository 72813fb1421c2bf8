//! Upgrades of a database with an earlier schema: the plan, both steps, and the rejection of a schema before 0.5.0.

use serde_json::json;
use tidings_storage_suite::databases::{PostgresDatabase, texts};

use crate::support::{Server, Store};

const BASELINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations/baseline/postgres");
const RECORD: &str = "CREATE TABLE __diesel_schema_migrations (
        version varchar(50) PRIMARY KEY, run_on timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP
    );
    INSERT INTO __diesel_schema_migrations (version) VALUES ('20261229000000');";

/// Returns the statements that create the schema of the baseline, and record it.
fn baseline() -> String {
    let parts = std::fs::read_dir(BASELINE).unwrap().map(|part| part.unwrap().path());
    let mut parts: Vec<_> = parts.collect();
    parts.sort();
    let texts: Vec<String> = parts.iter().map(|part| std::fs::read_to_string(part).unwrap()).collect();
    format!("{}\n{RECORD}", texts.join("\n"))
}

/// Returns a server on a database that is not migrated.
fn server_at(url: &str) -> Server {
    Server::of(Store::At(url.to_owned()), &[], String::new(), String::new())
}

/// A fingerprint of tables and indexes that changes when one is created, changed or rewritten.
const SHAPE: &str = "SELECT concat_ws(' ', c.relname, c.relfilenode, c.relnatts, c.reloptions::text, c.xmin) \
                     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace ORDER BY c.relname";
const APPLIED: &str = "SELECT version::text FROM __diesel_schema_migrations ORDER BY version";

/// A plan lists exactly the applied migrations, and planning changes nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn describes_the_plan_of_an_upgrade() {
    let database = PostgresDatabase::new().await;
    database.execute(&baseline()).await;
    let url = database.url();
    let mut server = server_at(&url);
    let before = texts(&url, SHAPE).await;
    let plan = server.command(&["migrate", "--plan"]);
    assert_eq!(texts(&url, SHAPE).await, before, "planning changes nothing");
    let planned = plan["migrations"].as_array().unwrap();
    let later = planned.iter().filter(|migration| migration["after_rollout"] == true).count();
    assert!(planned.len() > 10, "{plan}");
    assert!(server.refused(&["serve"]).contains("Run `tidings migrate` first"));

    assert_eq!(server.command(&["migrate", "--before-rollout"])["applied"], planned.len() - later);
    assert_eq!(server.command(&["migrate", "--plan"])["migrations"].as_array().unwrap().len(), later);
    server.serve();
    server.client().until_status("/readyz", 200).await;
    assert_eq!(server.command(&["migrate"])["applied"], later, "later migrations run beside a server");
    assert_eq!(server.command(&["migrate", "--plan"])["migrations"], json!([]));
}

/// The record of a database of release 0.4.0, and of an upgrade to release 0.5.0 without its last step.
const OLDER: [&str; 2] = ["'20261121000000'), ('20261122006000'", "'20261122006000'), ('20261228006000'"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejects_a_database_before_0_5_0_without_a_change() {
    for older in OLDER {
        let database = PostgresDatabase::new().await;
        database.execute(&baseline()).await;
        let versions = format!("INSERT INTO __diesel_schema_migrations (version) VALUES ({older})");
        database.execute(&format!("DELETE FROM __diesel_schema_migrations; {versions}")).await;
        let url = database.url();
        let state = async || (texts(&url, SHAPE).await, texts(&url, APPLIED).await);
        let before = state().await;
        let server = server_at(&url);
        let commands: [&[&str]; 5] =
            [&["migrate"], &["migrate", "--before-rollout"], &["migrate", "--plan"], &["serve"], &["doctor"]];
        for command in commands {
            let said = server.refused(command);
            let steps = ["older than release 0.5.0", "Install release 0.5.0", "run `tidings migrate`"];
            assert!(steps.iter().all(|step| said.contains(step)), "{command:?}: {said}");
        }
        assert_eq!(state().await, before);
    }
}
