//! Bounds on how large a text can become while it is rendered: fuel counts instructions, not bytes.

use minijinja::{Environment, Error, ErrorKind, Value};

use super::TemplateError;

/// The most bytes that a filter may make of what it is given.
const MAX_FILTERED: usize = 64 * 1024;
/// Statements that a message needs. What binds names (`set`, `with`) would let a text double itself
/// line by line, and fuel counts instructions, not bytes.
const STATEMENTS: [&str; 6] = ["if", "elif", "else", "endif", "for", "endfor"];
/// How many times a template may put texts together: each can double what there is.
const MAX_JOININGS: usize = 8;
/// Filters that pad to any width or any number of elements, or make a text longer each time.
const WITHOUT: [&str; 11] =
    ["indent", "format", "pprint", "urlencode", "tojson", "escape", "e", "batch", "slice", "chain", "zip"];

/// What is rendered, up to a bound: the rest is refused while it is made.
#[derive(Default)]
pub(super) struct Rendered(Vec<u8>);

impl std::io::Write for Rendered {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_FILTERED {
            return Err(std::io::Error::other("the text is too long"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Rendered {
    /// The text.
    pub(super) fn into_text(self) -> Result<String, TemplateError> {
        String::from_utf8(self.0).map_err(|_| TemplateError("the text is not UTF-8".to_owned()))
    }
}

/// Leaves out the filters that have no bound, and puts bounded ones in the place of others.
pub(super) fn install(environment: &mut Environment<'_>) {
    WITHOUT.iter().for_each(|filter| environment.remove_filter(filter));
    environment.add_filter("replace", replace);
    environment.add_filter("join", join);
}

/// A text, if it is not longer than any message needs.
fn bounded(text: String) -> Result<String, Error> {
    if text.len() <= MAX_FILTERED {
        return Ok(text);
    }
    Err(Error::new(ErrorKind::InvalidOperation, "a text became too long"))
}

/// `replace`, within bounds.
fn replace(text: &str, from: &str, to: &str) -> Result<String, Error> {
    let found = if from.is_empty() { text.chars().count() + 1 } else { text.matches(from).count() };
    let length = text.len().saturating_add(found.saturating_mul(to.len()));
    if length > MAX_FILTERED {
        return bounded(" ".repeat(MAX_FILTERED + 1));
    }
    bounded(text.replace(from, to))
}

/// `join`, within bounds.
fn join(list: &Value, between: Option<&str>) -> Result<String, Error> {
    let mut joined = String::new();
    for (place, element) in list.try_iter()?.enumerate() {
        if place > 0 {
            joined.push_str(between.unwrap_or(""));
        }
        joined.push_str(&element.to_string());
        joined = bounded(joined)?;
    }
    Ok(joined)
}

/// Where a tag that begins here ends: an end inside a quoted text is none.
fn tag_end(tag: &str, end: &str, quotes: bool) -> usize {
    let (mut quote, mut escaped) = (None, false);
    for (place, c) in tag.char_indices().skip(2) {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if quotes && matches!(c, '\'' | '"') => quote = Some(c),
            None if tag.get(place..).is_some_and(|rest| rest.starts_with(end)) => return place + end.len(),
            None => {}
        }
    }
    tag.len()
}

/// Refuses what could grow without end while it is rendered; `text` is known to parse.
pub(super) fn check(text: &str) -> Result<(), TemplateError> {
    let mut joinings = 0;
    let mut rest = text;
    while let Some(tag) = rest.find('{').and_then(|begin| rest.get(begin..)) {
        let end = match tag.as_bytes().get(1) {
            Some(b'%') => tag_end(tag, "%}", true),
            Some(b'{') => tag_end(tag, "}}", true),
            Some(b'#') => tag_end(tag, "#}", false),
            _ => 1,
        };
        let (inside, after) = tag.split_at_checked(end).unwrap_or((tag, ""));
        if inside.starts_with("{%") {
            let word = inside.trim_start_matches(['{', '%', '-', '+', ' ', '\t', '\n', '\r']);
            let word = word.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
            if !STATEMENTS.contains(&word) {
                let known = STATEMENTS.join(", ");
                return Err(TemplateError(format!("{word} is not a statement here; use {known}")));
            }
        }
        if inside.len() > 1 && !inside.starts_with("{#") {
            joinings += inside.matches(['~', '+']).count();
        }
        rest = after;
    }
    if joinings > MAX_JOININGS {
        return Err(TemplateError(format!(
            "texts are put together {joinings} times, at most {MAX_JOININGS} are allowed"
        )));
    }
    Ok(())
}
