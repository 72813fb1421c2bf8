//! An empty database and a database of release 0.4.0 get the same schema, the same rows and the same record: one runs
//! the baseline, the other one runs all migrations.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use diesel::connection::SimpleConnection;
use diesel::{RunQueryDsl, SqliteConnection};
use diesel_async::{AsyncMigrationHarness, AsyncPgConnection};
use diesel_migrations::MigrationHarness;
use tidings_storage_suite::databases::{PostgresDatabase, SqliteFile, texts as ask};

use super::texts::{self, Tree};
use super::{POSTGRES, Reach, SQLITE, Value, apply_pending, baseline, of_sqlite};
use crate::connection::error::StorageError;
use crate::sqlite::connect_beside;
use crate::{Backend, Storage, StorageSettings};

/// The last migration of release 0.4.0.
const LAST_OF_0_4: &str = "20261122006000";

async fn open(url: String) -> Arc<Storage> {
    Storage::open(&StorageSettings::new(url)).await.unwrap()
}

async fn migrate_to_0_4(storage: &Storage) {
    let is_last = |version: String| version == LAST_OF_0_4;
    match &storage.backend {
        Backend::Sqlite(sqlite) => {
            let work = move |connection: &mut SqliteConnection| {
                while !is_last(connection.run_next_migration(SQLITE).unwrap().to_string()) {}
                Ok(())
            };
            sqlite.with_connection(work).await.unwrap();
        }
        Backend::Postgres(_) => {
            let work = move |harness: &mut AsyncMigrationHarness<AsyncPgConnection>| {
                while !is_last(harness.run_next_migration(POSTGRES).unwrap().to_string()) {}
                Ok(())
            };
            storage.with_harness(work).await.unwrap();
        }
    }
}

/// The tree of a release that no longer has the migrations that the baseline replaces.
fn reduced(tree: &Tree) -> Tree {
    let first = tree.migrations.iter().position(|(name, _)| *name > baseline::NAME);
    let later = first.map_or(&[][..], |first| tree.migrations.get(first..).unwrap());
    Tree { migrations: later, ..*tree }
}

const RECORD: &str = "SELECT CAST(version AS text) AS value FROM __diesel_schema_migrations ORDER BY version";
const FORGET: &str = "DELETE FROM __diesel_schema_migrations WHERE version = '20261229000000'";

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

fn are_equal(baseline: &BTreeSet<String>, migrations: &BTreeSet<String>) {
    assert!(baseline.len() > 800, "{}", baseline.len());
    assert_eq!(baseline.difference(migrations).collect::<Vec<_>>(), Vec::<&String>::new(), "only in the baseline");
    assert_eq!(migrations.difference(baseline).collect::<Vec<_>>(), Vec::<&String>::new(), "only in the migrations");
}

/// Returns the number of migrations from the baseline on.
fn since_baseline(tree: &Tree) -> usize {
    1 + reduced(tree).migrations.len()
}

#[tokio::test]
async fn the_baseline_of_sqlite_is_the_schema_of_all_migrations() {
    let (empty, old) = (SqliteFile::new(), SqliteFile::new());
    let (new, upgraded) = (open(empty.url()).await, open(old.url()).await);
    migrate_to_0_4(&upgraded).await;
    assert!(upgraded.migrate().await.unwrap() > 50);
    assert_eq!(new.migrate().await.unwrap(), since_baseline(&texts::SQLITE));
    are_equal(&schema_of_sqlite(&empty), &schema_of_sqlite(&old));
    assert_eq!(new.values(RECORD).await.unwrap(), upgraded.values(RECORD).await.unwrap());
}

#[tokio::test]
async fn the_baseline_of_postgresql_is_the_schema_of_all_migrations() {
    let (empty, old) = (PostgresDatabase::new().await, PostgresDatabase::new().await);
    let (new, upgraded) = (open(empty.url()).await, open(old.url()).await);
    migrate_to_0_4(&upgraded).await;
    assert!(upgraded.migrate().await.unwrap() > 50);
    assert_eq!(new.migrate().await.unwrap(), since_baseline(&texts::POSTGRES));
    are_equal(&schema_of_postgres(&empty.url()).await, &schema_of_postgres(&old.url()).await);
    assert_eq!(new.values(RECORD).await.unwrap(), upgraded.values(RECORD).await.unwrap());
}

