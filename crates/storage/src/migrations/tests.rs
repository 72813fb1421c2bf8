//! Upgrades of databases of earlier releases: queries find their rows like new ones.

use std::sync::Arc;

use diesel::connection::SimpleConnection;
use diesel_migrations::MigrationHarness;
use tidings_domain::access::Access;
use tidings_domain::access::usage::{ErrorGroup, RequestFilter, Span, UsageFilter, UsageHour};
use tidings_domain::contacts::{Contact, ContactFilter, FieldMatch};
use tidings_domain::fields::{Comparison, FieldRef};
use tidings_domain::ids::{ContactId, TagId, TypedId, WorkspaceId};
use tidings_domain::pagination::{PageRequest, Sort, SortBy, SortedRequest};
use tidings_domain::ports::{ContactQueries, EngineStore, FieldQueries, ReferenceQueries, UsageStore};
use tidings_domain::references::Referent;
use tidings_domain::time::Timestamp;
use tidings_storage_suite::databases::{PostgresDatabase, SqliteFile, texts};
use uuid::Uuid;

use super::{POSTGRES, SQLITE};
use crate::postgres::Target;
use crate::{Backend, Storage, StorageSettings};

/// More than two batches.
const CONTACTS: u128 = 1_100;
const WORKSPACE: u128 = 1;
const FIELD: u128 = 2;
const TAG: u128 = 3;
const FLOW: u128 = 4;

/// SQL literals of a database for IDs, times and booleans.
struct Dialect {
    id: fn(u128) -> String,
    time: &'static str,
    yes: &'static str,
}

const OF_SQLITE: Dialect = Dialect { id: |id| format!("x'{id:032x}'"), time: "0", yes: "1" };
const OF_POSTGRES: Dialect =
    Dialect { id: |id| format!("'{}'", Uuid::from_u128(id)), time: "'2026-01-01Z'", yes: "true" };

/// Rows as the first release wrote them, without keys for number comparisons and without references of flows.
fn rows(Dialect { id, time, yes }: &Dialect) -> String {
    let (ws, field, flow) = (id(WORKSPACE), id(FIELD), id(FLOW));
    let tag = TagId::from_uuid(Uuid::from_u128(TAG));
    let mut sql = format!(
        "INSERT INTO workspaces (id, name, plan, created_at, updated_at, version) VALUES ({ws}, 'w', 'pro', {time}, {time}, 1);
         INSERT INTO custom_fields (workspace_id, id, key, name, kind, options, rules, created_at, updated_at, version)
         VALUES ({ws}, {field}, 'age', 'Age', 'number', '[]', '{{}}', {time}, {time}, 1);
         INSERT INTO tags (workspace_id, id, name, name_key, created_at, updated_at, version)
         VALUES ({ws}, {}, 'vip', 'vip', {time}, {time}, 1);
         INSERT INTO flows (workspace_id, id, name, status, version_published, has_unpublished_changes, definition, created_at, updated_at, version)
         VALUES ({ws}, {flow}, 'Welcome', 'active', 2, {yes}, '{{}}', {time}, {time}, 1);
         INSERT INTO flow_versions (workspace_id, flow_id, number, definition, tags, created_at)
         VALUES ({ws}, {flow}, 1, '{{}}', '{{}}', {time}), ({ws}, {flow}, 2, '{{}}', '{{\"vip\":\"{tag}\",\"VIP\":\"{tag}\"}}', {time});",
        id(TAG)
    );
    for number in 0..CONTACTS {
        let contact = id(1_000 + number);
        sql += &format!(
            "INSERT INTO contacts (workspace_id, id, first_name, email, status, subscribed, created_at, updated_at, version)
             VALUES ({ws}, {contact}, 'Ünal {number:04}', 'c{number}@example.com', 'active', {yes}, {time}, {time}, 1);
             INSERT INTO contact_values (workspace_id, contact_id, field_id, value, match_key)
             VALUES ({ws}, {contact}, {field}, '{number}', '{number}');"
        );
    }
    sql
}

