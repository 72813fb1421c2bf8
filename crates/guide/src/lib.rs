//! The documentation in `docs`, compiled in, rendered as HTML and searched. It needs no script and no network.

#![cfg_attr(not(test), deny(clippy::as_conversions))]

mod links;
mod render;
mod search;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use render::Page;

/// Every Markdown file with its path in the repository.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The table of contents.
const CONTENTS: &str = "docs/README.md";

/// The style sheet of all pages.
pub const STYLE: &str = include_str!("style.css");

/// The longest search text in characters. The rest is ignored.
const MAX_QUERY: usize = 200;

static PAGES: LazyLock<BTreeMap<&'static str, Page>> =
    LazyLock::new(|| FILES.iter().map(|(file, text)| (*file, render::page(file, text))).collect());

/// The page at an address below `/docs/guide/`, such as `how-to/upgrade`, as a whole HTML document. The empty address is the
/// table of contents. `None` if no page has this address.
pub fn page(address: &str) -> Option<String> {
    let file = if address.is_empty() { CONTENTS } else { links::file_of(address)? };
    let page = PAGES.get(file)?;
    Some(document(&page.title, &page.html, ""))
}

/// The results of a search, as a whole HTML document.
pub fn search(query: &str) -> String {
    let query: String = query.trim().chars().take(MAX_QUERY).collect();
    document("Search", &search::results(&PAGES, &query), &query)
}

fn document(title: &str, body: &str, query: &str) -> String {
    let contents = PAGES.get(CONTENTS).map_or("", |page| page.navigation.as_str());
    include_str!("template.html")
        .replace("{{ title }}", &render::escaped(title))
        .replace("{{ query }}", &render::escaped(query))
        .replace("{{ contents }}", contents)
        .replace("{{ body }}", body)
}

#[cfg(test)]
mod tests;
