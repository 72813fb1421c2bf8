//! Erasure of deleted workspaces in batches.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use tidings_domain::access::WorkspaceDeletion;
use tidings_domain::time::Timestamp;

use crate::connection::{Connection, execute, find, on_either};
use crate::faults::Fault;
use crate::sandboxes::emptied;
use crate::schema::workspaces;
use crate::types::{DbId, DbTime, Id};

/// The tables of a workspace that a reset of a sandbox keeps, referring tables first. `event_outbox` is missing: it
/// becomes empty within moments.
macro_rules! left_by_a_reset {
    ($do:ident) => {
        $do! {
            event_heads feed_heads listener_revisions sandbox_clocks api_usage api_usage_hours
            api_usage_sums refused_invitations invitations members api_keys channels audit_log
        }
    };
}

/// The statements that delete rows of a workspace from a table, for PostgreSQL and for SQLite.
macro_rules! statements {
    // These tables have no row IDs on SQLite.
    (@ event_positions) => { statements!(@ event_positions by "position") };
    (@ feed_heads) => { statements!(@ feed_heads by "workspace_id") };
    (@ $table:ident) => { statements!(@ $table by "rowid") };
    (@ $table:ident by $key:literal) => {
        (
            concat!(
                "DELETE FROM ", stringify!($table), " WHERE ctid = ANY(ARRAY(SELECT ctid FROM ", stringify!($table),
                " WHERE workspace_id = $1 LIMIT $2))"
            ),
            concat!(
                "DELETE FROM ", stringify!($table), " WHERE workspace_id = ?1 AND ", $key, " IN (SELECT ", $key,
                " FROM ", stringify!($table), " WHERE workspace_id = ?1 LIMIT ?2)"
            ),
        )
    };
    ($($table:ident)*) => { &[$(statements!(@ $table)),*] };
}

const OF_CONTENT: &[(&str, &str)] = emptied!(statements);
const OF_ACCESS: &[(&str, &str)] = left_by_a_reset!(statements);

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
    for (on_postgres, on_sqlite) in OF_CONTENT.iter().chain(OF_ACCESS) {
        let text = match c {
            Connection::Postgres(_) => on_postgres,
            Connection::Sqlite(_) => on_sqlite,
        };
        let query = diesel::sql_query(*text).bind::<Id, _>(ws).bind::<BigInt, _>(left);
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
        macro_rules! names {
            ($($table:ident)*) => { [$(stringify!($table)),*] };
        }
        let erased: Vec<&str> = emptied!(names).into_iter().chain(left_by_a_reset!(names)).collect();
        assert_eq!(erased.len(), OF_CONTENT.len() + OF_ACCESS.len());
        let schema = include_str!("schema.rs");
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
