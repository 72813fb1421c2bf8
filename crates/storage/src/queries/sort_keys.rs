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
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::jobs::lease_now;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{contacts, store_marks, tags};

const FILLED: &str = "sort_keys";

/// Must match the text of the index. Every change of a row increments its version, in all releases.
const CONTACT_IS_BEHIND: &str = "contacts.sorted_version IS DISTINCT FROM contacts.version";
const TAG_IS_BEHIND: &str = "tags.sorted_version IS DISTINCT FROM tags.version";

/// A row: workspace, ID, version, and the parts of its name.
type Behind<N> = (DbId, DbId, i64, N);

/// Fills in the keys of at most `limit` rows of each table. Returns their number. If no row is outdated, writes the
/// mark.
pub(crate) async fn fill(c: &mut Connection<'_>, limit: u32) -> Result<u64, Fault> {
    let limit = i64::from(limit);
    let mut contacts: Vec<Behind<(Option<String>, Option<String>)>> = load!(
        c,
        contacts::table
            .filter(sql::<Bool>(CONTACT_IS_BEHIND))
            .order((contacts::workspace_id.asc(), contacts::sorted_version.asc(), contacts::id.asc()))
            .limit(limit)
            .select((
                contacts::workspace_id,
                contacts::id,
                contacts::version,
                (contacts::first_name, contacts::last_name)
            ))
    )?;
    let mut tags: Vec<Behind<String>> = load!(
        c,
        tags::table
            .filter(sql::<Bool>(TAG_IS_BEHIND))
            .order((tags::workspace_id.asc(), tags::sorted_version.asc(), tags::id.asc()))
            .limit(limit)
            .select((tags::workspace_id, tags::id, tags::version, tags::name))
    )?;
    // Rows are written in key order, like in commits, unless they were changed in the meantime.
    contacts.sort_by_key(|(ws, id, ..)| (ws.0, id.0));
    tags.sort_by_key(|(ws, id, ..)| (ws.0, id.0));
    for (ws, id, version, (first, last)) in &contacts {
        let key = full_name(first.as_deref(), last.as_deref()).map(|name| sort_key(&name));
        let target = contacts::table.find((*ws, *id)).filter(contacts::version.eq(*version));
        let written = (contacts::sort_key.eq(key), contacts::sorted_version.eq(Some(*version)));
        execute!(c, diesel::update(target).set(written))?;
    }
    for (ws, id, version, name) in &tags {
        let target = tags::table.find((*ws, *id)).filter(tags::version.eq(*version));
        let written = (tags::sort_key.eq(Some(sort_key(name))), tags::sorted_version.eq(Some(*version)));
        execute!(c, diesel::update(target).set(written))?;
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
