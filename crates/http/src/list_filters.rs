//! Filters that lists of named objects have in common.

use tidings_domain::list_filter::ListFilter;
use tidings_domain::read::{name, text};

use crate::query::parameters;

parameters! {
    /// What objects are called.
    pub(crate) struct NameFilters {
        /// Only items with this text in the name, case-insensitive. `%` and `_` are ordinary characters.
        one q: String = text(1..=100);
        /// Only the item with this name, case-insensitive.
        one name: String = name(1..=100);
    }
}

impl NameFilters {
    /// The filter that they are, with a status where the list has some.
    pub(crate) fn with<S: Copy + PartialEq>(&self, status: Option<S>) -> ListFilter<S> {
        ListFilter::default().containing(self.q.as_deref()).named(self.name.as_deref()).of(status)
    }
}
