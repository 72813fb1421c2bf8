//! Lists with a filter by name or status. The filtered columns are read for all rows, which are few in a workspace, and
//! compared by the domain, which folds names. The other columns are only read for the rows of the page.

use std::collections::HashMap;

use tidings_domain::list_filter::{FilterFields, ListFilter};
use tidings_domain::pagination::{Page, PageRequest, Position, page_of};
use tidings_domain::ports::StoreError;

use crate::connection::faults::Fault;
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime};

/// Reads a page of a filtered list. `$all` selects all rows, `$told` are the columns that `$admits` checks, `$row` are
/// the columns of the page's rows, and `$read` converts them.
macro_rules! narrowed {
    ($store:expr, $ws:expr, $page:expr, $table:ident, $row:expr, $all:expr, $told:expr, $admits:expr, $read:expr) => {{
        let (ws, all, told, admits, read) = ($ws, $all, $told, $admits, $read);
        let asked = $store.read_as_one(ws, move |mut c| {
            Box::pin(async move {
                let all = $crate::connection::load!(&mut c, {
                    let query = all.select(($table::id, $table::created_at, told));
                    query.order(($table::created_at.asc(), $table::id.asc()))
                })?;
                let page = $crate::queries::named_lists::chosen(all, $page, admits)?;
                let keys = $crate::queries::named_lists::keys(ws, &page);
                let rows = $crate::connection::by_keys!(
                    &mut c,
                    keys,
                    $table::table.select(($table::id, $row)),
                    ($table::workspace_id, $table::id)
                )?;
                $crate::queries::named_lists::in_order(page, rows)?.try_map(read)
            })
        });
        asked.await
    }};
}

pub(crate) use narrowed;

pub(crate) fn chosen<T>(
    all: Vec<(DbId, DbTime, T)>,
    page: PageRequest,
    admits: impl Fn(&T) -> Result<bool, Fault>,
) -> Result<Page<DbId>, Fault> {
    let mut admitted = Vec::new();
    for (id, at, told) in all {
        if admits(&told)? {
            admitted.push((id, at));
        }
    }
    Ok(page_of(admitted, page, |(id, at)| Position { at: at.0, id: id.0 }).map(|(id, _)| id))
}

pub(crate) fn by_name_and_status<S: Copy + PartialEq>(
    filter: ListFilter<S>,
    what: &'static str,
    parse: fn(&str) -> Option<S>,
) -> impl Fn(&(String, String)) -> Result<bool, Fault> {
    move |(name, status)| Ok(filter.admits(&FilterFields::named(name, Some(word(status, what, parse)?))))
}

pub(crate) fn keys<K>(ws: DbId, page: &Page<DbId, K>) -> Vec<(DbId, DbId)> {
    page.items.iter().map(|id| (ws, *id)).collect()
}

/// Puts rows into the order of their page.
pub(crate) fn in_order<R, K>(page: Page<DbId, K>, rows: Vec<(DbId, R)>) -> Result<Page<R, K>, Fault> {
    let mut rows: HashMap<_, _> = rows.into_iter().map(|(id, row)| (id.0, row)).collect();
    let Page { items, next, places, total } = page;
    let gone = || Fault::from(StoreError::Corrupt("a row of a list disappeared during the read".to_owned()));
    let items = items.into_iter().map(|id| rows.remove(&id.0).ok_or_else(gone)).collect::<Result<_, _>>()?;
    Ok(Page { items, next, places, total })
}
