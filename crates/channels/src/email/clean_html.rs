//! HTML of contacts without anything that a browser runs or loads. The result contains only tags and attributes that this
//! module writes, and escaped text, so broken HTML has no other effect. The conversion takes linear time and no
//! recursion, because the sender controls its input.

use super::html::{decode, name_of, next_tag, start_of};

/// Length of the result in bytes after which nothing more is added, except end tags.
const MAX_CLEAN: usize = 30 * 1024;
/// Maximum number of elements around each other. The text of deeper ones is added to the deepest.
const MAX_DEPTH: usize = 100;
/// Maximum length of the address of a link in bytes.
const LONGEST_ADDRESS: usize = 2_000;
/// Maximum number of characters of the description of a picture.
const LONGEST_ALT: usize = 200;
/// Elements that are written. Of others, only the text is.
const ELEMENTS: [&str; 38] = [
    "a",
    "b",
    "blockquote",
    "code",
    "dd",
    "del",
    "div",
    "dl",
    "dt",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "i",
    "ins",
    "li",
    "ol",
    "p",
    "pre",
    "s",
    "small",
    "strike",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "tt",
    "u",
    "ul",
];
/// Written elements without an end tag.
const VOID: [&str; 2] = ["br", "hr"];
/// Elements that end the one before them.
const SIBLINGS: [&str; 7] = ["dd", "dt", "li", "p", "td", "th", "tr"];
/// Elements without text for a reader.
const HIDDEN: [&str; 21] = [
    "applet", "audio", "canvas", "embed", "frameset", "head", "iframe", "math", "noembed", "noframes", "noscript",
    "object", "script", "select", "style", "svg", "template", "textarea", "title", "video", "xmp",
];
/// Starts of addresses of links.
const SCHEMES: [&str; 4] = ["https://", "http://", "mailto:", "tel:"];
/// Values of `dir`.
const DIRECTIONS: [&str; 3] = ["auto", "ltr", "rtl"];

/// Returns HTML with only harmless elements: text, lists, tables, quotes and links. Pictures become their descriptions,
/// because a picture from the web reports when a mail is read. `None` if there is no text.
pub(super) fn clean(html: &str) -> Option<String> {
    let mut cleaned = Cleaned::default();
    let (mut rest, mut hidden): (&str, Option<String>) = (start_of(html), None);
    while let Some((before, tag, after)) = next_tag(rest).filter(|_| !cleaned.is_full()) {
        if hidden.is_none() {
            cleaned.add_text(before);
        }
        rest = after;
        let (is_end, name) = name_of(tag);
        if let Some(open) = hidden.take() {
            // Some programs do not end the head.
            let has_ended = if is_end { name == open } else { open == "head" && name == "body" };
            hidden = Some(open).filter(|_| !has_ended);
        } else if HIDDEN.contains(&name.as_str()) {
            hidden = Some(name).filter(|_| !is_end);
        } else if is_end {
            cleaned.end(&name);
        } else {
            cleaned.begin(&name, tag);
        }
    }
    if hidden.is_none() {
        cleaned.add_text(rest);
    }
    cleaned.finish()
}

/// The written part of the result.
#[derive(Default)]
struct Cleaned {
    html: String,
    /// The elements around the end of `html`, the outermost first.
    open: Vec<&'static str>,
    has_text: bool,
}

impl Cleaned {
    fn is_full(&self) -> bool {
        self.html.len() >= MAX_CLEAN
    }

    fn add_text(&mut self, text: &str) {
        let keeps_spaces = self.open.contains(&"pre");
        for c in decode(text).chars() {
            if self.is_full() {
                return;
            }
            match c {
                '\n' | '\t' if keeps_spaces => self.html.push(c),
                c if c.is_ascii_whitespace() && !keeps_spaces => {
                    if !self.html.ends_with(' ') {
                        self.html.push(' ');
                    }
                }
                c if c.is_control() => {}
                c => {
                    push_escaped(&mut self.html, c);
                    self.has_text |= !c.is_whitespace();
                }
            }
        }
    }