#[tokio::test]
async fn an_upgrade_before_the_rollout_records_the_baseline_at_its_end() {
    let database = PostgresDatabase::new().await;
    let storage = open(database.url()).await;
    migrate_to_0_4(&storage).await;
    let plan = storage.postgres_plan().await.unwrap();
    assert!(plan.migrations.iter().all(|migration| migration.name != baseline::NAME));

    storage.migrate_before_rollout().await.unwrap();
    let is_recorded = async || storage.values(RECORD).await.unwrap().contains(&texts::version(baseline::NAME));
    assert!(!is_recorded().await);
    assert!(storage.pending_migrations().await.unwrap() > 0);
    assert_eq!(storage.missing_migrations().await.unwrap(), 0);

    assert!(storage.migrate().await.unwrap() > 0);
    assert!(is_recorded().await);
    assert_eq!(storage.pending_migrations().await.unwrap(), 0);
}

#[tokio::test]
async fn a_database_with_all_migrations_gets_the_baseline_recorded() {
    let (file, database) = (SqliteFile::new(), PostgresDatabase::new().await);
    for url in [file.url(), database.url()] {
        let storage = open(url).await;
        storage.migrate().await.unwrap();
        let record = storage.values(RECORD).await.unwrap();
        match &storage.backend {
            Backend::Sqlite(sqlite) => {
                let forget = |connection: &mut SqliteConnection| {
                    connection.batch_execute(FORGET).unwrap();
                    Ok(of_sqlite::apply(connection, &reduced(&texts::SQLITE)))
                };
                assert_eq!(sqlite.with_connection(forget).await.unwrap(), Ok(0));
            }
            Backend::Postgres(_) => {
                database.execute(FORGET).await;
                let tree = reduced(&texts::POSTGRES);
                let apply = storage.with_connection(move |c| async move { apply_pending(c, Reach::All, &tree).await });
                assert_eq!(apply.await, Ok(0));
                database.execute(FORGET).await;
                assert_eq!(storage.migrate().await, Ok(0));
            }
        }
        assert_eq!(storage.values(RECORD).await.unwrap(), record);
    }
}

#[tokio::test]
async fn a_program_without_the_earlier_migrations_rejects_an_older_database() {
    let (file, database) = (SqliteFile::new(), PostgresDatabase::new().await);
    for url in [file.url(), database.url()] {
        let storage = open(url).await;
        migrate_to_0_4(&storage).await;
        let record = storage.values(RECORD).await.unwrap();
        let applied = match &storage.backend {
            Backend::Sqlite(sqlite) => {
                let apply =
                    |connection: &mut SqliteConnection| Ok(of_sqlite::apply(connection, &reduced(&texts::SQLITE)));
                sqlite.with_connection(apply).await.unwrap()
            }
            Backend::Postgres(_) => {
                let tree = reduced(&texts::POSTGRES);
                storage.with_connection(move |c| async move { apply_pending(c, Reach::All, &tree).await }).await
            }
        };
        assert_eq!(applied, Err(StorageError::TooOld));
        assert_eq!(storage.values(RECORD).await.unwrap(), record);
    }
}

#[tokio::test]
async fn a_program_without_the_earlier_migrations_creates_the_same_schema() {
    let (file, database) = (SqliteFile::new(), PostgresDatabase::new().await);
    let (sqlite, postgres) = (open(file.url()).await, open(database.url()).await);
    let Backend::Sqlite(writer) = &sqlite.backend else { panic!("it is SQLite") };
    let apply = |connection: &mut SqliteConnection| Ok(of_sqlite::apply(connection, &reduced(&texts::SQLITE)));
    assert!(writer.with_connection(apply).await.unwrap().unwrap() > 0);
    let tree = reduced(&texts::POSTGRES);
    let apply = postgres.with_connection(move |c| async move { apply_pending(c, Reach::All, &tree).await });
    assert!(apply.await.unwrap() > 0);
    for storage in [sqlite, postgres] {
        // The release with all migrations only adds them to the record.
        assert_eq!(storage.pending_migrations().await, Ok(0));
        assert_eq!(storage.migrate().await, Ok(0));
        let record: HashSet<String> = storage.values(RECORD).await.unwrap().into_iter().collect();
        assert!(texts::SQLITE.migrations.iter().all(|(name, _)| record.contains(&texts::version(name))));
    }
}
