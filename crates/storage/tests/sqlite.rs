//! The suite on SQLite.

use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::SqliteFile;

async fn fresh() -> (Ports, SqliteFile) {
    let file = SqliteFile::new();
    let storage = Storage::open(&StorageSettings::new(file.url())).await.expect("a store");
    storage.migrate().await.expect("a schema");
    (Ports::of(storage), file)
}

tidings_storage_suite::suite!(fresh);