    fn begin(&mut self, name: &str, tag: &str) {
        if let Some(element) = VOID.iter().find(|it| **it == name) {
            self.html.push_str(&format!("<{element}>"));
        } else if name == "img" {
            let alt = attribute(tag, "alt").unwrap_or_default();
            let alt: String = alt.trim().chars().filter(|c| !c.is_control()).take(LONGEST_ALT).collect();
            if !alt.is_empty() {
                self.add_text(&format!("[{alt}]"));
            }
        } else if let Some(element) = ELEMENTS.iter().copied().find(|it| *it == name) {
            self.begin_element(element, tag);
        }
    }

    fn begin_element(&mut self, element: &'static str, tag: &str) {
        if SIBLINGS.contains(&element) && self.open.last() == Some(&element) {
            self.end(element);
        }
        let address = if element == "a" { address(tag) } else { None };
        let is_link = element == "a";
        if self.open.len() >= MAX_DEPTH || (is_link && (address.is_none() || self.open.contains(&"a"))) {
            return;
        }
        self.html.push('<');
        self.html.push_str(element);
        if let Some(address) = address {
            self.html.push_str(" href=\"");
            address.chars().for_each(|c| push_escaped(&mut self.html, c));
            self.html.push_str("\" rel=\"noopener noreferrer nofollow\" target=\"_blank\"");
        }
        let direction = attribute(tag, "dir").map(|it| it.trim().to_ascii_lowercase());
        if let Some(direction) = DIRECTIONS.iter().find(|it| direction.as_deref() == Some(**it)) {
            self.html.push_str(&format!(" dir=\"{direction}\""));
        }
        self.html.push('>');
        self.open.push(element);
    }

    /// Ends the innermost element with this name, and those inside it.
    fn end(&mut self, name: &str) {
        let Some(at) = self.open.iter().rposition(|open| *open == name) else { return };
        for element in self.open.drain(at..).rev() {
            self.html.push_str(&format!("</{element}>"));
        }
    }

    fn finish(mut self) -> Option<String> {
        for element in self.open.drain(..).rev() {
            self.html.push_str(&format!("</{element}>"));
        }
        Some(self.html.trim().to_owned()).filter(|_| self.has_text)
    }
}

fn push_escaped(html: &mut String, c: char) {
    match c {
        '&' => html.push_str("&amp;"),
        '<' => html.push_str("&lt;"),
        '>' => html.push_str("&gt;"),
        '"' => html.push_str("&quot;"),
        other => html.push(other),
    }
}

/// Returns the address of a link with one of the [`SCHEMES`]. Control characters are removed, as browsers do.
fn address(tag: &str) -> Option<String> {
    let href: String = attribute(tag, "href")?.trim().chars().filter(|c| !c.is_control()).collect();
    let has = |scheme: &&str| href.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let is_allowed = href.len() <= LONGEST_ADDRESS && SCHEMES.iter().any(has);
    is_allowed.then_some(href)
}

/// Returns the value of the first attribute with this name, with decoded character references.
fn attribute(tag: &str, wanted: &str) -> Option<String> {
    let is_gap = |c: char| c.is_ascii_whitespace() || c == '/';
    let (_, mut rest) = tag.split_at(tag.find(is_gap)?);
    loop {
        rest = rest.trim_start_matches(is_gap);
        let mut characters = rest.char_indices();
        // A name can begin with an equals sign.
        characters.next()?;
        let end = characters.find(|(_, c)| is_gap(*c) || *c == '=').map_or(rest.len(), |(at, _)| at);
        let (name, after) = rest.split_at(end);
        let after = after.trim_ascii_start();
        let (value, next) = match after.strip_prefix('=') {
            Some(value) => value_at(value.trim_ascii_start()),
            None => ("", after),
        };
        if name.eq_ignore_ascii_case(wanted) {
            return Some(decode(value));
        }
        rest = next;
    }
}

/// Returns the value at the start of a text, and the rest.
fn value_at(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(inside) = text.strip_prefix(quote) {
            return inside.split_once(quote).unwrap_or((inside, ""));
        }
    }
    text.split_at(text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len()))
}

#[cfg(test)]
#[path = "clean_html_tests.rs"]
mod tests;
