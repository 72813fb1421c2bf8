//! The rows of a page, serialized up to a maximum size.

use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::pagination::{Page, PageRequest, Position, Total};

use super::{CursorKey, Paging};
use crate::response::answer::Answer;

/// The maximum size of a page's rows in bytes. A page has at least one row.
const MOST_BYTES: usize = 4 << 20;
/// The maximum of rows that are read at once, as a multiple of the first read.
const GROWTH: u32 = 4;

/// The serialized rows of a page, up to the maximum size.
pub(crate) struct Rows<K> {
    /// JSON, separated by commas.
    written: Vec<u8>,
    count: u32,
    /// Whether a row did not fit.
    full: bool,
    pub(super) next: Option<Position<K>>,
    total: Option<Total>,
}

impl<K> Default for Rows<K> {
    fn default() -> Self {
        Self { written: Vec::new(), count: 0, full: false, next: None, total: None }
    }
}

/// The members after the rows.
#[derive(Serialize)]
struct End {
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_is_capped: Option<bool>,
}

impl<K: CursorKey> Rows<K> {
    /// Gathers a page of possibly large rows: first `first` rows, then about as many as still fit. Only one read is in
    /// memory, in addition to the serialized rows.
    ///
    /// # Errors
    /// Those of `ask`.
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

    /// Adds the rows of a page, rendered by `view`, while they fit.
    pub(super) fn add<T, V: Serialize>(&mut self, page: Page<T, K>, mut view: impl FnMut(&T) -> V) {
        let Page { items, next, places, total } = page;
        self.total = self.total.or(total);
        let mut places = places.into_iter();
        for item in &items {
            let before = self.written.len();
            if self.count > 0 {
                self.written.push(b',');
            }
            // Serializing a view cannot fail: its keys are strings and its numbers are finite.
            let written = serde_json::to_writer(&mut self.written, &view(item));
            debug_assert!(written.is_ok(), "a view is JSON");
            // The next page starts after the previous row.
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

    /// Returns the number of rows that still fit, if they are as long as the previous ones.
    fn room(&self) -> u32 {
        let each = self.written.len() / (self.count.max(1) as usize);
        let room = MOST_BYTES.saturating_sub(self.written.len()) / each.max(1);
        u32::try_from(room).unwrap_or(u32::MAX)
    }

    pub(super) fn answer(self, next_cursor: Option<String>) -> Answer {
        let (total, total_is_capped) = self.total.map(|total| (total.rows, total.is_capped)).unzip();
        let end = serde_json::to_vec(&End { next_cursor, total, total_is_capped }).unwrap_or_default();
        let parts = [&b"{\"data\":["[..], &self.written, b"],", end.get(1..).unwrap_or_default()];
        Answer::of_type("application/json", parts.concat())
    }
}
