//! The rejected rows of all imports that name a person.

use diesel::prelude::*;
use tidings_domain::contacts::ContactRef;
use tidings_domain::ids::ImportId;
use tidings_domain::imports::RejectedRow;

use super::{ReadRejected, rejected};
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, load};
use crate::queries::types::DbId;
use crate::schema::import_rejects;

/// Returns at most `limit` rows after a line of an import, in this order.
pub(super) async fn naming(
    c: &mut Connection<'_>,
    ws: DbId,
    person: &ContactRef,
    (import, line): (DbId, i64),
    limit: u32,
) -> Result<Vec<(ImportId, RejectedRow)>, Fault> {
    let next = import_rejects::import_id
        .ge(import)
        .and(import_rejects::import_id.gt(import).or(import_rejects::line.gt(line)));
    let order = (import_rejects::import_id.asc(), import_rejects::line.asc());
    let columns = (
        import_rejects::import_id,
        (
            import_rejects::line,
            import_rejects::cells,
            import_rejects::wrong,
            import_rejects::external_id,
            import_rejects::email,
            import_rejects::phone,
        ),
    );
    let rows: Vec<(DbId, ReadRejected)> = match person {
        ContactRef::Id(_) => Vec::new(),
        ContactRef::ExternalId(it) => load!(
            c,
            import_rejects::table
                .filter(import_rejects::external_id.eq(it.to_string()))
                .filter(import_rejects::workspace_id.eq_unindexed(ws))
                .filter(next)
                .order(order)
                .limit(i64::from(limit))
                .select(columns)
        )?,
        ContactRef::Email(it) => load!(
            c,
            import_rejects::table
                .filter(import_rejects::email.eq(it.canonical()))
                .filter(import_rejects::workspace_id.eq_unindexed(ws))
                .filter(next)
                .order(order)
                .limit(i64::from(limit))
                .select(columns)
        )?,
        ContactRef::Phone(it) => load!(
            c,
            import_rejects::table
                .filter(import_rejects::phone.eq(it.to_string()))
                .filter(import_rejects::workspace_id.eq_unindexed(ws))
                .filter(next)
                .order(order)
                .limit(i64::from(limit))
                .select(columns)
        )?,
    };
    rows.into_iter().map(|(import, row)| Ok((import.to_typed_id(), rejected(row)?))).collect()
}
