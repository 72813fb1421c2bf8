//! Writes: variables, attributes and custom fields of the contact, bot fields.

use serde_json::Value;

use super::answer::read_as;
use super::{Effect, Interpreter, Turn};
use crate::fields::{FieldKind, Rules, check_value};
use crate::flows::definition::{Attribute, Source, Target};

/// The most characters of a name.
const MAX_NAME: usize = 100;

impl Interpreter<'_> {
    pub(super) fn set_field(&mut self, at: &str, target: &Target, source: &Source) -> Turn {
        if let Some(error) = source.refused() {
            return Turn::failed("template_error", error.to_string(), at);
        }
        let written = self.value(source).and_then(|value| self.write(target, value));
        match written {
            Ok(()) => Turn::next("set"),
            Err(why) if why.starts_with(GONE) => Turn::failed("field_missing", why, at),
            Err(why) => Turn::next(format!("not set: {why}")),
        }
    }

    pub(super) fn set_bot_field(&mut self, at: &str, key: &str, source: &Source) -> Turn {
        if let Some(error) = source.refused() {
            return Turn::failed("template_error", error.to_string(), at);
        }
        let value = match self.value(source) {
            Ok(value) => value,
            Err(why) => return Turn::next(format!("not set: {why}")),
        };
        let now = self.environment.now;
        let Some(field) = self.bot_fields.iter_mut().find(|field| field.key == key) else {
            return Turn::failed("field_missing", format!("{GONE}bot_fields.{key}"), at);
        };
        let value = match value.map(|value| fitting(field.kind, &[], &Rules::default(), value)).transpose() {
            Ok(value) => value.map(|value| value.json),
            Err(why) => return Turn::next(format!("not set: {why}")),
        };
        if field.value == value {
            return Turn::next("already so");
        }
        field.value = value;
        field.version += 1;
        field.updated_at = now.max(field.updated_at);
        let field = field.clone();
        self.effect(Effect::SetBotField(field));
        Turn::next("set")
    }

    /// The value of a node; none clears.
    fn value(&self, source: &Source) -> Result<Option<Value>, String> {
        match source {
            Source::Literal(Value::Null) => Ok(None),
            Source::Literal(value) => Ok(Some(value.clone())),
            Source::Template(template) => {
                let text = self.with_eval_context(|eval| template.render_value(&eval.template_values()));
                let text = text.map_err(|error| error.to_string())?;
                Ok(Some(text).filter(|text| !text.trim().is_empty()).map(Value::String))
            }
        }
    }

    /// Writes or clears.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub(super) fn write(&mut self, target: &Target, value: Option<Value>) -> Result<(), String> {
        match target {
            Target::Var(key) => {
                match value {
                    Some(value) => self.vars.insert(key.clone(), value),
                    None => self.vars.remove(key),
                };
                Ok(())
            }
            Target::Attribute(attribute) => {
                let text = match value {
                    None => None,
                    Some(Value::String(text)) => Some(text),
                    Some(_) => return Err("expected a text".to_owned()),
                };
                self.set_attribute(*attribute, text)
            }
            Target::Field(key) => self.set_value(key, value),
        }
    }

    fn set_attribute(&mut self, attribute: Attribute, text: Option<String>) -> Result<(), String> {
        /// Reads a text as an attribute, and gives its normal form beside it.
        fn parsed<T>(text: Option<&str>) -> Result<(Option<T>, Option<String>), String>
        where
            T: std::str::FromStr<Err = crate::contacts::InvalidAttribute> + ToString,
        {
            let value = text.map(str::parse::<T>).transpose().map_err(|error| error.to_string())?;
            let normal = value.as_ref().map(ToString::to_string);
            Ok((value, normal))
        }
        let text = text.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let mut after = self.contact.clone();
        let normal = match attribute {
            Attribute::FirstName | Attribute::LastName => {
                if text.is_some_and(|text| text.chars().count() > MAX_NAME) {
                    return Err(format!("at most {MAX_NAME} characters"));
                }
                let name = text.map(ToOwned::to_owned);
                let place =
                    if attribute == Attribute::FirstName { &mut after.first_name } else { &mut after.last_name };
                place.clone_from(&name);
                name
            }
            Attribute::Email => {
                let (value, normal) = parsed(text)?;
                after.email = value;
                normal
            }
            Attribute::Phone => {
                let (value, normal) = parsed(text)?;
                after.phone = value;
                normal
            }
            Attribute::ExternalId => {
                let (value, normal) = parsed(text)?;
                after.external_id = value;
                normal
            }
            Attribute::Locale => {
                let (value, normal) = parsed(text)?;
                after.locale = value;
                normal
            }
            Attribute::TimeZone => {
                let (value, normal) = parsed(text)?;
                after.time_zone = value;
                normal
            }
        };
        if normal.as_ref().is_some_and(|normal| self.environment.taken.contains(&(attribute, normal.clone()))) {
            return Err(format!("another contact has this {}", attribute.as_str()));
        }
        if after != self.contact {
            self.contact = after;
            self.effect(Effect::SetAttribute(attribute, normal));
        }
        Ok(())
    }

    fn set_value(&mut self, key: &str, value: Option<Value>) -> Result<(), String> {
        let Some(field) = self.environment.fields.iter().find(|field| field.key == key) else {
            return Err(format!("{GONE}custom_fields.{key}"));
        };
        let value = value.map(|value| fitting(field.kind, &field.options, &field.rules, value)).transpose()?;
        if self.contact.custom_fields.get(key) == value.as_ref().map(|value| &value.json) {
            return Ok(());
        }
        match &value {
            Some(value) => self.contact.custom_fields.insert(key.to_owned(), value.json.clone()),
            None => self.contact.custom_fields.remove(key),
        };
        self.effect(Effect::SetValue(field.id, value));
        Ok(())
    }
}

/// How the reason begins where the field itself is not there any more.
const GONE: &str = "there is no field ";

/// A value as a field takes it; texts, which is all that people and templates write, are read as
/// the field's type where they are not of it.
fn fitting(
    kind: FieldKind,
    options: &[String],
    rules: &Rules,
    value: Value,
) -> Result<crate::fields::FieldValue, String> {
    check_value(kind, options, rules, &value).or_else(|wrong| match &value {
        Value::String(text) => {
            let read = read_as(kind, options, text)?;
            check_value(kind, options, rules, &read).map_err(|wrong| wrong.message)
        }
        _ => Err(wrong.message),
    })
}
