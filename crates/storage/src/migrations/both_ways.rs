//! Empty databases, databases of release 0.5.0 and older ones: the schema and the record after `migrate`.

use std::collections::BTreeSet;
use std::sync::Arc;

use diesel::connection::SimpleConnection;
use diesel::{RunQueryDsl, SqliteConnection};
use diesel_async::SimpleAsyncConnection;
use tidings_storage_suite::databases::{PostgresDatabase, SqliteFile, texts as ask};

use super::texts::{self, Tree};
use super::{Reach, Value, apply_pending, baseline, failed, of_sqlite};
use crate::connection::error::StorageError;
use crate::sqlite::connect_beside;
use crate::{Backend, Storage, StorageSettings};

async fn open(url: String) -> Arc<Storage> {
    Storage::open(&StorageSettings::new(url)).await.unwrap()
}

/// Applies the pending migrations of a tree.
async fn apply(storage: &Storage, reach: Reach, tree: Tree) -> Result<usize, StorageError> {
    match &storage.backend {
        Backend::Sqlite(sqlite) => {
            let apply = move |connection: &mut SqliteConnection| Ok(of_sqlite::apply(connection, &tree));
            sqlite.with_connection(apply).await.unwrap()
        }
        Backend::Postgres(_) => {
            storage.with_connection(move |c| async move { apply_pending(c, reach, &tree).await }).await
        }
    }
}

async fn execute(storage: &Storage, statements: &'static str) {
    match &storage.backend {
        Backend::Sqlite(sqlite) => {
            let work = move |connection: &mut SqliteConnection| {
                connection.batch_execute(statements).unwrap();
                Ok(())
            };
            sqlite.with_connection(work).await.unwrap();
        }
        Backend::Postgres(_) => {
            let work = move |mut c: diesel_async::AsyncPgConnection| async move {
                c.batch_execute(statements).await.map_err(failed)
            };
            storage.with_connection(work).await.unwrap();
        }
    }
}

const RECORD: &str = "SELECT CAST(version AS text) AS value FROM __diesel_schema_migrations ORDER BY version";
/// Replaces the record of the baseline by the record of the migrations that complete its schema.
const RECORD_OF_REPLACED: &str = "DELETE FROM __diesel_schema_migrations WHERE version = '20261229000000';
    INSERT INTO __diesel_schema_migrations (version) VALUES ('20261123009000'), ('20261228006000')";
/// The record of a database of release 0.4.0.
const RECORD_OF_0_4: &str = "DELETE FROM __diesel_schema_migrations;
    INSERT INTO __diesel_schema_migrations (version) VALUES ('20261121000000'), ('20261122006000')";
/// The record of an upgrade to release 0.5.0 without its last step.
const RECORD_BEFORE_ROLLOUT: &str = "DELETE FROM __diesel_schema_migrations WHERE version = '20261229000000';
    INSERT INTO __diesel_schema_migrations (version) VALUES ('20261122006000'), ('20261228006000')";

/// Each query describes one kind of object of the schema.
const OBJECTS_OF_POSTGRES: [&str; 7] = [
    "SELECT concat_ws(' | ', 'relation', c.relname, c.relkind, c.relpersistence, c.relreplident,
         (SELECT array_agg(o ORDER BY o) FROM unnest(c.reloptions) o))
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace",
    "SELECT concat_ws(' | ', 'column', c.relname, row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum), a.attname,
         format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid), l.collname, a.attidentity,
         a.attgenerated, a.attstorage, a.attcompression, a.attstattarget, a.attoptions)
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_collation l ON l.oid = a.attcollation
     LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped",
    "SELECT concat_ws(' | ', 'index', pg_get_indexdef(x.indexrelid), x.indisvalid, x.indisready, x.indisclustered)
     FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid WHERE c.relnamespace = 'public'::regnamespace",
    "SELECT concat_ws(' | ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace",
    "SELECT concat_ws(' | ', 'trigger', pg_get_triggerdef(t.oid), t.tgenabled) FROM pg_trigger t WHERE NOT t.tgisinternal",
    "SELECT concat_ws(' | ', 'function', pg_get_functiondef(oid)) FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
    "SELECT concat_ws(' | ', 'other', extname) FROM pg_extension
     UNION ALL SELECT concat_ws(' | ', 'other', stxname) FROM pg_statistic_ext
     UNION ALL SELECT concat_ws(' | ', 'other', typname) FROM pg_type
         WHERE typnamespace = 'public'::regnamespace AND typtype <> 'c' AND typelem = 0",
];

