//! Texts of flows: minijinja templates, rendered within bounds.

use minijinja::{Environment, UndefinedBehavior};
use serde_json::{Map, Value};

/// How many instructions a template may take.
const FUEL: u64 = 20_000;
/// The most characters of a rendered message.
const MAX_CHARACTERS: usize = 4_096;
/// The most bytes that a filter may make of what it is given.
const MAX_FILTERED: usize = 64 * 1024;
/// Statements that a message needs. What binds names (`set`, `with`) would let a text double itself
/// line by line, and fuel counts instructions, not bytes.
const STATEMENTS: [&str; 6] = ["if", "elif", "else", "endif", "for", "endfor"];
/// How many times a template may put texts together: each can double what there is.
const MAX_JOININGS: usize = 8;
/// Filters that pad to any width, or make a text longer each time.
const WITHOUT: [&str; 7] = ["indent", "format", "pprint", "urlencode", "tojson", "escape", "e"];

/// A text that may hold `{{ … }}` and `{% … %}`, known to parse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(String);

/// Why a template does not parse or does not render: a sentence for its author.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TemplateError(pub String);

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_fuel(Some(FUEL));
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    environment.set_recursion_limit(64);
    WITHOUT.iter().for_each(|filter| environment.remove_filter(filter));
    environment.add_filter("replace", replace);
    environment.add_filter("join", join);
    environment
}

/// A text, if it is not longer than any message needs.
fn bounded(text: String) -> Result<String, minijinja::Error> {
    if text.len() <= MAX_FILTERED {
        return Ok(text);
    }
    Err(minijinja::Error::new(minijinja::ErrorKind::InvalidOperation, "a text became too long"))
}

/// `replace`, within bounds.
fn replace(text: &str, from: &str, to: &str) -> Result<String, minijinja::Error> {
    let found = if from.is_empty() { text.chars().count() + 1 } else { text.matches(from).count() };
    let length = text.len().saturating_add(found.saturating_mul(to.len()));
    if length > MAX_FILTERED {
        return bounded(" ".repeat(MAX_FILTERED + 1));
    }
    bounded(text.replace(from, to))
}

/// `join`, within bounds.
fn join(list: &minijinja::Value, between: Option<&str>) -> Result<String, minijinja::Error> {
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
fn check_bounds(text: &str) -> Result<(), TemplateError> {
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

fn explain(error: &minijinja::Error) -> TemplateError {
    let detail = error.detail().map_or_else(|| error.kind().to_string(), ToOwned::to_owned);
    match error.line() {
        Some(line) => TemplateError(format!("{detail} (line {line})")),
        None => TemplateError(detail),
    }
}

impl Template {
    /// Takes a text that parses.
    ///
    /// # Errors
    /// What does not parse, and in which line.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        environment().template_from_str(text).map_err(|error| explain(&error))?;
        check_bounds(text)?;
        Ok(Self(text.to_owned()))
    }

    /// The source.
    pub fn source(&self) -> &str {
        &self.0
    }

    /// Renders it. Names that are not there are empty, and `default` applies to them.
    ///
    /// # Errors
    /// What went wrong: an operation on a wrong type, too many instructions, nothing left to send
    /// or more than 4 096 characters.
    pub fn render(&self, context: &Map<String, Value>) -> Result<String, TemplateError> {
        let environment = environment();
        let template = environment.template_from_str(&self.0).map_err(|error| explain(&error))?;
        let text = template.render(minijinja::value::Serde(context)).map_err(|error| explain(&error))?;
        let characters = text.chars().count();
        if characters > MAX_CHARACTERS {
            return Err(TemplateError(format!(
                "the text has {characters} characters, at most {MAX_CHARACTERS} are sent"
            )));
        }
        if text.trim().is_empty() {
            return Err(TemplateError("the text is empty".to_owned()));
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn render(text: &str) -> Result<String, TemplateError> {
        let context = json!({"contact": {"first_name": "Zoë"}, "vars": {"n": 3}});
        Template::parse(text)?.render(context.as_object().expect("an object"))
    }

    #[test]
    fn names_defaults_and_filters_work() {
        assert_eq!(render("Hi {{ contact.first_name | upper }}").as_deref(), Ok("Hi ZOË"));
        assert_eq!(render("Hi {{ contact.last_name | default('there') }}").as_deref(), Ok("Hi there"));
        assert_eq!(render("{{ nothing.at.all }}.").as_deref(), Ok("."));
        assert_eq!(render("{% if vars.n > 2 %}many{% endif %}").as_deref(), Ok("many"));
        assert_eq!(render("{%- for n in [1, 2] -%} {{ n }} {%- endfor %}").as_deref(), Ok("12"));
        assert_eq!(
            render("{{ ['a', 'b'] | join(', ') | replace('a', 'c') }} {x} 100%").as_deref(),
            Ok("c, b {x} 100%")
        );
        assert_eq!(render("{{ 'a' ~ vars.n }}").as_deref(), Ok("a3"));
    }

    #[test]
    fn what_does_not_parse_says_where() {
        let error = Template::parse("one\n{{ contact.").expect_err("it does not parse");
        assert!(error.0.contains("line 2"), "{error}");
        assert!(Template::parse("{{ a | nosuchfilter }}").is_ok_and(|it| it.render(&Map::new()).is_err()));
    }

    #[test]
    fn what_never_ends_or_grows_is_stopped() {
        let endless = "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}";
        assert!(render(endless).is_err());
        assert!(render("{% for a in range(5000) %}x{% endfor %}").is_err());
        assert!(render("{{ 'x' * 1000000000 }}").is_err());
        assert!(render("{% set a = range(9000) | list %}{{ a * 100000 }}").is_err());
        assert!(render("{{ 'x\ny' | indent(1000000000) }}").is_err());
        assert!(render("{{ '%1000000000d' | format(1) }}").is_err());
        let doubling = "{% set a = a ~ a %}".repeat(60);
        assert!(render(&format!("{{% set a = 'xy' %}}{doubling}{{{{ a }}}}")).is_err());
        let nested =
            format!("{}{{{{ a | length }}}}{}", "{% for a in [a ~ a] %}".repeat(40), "{% endfor %}".repeat(40));
        assert!(render(&format!("{{% for a in ['xy'] %}}{nested}{{% endfor %}}")).is_err());
        assert!(render(&format!("{{{{ '}}}}\\'' {} }}}}", "~ vars.n".repeat(9))).is_err());
        assert!(render("{% if '%}' %}{% set a = 1 %}{% endif %}x").is_err());
        assert!(render(&format!("{{{{ 'a' {} }}}}", "| replace('a', 'aa')".repeat(60))).is_err());
        assert!(render(&format!("{{{{ range(9000) | join('{}') }}}}", "long".repeat(100))).is_err());
        assert!(render("  {{ nothing }} ").is_err());
    }
}
