//! Templates of messages and other texts: minijinja templates with limits on size and work.

mod arguments;
mod bare_secrets;
#[cfg(test)]
mod bare_secrets_tests;
mod budget;
mod builtins;
mod dates;
#[cfg(test)]
mod filter_tests;
mod lookups;
mod numbers;
mod syntax;
#[cfg(test)]
mod tests;
mod texts;

use std::collections::BTreeSet;

use minijinja::AutoEscape;
use minijinja::machinery::{CodeGenerator, ast, eval, make_string_output, parse};
use serde_json::{Map, Value};

pub(super) use bare_secrets::ROOT as SECRETS;
use builtins::ENGINE;
pub(super) use dates::put_zones;
pub(super) use lookups::{Lookups, ROOTS_OF_FLOWS};

/// Maximum size of a template in bytes: fields accept at most 4 096 characters.
const MAX_SOURCE: usize = 4 * 4_096;
/// Maximum length of a rendered message in characters.
const MAX_CHARACTERS: usize = 4_096;
/// Name of a template in the engine.
const NAME: &str = "text";

/// A text that may contain `{{ … }}` and `{% … %}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    source: String,
    refused: Option<TemplateError>,
}

/// A parse or render error of a template; a sentence for its author.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TemplateError(pub String);

fn explain(error: &minijinja::Error) -> TemplateError {
    let detail = error.detail().map_or_else(|| error.kind().to_string(), ToOwned::to_owned);
    match error.line() {
        Some(line) => TemplateError(format!("{detail} (line {line})")),
        None => TemplateError(detail),
    }
}

/// Parses a text without checks.
fn parsed(source: &str) -> Result<ast::Stmt<'_>, TemplateError> {
    if source.len() > MAX_SOURCE {
        return Err(TemplateError(format!("a template has at most {MAX_SOURCE} bytes")));
    }
    let tree = parse(source, NAME, ENGINE.syntax().clone());
    tree.map_err(|error| TemplateError(format!("invalid template: {}", explain(&error))))
}

/// Parses a text into the guarded syntax tree that may be rendered.
fn tree(source: &str) -> Result<ast::Stmt<'_>, TemplateError> {
    syntax::guarded(&parsed(source)?)
}

impl Template {
    /// Whether a text contains template syntax.
    pub(super) fn stands_in(text: &str) -> bool {
        text.contains("{{") || text.contains("{%") || text.contains("{#")
    }

    /// Reads any text. A template that is no longer allowed still loads, and fails when it is rendered.
    pub fn read(text: &str) -> Self {
        Self { source: text.to_owned(), refused: tree(text).err() }
    }

    /// Parses a template and checks that it uses only allowed features.
    ///
    /// # Errors
    /// The error and its line.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let template = Self::read(text);
        template.refused.clone().map_or(Ok(template), Err)
    }

    /// Whether any of these texts may need the time zones.
    pub(super) fn asks_zone(texts: &str) -> bool {
        // `map` may apply a filter named at run time.
        texts.contains(dates::DATE) || texts.contains("map")
    }

    /// Returns the error of a template that can never render.
    pub fn render_error(&self) -> Option<&TemplateError> {
        self.refused.as_ref()
    }

    /// Returns the error if it uses a secret in any other way than as `{{ secrets.NAME }}`.
    pub fn secret_misuse(&self) -> Option<TemplateError> {
        // A text without the word needs no parsing.
        let tree = self.source.contains(SECRETS).then(|| parsed(&self.source).ok()).flatten()?;
        let line = bare_secrets::misuse(&tree)?;
        Some(TemplateError(format!(
            "a secret is only allowed as {{{{ secrets.NAME }}}}, never in an expression, a filter or a condition (line {line})"
        )))
    }

    /// Returns the source.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the names that it uses, such as `contact.first_name`, sorted.
    pub fn names(&self) -> BTreeSet<String> {
        // Rejected templates are not compiled, because the engine evaluates constants at compile time.
        let template = if self.refused.is_none() { ENGINE.template_from_str(&self.source).ok() } else { None };
        template.map(|template| template.undeclared_variables(true).into_iter().collect()).unwrap_or_default()
    }

    /// Renders a message. Missing names are empty, and `default` applies to them.
    ///
    /// # Errors
    /// An operation on a wrong type, too many instructions or too much work, an empty result, or one over 4 096
    /// characters.
    pub fn render(&self, context: &Map<String, Value>) -> Result<String, TemplateError> {
        let text = self.render_value(context)?;
        if text.trim().is_empty() { Err(TemplateError("the text is empty".to_owned())) } else { Ok(text) }
    }

    /// Renders a value, which may be empty.
    ///
    /// # Errors
    /// See [`Template::render`].
    pub fn render_value(&self, context: &Map<String, Value>) -> Result<String, TemplateError> {
        let tree = tree(&self.source)?;
        let mut generator = CodeGenerator::new(NAME, &self.source);
        generator.compile_stmt(&tree);
        let (instructions, blocks) = generator.finish();
        let context = numbers::each_without_empty_fraction(context);
        let context = minijinja::Value::from(minijinja::value::Serde(&context));
        let mut text = String::new();
        let mut out = make_string_output(&mut text);
        let rendered = eval(&ENGINE, &instructions, context, &blocks, &mut out, AutoEscape::None);
        rendered.map_err(|error| explain(&error))?;
        if text.contains('\0') {
            return Err(TemplateError("the text contains U+0000, which cannot be stored".to_owned()));
        }
        let characters = text.chars().count();
        if characters > MAX_CHARACTERS {
            return Err(TemplateError(format!(
                "the text has {characters} characters; at most {MAX_CHARACTERS} are allowed"
            )));
        }
        Ok(text)
    }
}