async fn old_sqlite(file: &SqliteFile) -> Arc<Storage> {
    let storage = Storage::open(&StorageSettings::new(file.url())).await.unwrap();
    let Backend::Sqlite(sqlite) = &storage.backend else { panic!("it is SQLite") };
    let old = sqlite.with_connection(|connection| {
        connection.run_next_migration(SQLITE).unwrap();
        connection.batch_execute(&format!("BEGIN; {} COMMIT;", rows(&OF_SQLITE))).unwrap();
        Ok(())
    });
    old.await.unwrap();
    storage
}

async fn old_postgres(database: &PostgresDatabase) -> Arc<Storage> {
    let storage = Storage::open(&StorageSettings::new(database.url())).await.unwrap();
    let first = storage.with_harness(|harness| {
        harness.run_next_migration(POSTGRES).unwrap();
        Ok(())
    });
    first.await.unwrap();
    let mut connection = Target::parse(&database.url()).unwrap().connect().await.unwrap();
    diesel_async::SimpleAsyncConnection::batch_execute(&mut connection, &rows(&OF_POSTGRES)).await.unwrap();
    storage
}

async fn everything_is_found_after_the_upgrade(storage: Arc<Storage>) {
    assert!(storage.migrate().await.unwrap() > 0);
    while storage.fill_sort_keys(500).await.unwrap() > 0 {}
    let access = Access::system(WorkspaceId::from_uuid(Uuid::from_u128(WORKSPACE)));
    let all = |filter: ContactFilter| {
        let (storage, access) = (storage.clone(), access.clone());
        async move {
            let order = Sort { by: SortBy::Name, descending: true };
            let page = SortedRequest { limit: 100, order, ..SortedRequest::default() };
            let found: Vec<Contact> = storage.list_contacts(&access, &filter, page).await;
            found.into_iter().map(|it| it.id).collect::<Vec<ContactId>>()
        }
    };
    let contact = |number: u128| ContactId::from_uuid(Uuid::from_u128(1_000 + number));
    let last: Vec<ContactId> = (CONTACTS - 100..CONTACTS).rev().map(contact).collect();
    assert_eq!(all(ContactFilter::default()).await, last, "the contacts are sorted by name");
    let words = vec!["unal".to_owned(), "c1099@example.com".to_owned()];
    assert_eq!(all(ContactFilter { words, ..ContactFilter::default() }).await, [contact(1_099)]);
    let field = FieldQueries::get(&*storage, &access, &FieldRef::Key("age".to_owned())).await.unwrap().unwrap();
    let compared = |comparison, text: &str| {
        let pattern = field.compare_pattern(comparison, text).unwrap();
        ContactFilter { fields: vec![FieldMatch { field: field.id, pattern }], ..ContactFilter::default() }
    };
    assert_eq!(all(compared(Comparison::AtLeast, "1098")).await, [contact(1_099), contact(1_098)]);
    assert_eq!(all(compared(Comparison::Less, "2")).await, [contact(1), contact(0)]);
    assert_eq!(all(compared(Comparison::Equal, "9.0")).await, [contact(9)]);
    let tag = Referent::Tag(TagId::from_uuid(Uuid::from_u128(TAG)));
    let dependents = storage.dependents(&access, tag).await.unwrap();
    assert_eq!(dependents.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["Welcome"]);
    // A second run changes nothing.
    assert_eq!(storage.migrate().await, Ok(0));
    assert_eq!(storage.dependents(&access, tag).await.unwrap(), dependents);
}

impl Storage {
    async fn list_contacts(&self, access: &Access, filter: &ContactFilter, page: SortedRequest) -> Vec<Contact> {
        ContactQueries::list(self, access, filter, page).await.unwrap().items
    }
}

#[tokio::test]
async fn upgrades_an_old_sqlite_file() {
    let file = SqliteFile::new();
    everything_is_found_after_the_upgrade(old_sqlite(&file).await).await;
}

#[tokio::test]
async fn upgrades_an_old_postgresql_database() {
    let database = PostgresDatabase::new().await;
    everything_is_found_after_the_upgrade(old_postgres(&database).await).await;
}

/// The last migration before requests were summed by quarter of an hour.
const BEFORE_SUMS: &str = "20261122001000";

