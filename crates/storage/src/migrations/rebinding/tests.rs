//! Conditions of an earlier release, after the upgrade.

use std::sync::Arc;

use diesel::connection::SimpleConnection;
use tidings_domain::access::Access;
use tidings_domain::ids::{SegmentId, TypedId, WorkspaceId};
use tidings_domain::ports::SegmentQueries;
use tidings_storage_suite::databases::{PostgresDatabase, SqliteFile};
use uuid::Uuid;

use crate::{Backend, Storage, StorageSettings};

const WORKSPACE: u128 = 1;
/// A tag with the name `vip`.
const VIP: u128 = 3;
/// A tag that was named `old` and was renamed.
const RENAMED: u128 = 4;
/// A tag with the former name of the renamed one.
const DECOY: u128 = 5;
/// A segment with recorded references.
const RECORDED: u128 = 6;
/// A segment without recorded references.
const UNRECORDED: u128 = 7;
/// A segment with a tag that was deleted by force and created again.
const LOST: u128 = 8;

fn rows(id: fn(u128) -> String, time: &str) -> String {
    let ws = id(WORKSPACE);
    let tag = |number: u128, name: &str| {
        format!(
            "INSERT INTO tags (workspace_id, id, name, name_key, created_at, updated_at, version)
             VALUES ({ws}, {}, '{name}', '{name}', {time}, {time}, 1);",
            id(number)
        )
    };
    let segment = |number: u128, values: &str| {
        format!(
            r#"INSERT INTO segments (workspace_id, id, name, condition, created_at, updated_at, version)
             VALUES ({ws}, {}, 's', '{{"field":"tags","op":"in","value":[{values}]}}', {time}, {time}, 1);"#,
            id(number)
        )
    };
    let reference = |segment: u128, tag: u128, lost: &str| {
        format!(
            "INSERT INTO object_references (workspace_id, owner_kind, owner_id, target_kind, target_id, lost_name, lost_at)
             VALUES ({ws}, 'segment', {}, 'tag', {}, {lost});",
            id(segment),
            id(tag)
        )
    };
    let named = "NULL, NULL";
    [
        format!("INSERT INTO workspaces (id, name, plan, created_at, updated_at, version) VALUES ({ws}, 'w', 'pro', {time}, {time}, 1);"),
        tag(VIP, "vip"),
        tag(RENAMED, "new"),
        tag(DECOY, "old"),
        segment(RECORDED, r#""VIP","old""#),
        reference(RECORDED, VIP, named),
        reference(RECORDED, RENAMED, named),
        segment(UNRECORDED, r#""old","none""#),
        segment(LOST, r#""vip""#),
        reference(LOST, 9, &format!("'vip', {time}")),
    ]
    .concat()
}

async fn conditions_are_bound(storage: Arc<Storage>) {
    storage.migrate().await.unwrap();
    let access = Access::system(WorkspaceId::from_uuid(Uuid::from_u128(WORKSPACE)));
    let bindings = async |segment: u128| {
        let segment = SegmentId::from_uuid(Uuid::from_u128(segment));
        let found = SegmentQueries::get(&*storage, &access, segment).await.unwrap().unwrap();
        serde_json::to_value(found.condition.bindings()).unwrap()
    };
    let tag = |number| tidings_domain::ids::TagId::from_uuid(Uuid::from_u128(number));
    assert_eq!(bindings(RECORDED).await, serde_json::json!({"/value/0": tag(VIP), "/value/1": tag(RENAMED)}));
    assert_eq!(bindings(UNRECORDED).await, serde_json::json!({"/value/0": tag(DECOY)}));
    assert_eq!(bindings(LOST).await, serde_json::json!({}));
}

#[tokio::test]
async fn conditions_of_a_sqlite_file_are_bound_by_the_upgrade() {
    let file = SqliteFile::new();
    let storage = Storage::open(&StorageSettings::new(file.url())).await.unwrap();
    storage.migrate().await.unwrap();
    let Backend::Sqlite(sqlite) = &storage.backend else { panic!("it is SQLite") };
    let rows = rows(|id| format!("x'{id:032x}'"), "0");
    let written = sqlite.with_connection(move |connection| {
        connection.batch_execute(&format!("BEGIN; {rows} COMMIT;")).unwrap();
        Ok(())
    });
    written.await.unwrap();
    conditions_are_bound(storage).await;
}

#[tokio::test]
async fn conditions_of_a_postgresql_database_are_bound_by_the_upgrade() {
    let database = PostgresDatabase::new().await;
    let storage = Storage::open(&StorageSettings::new(database.url())).await.unwrap();
    storage.migrate().await.unwrap();
    let rows = rows(|id| format!("'{}'", Uuid::from_u128(id)), "'2026-01-01Z'");
    database.execute(&rows).await;
    conditions_are_bound(storage).await;
}
