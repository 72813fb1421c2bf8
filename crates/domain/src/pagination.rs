//! Keyset lists: a page is what comes after a position.

mod whole;

use uuid::Uuid;

pub use whole::{page_of, sorted_page_of};

use crate::time::Timestamp;

/// In which order a list runs. Ties are broken by id, in the same direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// `-created_at`.
    #[default]
    NewestFirst,
    /// `created_at`.
    OldestFirst,
}

impl Order {
    /// The words that `sort` takes.
    pub const WORDS: [&str; 2] = ["-created_at", "created_at"];

    /// The order with this word.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "-created_at" => Some(Self::NewestFirst),
            "created_at" => Some(Self::OldestFirst),
            _ => None,
        }
    }
}

/// By what a list may be sorted. Which of them a list offers is the list's own affair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SortBy {
    /// When the row was made.
    CreatedAt,
    /// When it was last updated.
    UpdatedAt,
    /// When a message last went either way.
    LastMessageAt,
    /// Since when the contact has been waiting for an answer.
    WaitingSince,
    /// Its name, by the key that [`crate::text::sort_key`] makes, byte by byte.
    Name,
    /// Its name, by the key that [`crate::text::fold`] makes, byte by byte. No list offers it: it serves `name` while names
    /// without a sort key are stored.
    FoldedName,
}

impl SortBy {
    /// The word that `sort` takes.
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

/// In which order a list with several sorts runs. Rows without the value come last both ways; ties
/// are broken by id, in the same direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sort {
    /// By what.
    pub by: SortBy,
    /// Whether the greatest comes first.
    pub descending: bool,
}

impl Sort {
    /// `name` ascending, `-name` descending, where `offered` has it.
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

/// Where a row stands by what a list is sorted by; `None` where it has no such value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SortKey {
    /// An instant.
    Time(Option<Timestamp>),
    /// A folded text.
    Text(Option<String>),
    /// The sort key of a text.
    Collated(Option<Vec<u8>>),
}

impl SortKey {
    /// Whether the row has such a value.
    pub fn is_some(&self) -> bool {
        matches!(self, Self::Time(Some(_)) | Self::Text(Some(_)) | Self::Collated(Some(_)))
    }

    /// The instant; `None` for other keys, too.
    pub fn time(&self) -> Option<Timestamp> {
        if let Self::Time(time) = self { *time } else { None }
    }

    /// The folded text; `None` for other keys, too.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { text.as_deref() } else { None }
    }

    /// The sort key; `None` for other keys, too.
    pub fn collated(&self) -> Option<&[u8]> {
        if let Self::Collated(key) = self { key.as_deref() } else { None }
    }
}

/// The place of one row in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position<K = Timestamp> {
    /// Where it stands by what the list is sorted by: when it was made, if nothing else is said.
    pub at: K,
    /// Its id, without the kind.
    pub id: Uuid,
}

/// Which part of a list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest<O = Order, K = Timestamp> {
    /// How many rows at the most, 1 to 100.
    pub limit: u32,
    /// In which order.
    pub order: O,
    /// Only rows behind this one.
    pub after: Option<Position<K>>,
    /// Whether the rows of all pages are to be counted. Lists of what only ever grows (requests, deliveries) are not.
    pub counted: bool,
}

/// Which part of a list with several sorts is asked for.
pub type SortedRequest = PageRequest<Sort, SortKey>;

impl SortedRequest {
    /// The request in the order that is served: names go by their sort keys once all of them have one, and by their folded
    /// names until then. `None` if the page begins behind a position of the other order.
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
    /// Whether so many rows, of up to `limit + 1` that were asked for, are those of all pages: then nobody need count them.
    pub fn is_all(&self, rows: usize) -> bool {
        self.after.is_none() && rows <= self.limit as usize
    }
}

impl<O: Default, K> Default for PageRequest<O, K> {
    fn default() -> Self {
        Self { limit: 25, order: O::default(), after: None, counted: false }
    }
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T, K = Timestamp> {
    /// The rows, in order.
    pub items: Vec<T>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<Position<K>>,
    /// Where each of the rows stands: who shows fewer of them says where the rest begins.
    pub places: Vec<Position<K>>,
    /// How many rows all pages have, where that was asked for.
    pub total: Option<Total>,
}

impl<T, K> Default for Page<T, K> {
    /// Without rows.
    fn default() -> Self {
        Self { items: Vec::new(), next: None, places: Vec::new(), total: None }
    }
}

/// A part of a list with several sorts.
pub type SortedPage<T> = Page<T, SortKey>;

/// How many rows matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    /// Exact up to [`Total::MOST`], which also stands for more.
    pub rows: u64,
    /// Whether there are more, or may be, because not all rows were examined.
    pub is_capped: bool,
}

impl Total {
    /// Further than this nobody counts.
    pub const MOST: u64 = 10_000;

    /// Of so many rows, counted up to one more than [`Total::MOST`].
    pub fn of(counted: u64) -> Self {
        Self { rows: counted.min(Self::MOST), is_capped: counted > Self::MOST }
    }
}

impl<T, K> Page<T, K> {
    /// Cuts a page out of up to `limit + 1` rows.
    pub fn cut(mut items: Vec<T>, limit: u32, position: impl Fn(&T) -> Position<K>) -> Self {
        let limit = limit as usize;
        let more = items.len() > limit;
        items.truncate(limit);
        let next = if more { items.last().map(&position) } else { None };
        let places = items.iter().map(position).collect();
        Self { items, next, places, total: None }
    }

    /// The same page with how many rows all pages have.
    #[must_use]
    pub fn of_total(self, total: Option<Total>) -> Self {
        Self { total, ..self }
    }

    /// The same page of something else, where each of the rows can be made into it.
    ///
    /// # Errors
    /// What `each` answers.
    pub fn try_map<U, E>(self, each: impl FnMut(T) -> Result<U, E>) -> Result<Page<U, K>, E> {
        let Self { items, next, places, total } = self;
        let items = items.into_iter().map(each).collect::<Result<_, _>>()?;
        Ok(Page { items, next, places, total })
    }

    /// The same page of something else.
    pub fn map<U>(self, each: impl FnMut(T) -> U) -> Page<U, K> {
        let Self { items, next, places, total } = self;
        Page { items: items.into_iter().map(each).collect(), next, places, total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sort_is_a_name_of_the_list_with_or_without_a_minus() {
        let offered = [SortBy::CreatedAt, SortBy::Name];
        let sort = |by, descending| Some(Sort { by, descending });
        assert_eq!(Sort::parse("name", &offered), sort(SortBy::Name, false));
        assert_eq!(Sort::parse("-created_at", &offered), sort(SortBy::CreatedAt, true));
        for word in ["", "-", "--name", "Name", "updated_at", "name,created_at"] {
            assert_eq!(Sort::parse(word, &offered), None, "{word}");
        }
    }

    #[test]
    fn a_position_of_the_other_order_of_names_begins_no_page() {
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
