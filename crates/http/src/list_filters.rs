//! Filters that lists of named objects have in common.

use tidings_domain::list_filter::ListFilter;
use tidings_domain::read::{name, text};

use crate::query::parameters;

parameters! {
    /// What objects are called.
    pub(crate) struct NameFilters {
        /// This stands somewhere in the name, without regard to case. `%` and `_` stand for themselves.
        one q: String = text(1..=100);
        /// This is the name, without regard to case.
        one name: String = name(1..=100);
    }
}

impl NameFilters {
    /// The filter that they are, with a status where the list has some.
    pub(crate) fn with<S: Copy + PartialEq>(&self, status: Option<S>) -> ListFilter<S> {
        ListFilter::default().containing(self.q.as_deref()).named(self.name.as_deref()).of(status)
    }
}
