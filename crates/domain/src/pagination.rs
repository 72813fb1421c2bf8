//! Keyset pagination: a page contains the rows after a position.

mod in_memory;

use uuid::Uuid;

pub use in_memory::{page_of, sorted_page_of};

use crate::time::Timestamp;

/// The order of a list. Ties are ordered by ID, in the same direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// `-created_at`.
    #[default]
    NewestFirst,
    /// `created_at`.
    OldestFirst,
}

impl Order {
    /// The accepted values of `sort`.
    pub const WORDS: [&str; 2] = ["-created_at", "created_at"];

    /// Returns the order with this word.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "-created_at" => Some(Self::NewestFirst),
            "created_at" => Some(Self::OldestFirst),
            _ => None,
        }
    }
}

/// A sort key of lists. Each list offers some of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SortBy {
    /// Creation time.
    CreatedAt,
    /// Time of the last update.
    UpdatedAt,
    /// Time of the last message in either direction.
    LastMessageAt,
    /// Time since when the contact has been waiting for a reply.
    WaitingSince,
    /// Name, by the key of [`crate::text::sort_key`], byte by byte.
    Name,
    /// Name, by the key of [`crate::text::fold`], byte by byte. No list offers it: it replaces `name` while stored
    /// names lack sort keys.
    FoldedName,
}

impl SortBy {
    /// Returns the word in `sort`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CreatedAt => "created_at",
            Self::UpdatedAt => "updated_at",
            Self::LastMessageAt => "last_message_at",
            Self::WaitingSince => "waiting_since",
            Self::Name | Self::FoldedName => "name",
        }
    }
}

/// The order of a list with several sort keys. Rows without a value are last in both directions. Ties are ordered by
/// ID, in the same direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sort {
    /// The sort key.
    pub by: SortBy,
    /// Whether the greatest value is first.
    pub descending: bool,
}

impl Sort {
    /// Parses `name` (ascending) or `-name` (descending), if `offered` contains the key.
    pub fn parse(word: &str, offered: &[SortBy]) -> Option<Self> {
        let (name, descending) = word.strip_prefix('-').map_or((word, false), |name| (name, true));
        let by = offered.iter().copied().find(|by| by.as_str() == name)?;
        Some(Self { by, descending })
    }
}

impl Default for Sort {
    /// `-created_at`.
    fn default() -> Self {
        Self { by: SortBy::CreatedAt, descending: true }
    }
}

/// The sort value of a row; `None` if it has none.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SortKey {
    /// A time.
    Time(Option<Timestamp>),
    /// A folded text.
    Text(Option<String>),
    /// The sort key of a text.
    Collated(Option<Vec<u8>>),
}

impl SortKey {
    /// Whether the row has a value.
    pub fn is_some(&self) -> bool {
        matches!(self, Self::Time(Some(_)) | Self::Text(Some(_)) | Self::Collated(Some(_)))
    }

    /// Returns the time; `None` for other types.
    pub fn time(&self) -> Option<Timestamp> {
        if let Self::Time(time) = self { *time } else { None }
    }

    /// Returns the folded text; `None` for other types.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { text.as_deref() } else { None }
    }

    /// Returns the sort key; `None` for other types.
    pub fn collated(&self) -> Option<&[u8]> {
        if let Self::Collated(key) = self { key.as_deref() } else { None }
    }
}

/// The position of a row in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position<K = Timestamp> {
    /// The sort value; by default the creation time.
    pub at: K,
    /// Its ID without the prefix.
    pub id: Uuid,
}

/// A request for a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest<O = Order, K = Timestamp> {
    /// Maximum number of rows, 1 to 100.
    pub limit: u32,
    /// The order.
    pub order: O,
    /// Only rows after this position.
    pub after: Option<Position<K>>,
    /// Whether to count the rows of all pages. Lists that only grow (requests, deliveries) are not counted.
    pub counted: bool,
}

/// A request for a page of a list with several sort keys.
pub type SortedRequest = PageRequest<Sort, SortKey>;

impl SortedRequest {
    /// Returns the request in the available order: by sort keys if all names have one, otherwise by folded names.
    /// `None` for a position of the other order.
    pub fn in_served_order(mut self, have_sort_keys: bool) -> Option<Self> {
        if self.order.by != SortBy::Name {
            return Some(self);
        }
        if !have_sort_keys {
            self.order.by = SortBy::FoldedName;
        }
        let is_of_order = match self.after.as_ref().map(|after| &after.at) {
            None => true,
            Some(SortKey::Collated(_)) => have_sort_keys,
            Some(SortKey::Text(_)) => !have_sort_keys,
            Some(SortKey::Time(_)) => false,
        };
        is_of_order.then_some(self)
    }
}

impl<O, K> PageRequest<O, K> {
    /// Whether a read of up to `limit + 1` rows that returned `rows` rows has returned all rows. If so, no count is
    /// needed.
    pub fn is_all(&self, rows: usize) -> bool {
        self.after.is_none() && rows <= self.limit as usize
    }
}

