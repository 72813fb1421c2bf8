//! Keyset lists: a page is what comes after a position.

use uuid::Uuid;

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

/// The place of one row in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// When the row was made.
    pub at: Timestamp,
    /// Its id, without the kind.
    pub id: Uuid,
}

/// Which part of a list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// How many rows at the most, 1 to 100.
    pub limit: u32,
    /// In which order.
    pub order: Order,
    /// Only rows behind this one.
    pub after: Option<Position>,
}

impl Default for PageRequest {
    fn default() -> Self {
        Self { limit: 25, order: Order::NewestFirst, after: None }
    }
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows, in order.
    pub items: Vec<T>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<Position>,
}

impl<T> Page<T> {
    /// Cuts a page out of up to `limit + 1` rows.
    pub fn cut(mut items: Vec<T>, limit: u32, position: impl Fn(&T) -> Position) -> Self {
        let limit = limit as usize;
        let more = items.len() > limit;
        items.truncate(limit);
        let next = if more { items.last().map(position) } else { None };
        Self { items, next }
    }

    /// The same page of something else.
    pub fn map<U>(self, each: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(each).collect(), next: self.next }
    }
}