/// Hourly sums: with both kinds of errors, without errors, and, as was never written, without requests.
fn hours(Dialect { id, time, .. }: &Dialect) -> String {
    let ws = id(WORKSPACE);
    format!(
        "INSERT INTO api_usage_hours (workspace_id, hour, method, route, requests, client_errors, server_errors, duration_ms)
         VALUES ({ws}, {time}, 'GET', '/a', 10, 3, 2, 100), ({ws}, {time}, 'GET', '/b', 4, 0, 0, 8),
                ({ws}, {time}, 'POST', '/a', 1, 0, 1, 7), ({ws}, {time}, 'POST', '/b', 0, 0, 0, 0);"
    )
}

/// A request and its hour, as the previous release writes them.
fn a_request_of_the_release_before(Dialect { id, time, .. }: &Dialect) -> String {
    let (ws, request) = (id(WORKSPACE), id(5));
    format!(
        "INSERT INTO api_usage (workspace_id, id, at, method, route, status, duration_ms, request_id, address)
         VALUES ({ws}, {request}, {time}, 'GET', '/a', 404, 3, 'req_1', '192.0.2.1');
         INSERT INTO api_usage_hours (workspace_id, hour, method, route, requests, client_errors, server_errors, duration_ms)
         VALUES ({ws}, {time}, 'GET', '/a', 1, 1, 0, 3) ON CONFLICT (workspace_id, hour, method, route)
         DO UPDATE SET requests = api_usage_hours.requests + excluded.requests;"
    )
}

async fn hours_are_told_as_before(storage: Arc<Storage>, begin: Timestamp) {
    let access = Access::system(WorkspaceId::from_uuid(Uuid::from_u128(WORKSPACE)));
    let span = Span { from: begin, to: begin.plus(std::time::Duration::from_secs(3_600)) };
    let hour = |method: &str, route: &str, requests, client_errors, server_errors, duration_ms| {
        let (method, route) = (method.to_owned(), route.to_owned());
        UsageHour { hour: begin, method, route, requests, client_errors, server_errors, duration_ms }
    };
    let expected = [hour("GET", "/a", 10, 3, 2, 100), hour("GET", "/b", 4, 0, 0, 8), hour("POST", "/a", 1, 0, 1, 7)];
    assert_eq!(storage.hours(&access, span).await.unwrap(), expected);
    let errors = storage.errors(&access, &UsageFilter::default(), span, 100).await.unwrap();
    let group = |status, method: &str, requests| {
        let (method, route) = (method.to_owned(), "/a".to_owned());
        ErrorGroup { error_code: None, status, method, route, requests, last_at: begin }
    };
    assert_eq!(errors, [group(400, "GET", 3), group(500, "GET", 2), group(500, "POST", 1)]);
    assert_eq!(storage.keys(&access, span, 100).await.unwrap(), []);
    let log = UsageStore::list(&*storage, &access, &RequestFilter::default(), PageRequest::default()).await.unwrap();
    let shown: Vec<_> = log.items.iter().map(|it| (it.status, it.error_code.as_deref(), it.errors.len())).collect();
    assert_eq!(shown, [(404, None, 0)]);
}

#[tokio::test]
async fn upgrades_the_usage_sums_of_a_sqlite_file() {
    let file = SqliteFile::new();
    let storage = Storage::open(&StorageSettings::new(file.url())).await.unwrap();
    let Backend::Sqlite(sqlite) = &storage.backend else { panic!("it is SQLite") };
    let run = |statements: String| {
        sqlite.with_connection(move |connection| {
            connection.batch_execute(&statements).unwrap();
            Ok(())
        })
    };
    let old = sqlite.with_connection(|connection| {
        while connection.run_next_migration(SQLITE).unwrap().to_string() != BEFORE_SUMS {}
        Ok(())
    });
    old.await.unwrap();
    run(hours(&OF_SQLITE)).await.unwrap();
    assert!(storage.migrate().await.unwrap() > 0);
    run(a_request_of_the_release_before(&OF_SQLITE)).await.unwrap();
    hours_are_told_as_before(storage.clone(), Timestamp::from_millis(0)).await;
}

