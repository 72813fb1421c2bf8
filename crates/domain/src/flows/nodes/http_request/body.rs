//! The request body: a text, or JSON with templates as texts.

use serde_json::{Map, Value};

use crate::flows::caller::Method;
use crate::flows::definition::{Fields, FlowFields};
use crate::flows::{Template, TemplateError};
use crate::read::{Input, pointer_to};

/// Maximum number of templates in a body; it limits the rendering time.
const MAX_TEMPLATES: usize = 50;

/// A request body.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// A text.
    Text(Template),
    /// JSON.
    Json(Part),
}

/// A value of a JSON body.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A constant.
    Literal(Value),
    /// A text that is rendered for each request.
    Template(Template),
    /// A list.
    List(Vec<Part>),
    /// An object.
    Object(Vec<(String, Part)>),
}

impl Body {
    pub(super) fn read(fields: &mut Fields<'_>, method: Option<Method>) -> Option<Self> {
        let written = fields.get("body")?;
        if method == Some(Method::Get) {
            fields.wrong("body", "not_allowed", "a GET request has no body; put the parameters into the url");
            return None;
        }
        if let Input::String(text) = written {
            return fields.template_with_secrets("/body", text).map(Self::Text);
        }
        let mut reader = Reader { fields, templates: 0 };
        let part = reader.part("/body", written);
        if reader.templates > MAX_TEMPLATES {
            fields.wrong("body", "too_many", format!("at most {MAX_TEMPLATES} of its texts can be templates"));
            return None;
        }
        part.map(Self::Json)
    }

    pub(super) fn templates(&self) -> Vec<&Template> {
        fn gather<'a>(part: &'a Part, found: &mut Vec<&'a Template>) {
            match part {
                Part::Literal(_) => {}
                Part::Template(template) => found.push(template),
                Part::List(parts) => parts.iter().for_each(|part| gather(part, found)),
                Part::Object(members) => members.iter().for_each(|(_, part)| gather(part, found)),
            }
        }
        let mut found = Vec::new();
        match self {
            Self::Text(template) => found.push(template),
            Self::Json(part) => gather(part, &mut found),
        }
        found
    }

    /// Returns the default `Content-Type`.
    pub(super) fn content_type(&self) -> &'static str {
        match self {
            Self::Text(_) => "text/plain; charset=utf-8",
            Self::Json(_) => "application/json",
        }
    }

    /// Renders the body. An error has the template that failed.
    pub(super) fn render(&self, values: &Map<String, Value>) -> Result<String, (&Template, TemplateError)> {
        match self {
            Self::Text(template) => template.render_value(values).map_err(|error| (template, error)),
            Self::Json(part) => part.render(values).map(|value| value.to_string()),
        }
    }
}

/// The parser of a JSON body; counts templates.
struct Reader<'r, 'f> {
    fields: &'r mut Fields<'f>,
    templates: usize,
}

impl Reader<'_, '_> {
    fn part(&mut self, place: &str, written: Input<'_>) -> Option<Part> {
        if self.templates > MAX_TEMPLATES {
            return None;
        }
        Some(match written {
            Input::String(text) if Template::stands_in(text) => {
                self.templates += 1;
                Part::Template(self.fields.template_with_secrets(place, text)?)
            }
            Input::Array(list) => {
                let parts = list.iter().enumerate();
                Part::List(parts.map(|(index, it)| self.part(&format!("{place}/{index}"), it)).collect::<Option<_>>()?)
            }
            Input::Object(members) => {
                let read = |(name, it): (&str, Input<'_>)| {
                    let place = format!("{place}{}", pointer_to(name));
                    Some((name.to_owned(), self.part(&place, it)?))
                };
                Part::Object(members.iter().map(read).collect::<Option<_>>()?)
            }
            Input::Null | Input::Bool(_) | Input::Number(_) | Input::String(_) => Part::Literal(written.to_value()),
        })
    }
}

impl Part {
    fn render(&self, values: &Map<String, Value>) -> Result<Value, (&Template, TemplateError)> {
        Ok(match self {
            Self::Literal(value) => value.clone(),
            Self::Template(template) => {
                Value::String(template.render_value(values).map_err(|error| (template, error))?)
            }
            Self::List(parts) => Value::Array(parts.iter().map(|part| part.render(values)).collect::<Result<_, _>>()?),
            Self::Object(members) => {
                let rendered = members.iter().map(|(name, part)| Ok((name.clone(), part.render(values)?)));
                Value::Object(rendered.collect::<Result<_, _>>()?)
            }
        })
    }
}
