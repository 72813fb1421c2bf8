//! Filters of lists by name and status. A workspace has few named objects (at most ten thousand tags), so a store can
//! fold and compare names one by one.

use std::convert::Infallible;

use crate::text::{fold, search_fold};

/// A filter of a list. A row must match all its parts; the default matches every row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListFilter<S> {
    name: Option<String>,
    part: Option<String>,
    status: Option<S>,
}

/// The filter of a list without statuses.
pub type NameFilter = ListFilter<Infallible>;

impl<S> Default for ListFilter<S> {
    fn default() -> Self {
        Self { name: None, part: None, status: None }
    }
}

/// The parts of a row that a filter compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilterFields<'a, S> {
    /// The name.
    pub name: Option<&'a str>,
    /// Other texts that describe the row.
    pub texts: [Option<&'a str>; 2],
    /// The status.
    pub status: Option<S>,
}

impl<'a, S> FilterFields<'a, S> {
    /// Returns the parts of a row with a name.
    pub fn named(name: &'a str, status: Option<S>) -> Self {
        Self { name: Some(name), texts: [None, None], status }
    }
}

impl<S: Copy + PartialEq> ListFilter<S> {
    /// Selects rows with this name, compared like unique names ([`fold`]).
    #[must_use]
    pub fn named(mut self, name: Option<&str>) -> Self {
        self.name = name.map(fold);
        self
    }

    /// Selects rows with this text in the name or in another text, both compared by [`search_fold`].
    #[must_use]
    pub fn containing(mut self, part: Option<&str>) -> Self {
        self.part = part.map(search_fold);
        self
    }

    /// Selects rows with this status.
    #[must_use]
    pub fn of(mut self, status: Option<S>) -> Self {
        self.status = status;
        self
    }

    /// Whether it has any condition.
    pub fn narrows(&self) -> bool {
        self.name.is_some() || self.part.is_some() || self.status.is_some()
    }

    /// Whether a row matches.
    pub fn admits(&self, row: &FilterFields<'_, S>) -> bool {
        let FilterFields { name, texts: [one, other], status } = *row;
        self.status.is_none_or(|wanted| status == Some(wanted))
            && self.name.as_ref().is_none_or(|wanted| name.is_some_and(|name| fold(name) == *wanted))
            && self.part.as_ref().is_none_or(|part| {
                [name, one, other].into_iter().flatten().any(|text| search_fold(text).contains(part.as_str()))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_folded_names_and_parts_without_wildcards() {
        let of = |name| FilterFields::<Infallible>::named(name, None);
        let filter = NameFilter::default;
        assert!(filter().admits(&of("VIP")));
        assert!(filter().named(Some(" vip ")).admits(&of("VIP")) && !filter().named(Some("vi")).admits(&of("VIP")));
        assert!(filter().containing(Some("ÄR")).admits(&of("Viel a\u{308}rger")));
        assert!(filter().containing(Some("strasse")).admits(&of("Große Straße")));
        assert!(!filter().named(Some("cafe")).admits(&of("Café")), "names are compared by their unique key");
        assert!(filter().containing(Some("50%")).admits(&of("50% off")));
        for part in ["5%", "5_%", "50\\%", "x"] {
            assert!(!filter().containing(Some(part)).admits(&of("50% off")), "{part}");
        }
        assert!(
            !filter().named(Some("vip")).containing(Some("x")).admits(&of("vip")),
            "every part of the filter must match"
        );
    }

    #[test]
    fn finds_a_row_without_a_name_by_text_and_status() {
        let row = FilterFields { name: None, texts: [Some("https://example.com/Hooks"), None], status: Some(7) };
        let filter = ListFilter::default;
        assert!(filter().containing(Some("COM/hooks")).of(Some(7)).admits(&row));
        assert!(!filter().of(Some(8)).admits(&row) && !filter().named(Some("https://example.com/hooks")).admits(&row));
        assert!(!filter().narrows() && filter().of(Some(7)).narrows());
        assert!(!filter().of(Some(7)).admits(&FilterFields { status: None, ..row }));
    }
}
