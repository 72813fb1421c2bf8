//! Readers for the fields of objects in a definition. They collect the names that refer to workspace objects.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::time::Duration;

use serde_json::Value;

use super::Exit;
use crate::custom_events::{CustomEventName, InvalidName};
use crate::events::EventKind;
use crate::flows::Template;
use crate::read::{self, Input};
use crate::time::{InvalidDuration, IsoDuration};

/// The type of object that a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mentioned {
    /// A tag, by name or ID.
    Tag,
    /// A custom field, by key.
    Field,
    /// A bot field, by key.
    BotField,
    /// A flow, by ID.
    Flow,
    /// A sequence, by ID.
    Sequence,
    /// A channel, by ID.
    Channel,
    /// A member of the workspace, by ID.
    User,
}

/// A name in a definition that refers to a workspace object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The type of the object.
    pub what: Mentioned,
    /// The name.
    pub word: String,
    /// JSON pointer to it.
    pub pointer: String,
}

/// The names, templates, conditions and variables in a definition.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DefinitionContents {
    /// Names that refer to workspace objects.
    pub mentions: Vec<Mention>,
    /// Templates, with their pointers.
    pub templates: Vec<(String, Template)>,
    /// Pointers of the templates that may use secrets.
    pub take_secrets: BTreeSet<String>,
    /// Conditions, with their pointers.
    pub conditions: Vec<(String, Value)>,
    /// Variables that nodes save, with their pointers.
    pub saved: Vec<(String, String)>,
    /// Pointers of send windows that never open.
    pub empty_windows: Vec<String>,
    /// The exits of the node that is being read.
    pub(super) exits: Vec<Exit>,
}

impl DefinitionContents {
    /// Returns the names that refer to this type of object, with duplicates.
    pub(in crate::flows) fn names_of(&self, what: Mentioned) -> impl Iterator<Item = &str> {
        self.mentions.iter().filter(move |it| it.what == what).map(|it| it.word.as_str())
    }
}

/// The fields of one object of a definition; readers collect into [`DefinitionContents`].
pub(in crate::flows) type Fields<'a> = read::Fields<'a, DefinitionContents>;

impl<'a> Fields<'a> {
    pub(in crate::flows) fn exit(&mut self, field: &str, name: &str) {
        if let Some(to) = self.text(field).map(ToOwned::to_owned) {
            let exit = Exit { name: name.to_owned(), pointer: self.pointer(field), to };
            self.context.exits.push(exit);
        }
    }

    /// Returns the JSON pointer to a field of the object.
    pub(in crate::flows) fn pointer(&self, name: &str) -> String {
        format!("{}/{name}", self.at())
    }