impl<O: Default, K> Default for PageRequest<O, K> {
    fn default() -> Self {
        Self { limit: 25, order: O::default(), after: None, counted: false }
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T, K = Timestamp> {
    /// The rows, in order.
    pub items: Vec<T>,
    /// Position of the last row; `None` on the last page.
    pub next: Option<Position<K>>,
    /// Positions of the rows, for callers that show fewer of them.
    pub places: Vec<Position<K>>,
    /// Number of rows of all pages, if requested.
    pub total: Option<Total>,
}

impl<T, K> Default for Page<T, K> {
    /// Returns an empty page.
    fn default() -> Self {
        Self { items: Vec::new(), next: None, places: Vec::new(), total: None }
    }
}

/// A page of a list with several sort keys.
pub type SortedPage<T> = Page<T, SortKey>;

/// The number of matching rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    /// The number, at most [`Total::MOST`].
    pub rows: u64,
    /// Whether there are more, or may be, because not all rows were examined.
    pub is_capped: bool,
}

impl Total {
    /// Counting stops after this number.
    pub const MOST: u64 = 10_000;

    /// Returns the total for a count that stops at [`Total::MOST`] plus one.
    pub fn of(counted: u64) -> Self {
        Self { rows: counted.min(Self::MOST), is_capped: counted > Self::MOST }
    }
}

impl<T, K> Page<T, K> {
    /// Creates a page from up to `limit + 1` rows.
    pub fn cut(mut items: Vec<T>, limit: u32, position: impl Fn(&T) -> Position<K>) -> Self {
        let limit = limit as usize;
        let more = items.len() > limit;
        items.truncate(limit);
        let next = if more { items.last().map(&position) } else { None };
        let places = items.iter().map(position).collect();
        Self { items, next, places, total: None }
    }

    /// Returns the page with the number of rows of all pages.
    #[must_use]
    pub fn of_total(self, total: Option<Total>) -> Self {
        Self { total, ..self }
    }

    /// Converts the rows of the page.
    ///
    /// # Errors
    /// The first error of `each`.
    pub fn try_map<U, E>(self, each: impl FnMut(T) -> Result<U, E>) -> Result<Page<U, K>, E> {
        let Self { items, next, places, total } = self;
        let items = items.into_iter().map(each).collect::<Result<_, _>>()?;
        Ok(Page { items, next, places, total })
    }

    /// Converts the rows of the page.
    pub fn map<U>(self, each: impl FnMut(T) -> U) -> Page<U, K> {
        let Self { items, next, places, total } = self;
        Page { items: items.into_iter().map(each).collect(), next, places, total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_an_offered_sort_with_or_without_a_minus() {
        let offered = [SortBy::CreatedAt, SortBy::Name];
        let sort = |by, descending| Some(Sort { by, descending });
        assert_eq!(Sort::parse("name", &offered), sort(SortBy::Name, false));
        assert_eq!(Sort::parse("-created_at", &offered), sort(SortBy::CreatedAt, true));
        for word in ["", "-", "--name", "Name", "updated_at", "name,created_at"] {
            assert_eq!(Sort::parse(word, &offered), None, "{word}");
        }
    }

    #[test]
    fn rejects_a_position_of_the_other_order_of_names() {
        let request = |by, at: Option<SortKey>| SortedRequest {
            order: Sort { by, descending: true },
            after: at.map(|at| Position { at, id: Uuid::nil() }),
            ..SortedRequest::default()
        };
        let served = |by, at: Option<SortKey>, have| request(by, at).in_served_order(have).map(|it| it.order.by);
        let folded = || [Some(SortKey::Text(Some("zoë".to_owned()))), Some(SortKey::Text(None))];
        let collated = || [Some(SortKey::Collated(Some(vec![1, 2]))), Some(SortKey::Collated(None))];
        for at in folded().into_iter().chain([None]) {
            assert_eq!(served(SortBy::Name, at, false), Some(SortBy::FoldedName));
        }
        for at in collated().into_iter().chain([None]) {
            assert_eq!(served(SortBy::Name, at, true), Some(SortBy::Name));
        }
        assert!(folded().into_iter().all(|at| served(SortBy::Name, at, true).is_none()));
        assert!(collated().into_iter().all(|at| served(SortBy::Name, at, false).is_none()));
        let time = Some(SortKey::Time(None));
        assert_eq!(served(SortBy::CreatedAt, time, false), Some(SortBy::CreatedAt));
    }

    #[test]
    fn a_first_page_that_is_not_full_has_all_rows() {
        let first: PageRequest = PageRequest { limit: 2, ..PageRequest::default() };
        assert_eq!([0, 2, 3].map(|rows| first.is_all(rows)), [true, true, false]);
        let after = Some(Position { at: Timestamp::from_millis(0), id: Uuid::nil() });
        assert!(!PageRequest { after, ..first }.is_all(0));
    }

    #[test]
    fn totals_are_exact_up_to_their_cap() {
        assert_eq!(Total::of(10_000), Total { rows: 10_000, is_capped: false });
        assert_eq!(Total::of(10_001), Total { rows: 10_000, is_capped: true });
    }
}
