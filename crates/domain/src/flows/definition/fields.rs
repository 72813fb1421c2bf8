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
    /// A file, by ID.
    Media,
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

/// Readers of the fields of a flow, in addition to those of every object.
pub(in crate::flows) trait FlowFields<'a> {
    fn exit(&mut self, field: &str, name: &str);

    /// Returns the JSON pointer to a field of the object.
    fn pointer(&self, name: &str) -> String;

    /// Reads a required, non-empty text.
    fn text(&mut self, name: &str) -> Option<&'a str>;

    /// Reads one of these words.
    fn word(&mut self, name: &str, words: &[&'static str]) -> Option<&'static str>;

    /// Reads an integer within bounds; `default` if absent.
    fn count(&mut self, name: &str, bounds: std::ops::RangeInclusive<u64>, default: u64) -> Option<u64>;

    /// Reads a list of at most `most` non-blank texts; `None` if absent or invalid.
    fn texts(&mut self, name: &str, most: usize) -> Option<Vec<String>>;

    /// Reads an ISO 8601 duration as elapsed time.
    fn duration(&mut self, name: &str) -> Option<Duration>;

    /// Reads an ISO 8601 duration that keeps days and hours apart.
    fn calendar_duration(&mut self, name: &str) -> Option<IsoDuration>;

    /// Reads an event kind that can happen.
    fn event_kind(&mut self, name: &str) -> Option<EventKind>;

    fn custom_event(&mut self, name: &str) -> Option<CustomEventName>;

    /// Reads the ID of an existing workspace object; `example` is a valid ID for the error message.
    fn id_of<T: FromStr>(&mut self, what: Mentioned, name: &str, example: &str) -> Option<String>;

    /// Reads a template of at most 4 096 characters.
    fn template(&mut self, name: &str) -> Option<Template>;

    /// Parses a text of this field as a template.
    fn parse_template(&mut self, name: &str, text: &str) -> Option<Template>;

    /// Records a template of this field; the analyser checks it and its names. A rejected template is no syntax error
    /// here, so older published versions that contain one can still be read; the run fails at the node.
    fn looks_up(&mut self, name: &str, template: Template);

    /// Parses a text at `place`, relative to the object, as a template that may use secrets.
    fn template_with_secrets(&mut self, place: &str, text: &str) -> Option<Template>;

    /// Records that the field names an object.
    fn mention(&mut self, what: Mentioned, name: &str, word: &str);

    /// Reads and records a condition; the analyser parses it.
    fn condition(&mut self, name: &str) -> Option<Value>;

    /// Records that the field names a variable that the node saves.
    fn saves(&mut self, name: &str, variable: &str);

    /// Records a variable that the node saves; `place` is relative to the object.
    fn saves_at(&mut self, place: &str, variable: &str);

    /// Records that the window in this field never opens.
    fn never_opens(&mut self, name: &str);

    /// Reads a nested object; `None` if it is absent or not an object.
    fn inside<T>(&mut self, name: &str, read: impl FnOnce(&mut Fields<'_>) -> Option<T>) -> Option<T>;

    /// Reads a list of at most `most` objects.
    fn each<T>(&mut self, name: &str, most: usize, read: impl FnMut(&mut Fields<'_>, usize) -> Option<T>) -> Vec<T>;
}

impl<'a> FlowFields<'a> for Fields<'a> {
    fn exit(&mut self, field: &str, name: &str) {
        if let Some(to) = self.text(field).map(ToOwned::to_owned) {
            let exit = Exit { name: name.to_owned(), pointer: self.pointer(field), to };
            self.context.exits.push(exit);
        }
    }

    fn pointer(&self, name: &str) -> String {
        format!("{}/{name}", self.at())
    }

    fn text(&mut self, name: &str) -> Option<&'a str> {
        let (code, message) = match self.get(name) {
            Some(Input::String(text)) if !text.is_empty() => return Some(text),
            Some(Input::String(_)) => ("too_short", "must not be empty"),
            Some(_) => ("wrong_type", "expected a string"),
            None => ("required", "is required"),
        };
        self.wrong(name, code, message);
        None
    }

    fn word(&mut self, name: &str, words: &[&'static str]) -> Option<&'static str> {
        let text = self.text(name)?;
        let found = words.iter().copied().find(|word| *word == text);
        if found.is_none() {
            let near = self.near(text, words.iter().copied());
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
            self.wrong(name, "invalid_value", format!("expected one of: {}{hint}", words.join(", ")));
        }
        found
    }

    fn count(&mut self, name: &str, bounds: std::ops::RangeInclusive<u64>, default: u64) -> Option<u64> {
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

    fn texts(&mut self, name: &str, most: usize) -> Option<Vec<String>> {
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

    fn duration(&mut self, name: &str) -> Option<Duration> {
        self.calendar_duration(name).map(IsoDuration::get)
    }

    fn calendar_duration(&mut self, name: &str) -> Option<IsoDuration> {
        match self.text(name)?.parse() {
            Ok(duration) => Some(duration),
            Err(InvalidDuration) => {
                self.wrong(name, "invalid_format", InvalidDuration.to_string());
                None
            }
        }
    }

    fn event_kind(&mut self, name: &str) -> Option<EventKind> {
        let word = self.text(name)?;
        let kind = EventKind::parse(word).filter(|kind| kind.can_happen());
        if kind.is_none() {
            let near = EventKind::nearest(word);
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
            self.wrong(name, "unknown_event", format!("unknown event {word}{hint}"));
        }
        kind
    }

    fn custom_event(&mut self, name: &str) -> Option<CustomEventName> {
        match self.text(name)?.parse() {
            Ok(event) => Some(event),
            Err(wrong) => {
                let wrong: InvalidName = wrong;
                self.wrong(name, wrong.code(), wrong.to_string());
                None
            }
        }
    }

    fn id_of<T: FromStr>(&mut self, what: Mentioned, name: &str, example: &str) -> Option<String> {
        let id = self.text(name)?;
        if id.parse::<T>().is_err() {
            self.wrong(name, "invalid_id", format!("expected an ID such as {example}"));
            return None;
        }
        self.mention(what, name, id);
        Some(id.to_owned())
    }

    fn template(&mut self, name: &str) -> Option<Template> {
        let text = self.text(name)?;
        self.parse_template(name, text)
    }

    fn parse_template(&mut self, name: &str, text: &str) -> Option<Template> {
        if text.chars().count() > 4_096 {
            self.wrong(name, "too_long", "at most 4096 characters");
            return None;
        }
        let template = Template::read(text);
        self.looks_up(name, template.clone());
        Some(template)
    }

    fn looks_up(&mut self, name: &str, template: Template) {
        let at = self.pointer(name);
        self.context.templates.push((at, template));
    }

    fn template_with_secrets(&mut self, place: &str, text: &str) -> Option<Template> {
        if text.chars().count() > 4_096 {
            self.error(place, "too_long", "at most 4096 characters");
            return None;
        }
        let (at, template) = (format!("{}{place}", self.at()), Template::read(text));
        self.context.take_secrets.insert(at.clone());
        self.context.templates.push((at, template.clone()));
        Some(template)
    }

    fn mention(&mut self, what: Mentioned, name: &str, word: &str) {
        let mention = Mention { what, word: word.to_owned(), pointer: self.pointer(name) };
        self.context.mentions.push(mention);
    }

    fn condition(&mut self, name: &str) -> Option<Value> {
        let value = self.get(name)?.to_value();
        let at = self.pointer(name);
        self.context.conditions.push((at, value.clone()));
        Some(value)
    }

    fn saves(&mut self, name: &str, variable: &str) {
        self.saves_at(&format!("/{name}"), variable);
    }

    fn saves_at(&mut self, place: &str, variable: &str) {
        let at = format!("{}{place}", self.at());
        self.context.saved.push((at, variable.to_owned()));
    }

    fn never_opens(&mut self, name: &str) {
        let at = self.pointer(name);
        self.context.empty_windows.push(at);
    }

    fn inside<T>(&mut self, name: &str, read: impl FnOnce(&mut Fields<'_>) -> Option<T>) -> Option<T> {
        let Input::Object(members) = self.get(name)? else {
            self.wrong(name, "wrong_type", "expected an object");
            return None;
        };
        self.within(&format!("/{name}"), members, read)
    }

    fn each<T>(
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