/// Tables that belong to the migrations themselves.
const OF_MIGRATIONS: &str = "__";

async fn schema_of_postgres(url: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for query in OBJECTS_OF_POSTGRES {
        let objects = ask(url, query).await;
        assert!(!objects.is_empty(), "{query}");
        found.extend(objects.into_iter().filter(|object| !object.contains(OF_MIGRATIONS)));
    }
    let tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'";
    for table in ask(url, tables).await.iter().filter(|table| !table.starts_with(OF_MIGRATIONS)) {
        // The time of a mark is the time of the migration.
        let rows = match table.as_str() {
            "store_marks" => "SELECT 'row of store_marks ' || name || value FROM store_marks".to_owned(),
            table => format!("SELECT 'row of {table} ' || t::text FROM {table} t"),
        };
        found.extend(ask(url, &rows).await);
    }
    found
}

fn schema_of_sqlite(file: &SqliteFile) -> BTreeSet<String> {
    let mut connection = connect_beside(&file.path());
    let mut ask = |query: &str| {
        let rows: Vec<Value> = diesel::sql_query(query).load(&mut connection).unwrap();
        rows.into_iter().filter_map(|row| row.value).collect::<Vec<_>>()
    };
    let product = "m.type = 'table' AND m.name NOT LIKE '\\_\\_%' ESCAPE '\\' AND m.name NOT LIKE 'sqlite%'";
    let queries = [
        format!(
            "SELECT concat_ws(' | ', 'table', l.name, l.type, l.ncol, l.wr, l.strict) AS value \
             FROM sqlite_master m JOIN pragma_table_list l ON l.name = m.name WHERE {product}"
        ),
        format!(
            "SELECT concat_ws(' | ', 'column', m.name, c.cid, c.name, c.type, c.\"notnull\", c.dflt_value, c.pk, c.hidden) \
             AS value FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c WHERE {product}"
        ),
        format!(
            "SELECT concat_ws(' | ', 'reference', m.name, f.\"from\", f.\"table\", f.\"to\", f.on_update, f.on_delete, \
             f.\"match\") AS value FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE {product}"
        ),
        format!(
            "SELECT concat_ws(' | ', 'index', m.name, i.name, i.\"unique\", i.origin, i.partial, k.seqno, k.name, k.\"desc\", \
             k.coll, k.key) AS value \
             FROM sqlite_master m JOIN pragma_index_list(m.name) i JOIN pragma_index_xinfo(i.name) k WHERE {product}"
        ),
    ];
    let mut found: BTreeSet<String> = queries.iter().flat_map(|query| ask(query)).collect();
    // Conditions of indexes and triggers, without differences in layout.
    let texts = ask("SELECT type || ' ' || sql AS value FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL");
    let plain = |sql: &str| sql.split_whitespace().collect::<Vec<_>>().join(" ").replace(" IF NOT EXISTS", "");
    found.extend(texts.iter().map(|sql| plain(sql)));
    for table in ask(&format!("SELECT m.name AS value FROM sqlite_master m WHERE {product}")) {
        let columns = ask(&format!("SELECT 'quote(' || name || ')' AS value FROM pragma_table_info('{table}')"));
        let columns: Vec<_> = columns.into_iter().filter(|column| column != "quote(set_at)").collect();
        found
            .extend(ask(&format!("SELECT 'row of {table} ' || {} AS value FROM {table}", columns.join(" || ' ' || "))));
    }
    found
}

fn are_equal(new: &BTreeSet<String>, upgraded: &BTreeSet<String>) {
    assert!(new.len() > 800, "{}", new.len());
    assert_eq!(new.difference(upgraded).collect::<Vec<_>>(), Vec::<&String>::new(), "only in the new database");
    assert_eq!(upgraded.difference(new).collect::<Vec<_>>(), Vec::<&String>::new(), "only in the upgraded database");
}

