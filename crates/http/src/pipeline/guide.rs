//! The documentation that the program serves at `/docs/guide`.

/// The pages and the search of the documentation.
#[derive(Debug, Clone, Copy)]
pub struct Guide {
    /// Returns the HTML document at an address below `/docs/guide/`, or `None` if there is no such page.
    pub page: fn(&str) -> Option<String>,
    /// Returns an HTML document with the results of a search.
    pub search: fn(&str) -> String,
    /// The style sheet of all pages.
    pub style: &'static str,
}
