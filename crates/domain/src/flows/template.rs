//! Texts of flows: minijinja templates, rendered within bounds.

mod bounds;

use std::collections::BTreeSet;

use minijinja::{Environment, UndefinedBehavior};
use serde_json::{Map, Value};

/// How many instructions a template may take.
const FUEL: u64 = 20_000;
/// The most characters of a rendered message.
const MAX_CHARACTERS: usize = 4_096;

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
    bounds::install(&mut environment);
    environment
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
        bounds::check(text)?;
        Ok(Self(text.to_owned()))
    }

    /// The source.
    pub fn source(&self) -> &str {
        &self.0
    }

    /// The names that it looks up, such as `contact.first_name`, in order.
    pub fn names(&self) -> BTreeSet<String> {
        let environment = environment();
        let template = environment.template_from_str(&self.0);
        template.map(|template| template.undeclared_variables(true).into_iter().collect()).unwrap_or_default()
    }

    /// Renders a message. Names that are not there are empty, and `default` applies to them.
    ///
    /// # Errors
    /// What went wrong: an operation on a wrong type, too many instructions, nothing left to send
    /// or more than 4 096 characters.
    pub fn render(&self, context: &Map<String, Value>) -> Result<String, TemplateError> {
        let text = self.render_value(context)?;
        if text.trim().is_empty() { Err(TemplateError("the text is empty".to_owned())) } else { Ok(text) }
    }

    /// Renders a value, which may be empty.
    ///
    /// # Errors
    /// As [`Template::render`].
    pub fn render_value(&self, context: &Map<String, Value>) -> Result<String, TemplateError> {
        let environment = environment();
        let template = environment.template_from_str(&self.0).map_err(|error| explain(&error))?;
        let mut rendered = bounds::Rendered::default();
        let context = minijinja::value::Serde(context);
        template.render_captured_to(context, &mut rendered).map_err(|error| explain(&error))?;
        let text = rendered.into_text()?;
        if text.contains('\0') {
            return Err(TemplateError("the text holds U+0000, which no store can keep".to_owned()));
        }
        let characters = text.chars().count();
        if characters > MAX_CHARACTERS {
            return Err(TemplateError(format!(
                "the text has {characters} characters, at most {MAX_CHARACTERS} are sent"
            )));
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
        for filter in ["batch(10000000000,'x')", "slice(10000000000)", "chain([1])", "zip([1])"] {
            assert!(render(&format!("{{{{ [1] | {filter} | length }}}}")).is_err(), "{filter}");
        }
        assert!(render("{{ '%1000000000d' | format(1) }}").is_err());
        let doubling = "{% set a = a ~ a %}".repeat(60);
        assert!(render(&format!("{{% set a = 'xy' %}}{doubling}{{{{ a }}}}")).is_err());
        let nested =
            format!("{}{{{{ a | length }}}}{}", "{% for a in [a ~ a] %}".repeat(40), "{% endfor %}".repeat(40));
        assert!(render(&format!("{{% for a in ['xy'] %}}{nested}{{% endfor %}}")).is_err());
        assert!(render(&format!("{{{{ '}}}}\\'' {} }}}}", "~ vars.n".repeat(9))).is_err());
        assert!(render("Hi {{ '\\u0000' }}").is_err());
        let long = json!({"x": "x".repeat(250_000)});
        let template = Template::parse("{% for n in range(3000) %}{{ x }}{% endfor %}").expect("it parses");
        assert!(template.render(long.as_object().expect("an object")).is_err());
        assert!(render("{% if '%}' %}{% set a = 1 %}{% endif %}x").is_err());
        assert!(render(&format!("{{{{ 'a' {} }}}}", "| replace('a', 'aa')".repeat(60))).is_err());
        assert!(render(&format!("{{{{ range(9000) | join('{}') }}}}", "long".repeat(100))).is_err());
        assert!(render("  {{ nothing }} ").is_err());
    }
}
