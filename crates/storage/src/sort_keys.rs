//! Sort keys of names that an earlier release wrote. Such names have no key, or the key of an earlier name. Their keys
//! are filled in after the upgrade, in batches, and this can be interrupted. A mark records that all names have keys.
//! Before that, lists are sorted by folded names.

use std::sync::atomic::Ordering;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use tidings_domain::contacts::full_name;
use tidings_domain::ports::StoreError;
use tidings_domain::text::sort_key;

use crate::Storage;
use crate::connection::{Connection, execute, find, load};
use crate::fair_queue::SYSTEM;
use crate::faults::Fault;
use crate::jobs::lease_now;
use crate::schema::{contacts, store_marks, tags};
use crate::types::{DbId, DbTime};

const FILLED: &str = "sort_keys";

/// Must match the text of the index. Every change of a row increments its version, in all releases.
const CONTACT_IS_BEHIND: &str = "contacts.sorted_version IS DISTINCT FROM contacts.version";
const TAG_IS_BEHIND: &str = "tags.sorted_version IS DISTINCT FROM tags.version";

/// A row: workspace, ID, version, and the parts of its name.
type Behind<N> = (DbId, DbId, i64, N);

/// Loads the first rows of a table with outdated keys, in index order.
macro_rules! outdated_rows {
    ($c:expr, $table:ident, $is_behind:expr, $limit:expr, $name:expr) => {
        load!(
            $c,
            $table::table
                .filter(sql::<Bool>($is_behind))
                .order(($table::workspace_id.asc(), $table::sorted_version.asc(), $table::id.asc()))
                .limit($limit)
                .select(($table::workspace_id, $table::id, $table::version, $name))
        )
    };
}

/// Writes the key of a row, unless the row was changed in the meantime.
macro_rules! write_key {
    ($c:expr, $table:ident, $row:expr, $key:expr) => {{
        let (ws, id, version) = $row;
        let target = $table::table.find((ws, id)).filter($table::version.eq(version));
        execute!(
            $c,
            diesel::update(target).set(($table::sort_key.eq($key), $table::sorted_version.eq(Some(version))))
        )?;
    }};
}

/// Fills in the keys of at most `limit` rows of each table. Returns their number. If no row is outdated, writes the
/// mark.
pub(crate) async fn fill(c: &mut Connection<'_>, limit: u32) -> Result<u64, Fault> {
    let limit = i64::from(limit);
    let mut contacts: Vec<Behind<(Option<String>, Option<String>)>> =
        outdated_rows!(c, contacts, CONTACT_IS_BEHIND, limit, (contacts::first_name, contacts::last_name))?;
    let mut tags: Vec<Behind<String>> = outdated_rows!(c, tags, TAG_IS_BEHIND, limit, tags::name)?;
    // Rows are written in key order, like in commits.
    contacts.sort_by_key(|(ws, id, ..)| (ws.0, id.0));
    tags.sort_by_key(|(ws, id, ..)| (ws.0, id.0));
    for (ws, id, version, (first, last)) in &contacts {
        let key = full_name(first.as_deref(), last.as_deref()).map(|name| sort_key(&name));
        write_key!(c, contacts, (*ws, *id, *version), key);
    }
    for (ws, id, version, name) in &tags {
        write_key!(c, tags, (*ws, *id, *version), Some(sort_key(name)));
    }
    if contacts.is_empty() && tags.is_empty() && !is_marked(c).await? {
        mark(c).await?;
    }
    Ok((contacts.len() + tags.len()) as u64)
}

async fn is_marked(c: &mut Connection<'_>) -> Result<bool, Fault> {
    let found: Option<String> = find!(c, store_marks::table.find(FILLED).select(store_marks::name))?;
    Ok(found.is_some())
}

async fn mark(c: &mut Connection<'_>) -> Result<(), Fault> {
    let now = lease_now(c).await?;
    let row = (store_marks::name.eq(FILLED), store_marks::value.eq(""), store_marks::set_at.eq(DbTime(now)));
    let insert = diesel::insert_into(store_marks::table).values(row);
    execute!(c, insert.on_conflict(store_marks::name).do_nothing()).map(|_| ())
}

impl Storage {
    /// Returns true if all names have sort keys. The mark is permanent and not read again once found.
    pub(crate) async fn have_sort_keys(&self) -> Result<bool, StoreError> {
        if self.sorted.load(Ordering::Relaxed) {
            return Ok(true);
        }
        let marked = self.read(SYSTEM, |mut c| Box::pin(async move { is_marked(&mut c).await })).await?;
        self.sorted.store(marked, Ordering::Relaxed);
        Ok(marked)
    }
}
