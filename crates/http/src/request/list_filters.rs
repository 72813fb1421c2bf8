//! Filters of all lists of named objects.

use tidings_domain::list_filter::ListFilter;
use tidings_domain::read::{name, text};

use crate::request::query::parameters;

parameters! {
    pub(crate) struct NameFilters {
        /// Only items with this text in the name, case-insensitive. `%` and `_` are ordinary characters.
        one q: String = text(1..=100);
        /// Only the item with this name, case-insensitive.
        one name: String = name(1..=100);
    }
}

impl NameFilters {
    /// Returns the filter, with a status for lists that have one.
    pub(crate) fn with<S: Copy + PartialEq>(&self, status: Option<S>) -> ListFilter<S> {
        ListFilter::default().containing(self.q.as_deref()).named(self.name.as_deref()).of(status)
    }
}
