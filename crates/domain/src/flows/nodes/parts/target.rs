//! The target of a value: a variable, an attribute of the contact, or a custom field.

use serde_json::Value;

use super::{WriteRejection, fitting};
use crate::contacts::Attribute;
use crate::flows::Effect;
use crate::flows::definition::{Fields, FlowFields, Mentioned};
use crate::flows::interpret::Interpreter;
use crate::read::texts;
use crate::text::characters::{is_blank, trim};
use crate::text::{is_key, nearest};

/// The target of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A variable of the run.
    Var(String),
    /// An attribute of the contact.
    Attribute(Attribute),
    /// A custom field of the contact, by its key.
    Field(String),
}

impl Target {
    /// Reads `vars.KEY`, `contact.ATTRIBUTE` or `custom_fields.KEY`.
    pub(in crate::flows::nodes) fn read(fields: &mut Fields<'_>, name: &str) -> Option<Self> {
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
                    let offered = texts::offered(&near, Attribute::WORDS);
                    fields.wrong(
                        name,
                        "unknown_field",
                        format!("{word} is not a writable attribute of contacts; {offered}"),
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

    /// Reads `vars.KEY`, for values such as objects that only a variable can store.
    pub(in crate::flows::nodes) fn variable(fields: &mut Fields<'_>, name: &str) -> Option<Self> {
        let is_variable = fields.get(name).and_then(|it| it.as_str()).is_none_or(|it| it.starts_with("vars."));
        if !is_variable {
            fields.wrong(name, "invalid_format", "expected vars.KEY");
            return None;
        }
        Self::read(fields, name)
    }

    /// Writes or clears the target.
    ///
    /// # Errors
    /// The reason why it cannot be written.
    pub(in crate::flows::nodes) fn write(
        &self,
        interpreter: &mut Interpreter<'_>,
        value: Option<Value>,
    ) -> Result<(), WriteRejection> {
        match self {
            Self::Var(key) => {
                match value {
                    Some(value) => interpreter.vars.insert(key.clone(), value),
                    None => interpreter.vars.remove(key),
                };
                Ok(())
            }
            Self::Attribute(attribute) => {
                let text = match value {
                    None => None,
                    Some(Value::String(text)) => Some(text),
                    Some(_) => return Err("expected a text".into()),
                };
                Ok(set_attribute(interpreter, *attribute, text)?)
            }
            Self::Field(key) => set_value(interpreter, key, value),
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

fn set_attribute(interpreter: &mut Interpreter<'_>, attribute: Attribute, text: Option<String>) -> Result<(), String> {
    let text = text.as_deref().map(trim).filter(|text| !is_blank(text));
    let mut after = interpreter.contact.clone();
    after.set_attribute(attribute, text)?;
    let normal = after.attribute(attribute).map(ToOwned::to_owned);
    if normal.as_ref().is_some_and(|normal| interpreter.environment.taken.contains(&(attribute, normal.clone()))) {
        return Err(format!("another contact has this {}", attribute.as_str()));
    }
    if after != interpreter.contact {
        interpreter.contact = after;
        interpreter.effect(Effect::SetAttribute(attribute, normal));
    }
    Ok(())
}

fn set_value(interpreter: &mut Interpreter<'_>, key: &str, value: Option<Value>) -> Result<(), WriteRejection> {
    let Some(field) = interpreter.environment.fields.iter().find(|field| field.key == key) else {
        return Err(WriteRejection::MissingField(format!("custom_fields.{key}")));
    };
    let value = value.map(|value| fitting(field.kind, &field.options, &field.rules, value)).transpose()?;
    if interpreter.contact.custom_fields.get(key) == value.as_ref().map(|value| &value.json) {
        return Ok(());
    }
    match &value {
        Some(value) => interpreter.contact.custom_fields.insert(key.to_owned(), value.json.clone()),
        None => interpreter.contact.custom_fields.remove(key),
    };
    interpreter.effect(Effect::SetValue(field.id, value));
    Ok(())
}
