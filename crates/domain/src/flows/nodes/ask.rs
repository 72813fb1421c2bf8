//! `ask`: sends a question, waits for the reply, checks its type and saves it.

use std::ops::RangeInclusive;
use std::time::Duration;

use serde_json::{Map, Value};
use tidings_tables::Writer;

use super::kind::{FieldContent, Kind, NodeField};
use super::parts::{MessageFields, Target, Unread, example_of, read_answer};
use crate::contacts::Attribute;
use crate::conversations::{QuickReply, choice_number};
use crate::events::EventKind;
use crate::fields::FieldKind;
use crate::flows::Words;
use crate::flows::definition::{Fields, FlowFields};
use crate::flows::immediate_effect::ImmediateEffect;
use crate::flows::interpret::{Input, Interpreter, NodeOutcome};
use crate::flows::run::{Wait, WaitKind};
use crate::send_window::Zone;
use crate::step_outcome::StepOutcome;
use crate::text::{fold, meant};

/// A question.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The question.
    pub message: Words,
    /// Sent instead of the question after an invalid answer.
    pub invalid_message: Option<Words>,
    /// The accepted answers.
    pub expect: Expect,
    /// The target of the answer.
    pub save_to: Option<Target>,
    /// Maximum number of answers.
    pub attempts: u64,
    /// Maximum wait for a reply.
    pub timeout: Option<Duration>,
}

/// The accepted answers of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expect {
    /// Its type.
    pub kind: FieldKind,
    /// Options of the type `select`.
    pub options: Vec<String>,
}

const MAX_OPTIONS: usize = 100;
const ATTEMPTS: RangeInclusive<u64> = 1..=10;
const KINDS: [&str; 9] = ["text", "number", "boolean", "date", "datetime", "email", "phone", "url", "select"];

impl Kind for Ask {
    const WORD: &'static str = "ask";
    const ABOUT: &'static str = "Sends a question, waits for the reply, checks its type and saves it.";
    const FIELDS: &'static [NodeField] = &[
        NodeField::must("message", "The question, as in `send-message`; its texts are templates.")
            .of(FieldContent::Message),
        NodeField::may(
            "expect",
            "The type of the answer: `text`, `number`, `boolean`, `date`, `datetime`, `email`, `phone`, `url` or \
             `select`; `text` if absent.",
        )
        .of(FieldContent::Word(&KINDS)),
        NodeField::may(
            "options",
            "The options of the type `select`. They are sent as quick replies if the message has none and supports \
             that many.",
        )
        .of(FieldContent::Texts(MAX_OPTIONS)),
        NodeField::may("save_to", "The target of the answer: `vars.KEY`, `contact.ATTRIBUTE` or `custom_fields.KEY`."),
        NodeField::may(
            "attempts",
            "The maximum number of answers, 1 to 10; 3 if absent. After an invalid answer the question is sent again.",
        )
        .of(FieldContent::Count(&ATTEMPTS)),
        NodeField::may("invalid_message", "The message to send instead of the question after an invalid answer.")
            .of(FieldContent::Message),
        NodeField::may("timeout", "The maximum wait for a reply, an ISO 8601 duration; until the run ends if absent.")
            .of(FieldContent::Duration),
        NodeField::NEXT,
        NodeField::exit("on_timeout", "The next node if no reply arrives in time; `next` if absent."),
        NodeField::exit("on_invalid", "The next node after the last invalid answer; `next` if absent."),
    ];
    const WAITS: bool = true;
    const ASKS_SETTINGS: bool = true;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let message = fields.message("message");
        let invalid_message =
            if fields.get("invalid_message").is_some() { fields.message("invalid_message") } else { None };
        let kind = match fields.get("expect") {
            None => Some(FieldKind::Text),
            Some(_) => fields.word("expect", &KINDS).and_then(FieldKind::parse),
        };
        let options = fields.texts("options", MAX_OPTIONS).unwrap_or_default();
        if kind == Some(FieldKind::Select)
            && options.is_empty()
            && fields.get("options").is_none_or(|it| it.as_array().is_some())
        {
            fields.wrong("options", "required", "the type `select` requires at least one option");
        }
        if kind.is_some_and(|kind| kind != FieldKind::Select) && fields.get("options").is_some() {
            fields.wrong(
                "options",
                "not_allowed",
                "only the type `select` has options; set `expect` to `select`, or remove the options",
            );
        }
        let save_to = if fields.get("save_to").is_some() { Target::read(fields, "save_to") } else { None };
        let attempts = fields.count("attempts", ATTEMPTS, 3);
        let timeout = if fields.get("timeout").is_some() { fields.duration("timeout") } else { None };
        let expect = Expect { kind: kind?, options };
        let attempts = attempts?;
        Some(Self { message: message?, invalid_message, expect, save_to, attempts, timeout })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
        if let Err(turn) = interpreter.ask(at, &self.message, &self.expect.options, None) {
            return turn;
        }
        // While a member handles the conversation, the question is not sent, so there is no reply to wait for.
        if interpreter.human {
            return NodeOutcome::next("");
        }
        self.awaits(interpreter, at, 1, String::new())
    }

    fn resume(
        &self,
        interpreter: &mut Interpreter<'_>,
        at: &str,
        wait: &Wait,
        input: Input<'_>,
    ) -> Option<NodeOutcome> {
        match (wait.kind, input) {
            (WaitKind::Reply, Input::Reply(text)) => {
                interpreter.enter(at, Self::WORD, true);
                Some(self.answered(interpreter, at, wait, text))
            }
            (WaitKind::Reply, Input::Timer) => {
                if wait.until.is_none_or(|until| interpreter.environment.now < until) {
                    return Some(NodeOutcome::wait(at, wait.clone(), ""));
                }
                interpreter.enter(at, Self::WORD, true);
                let exit = if interpreter.has_exit("on_timeout") { "on_timeout" } else { "next" };
                Some(NodeOutcome::leave(exit, StepOutcome::ReplyTimedOut.text()))
            }
            (WaitKind::Reply, Input::Called(_))
            | (WaitKind::Until | WaitKind::Event | WaitKind::Flow | WaitKind::Http, _) => None,
        }
    }

    fn immediate_effects(&self) -> Vec<ImmediateEffect> {
        vec![ImmediateEffect::Event(EventKind::MessageSent, Vec::new())]
    }
}

