//! Nodes that write: `set_field`, `set_bot_field`, `add_tag`, `remove_tag`.

use serde_json::Value;

use super::Action;
use super::read::{Fields, Mentioned};
use super::waits::is_template;
use crate::flows::{Template, TemplateError};
use crate::read::Input;
use crate::text::{is_key, nearest};

/// Where a value goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A variable of the run.
    Var(String),
    /// An attribute of the contact.
    Attribute(Attribute),
    /// A custom field of the contact, by its key.
    Field(String),
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// It stands there.
    Literal(Value),
    /// It is made when the node is visited.
    Template(Template),
}

macro_rules! attributes {
    ($($variant:ident = $word:literal),* $(,)?) => {
        /// An attribute of a contact that flows may write.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Attribute { $(#[doc = concat!("`", $word, "`")] $variant),* }

        impl Attribute {
            /// The names of all.
            pub const WORDS: &[&str] = &[$($word),*];

            /// Its name.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// The attribute with this name.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

attributes! {
    FirstName = "first_name", LastName = "last_name", Email = "email", Phone = "phone",
    ExternalId = "external_id", Locale = "locale", TimeZone = "time_zone",
}

impl Target {
    /// Reads `vars.KEY`, `contact.ATTRIBUTE` or `custom_fields.KEY`.
    pub(super) fn read(fields: &mut Fields<'_>, name: &str) -> Option<Self> {
        const EXPECTED: &str = "expected vars.KEY, contact.ATTRIBUTE or custom_fields.KEY";
        let text = fields.text(name)?.to_owned();
        match text.split_once('.') {
            Some(("vars", key)) if is_key(key) => {
                fields.saves(name, key);
                Some(Self::Var(key.to_owned()))
            }
            Some(("custom_fields", key)) if is_key(key) => {
                fields.mention(Mentioned::Field, name, key);
                Some(Self::Field(key.to_owned()))
            }
            Some(("contact", word)) => {
                let attribute = Attribute::parse(word);
                if attribute.is_none() {
                    let near = nearest(word, Attribute::WORDS.iter().copied());
                    let hint = if near.is_empty() { Attribute::WORDS.join(", ") } else { near.join(", ") };
                    fields.wrong(
                        name,
                        "unknown_field",
                        format!("contacts have no {word} to write; did you mean: {hint}"),
                    );
                }
                attribute.map(Self::Attribute)
            }
            _ => {
                fields.wrong(name, "invalid_format", EXPECTED);
                None
            }
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Var(key) => write!(out, "vars.{key}"),
            Self::Attribute(attribute) => write!(out, "contact.{}", attribute.as_str()),
            Self::Field(key) => write!(out, "custom_fields.{key}"),
        }
    }
}

impl Source {
    /// Why it never makes a value, whatever the run knows.
    pub fn refused(&self) -> Option<&TemplateError> {
        match self {
            Self::Literal(_) => None,
            Self::Template(template) => template.refused(),
        }
    }

    fn read(fields: &mut Fields<'_>, name: &str) -> Option<Self> {
        match fields.get(name) {
            Some(Input::String(text)) if is_template(text) => fields.parse_template(name, text).map(Self::Template),
            Some(written) => Some(Self::Literal(written.to_value())),
            None => {
                fields.wrong(name, "required", "is required; null clears");
                None
            }
        }
    }
}

pub(super) fn set_field(fields: &mut Fields<'_>) -> Option<Action> {
    let target = Target::read(fields, "field");
    let source = Source::read(fields, "value");
    Some(Action::SetField(target?, source?))
}

pub(super) fn set_bot_field(fields: &mut Fields<'_>) -> Option<Action> {
    let key = fields.text("field").map(|text| text.strip_prefix("bot_fields.").unwrap_or(text).to_owned());
    if let Some(key) = &key {
        fields.mention(Mentioned::BotField, "field", key);
    }
    let source = Source::read(fields, "value");
    Some(Action::SetBotField(key?, source?))
}

pub(super) fn add_tag(fields: &mut Fields<'_>) -> Option<Action> {
    tag(fields).map(Action::AddTag)
}

pub(super) fn remove_tag(fields: &mut Fields<'_>) -> Option<Action> {
    tag(fields).map(Action::RemoveTag)
}

fn tag(fields: &mut Fields<'_>) -> Option<String> {
    let word = fields.text("tag")?;
    fields.mention(Mentioned::Tag, "tag", word);
    Some(word.to_owned())
}
