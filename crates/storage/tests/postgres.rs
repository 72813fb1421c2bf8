//! The suite on PostgreSQL.

use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::PostgresDatabase;

async fn fresh() -> (Ports, PostgresDatabase) {
    let database = PostgresDatabase::new().await;
    let storage = Storage::open(&StorageSettings::new(database.url())).await.expect("a store");
    storage.migrate().await.expect("a schema");
    (Ports::of(storage), database)
}

tidings_storage_suite::suite!(fresh);
