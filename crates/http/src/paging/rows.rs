//! The rows of a page, written down while they are gathered, up to a bound.

use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::pagination::{Page, PageRequest, Position, Total};

use super::{CursorKey, Paging};
use crate::answer::Answer;

/// A page ends where its rows would be longer than this, but it has at least one.
const MOST_BYTES: usize = 4 << 20;
/// How many rows are read at once, as a multiple of those that were read first.
const GROWTH: u32 = 4;

/// The rows of a page as they are answered, as many as there is room for.
pub(crate) struct Rows<K> {
    /// JSON, with commas between them.
    written: Vec<u8>,
    count: u32,
    /// Whether there was no room for another one.
    full: bool,
    /// Where the next page begins.
    pub(super) next: Option<Position<K>>,
    total: Option<Total>,
}

impl<K> Default for Rows<K> {
    fn default() -> Self {
        Self { written: Vec::new(), count: 0, full: false, next: None, total: None }
    }
}

/// What stands behind the rows.
#[derive(Serialize)]
struct End {
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_is_capped: Option<bool>,
}

impl<K: CursorKey> Rows<K> {
    /// Gathers a page whose rows may be large: `ask` is asked for `first` rows, then for about as many as there is room for.
    /// What is asked for is in memory with what was written, and no more.
    ///
    /// # Errors
    /// What `ask` answers.
    pub(crate) async fn gather<T, V: Serialize, O: Clone>(
        paging: &Paging<O, K>,
        first: u32,
        mut ask: impl AsyncFnMut(PageRequest<O, K>) -> Result<Page<T, K>, Error>,
        mut view: impl FnMut(&T) -> V,
    ) -> Result<Self, Error> {
        let mut rows = Self::default();
        let mut request = paging.request.clone();
        request.limit = first.min(paging.request.limit);
        loop {
            let page = ask(request.clone()).await?;
            let is_last = page.items.len() < request.limit as usize;
            rows.add(page, &mut view);
            let left = paging.request.limit.saturating_sub(rows.count);
            if is_last || rows.full || rows.next.is_none() || left == 0 {
                return Ok(rows);
            }
            request.after.clone_from(&rows.next);
            request.counted = false;
            request.limit = rows.room().clamp(1, first * GROWTH).min(left);
        }
    }

    /// Adds the rows of a page, as `view` shows them, while there is room.
    pub(super) fn add<T, V: Serialize>(&mut self, page: Page<T, K>, mut view: impl FnMut(&T) -> V) {
        let Page { items, next, places, total } = page;
        self.total = self.total.or(total);
        let mut places = places.into_iter();
        for item in &items {
            let before = self.written.len();
            if self.count > 0 {
                self.written.push(b',');
            }
            // Views have strings as keys and finite numbers only, so writing one cannot fail.
            let written = serde_json::to_writer(&mut self.written, &view(item));
            debug_assert!(written.is_ok(), "a view is JSON");
            // What is cut off begins behind the row before.
            if self.next.is_some() && self.written.len() > MOST_BYTES {
                self.written.truncate(before);
                self.full = true;
                return;
            }
            self.count += 1;
            self.next = places.next();
        }
        self.next = next;
    }

    /// For how many more rows there is room, if they are as long as those that are written.
    fn room(&self) -> u32 {
        let each = self.written.len() / (self.count.max(1) as usize);
        let room = MOST_BYTES.saturating_sub(self.written.len()) / each.max(1);
        u32::try_from(room).unwrap_or(u32::MAX)
    }

    /// The answer with them.
    pub(super) fn answer(self, next_cursor: Option<String>) -> Answer {
        let (total, total_is_capped) = self.total.map(|total| (total.rows, total.is_capped)).unzip();
        let end = serde_json::to_vec(&End { next_cursor, total, total_is_capped }).unwrap_or_default();
        let parts = [&b"{\"data\":["[..], &self.written, b"],", end.get(1..).unwrap_or_default()];
        Answer::of_type("application/json", parts.concat())
    }
}
