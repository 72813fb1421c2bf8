//! Markdown rendered as HTML, and cut into sections for the search.

use std::collections::BTreeMap;
use std::mem::take;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::links::target;

/// A rendered file.
pub(crate) struct Page {
    pub(crate) title: String,
    pub(crate) html: String,
    /// The lists of the page alone: the navigation, if the page is the table of contents.
    pub(crate) navigation: String,
    pub(crate) sections: Vec<Section>,
}

/// A heading with the text below it.
#[derive(Default)]
pub(crate) struct Section {
    pub(crate) heading: String,
    pub(crate) anchor: String,
    pub(crate) text: String,
    /// The text in lower case, which the search compares.
    pub(crate) lower: String,
}

/// Renders a file. Headings get the anchors that code hosts give them.
pub(crate) fn page(file: &str, text: &str) -> Page {
    let mut events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let sections = anchored(&mut events);
    let events = linked(file, events);
    let title = sections.first().map(|it| it.heading.clone()).unwrap_or_default();
    let navigation = rendered(lists(&events));
    // Wide tables and code scroll on their own, so the keyboard must reach them.
    let html = rendered(events.into_iter())
        .replace("<table>", "<div class=\"table\" tabindex=\"0\"><table>")
        .replace("<pre>", "<pre tabindex=\"0\">")
        .replace("</table>", "</table></div>");
    Page { title, html, navigation, sections }
}

fn rendered<'e>(events: impl Iterator<Item = Event<'e>>) -> String {
    let mut html = String::new();
    html::push_html(&mut html, events);
    html
}

/// Gives each heading its anchor and returns the sections.
fn anchored(events: &mut [Event<'_>]) -> Vec<Section> {
    let (mut sections, mut used) = (Vec::new(), BTreeMap::<String, usize>::new());
    let mut section = Section::default();
    let mut open: Option<&mut Option<CowStr<'_>>> = None;
    for event in events {
        match event {
            Event::Start(Tag::Heading { id, .. }) => {
                if !section.heading.is_empty() {
                    sections.push(take(&mut section));
                }
                open = Some(id);
            }
            Event::End(TagEnd::Heading(_)) => {
                let slug = slug(&section.heading);
                let count = used.entry(slug.clone()).or_default();
                section.anchor = if *count == 0 { slug } else { format!("{slug}-{count}") };
                *count += 1;
                if let Some(id) = open.take() {
                    *id = Some(CowStr::from(section.anchor.clone()));
                }
            }
            Event::Text(text) | Event::Code(text) if open.is_some() => section.heading.push_str(text),
            Event::Text(text) | Event::Code(text) => section.text.push_str(text),
            Event::SoftBreak | Event::HardBreak | Event::End(_) => section.text.push(' '),
            _ => {}
        }
    }
    sections.push(section);
    sections.iter_mut().for_each(|section| section.lower = section.text.to_lowercase());
    sections
}

/// The anchor of a heading, as code hosts make it.
pub(crate) fn slug(heading: &str) -> String {
    let lower = heading.trim().to_lowercase();
    let kept = lower.chars().filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.map(|it| if it == ' ' { '-' } else { it }).collect()
}

/// The events with links turned into links between pages. Pictures and files that are only in the repository become text.
fn linked<'e>(file: &str, events: Vec<Event<'e>>) -> Vec<Event<'e>> {
    let mut is_text = false;
    let change = |event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let target = target(file, &dest_url).map(CowStr::from);
            is_text = target.is_none();
            Some(Event::Start(match target {
                Some(dest_url) => Tag::Link { link_type, dest_url, title, id },
                None => Tag::Emphasis,
            }))
        }
        Event::End(TagEnd::Link) if is_text => Some(Event::End(TagEnd::Emphasis)),
        Event::Start(Tag::Image { .. }) => Some(Event::Start(Tag::Emphasis)),
        Event::End(TagEnd::Image) => Some(Event::End(TagEnd::Emphasis)),
        // Comments mark parts of pages for tests.
        Event::Html(_) | Event::InlineHtml(_) => None,
        event => Some(event),
    };
    events.into_iter().filter_map(change).collect()
}

/// The headings below the title and the lists, without other text.
fn lists<'e>(events: &'e [Event<'e>]) -> impl Iterator<Item = Event<'e>> {
    let (mut depth, mut is_heading) = (0_u32, false);
    events.iter().filter_map(move |event| {
        let is_kept = match event {
            Event::Start(Tag::List(_)) => {
                depth += 1;
                true
            }
            Event::End(TagEnd::List(_)) => {
                depth = depth.saturating_sub(1);
                true
            }
            Event::Start(Tag::Heading { level, .. }) => {
                is_heading = *level > HeadingLevel::H1;
                is_heading
            }
            Event::End(TagEnd::Heading(_)) => std::mem::take(&mut is_heading),
            _ => depth > 0 || is_heading,
        };
        is_kept.then(|| event.clone())
    })
}

/// Text as it is written in HTML, also within an attribute.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
