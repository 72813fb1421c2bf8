//! Both migration trees create the schema that the queries use.

use std::collections::{BTreeMap, BTreeSet};

use diesel::prelude::*;
use diesel::sql_types::Text;
use tidings_domain::ports::UniqueKey;
use tidings_storage_suite::databases::{PostgresDatabase, SqliteFile, texts};

use crate::sqlite::connect_beside;
use crate::{Storage, StorageSettings, migration_names};

/// Maps `table.column` to its type in a database, with `?` if it is nullable.
type Columns = BTreeMap<String, String>;
/// Maps an index name to its table and columns. The index of a primary key has PostgreSQL's name.
type Indexes = BTreeMap<String, String>;

fn database_types(sql_type: &str) -> (&'static str, &'static str) {
    match sql_type.rsplit("::").next().unwrap() {
        "Id" => ("uuid", "blob"),
        "Instant" => ("timestamptz", "integer"),
        "Text" => ("text", "text"),
        "BigInt" => ("int8", "integer"),
        "Integer" => ("int4", "integer"),
        "Bool" => ("bool", "integer"),
        "Binary" => ("bytea", "blob"),
        other => panic!("{other} is not in the table of types"),
    }
}

/// Returns the columns of a table, from its list of names and the type name of its tuple.
fn columns_of(table: &str, names: &str, types: &str) -> Vec<(String, String, String)> {
    let names = names.split('"').filter(|part| part.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
    let names: Vec<&str> = names.filter(|part| !part.is_empty()).collect();
    // Each column is written as "table"."column". The last name is the table of FROM.
    let names: Vec<&str> = names.chunks(2).filter(|pair| pair.len() == 2).map(|pair| pair[1]).collect();
    let types: Vec<&str> = types.trim_matches(['(', ')']).split(", ").collect();
    assert_eq!(names.len(), types.len(), "{table}");
    let columns = names.into_iter().zip(types).map(|(name, sql_type)| {
        let (inner, null) = match sql_type.strip_suffix('>') {
            Some(nullable) => (nullable.rsplit('<').next().unwrap(), "?"),
            None => (sql_type, ""),
        };
        let (postgres, sqlite) = database_types(inner);
        (format!("{table}.{name}"), format!("{postgres}{null}"), format!("{sqlite}{null}"))
    });
    columns.collect()
}

macro_rules! columns {
    ($($table:ident)*) => {{
        let mut all = Vec::new();
        $(
            let query = super::$table::table.select(super::$table::all_columns);
            let text = diesel::debug_query::<diesel::pg::Pg, _>(&query).to_string();
            let types = std::any::type_name::<super::$table::SqlType>();
            all.extend(columns_of(stringify!($table), text.split(" FROM ").next().unwrap(), types));
        )*
        all
    }};
}

fn declared() -> (Columns, Columns) {
    let columns = columns! {
        workspaces api_keys channels contacts contact_identities tags contact_tags custom_fields contact_values custom_events audit_log
        contact_erasures contact_merges opt_out_keys opt_outs unparsed_requests provider_events
        bulk_operations imports import_tables import_rejects
        saved_replies media bot_fields secrets segments broadcasts broadcast_recipients broadcast_counts object_references conversations messages message_parts
        flows flow_triggers flow_awaits flow_schedules flow_recipients flow_versions flow_runs flow_node_counts
        sequences enrollments webhooks events deliveries
        delivery_attempts jobs idempotency_keys event_heads leases store_marks webhook_counts webhook_replays
        users members invitations refused_invitations sessions refresh_tokens signing_keys login_attempts api_usage api_usage_hours
        api_usage_sums
        stored_text analytics_facts analytics_counters reply_times sealed_canary write_probe listener_revisions sandbox_clocks
        event_positions event_outbox feed_heads
    };
    let postgres = columns.iter().map(|(name, postgres, _)| (name.clone(), postgres.clone())).collect();
    (postgres, columns.into_iter().map(|(name, _, sqlite)| (name, sqlite)).collect())
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    value: String,
}

struct Found {
    columns: Columns,
    indexes: Indexes,
    references: BTreeSet<String>,
}

fn pairs(rows: Vec<String>) -> BTreeMap<String, String> {
    rows.into_iter()
        .map(|row| row.split_once('=').map(|(name, is)| (name.to_owned(), is.to_owned())).unwrap())
        .collect()
}

async fn sqlite() -> Found {
    let file = SqliteFile::new();
    let storage = Storage::open(&StorageSettings::new(file.url())).await.unwrap();
    assert!(storage.pending_migrations().await.unwrap() > 0);
    storage.migrate().await.unwrap();
    assert_eq!((storage.migrate().await.unwrap(), storage.pending_migrations().await.unwrap()), (0, 0));
    let mut connection = connect_beside(&file.path());
    let mut ask = |query: &str| {
        let rows: Vec<Row> = diesel::sql_query(query).load(&mut connection).unwrap();
        rows.into_iter().map(|row| row.value).collect::<Vec<_>>()
    };
    let of = "FROM sqlite_master m JOIN";
    let product = "m.type = 'table' AND m.name NOT LIKE '\\_\\_%' ESCAPE '\\' AND m.name NOT LIKE 'sqlite%'";
    Found {
        columns: pairs(ask(&format!(
            "SELECT m.name || '.' || c.name || '=' || lower(c.type) || iif(c.\"notnull\" OR c.pk, '', '?') AS value \
             {of} pragma_table_info(m.name) c WHERE {product}"
        ))),
        indexes: pairs(ask(&format!(
            "SELECT iif(i.origin = 'pk', m.name || '_pkey', i.name) || '=' || iif(i.\"unique\", 'unique ', '') || \
             iif(i.partial, 'partial ', '') || m.name || ': ' || (SELECT group_concat(name, ', ') FROM \
             (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) AS value \
             {of} pragma_index_list(m.name) i WHERE {product}"
        ))),
        references: ask(&format!(
            "SELECT m.name || ': ' || group_concat(f.\"from\", ', ') || ' -> ' || f.\"table\" || ': ' || \
             group_concat(f.\"to\", ', ') AS value {of} pragma_foreign_key_list(m.name) f WHERE {product} \
             GROUP BY m.name, f.id ORDER BY f.seq"
        ))
        .into_iter()
        .collect(),
    }
}

async fn postgres() -> Found {
    let database = PostgresDatabase::new().await;
    let storage = Storage::open(&StorageSettings::new(database.url())).await.unwrap();
    assert!(storage.pending_migrations().await.unwrap() > 0);
    storage.migrate().await.unwrap();
    assert_eq!((storage.migrate().await.unwrap(), storage.pending_migrations().await.unwrap()), (0, 0));
    let url = database.url();
    let names = |relation: &str, keys: &str| {
        format!(
            "(SELECT string_agg(a.attname, ', ' ORDER BY k.place) FROM unnest({keys}) WITH ORDINALITY k (number, place) \
             JOIN pg_attribute a ON a.attrelid = {relation} AND a.attnum = k.number)"
        )
    };
    let columns = texts(
        &url,
        "SELECT table_name || '.' || column_name || '=' || udt_name || CASE is_nullable WHEN 'YES' THEN '?' ELSE '' END \
         FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE '\\_\\_%'",
    )
    .await;
    let indexes = format!(
        "SELECT i.relname || '=' || CASE WHEN x.indisunique THEN 'unique ' ELSE '' END || \
         CASE WHEN x.indpred IS NULL THEN '' ELSE 'partial ' END || t.relname || ': ' || {} \
         FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid \
         JOIN pg_namespace n ON n.oid = t.relnamespace WHERE n.nspname = 'public' AND t.relname NOT LIKE '\\_\\_%'",
        names("t.oid", "x.indkey::int2[]")
    );
    let references = format!(
        "SELECT t.relname || ': ' || {} || ' -> ' || r.relname || ': ' || {} FROM pg_constraint c \
         JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class r ON r.oid = c.confrelid WHERE c.contype = 'f'",
        names("c.conrelid", "c.conkey"),
        names("c.confrelid", "c.confkey")
    );
    Found {
        columns: pairs(columns),
        indexes: pairs(texts(&url, &indexes).await),
        references: texts(&url, &references).await.into_iter().collect(),
    }
}

#[test]
fn both_trees_have_the_same_migrations() {
    let (postgres, sqlite) = migration_names();
    assert!(!postgres.is_empty());
    assert_eq!(postgres, sqlite);
}

#[test]
fn the_source_contains_every_table() {
    let (columns, _) = declared();
    let tables: BTreeSet<&str> = columns.keys().filter_map(|name| Some(name.split_once('.')?.0)).collect();
    assert_eq!(super::SOURCE.concat().matches("diesel::table!").count(), tables.len());
}

#[tokio::test]
async fn the_declared_schema_matches_the_migrations() {
    let (declared_postgres, declared_sqlite) = declared();
    let (postgres, sqlite) = (postgres().await, sqlite().await);
    assert_eq!(sqlite.columns, declared_sqlite);
    assert_eq!(postgres.columns, declared_postgres);
    // PostgreSQL's indexes for lists of whole workspaces have a condition that limits them to these lists. SQLite would
    // not use such indexes.
    let whole = |mut indexes: BTreeMap<String, String>| {
        let lists = indexes.iter_mut().filter(|(name, _)| name.ends_with("_list"));
        lists.for_each(|(_, index)| *index = index.replace("partial ", ""));
        indexes
    };
    assert_eq!(whole(sqlite.indexes.clone()), whole(postgres.indexes.clone()));
    assert_eq!(sqlite.references, postgres.references);
    for key in UniqueKey::ALL {
        let (table, _) = key.columns().split_once('.').unwrap();
        let columns: Vec<&str> = key.columns().split(", ").map(|column| column.split_once('.').unwrap().1).collect();
        let index =
            sqlite.indexes.get(key.constraint()).unwrap_or_else(|| panic!("the index {} is missing", key.constraint()));
        let partial = if index.contains("partial ") { "partial " } else { "" };
        assert_eq!(*index, format!("unique {partial}{table}: {}", columns.join(", ")));
    }
}
