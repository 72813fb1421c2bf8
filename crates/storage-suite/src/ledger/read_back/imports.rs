//! Samples of imports and bulk operations.

use tidings_domain::bulk::{BulkOperation, BulkStatus};
use tidings_domain::ids::ImportId;
use tidings_domain::imports::{Import, ImportStatus, RejectedRow};
use tidings_domain::ports::{Change, ImportChange, Row};

use super::sample::{Does, Maker, Sample, maker, row_makers, unique};
use crate::contacts::imports::a_rejected_row;
use crate::fixtures::{World, a_bulk_operation, an_import, at};

pub(super) fn samples() -> Vec<Maker> {
    let mut samples = [row_makers(bulk_operation), row_makers(import)].into_iter().flatten().collect::<Vec<_>>();
    samples.extend([maker(put_table), maker(drop_table), maker(reject), maker(drop_rejected), maker(forget)]);
    samples
}

async fn bulk_operation(world: World, does: Does) -> Sample {
    let operation = a_bulk_operation();
    let own = operation.id;
    let change = |it: &mut BulkOperation| {
        (it.status, it.started_at, it.updated_at, it.version) = (BulkStatus::Running, Some(at(8)), at(9), 2);
    };
    let read = async move |w: &World| w.ports.bulk.get(&w.access, own).await.unwrap();
    does.row(&world, |it| Row::BulkOperation(Box::new(it)), operation, change, read).await
}

async fn import(world: World, does: Does) -> Sample {
    let import = an_import();
    let own = import.id;
    let change = |it: &mut Import| {
        (it.status, it.started_at, it.updated_at, it.version) = (ImportStatus::Running, Some(at(8)), at(9), 2);
    };
    let read = async move |w: &World| w.ports.imports.get(&w.access, own).await.unwrap();
    does.row(&world, |it| Row::Import(Box::new(it)), import, change, read).await
}

async fn stored(world: &World) -> ImportId {
    let import = an_import();
    world.add(Change::Insert(Row::Import(Box::new(import.clone())))).await;
    import.id
}

const TABLE: &str = "email\na@example.com";

/// Stores an import and returns the change that stores its table.
async fn table(world: &World) -> (ImportId, Change) {
    let import = stored(world).await;
    (import, Change::Import(ImportChange::PutTable { import, table: TABLE.as_bytes().into() }))
}

async fn read_table(world: &World, import: ImportId) -> String {
    String::from_utf8(world.ports.imports.table(&world.access, import, 0..9).await.unwrap()).unwrap()
}

async fn put_table(world: World) -> Sample {
    let (import, put) = table(&world).await;
    Sample::new(&world, put, TABLE.to_owned(), async move |w| read_table(w, import).await)
}

async fn drop_table(world: World) -> Sample {
    let (import, put) = table(&world).await;
    world.add(put).await;
    let change = Change::Import(ImportChange::DropTable { import });
    Sample::new(&world, change, String::new(), async move |w| read_table(w, import).await)
}

/// Stores an import and returns the change that rejects a row of it.
async fn rejecting(world: &World) -> (ImportId, RejectedRow, Change) {
    let import = stored(world).await;
    let row = a_rejected_row(7, Some(&format!("{}@example.com", unique())), None);
    (import, row.clone(), Change::Import(ImportChange::Reject { import, row: Box::new(row) }))
}

async fn read_rejected(world: &World, import: ImportId) -> Vec<RejectedRow> {
    world.ports.imports.rejected(&world.access, import, 0, 9).await.unwrap()
}

async fn reject(world: World) -> Sample {
    let (import, row, reject) = rejecting(&world).await;
    Sample::new(&world, reject, vec![row], async move |w| read_rejected(w, import).await)
}

async fn drop_rejected(world: World) -> Sample {
    let (import, _, reject) = rejecting(&world).await;
    world.add(reject).await;
    let change = Change::Import(ImportChange::DropRejected { import, limit: 9 });
    Sample::new(&world, change, Vec::new(), async move |w| read_rejected(w, import).await)
}

async fn forget(world: World) -> Sample {
    let (import, row, reject) = rejecting(&world).await;
    world.add(reject).await;
    let change = Change::Import(ImportChange::Forget(row.names));
    Sample::new(&world, change, Vec::new(), async move |w| read_rejected(w, import).await)
}