/// Migrates an empty database, and one that has the baseline; checks that both have the same record.
async fn migrate_both(new: &Storage, upgraded: &Storage, tree: Tree) {
    assert_eq!(apply(upgraded, Reach::All, Tree { migrations: &[], ..tree }).await, Ok(1));
    assert_eq!(upgraded.pending_migrations().await, Ok(tree.migrations.len()));
    assert_eq!(upgraded.migrate().await, Ok(tree.migrations.len()));
    assert_eq!(new.migrate().await, Ok(1 + tree.migrations.len()));
    let names = [baseline::NAME].into_iter().chain(tree.migrations.iter().map(|(name, _)| *name));
    let versions: Vec<String> = names.map(texts::version).collect();
    for storage in [new, upgraded] {
        assert_eq!(storage.values(RECORD).await.unwrap(), versions);
        assert_eq!(storage.pending_migrations().await, Ok(0));
        assert_eq!(storage.migrate().await, Ok(0));
    }
}

#[tokio::test]
async fn a_new_and_an_upgraded_sqlite_file_have_the_same_schema() {
    let (empty, old) = (SqliteFile::new(), SqliteFile::new());
    let (new, upgraded) = (open(empty.url()).await, open(old.url()).await);
    migrate_both(&new, &upgraded, texts::SQLITE).await;
    are_equal(&schema_of_sqlite(&empty), &schema_of_sqlite(&old));
}

#[tokio::test]
async fn a_new_and_an_upgraded_postgresql_database_have_the_same_schema() {
    let (empty, old) = (PostgresDatabase::new().await, PostgresDatabase::new().await);
    let (new, upgraded) = (open(empty.url()).await, open(old.url()).await);
    migrate_both(&new, &upgraded, texts::POSTGRES).await;
    are_equal(&schema_of_postgres(&empty.url()).await, &schema_of_postgres(&old.url()).await);
}

#[tokio::test]
async fn migrations_after_the_rollout_wait_for_the_last_step() {
    let tree = Tree {
        migrations: &[
            ("2099-01-01-000000_columns", "CREATE TABLE a (b integer);"),
            ("2099-01-02-000000_columns_after_rollout", "DROP TABLE a;"),
        ],
        ..texts::POSTGRES
    };
    let (old, empty) = (PostgresDatabase::new().await, PostgresDatabase::new().await);
    let storage = open(old.url()).await;
    storage.migrate().await.unwrap();
    for (reach, applied) in [(Reach::BeforeRollout, 1), (Reach::BeforeRollout, 0), (Reach::All, 1), (Reach::All, 0)] {
        assert_eq!(apply(&storage, reach, tree).await, Ok(applied), "{reach:?}");
    }
    let new = open(empty.url()).await;
    assert_eq!(apply(&new, Reach::BeforeRollout, tree).await, Ok(3), "an empty database");
}

#[tokio::test]
async fn a_database_with_all_replaced_migrations_gets_the_baseline_recorded() {
    let (file, database) = (SqliteFile::new(), PostgresDatabase::new().await);
    for url in [file.url(), database.url()] {
        let storage = open(url).await;
        storage.migrate().await.unwrap();
        execute(&storage, RECORD_OF_REPLACED).await;
        assert_eq!(storage.pending_migrations().await, Ok(0));
        assert_eq!(storage.migrate().await, Ok(0));
        assert!(storage.values(RECORD).await.unwrap().contains(&texts::version(baseline::NAME)));
    }
}

#[tokio::test]
async fn an_older_database_is_rejected_without_a_change() {
    for older in [RECORD_OF_0_4, RECORD_BEFORE_ROLLOUT] {
        let (file, database) = (SqliteFile::new(), PostgresDatabase::new().await);
        for url in [file.url(), database.url()] {
            let storage = open(url).await;
            storage.migrate().await.unwrap();
            execute(&storage, older).await;
            let record = storage.values(RECORD).await.unwrap();
            assert_eq!(storage.migrate().await, Err(StorageError::TooOld));
            assert_eq!(storage.migrate_before_rollout().await, Err(StorageError::TooOld));
            assert_eq!(storage.pending_migrations().await, Err(StorageError::TooOld));
            assert_eq!(storage.missing_migrations().await, Err(StorageError::TooOld));
            assert_eq!(storage.values(RECORD).await.unwrap(), record);
        }
    }
}
