//! Deleted contacts of all workspaces, by the time of their deletion.

use diesel::prelude::*;
use tidings_domain::ports::{DeletedContact, SweepPlace};
use tidings_domain::time::Timestamp;

use crate::connection::faults::Fault;
use crate::connection::{Connection, load};
use crate::queries::types::{DbId, DbTime};
use crate::schema::contacts;

/// Returns at most `limit` contacts after `from` that were deleted before `before`.
pub(crate) async fn deleted_before(
    c: &mut Connection<'_>,
    from: SweepPlace,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<DeletedContact>, Fault> {
    let (at, id) = (DbTime(from.at), DbId(from.id));
    let rows: Vec<(DbId, DbId, Option<DbTime>)> = load!(
        c,
        contacts::table
            .filter(contacts::deleted_at.ge(at))
            .filter(contacts::deleted_at.lt(DbTime(before)))
            .filter(contacts::deleted_at.gt(at).or(contacts::id.gt(id)))
            .order((contacts::deleted_at.asc(), contacts::id.asc()))
            .limit(i64::from(limit))
            .select((contacts::workspace_id, contacts::id, contacts::deleted_at))
    )?;
    let read = |(workspace, contact, deleted_at): (DbId, DbId, Option<DbTime>)| {
        let (workspace, contact) = (workspace.to_typed_id(), contact.to_typed_id());
        Some(DeletedContact { workspace, contact, deleted_at: deleted_at?.0 })
    };
    Ok(rows.into_iter().filter_map(read).collect())
}