    /// Reads a required, non-empty text.
    pub(in crate::flows) fn text(&mut self, name: &str) -> Option<&'a str> {
        let (code, message) = match self.get(name) {
            Some(Input::String(text)) if !text.is_empty() => return Some(text),
            Some(Input::String(_)) => ("too_short", "must not be empty"),
            Some(_) => ("wrong_type", "expected a string"),
            None => ("required", "is required"),
        };
        self.wrong(name, code, message);
        None
    }

    /// Reads one of these words.
    pub(in crate::flows) fn word(&mut self, name: &str, words: &[&'static str]) -> Option<&'static str> {
        let text = self.text(name)?;
        let found = words.iter().copied().find(|word| *word == text);
        if found.is_none() {
            let near = self.near(text, words.iter().copied());
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
            self.wrong(name, "invalid_value", format!("expected one of: {}{hint}", words.join(", ")));
        }
        found
    }

    /// Reads an integer within bounds; `default` if absent.
    pub(in crate::flows) fn count(
        &mut self,
        name: &str,
        bounds: std::ops::RangeInclusive<u64>,
        default: u64,
    ) -> Option<u64> {
        let number = match self.get(name) {
            None => return Some(default),
            Some(Input::Number(number)) => number.as_u64(),
            Some(_) => None,
        };
        let Some(number) = number else {
            self.wrong(name, "wrong_type", "expected a whole number");
            return None;
        };
        if !bounds.contains(&number) {
            self.wrong(name, "out_of_range", format!("expected {} to {}", bounds.start(), bounds.end()));
            return None;
        }
        Some(number)
    }

    /// Reads a list of at most `most` non-blank texts; `None` if absent or invalid.
    pub(in crate::flows) fn texts(&mut self, name: &str, most: usize) -> Option<Vec<String>> {
        let Input::Array(list) = self.get(name)? else {
            self.wrong(name, "wrong_type", "expected a list of strings");
            return None;
        };
        if list.len() > most {
            self.wrong(name, "too_many", format!("at most {most} items"));
            return None;
        }
        let mut texts = Vec::new();
        for (index, value) in list.iter().enumerate() {
            match value.as_str() {
                Some(text) if !text.trim().is_empty() => texts.push(text.to_owned()),
                Some(_) => self.error(&format!("/{name}/{index}"), "too_short", "must not be empty"),
                None => self.error(&format!("/{name}/{index}"), "wrong_type", "expected a string"),
            }
        }
        (texts.len() == list.len()).then_some(texts)
    }

    /// Reads an ISO 8601 duration as elapsed time.
    pub(in crate::flows) fn duration(&mut self, name: &str) -> Option<Duration> {
        self.calendar_duration(name).map(IsoDuration::get)
    }

    /// Reads an ISO 8601 duration that keeps days and hours apart.
    pub(in crate::flows) fn calendar_duration(&mut self, name: &str) -> Option<IsoDuration> {
        match self.text(name)?.parse() {
            Ok(duration) => Some(duration),
            Err(InvalidDuration) => {
                self.wrong(name, "invalid_format", InvalidDuration.to_string());
                None
            }
        }
    }

    /// Reads an event kind that can happen.
    pub(in crate::flows) fn event_kind(&mut self, name: &str) -> Option<EventKind> {
        let word = self.text(name)?;
        let kind = EventKind::parse(word).filter(|kind| kind.can_happen());
        if kind.is_none() {
            let near = EventKind::nearest(word);
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
            self.wrong(name, "unknown_event", format!("unknown event {word}{hint}"));
        }
        kind
    }

    pub(in crate::flows) fn custom_event(&mut self, name: &str) -> Option<CustomEventName> {
        match self.text(name)?.parse() {
            Ok(event) => Some(event),
            Err(wrong) => {
                let wrong: InvalidName = wrong;
                self.wrong(name, wrong.code(), wrong.to_string());
                None
            }
        }
    }

    /// Reads the ID of an existing workspace object; `example` is a valid ID for the error message.
    pub(in crate::flows) fn id_of<T: FromStr>(&mut self, what: Mentioned, name: &str, example: &str) -> Option<String> {
        let id = self.text(name)?;
        if id.parse::<T>().is_err() {
            self.wrong(name, "invalid_id", format!("expected an ID such as {example}"));
            return None;
        }
        self.mention(what, name, id);
        Some(id.to_owned())
    }

    /// Reads a template of at most 4 096 characters.
    pub(in crate::flows) fn template(&mut self, name: &str) -> Option<Template> {
        let text = self.text(name)?;
        self.parse_template(name, text)
    }

    /// Parses a text of this field as a template.
    pub(in crate::flows) fn parse_template(&mut self, name: &str, text: &str) -> Option<Template> {
        if text.chars().count() > 4_096 {
            self.wrong(name, "too_long", "at most 4096 characters");
            return None;
        }
        let template = Template::read(text);
        self.looks_up(name, template.clone());
        Some(template)
    }

    /// Records a template of this field; the analyser checks it and its names. A rejected template is no syntax error
    /// here, so older published versions that contain one can still be read; the run fails at the node.
    pub(in crate::flows) fn looks_up(&mut self, name: &str, template: Template) {
        let at = self.pointer(name);
        self.context.templates.push((at, template));
    }

    /// Parses a text at `place`, relative to the object, as a template that may use secrets.
    pub(in crate::flows) fn template_with_secrets(&mut self, place: &str, text: &str) -> Option<Template> {
        if text.chars().count() > 4_096 {
            self.error(place, "too_long", "at most 4096 characters");
            return None;
        }
        let (at, template) = (format!("{}{place}", self.at()), Template::read(text));
        self.context.take_secrets.insert(at.clone());
        self.context.templates.push((at, template.clone()));
        Some(template)
    }

    /// Records that the field names an object.
    pub(in crate::flows) fn mention(&mut self, what: Mentioned, name: &str, word: &str) {
        let mention = Mention { what, word: word.to_owned(), pointer: self.pointer(name) };
        self.context.mentions.push(mention);
    }

    /// Reads and records a condition; the analyser parses it.
    pub(in crate::flows) fn condition(&mut self, name: &str) -> Option<Value> {
        let value = self.get(name)?.to_value();
        let at = self.pointer(name);
        self.context.conditions.push((at, value.clone()));
        Some(value)
    }

    /// Records that the field names a variable that the node saves.
    pub(in crate::flows) fn saves(&mut self, name: &str, variable: &str) {
        self.saves_at(&format!("/{name}"), variable);
    }

    /// Records a variable that the node saves; `place` is relative to the object.
    pub(in crate::flows) fn saves_at(&mut self, place: &str, variable: &str) {
        let at = format!("{}{place}", self.at());
        self.context.saved.push((at, variable.to_owned()));
    }

    /// Records that the window in this field never opens.
    pub(in crate::flows) fn never_opens(&mut self, name: &str) {
        let at = self.pointer(name);
        self.context.empty_windows.push(at);
    }

    /// Reads a nested object; `None` if it is absent or not an object.
    pub(in crate::flows) fn inside<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Fields<'_>) -> Option<T>,
    ) -> Option<T> {
        let Input::Object(members) = self.get(name)? else {
            self.wrong(name, "wrong_type", "expected an object");
            return None;
        };
        self.within(&format!("/{name}"), members, read)
    }

    /// Reads a list of at most `most` objects.
    pub(in crate::flows) fn each<T>(
        &mut self,
        name: &str,
        most: usize,
        mut read: impl FnMut(&mut Fields<'_>, usize) -> Option<T>,
    ) -> Vec<T> {
        let list = match self.get(name) {
            Some(Input::Array(list)) if list.len() > most => {
                self.wrong(name, "too_many", format!("at most {most} items"));
                return Vec::new();
            }
            Some(Input::Array(list)) => list,
            Some(_) => {
                self.wrong(name, "wrong_type", "expected a list of objects");
                return Vec::new();
            }
            None => return Vec::new(),
        };
        let mut found = Vec::new();
        for (index, value) in list.iter().enumerate() {
            let place = format!("/{name}/{index}");
            match value {
                Input::Object(members) => found.extend(self.within(&place, members, |fields| read(fields, index))),
                _ => self.error(&place, "wrong_type", "expected an object"),
            }
        }
        found
    }
}
