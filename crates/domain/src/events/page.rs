//! The feed in pages: the events of a workspace with their places.

/// An event with its position in the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedEvent {
    /// 1 for the first event of the workspace, then without gaps.
    pub position: i64,
    /// The envelope with whole objects.
    pub envelope: String,
}

/// What a look into the feed found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedRead {
    /// The events, the lowest positions first.
    pub events: Vec<NumberedEvent>,
    /// The highest position that was given when they were read.
    pub head: i64,
}

/// A page of the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedPage {
    /// The events, the lowest positions first.
    pub events: Vec<NumberedEvent>,
    /// Behind this position the next page begins; events that the filter left out lie before it.
    pub next_after: i64,
    /// Whether the next page has events already.
    pub has_more: bool,
}

/// Whether a reader of the feed may go on behind a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedPlace {
    /// All events behind it are there.
    Whole,
    /// Some of them were removed, as they were old.
    TooOld,
    /// It was not given yet.
    Beyond,
}