#[tokio::test]
async fn upgrades_the_usage_sums_of_a_postgresql_database() {
    let database = PostgresDatabase::new().await;
    let storage = Storage::open(&StorageSettings::new(database.url())).await.unwrap();
    let old = storage.with_harness(|harness| {
        while harness.run_next_migration(POSTGRES).unwrap().to_string() != BEFORE_SUMS {}
        Ok(())
    });
    old.await.unwrap();
    let mut connection = Target::parse(&database.url()).unwrap().connect().await.unwrap();
    let mut run = async |statements: String| {
        diesel_async::SimpleAsyncConnection::batch_execute(&mut connection, &statements).await.unwrap();
    };
    run(hours(&OF_POSTGRES)).await;
    assert!(storage.migrate().await.unwrap() > 0);
    run(a_request_of_the_release_before(&OF_POSTGRES)).await;
    hours_are_told_as_before(storage, Timestamp::EPOCH_2026).await;
}

/// The last migration of release 0.4.0.
const BEFORE_STEPS: &str = "20261122006000";

async fn of_the_release_before(database: &PostgresDatabase) -> Arc<Storage> {
    let storage = Storage::open(&StorageSettings::new(database.url())).await.unwrap();
    let old = storage.with_harness(|harness| {
        while harness.run_next_migration(POSTGRES).unwrap().to_string() != BEFORE_STEPS {}
        Ok(())
    });
    old.await.unwrap();
    storage
}

#[tokio::test]
async fn resumes_an_interrupted_migration() {
    let database = PostgresDatabase::new().await;
    let storage = of_the_release_before(&database).await;
    // The first index and its rename are done. The process was killed while it created the second index.
    database
        .execute(
            "DROP INDEX contacts_external_id_key;
             CREATE UNIQUE INDEX contacts_external_id_key ON contacts (workspace_id, external_id)
             WHERE external_id IS NOT NULL AND deleted_at IS NULL;
             CREATE UNIQUE INDEX contacts_email_key_new ON contacts (workspace_id, email);
             UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'contacts_email_key_new'::regclass;
             CREATE TABLE __migration_steps (version text, step bigint, PRIMARY KEY (version, step));
             INSERT INTO __migration_steps VALUES ('20261123001000', 0), ('20261123001000', 1);",
        )
        .await;
    let first = "SELECT 'contacts_external_id_key'::regclass::oid::text";
    let made = texts(&database.url(), first).await;
    let steps = |plan: &super::MigrationPlan| plan.migrations.first().unwrap().steps.clone();
    let left = steps(&storage.postgres_plan().await.unwrap());
    assert!(left.first().unwrap().sql.contains("contacts_email_key_new"));

    assert!(storage.migrate().await.unwrap() > 0);
    assert_eq!(texts(&database.url(), first).await, made, "a completed step is not repeated");
    let invalid = "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid";
    assert_eq!(texts(&database.url(), invalid).await, Vec::<String>::new());
    let second = "SELECT pg_get_indexdef('contacts_email_key'::regclass)";
    assert!(
        texts(&database.url(), second).await.concat().contains("email IS NOT NULL"),
        "the index of the interrupted step is complete"
    );
    assert_eq!(texts(&database.url(), "SELECT version FROM __migration_steps").await, Vec::<String>::new());
}

#[tokio::test]
async fn a_writer_waits_at_most_two_seconds_for_a_migration() {
    let database = PostgresDatabase::new().await;
    let storage = of_the_release_before(&database).await;
    let mut writer = Target::parse(&database.url()).unwrap().connect().await.unwrap();
    let long = "BEGIN; LOCK TABLE webhooks IN ROW EXCLUSIVE MODE";
    diesel_async::SimpleAsyncConnection::batch_execute(&mut writer, long).await.unwrap();
    let migrating = tokio::spawn(async move { storage.migrate().await });
    let waits = "SELECT pid::text FROM pg_locks WHERE NOT granted AND relation = 'webhooks'::regclass";
    while texts(&database.url(), waits).await.is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let asked = std::time::Instant::now();
    database.execute("BEGIN; LOCK TABLE webhooks IN ROW EXCLUSIVE MODE; COMMIT").await;
    assert!(asked.elapsed().as_secs() < 2, "{:?}", asked.elapsed());
    diesel_async::SimpleAsyncConnection::batch_execute(&mut writer, "COMMIT").await.unwrap();
    assert!(migrating.await.unwrap().unwrap() > 0, "the migration is retried");
}
