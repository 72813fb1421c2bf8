//! The search over headings and text.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::links::address_of;
use crate::render::{Page, Section, escaped};

/// The most results that are shown.
const MAX_RESULTS: usize = 30;
/// Characters shown around the first match.
const AROUND: usize = 90;
/// The maximum number of words of a query. Other words are ignored, so a request costs a few passes over the text.
const MAX_WORDS: usize = 8;

/// The sections that contain all words, the best first, as HTML.
pub(crate) fn results(pages: &BTreeMap<&'static str, Page>, query: &str) -> String {
    let words: Vec<String> = query.split_whitespace().take(MAX_WORDS).map(str::to_lowercase).collect();
    let sections =
        pages.iter().flat_map(|(file, page)| page.sections.iter().map(move |section| (*file, page, section)));
    let mut found: Vec<_> = sections.filter_map(|it| Some((score(it.1, it.2, &words)?, it))).collect();
    found.sort_by_key(|(score, (file, ..))| (std::cmp::Reverse(*score), *file));
    let mut html = format!("<h1>Search: {}</h1>\n", escaped(query));
    if found.is_empty() {
        html.push_str("<p>No page contains all of these words. Try fewer words.</p>\n");
        return html;
    }
    html.push_str("<ul class=\"results\">\n");
    for (_, (file, page, section)) in found.into_iter().take(MAX_RESULTS) {
        let title = if section.heading == page.title {
            escaped(&page.title)
        } else {
            escaped(&format!("{}: {}", page.title, section.heading))
        };
        let link = format!("/docs/guide/{}#{}", address_of(file), section.anchor);
        // Writing to a String cannot fail.
        let _ = writeln!(
            html,
            "<li><a href=\"{}\">{title}</a><p>{}</p></li>",
            escaped(&link),
            snippet(&section.text, &words)
        );
    }
    html.push_str("</ul>\n");
    html
}

/// Returns the score of a section, or `None` if a word is missing.
fn score(page: &Page, section: &Section, words: &[String]) -> Option<usize> {
    let [title, heading] = [&page.title, &section.heading].map(|it| it.to_lowercase());
    let of_word = |word: &String| {
        let count = 40 * usize::from(heading.contains(word.as_str()))
            + 20 * usize::from(title.contains(word.as_str()))
            + section.lower.matches(word.as_str()).count().min(10);
        (count > 0).then_some(count)
    };
    let scores: Option<Vec<_>> = words.iter().map(of_word).collect();
    scores.filter(|it| !it.is_empty()).map(|it| it.into_iter().sum())
}

/// The text around the first word.
fn snippet(text: &str, words: &[String]) -> String {
    let plain: Vec<char> = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    let lower: String = plain.iter().flat_map(|it| it.to_lowercase().next()).collect();
    let first = words.iter().filter_map(|word| lower.find(word.as_str())).min();
    let at = first.map_or(0, |byte| lower.get(..byte).map_or(0, |it| it.chars().count()));
    let (from, to) = (at.saturating_sub(AROUND), plain.len().min(at + AROUND));
    let cut: String = plain.get(from..to).into_iter().flatten().collect();
    let dots = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{}{}", dots(from > 0), escaped(&cut), dots(to < plain.len()))
}
