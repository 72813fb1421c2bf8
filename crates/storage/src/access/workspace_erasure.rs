//! Erasure of deleted workspaces in batches.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use tidings_domain::access::WorkspaceDeletion;
use tidings_domain::time::Timestamp;

use crate::access::sandboxes::emptied;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, on_either};
use crate::queries::types::{DbId, DbTime, Id};
use crate::schema::workspaces;

/// The tables of a workspace that a reset of a sandbox keeps, referring tables first. `event_outbox` is missing: it
/// becomes empty within moments.
const KEPT_BY_A_RESET: &[&str] = &[
    "event_heads",
    "feed_heads",
    "listener_revisions",
    "sandbox_clocks",
    "api_usage",
    "api_usage_hours",
    "api_usage_sums",
    "refused_invitations",
    "invitations",
    "members",
    "api_keys",
    "channels",
    "audit_log",
];

/// Returns a deleted workspace that can no longer be restored, sandboxes first.
pub(crate) async fn find_unrestorable(c: &mut Connection<'_>, now: Timestamp) -> Result<Option<DbId>, Fault> {
    find!(
        c,
        workspaces::table
            .filter(workspaces::deleted_at.is_not_null())
            .filter(workspaces::erase_at.le(DbTime(now)))
            .order(workspaces::live_workspace_id.is_null().asc())
            .select(workspaces::id)
            .limit(1)
    )
}

/// Deletes at most `limit` rows of a workspace, and its own row last. Returns the number of deleted rows.
pub(crate) async fn erase_part(c: &mut Connection<'_>, ws: DbId, limit: i64) -> Result<u64, Fault> {
    // From now on, the workspace cannot be restored.
    let begun = workspaces::erase_at.eq(DbTime(WorkspaceDeletion::BEGUN));
    let own = workspaces::table.find(ws).filter(workspaces::deleted_at.is_not_null());
    if execute!(c, diesel::update(own).set(begun))? == 0 {
        return Ok(0);
    }
    let mut left = limit;
    for table in emptied().chain(KEPT_BY_A_RESET.iter().copied()) {
        let text = match c {
            Connection::Postgres(_) => format!(
                "DELETE FROM {table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM {table} WHERE workspace_id = $1 LIMIT $2))"
            ),
            Connection::Sqlite(_) => {
                let key = match table {
                    // These tables have no row IDs.
                    "event_positions" => "position",
                    "feed_heads" => "workspace_id",
                    _ => "rowid",
                };
                format!(
                    "DELETE FROM {table} WHERE workspace_id = ?1 AND {key} IN (SELECT {key} FROM {table} \
                     WHERE workspace_id = ?1 LIMIT ?2)"
                )
            }
        };
        let query = diesel::sql_query(text).bind::<Id, _>(ws).bind::<BigInt, _>(left);
        let removed = on_either!(c, execute, query)?;
        left -= i64::try_from(removed).unwrap_or(i64::MAX);
        if left <= 0 {
            return Ok(u64::try_from(limit - left).unwrap_or(0));
        }
    }
    execute!(c, diesel::delete(workspaces::table.find(ws)))?;
    Ok(u64::try_from(limit - left).unwrap_or(0) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_of_workspaces_is_erased() {
        let erased: Vec<&str> = emptied().chain(KEPT_BY_A_RESET.iter().copied()).collect();
        let schema = crate::schema::SOURCE.concat();
        let tables = schema.split("diesel::table!").filter(|text| text.contains("workspace_id -> Id"));
        let tables: Vec<&str> = tables.collect();
        assert!(tables.len() > 50, "the schema lists the tables of workspaces: {}", tables.len());
        for table in tables {
            let name = table.lines().find_map(|line| line.trim().split_once(" (")).map(|(name, _)| name.trim());
            let name = name.expect("a table has a name");
            assert!(name == "event_outbox" || erased.contains(&name), "{name} is not erased with its workspace");
        }
    }
}