impl Ask {
    fn awaits(&self, interpreter: &Interpreter<'_>, at: &str, attempt: i64, outcome: String) -> NodeOutcome {
        let until = self.timeout.map(|timeout| interpreter.environment.now.plus(timeout));
        NodeOutcome::wait(at, Wait::for_reply(until, attempt), outcome)
    }

    /// Whether an option or a quick reply equals this text after [`fold`].
    pub(in crate::flows) fn offers(&self, values: &Map<String, Value>, text: &str) -> bool {
        let said = fold(text);
        let quick_replies = self.messages().flat_map(|words| words.quick_replies(values));
        let mut answers = self
            .expect
            .options
            .iter()
            .cloned()
            .chain(quick_replies.flat_map(|it| it.payload.into_iter().chain([it.title])));
        answers.any(|answer| fold(&answer) == said)
    }

    fn messages(&self) -> impl Iterator<Item = &Words> {
        [Some(&self.message), self.invalid_message.as_ref()].into_iter().flatten()
    }

    /// Returns the other half of the quick replies that a reply matches: payloads for a title, titles for a payload.
    fn also_said(&self, interpreter: &Interpreter<'_>, text: &str) -> Vec<String> {
        let values = interpreter.template_values();
        let mut replies: Vec<(String, String)> = Vec::new();
        for QuickReply { title, payload } in self.messages().flat_map(|words| words.quick_replies(&values)) {
            let Some(payload) = payload else { continue };
            let reply = (title, payload);
            // Both messages may have the same quick reply.
            if !replies.contains(&reply) {
                replies.push(reply);
            }
        }
        let by_title = meant(text, replies.iter().map(|(title, payload)| (title.as_str(), payload)));
        let by_payload = meant(text, replies.iter().map(|(title, payload)| (payload.as_str(), title)));
        by_title.into_iter().chain(by_payload).cloned().collect()
    }

