//! Pages of lists that are fully in memory.

use std::cmp::Ordering;

use super::{Order, Page, PageRequest, Position, SortKey, SortedPage, SortedRequest, Total};

/// Returns a page of a list. `rows` contains all rows, in any order.
pub fn page_of<T>(mut rows: Vec<T>, page: PageRequest, position: impl Fn(&T) -> Position) -> Page<T> {
    let key = |row: &T| (position(row).at, position(row).id);
    let total = page.counted.then(|| Total::of(rows.len() as u64));
    rows.sort_by_key(key);
    if page.order == Order::NewestFirst {
        rows.reverse();
    }
    if let Some(after) = page.after {
        rows.retain(|row| match page.order {
            Order::NewestFirst => key(row) < (after.at, after.id),
            Order::OldestFirst => key(row) > (after.at, after.id),
        });
    }
    rows.truncate(page.limit as usize + 1);
    Page::cut(rows, page.limit, position).of_total(total)
}

/// Returns a page of a list with several sort keys. `rows` contains all rows.
pub fn sorted_page_of<T>(
    rows: Vec<T>,
    page: SortedRequest,
    position: impl Fn(&T) -> Position<SortKey>,
) -> SortedPage<T> {
    let total = page.counted.then(|| Total::of(rows.len() as u64));
    // Rows without a value are last in both directions; ties are ordered by ID, in the direction of the sort.
    let compare = |a: &Position<SortKey>, b: &Position<SortKey>| {
        let keys = match (&a.at, &b.at) {
            (SortKey::Time(a), SortKey::Time(b)) => a.cmp(b),
            (SortKey::Text(a), SortKey::Text(b)) => a.cmp(b),
            (SortKey::Collated(a), SortKey::Collated(b)) => a.cmp(b),
            (SortKey::Time(_) | SortKey::Text(_) | SortKey::Collated(_), _) => Ordering::Equal,
        };
        let ascending = keys.then(a.id.cmp(&b.id));
        let directed = if page.order.descending { ascending.reverse() } else { ascending };
        b.at.is_some().cmp(&a.at.is_some()).then(directed)
    };
    let mut placed: Vec<(Position<SortKey>, T)> = rows.into_iter().map(|row| (position(&row), row)).collect();
    placed.sort_by(|(a, _), (b, _)| compare(a, b));
    if let Some(after) = &page.after {
        placed.retain(|(place, _)| compare(place, after) == Ordering::Greater);
    }
    placed.truncate(page.limit as usize + 1);
    Page::cut(placed.into_iter().map(|(_, row)| row).collect(), page.limit, position).of_total(total)
}
