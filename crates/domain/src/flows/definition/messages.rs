//! Nodes that speak: `send_message` and `ask`.

use std::time::Duration;

use super::data::Target;
use super::read::Fields;
use super::{Action, waits};
use crate::fields::FieldKind;
use crate::flows::Words;
use crate::read::Input;

/// A question.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// What is asked.
    pub message: Words,
    /// What is sent after a wrong answer.
    pub invalid_message: Option<Words>,
    /// What is taken for an answer.
    pub expect: Expect,
    /// Where the answer goes.
    pub save_to: Option<Target>,
    /// How many answers are taken.
    pub attempts: u64,
    /// How long a reply is awaited.
    pub timeout: Option<Duration>,
}

/// What is taken for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expect {
    /// Its type.
    pub kind: FieldKind,
    /// What `select` chooses from.
    pub options: Vec<String>,
}

/// The types of answers.
const KINDS: [&str; 9] = ["text", "number", "boolean", "date", "datetime", "email", "phone", "url", "select"];

pub(super) fn send_message(fields: &mut Fields<'_>) -> Option<Action> {
    message(fields, "message").map(Action::SendMessage)
}

pub(super) fn ask(fields: &mut Fields<'_>) -> Option<Action> {
    let message_of = message(fields, "message");
    let invalid_message =
        if fields.get("invalid_message").is_some() { message(fields, "invalid_message") } else { None };
    let kind = match fields.get("expect") {
        None => Some(FieldKind::Text),
        Some(_) => fields.word("expect", &KINDS).and_then(FieldKind::parse),
    };
    let options = fields.texts("options", 100).unwrap_or_default();
    if kind == Some(FieldKind::Select)
        && options.is_empty()
        && fields.get("options").is_none_or(|it| it.as_array().is_some())
    {
        fields.wrong("options", "required", "select chooses from options: give at least one");
    }
    if kind.is_some_and(|kind| kind != FieldKind::Select) && fields.get("options").is_some() {
        fields.wrong("options", "not_allowed", "only select has options");
    }
    let save_to = if fields.get("save_to").is_some() { Target::read(fields, "save_to") } else { None };
    let attempts = fields.count("attempts", 1..=10, 3);
    let timeout = if fields.get("timeout").is_some() { waits::duration(fields, "timeout") } else { None };
    let expect = Expect { kind: kind?, options };
    let attempts = attempts?;
    Some(Action::Ask(Box::new(Ask { message: message_of?, invalid_message, expect, save_to, attempts, timeout })))
}

/// A message, as `POST /contacts/:id/send-message` takes it, with templates for texts.
fn message(fields: &mut Fields<'_>, name: &str) -> Option<Words> {
    let Some(written) = fields.get(name) else {
        fields.wrong(name, "required", "is required");
        return None;
    };
    let words = fields.take(name, written, |written: Input<'_>| Words::parse(written))?;
    for (place, template) in words.templates() {
        fields.looks_up(&format!("{name}{place}"), template);
    }
    Some(words)
}