    /// Returns the titles of the replies that the question offered in this attempt.
    fn offered_titles(&self, interpreter: &Interpreter<'_>, attempt: i64) -> Vec<String> {
        let words = self.invalid_message.as_ref().filter(|_| attempt > 1).unwrap_or(&self.message);
        let replies = words.quick_replies(&interpreter.template_values());
        let titles: Vec<String> = replies.into_iter().map(|reply| reply.title).collect();
        let options = &self.expect.options;
        if titles.is_empty() && options.len() <= interpreter.environment.quick_replies {
            return options.clone();
        }
        titles
    }

    /// Returns the title of the offered reply with this number. Channels without buttons number the replies. `None` if
    /// the text is a title itself, or if the question asks for a number.
    fn numbered(&self, interpreter: &Interpreter<'_>, attempt: i64, text: &str) -> Option<String> {
        let number = choice_number(text)?;
        if self.expect.kind == FieldKind::Number {
            return None;
        }
        let titles = self.offered_titles(interpreter, attempt);
        if titles.iter().any(|title| fold(title) == fold(text)) {
            return None;
        }
        titles.into_iter().nth(number.checked_sub(1)?)
    }

    /// Returns the type of the answer, with its options. A text that is saved to a target of another type is read as that
    /// type.
    fn answer_type(&self, interpreter: &Interpreter<'_>) -> (FieldKind, Vec<String>) {
        let own = || (self.expect.kind, self.expect.options.clone());
        if self.expect.kind != FieldKind::Text {
            return own();
        }
        match &self.save_to {
            Some(Target::Field(key)) => {
                let field = interpreter.environment.fields.iter().find(|field| field.key == *key);
                field.map_or_else(own, |field| (field.kind, field.options.clone()))
            }
            Some(Target::Attribute(Attribute::Email)) => (FieldKind::Email, Vec::new()),
            Some(Target::Attribute(Attribute::Phone)) => (FieldKind::Phone, Vec::new()),
            Some(Target::Attribute(_) | Target::Var(_)) | None => own(),
        }
    }

    fn answered(&self, interpreter: &mut Interpreter<'_>, at: &str, wait: &Wait, text: &str) -> NodeOutcome {
        let numbered = self.numbered(interpreter, wait.attempt, text);
        let text = numbered.as_deref().unwrap_or(text);
        let locale = interpreter.contact.locale.as_ref().map(ToString::to_string);
        let zone = Zone::Contact.of(interpreter.contact.time_zone.as_ref(), interpreter.environment.zone);
        let writer = Writer { locale: locale.as_deref(), country: interpreter.environment.country };
        let (kind, options) = self.answer_type(interpreter);
        let read = |text: &str| read_answer(kind, &options, text, writer, zone);
        let answer = read(text).or_else(|why| {
            let meant = self.also_said(interpreter, text);
            meant.iter().find_map(|text| read(text).ok()).ok_or(why)
        });
        let is_ambiguous = matches!(answer, Err(Unread::Ambiguous(_)));
        let saved = answer.map_err(|why| why.to_string()).and_then(|value| match &self.save_to {
            Some(target) => match target.write(interpreter, Some(value)) {
                Ok(()) => Ok(StepOutcome::AnswerSaved.with(target)),
                Err(why) => Err(why.to_string()),
            },
            None => Ok(StepOutcome::Answered.text().to_owned()),
        });
        let why = match saved {
            Ok(outcome) => return NodeOutcome::next(outcome),
            Err(why) => why,
        };
        let attempts = i64::try_from(self.attempts).unwrap_or(i64::MAX);
        if wait.attempt >= attempts {
            let exit = if interpreter.has_exit("on_invalid") { "on_invalid" } else { "next" };
            return NodeOutcome::leave(exit, StepOutcome::NotValid.with(why));
        }
        let again = self.invalid_message.as_ref().unwrap_or(&self.message);
        let example = if is_ambiguous { example_of(kind, locale.as_deref()) } else { None };
        if let Err(turn) = interpreter.ask(at, again, &self.expect.options, example.as_deref()) {
            return turn;
        }
        self.awaits(interpreter, at, wait.attempt + 1, StepOutcome::AskedAgain.with(why))
    }
}
