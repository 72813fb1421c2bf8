/// An event with its position in the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedEvent {
    /// Position: 1 for the first event of the workspace, then without gaps.
    pub position: i64,
    /// The envelope with full objects.
    pub envelope: String,
}

/// The result of reading the feed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedRead {
    /// The events, ordered by position.
    pub events: Vec<NumberedEvent>,
    /// The highest assigned position at the time of reading.
    pub head: i64,
}

/// Returns the number of events that a read of the feed returns, from the sizes of their envelopes in bytes: up to the
/// event with which they exceed `max_bytes`.
pub fn count_fitting(sizes: impl IntoIterator<Item = usize>, max_bytes: usize) -> usize {
    let mut before = 0_usize;
    let fits = |size: &usize| {
        let fits = before <= max_bytes;
        before = before.saturating_add(*size);
        fits
    };
    sizes.into_iter().take_while(fits).count()
}

/// A page of the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedPage {
    /// The events, ordered by position.
    pub events: Vec<NumberedEvent>,
    /// The next page starts after this position. Events that the filter excluded are before it.
    pub next_after: i64,
    /// Whether the next page has events now.
    pub has_more: bool,
}

/// Whether a reader of the feed can continue after a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedPlace {
    /// All later events are available.
    Whole,
    /// Some later events were deleted because of their age.
    TooOld,
    /// The position was not assigned yet.
    Beyond,
}
