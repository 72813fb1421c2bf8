//! Parsing of a leaf's value.

use super::{MAX_ITEMS, Reader};
use crate::conditions::bound::{LostKind, Meaning};
use crate::conditions::kind::Kind;
use crate::conditions::model::Test;
use crate::conditions::operand::{Operand, Range};
use crate::conditions::operator::Operator;
use crate::conditions::values::{date, instant, number};
use crate::fields::{FieldKind, Rules, check_value};
use crate::ids::{self, ChannelId, TypedId};
use crate::read::texts::meant;
use crate::read::{Input, Violation, wrong_type};
use crate::text::{fold, nearest};
use crate::time::IsoDuration;

/// Maximum length of a text that is compared as a whole, as for values.
const MAX_TEXT: usize = 4_096;
/// Maximum number of characters of a substring or prefix.
const MAX_PART: usize = 200;
/// Maximum number of options in a message.
const MAX_LISTED: usize = 20;

impl<'v> Reader<'v, '_> {
    /// Reads the values of `in`.
    pub(super) fn one_of(&mut self, kind: Kind<'v>, value: Input<'_>, at: &str) -> Option<Test> {
        let items = match value {
            Input::Array(items) if items.is_empty() => {
                return self.wrong(at, "too_few", "at least 1 value is required");
            }
            Input::Array(items) if items.len() > MAX_ITEMS => {
                return self.wrong(at, "too_many", format!("must have at most {MAX_ITEMS} values"));
            }
            Input::Array(items) => items,
            other => return self.wrong(at, "wrong_type", format!("expected an array of values, got {}", other.kind())),
        };
        let read: Vec<Option<Option<Operand>>> = (items.iter().enumerate())
            .map(|(place, item)| {
                let at = format!("{at}/{place}");
                let read = self.operand(kind, item, &at);
                self.found(&at, read)
            })
            .collect();
        let operands: Option<Vec<Option<Operand>>> = read.into_iter().collect();
        Some(Test::OneOf(operands?.into_iter().flatten().collect()))
    }

    /// Reads the two values of `between`.
    pub(super) fn between(&mut self, kind: Kind<'v>, value: Input<'_>, at: &str) -> Option<Test> {
        let ends: Vec<Input<'_>> = value.as_array().map(|it| it.iter().take(3).collect()).unwrap_or_default();
        let [low, high] = ends.as_slice() else {
            return self.wrong(at, "wrong_type", "expected an array of two values, the lower one first");
        };
        let mut end = |place: usize, end: Input<'_>| self.found(&format!("{at}/{place}"), ordered(kind, end));
        let (low, high) = (end(0, *low), end(1, *high));
        let (low, high) = (low?, high?);
        match low.order(&high) {
            None => self.wrong(at, "wrong_type", "both values must have the same type"),
            Some(order) if order.is_gt() => self.wrong(at, "invalid_value", "the lower value must come first"),
            Some(_) => Some(Test::Within(Range { from: Some((low, true)), to: Some((high, true)) })),
        }
    }

    /// Reads a value that is compared as a whole; `None` for a deleted tag.
    pub(super) fn operand(&mut self, kind: Kind<'v>, value: Input<'_>, at: &str) -> Result<Option<Operand>, Violation> {
        match kind {
            Kind::Tags => self.tag(value, at),
            Kind::Choice(options) | Kind::List(options) => self.option(options, value, at).map(Some),
            Kind::Boolean => match value {
                Input::Bool(it) => Ok(Some(Operand::Boolean(it))),
                other => Err(wrong_type("true or false", other)),
            },
            Kind::Text => text(value).map(|it| Some(Operand::Text(fold(it)))),
            Kind::Email => normal(FieldKind::Email, "an email address", value).map(Some),
            Kind::Phone => normal(FieldKind::Phone, "a phone number", value).map(Some),
            Kind::Url => normal(FieldKind::Url, "a URL", value).map(Some),
            Kind::Presence => Err(Violation::at_root(
                "not_allowed",
                "this field cannot be compared with a value; use `exists` or `not_exists`",
            )),
            Kind::Word(words) => {
                let text = value.as_str().ok_or_else(|| wrong_type("a string", value))?;
                let known = words.iter().find(|word| **word == text);
                let known = known.ok_or_else(|| {
                    Violation::at_root("invalid_value", format!("must be one of `{}`", words.join("`, `")))
                })?;
                Ok(Some(Operand::Text((*known).to_owned())))
            }
            Kind::Id(prefix) => {
                let text = value.as_str().ok_or_else(|| wrong_type("an ID as a string", value))?;
                let id =
                    ids::bits(prefix, text).map_err(|error| Violation::at_root("invalid_id", error.to_string()))?;
                if prefix == ChannelId::PREFIX && !self.vocabulary.has_channel(ChannelId::from_uuid(id)) {
                    if !self.is_stored() {
                        let message = "no channel in this workspace has this ID";
                        return Err(Violation::at_root("unknown_channel", message));
                    }
                    self.lose(at, LostKind::Channel, text);
                }
                Ok(Some(Operand::Id(id)))
            }
            Kind::Number | Kind::Date | Kind::Datetime => ordered(kind, value).map(Some),
            Kind::Any => match value {
                Input::Bool(it) => Ok(Some(Operand::Boolean(it))),
                Input::Number(_) => ordered(Kind::Number, value).map(Some),
                Input::String(_) => text(value).map(|it| Some(Operand::Text(fold(it)))),
                other => Err(wrong_type("a string, a number, true or false", other)),
            },
        }
    }

    fn tag(&mut self, value: Input<'_>, at: &str) -> Result<Option<Operand>, Violation> {
        let text = value.as_str().ok_or_else(|| wrong_type("the ID or name of a tag as a string", value))?;
        let found = match self.binding(at) {
            None => self.vocabulary.tag(text),
            Some(Some(Meaning::Tag(id))) => self.vocabulary.has_tag(id).then_some(id),
            Some(_) => None,
        };
        if let Some(id) = found {
            self.bindings.insert(at, Meaning::Tag(id));
            return Ok(Some(Operand::Id(id.uuid())));
        }
        if self.is_stored() {
            self.lose(at, LostKind::Tag, text);
            return Ok(None);
        }
        let near = meant(text, self.vocabulary.tag_names.iter().map(String::as_str));
        Err(Violation::at_root("unknown_tag", format!("no tag has this ID or name{near}")).with("name", text))
    }

    fn option(&mut self, options: &[String], value: Input<'_>, at: &str) -> Result<Operand, Violation> {
        let text = text(value)?;
        let key = fold(text);
        let known = options.iter().any(|option| fold(option) == key);
        let clean = !text.chars().any(char::is_control);
        if clean && (known || self.is_stored()) {
            if !known {
                self.lose(at, LostKind::Option, text);
            }
            return Ok(Operand::Text(key));
        }
        let near = nearest(text, options.iter().map(String::as_str));
        let listed = if near.is_empty() { options.iter().take(MAX_LISTED).map(String::as_str).collect() } else { near };
        let listed: Vec<&str> = listed;
        Err(Violation::at_root("invalid_value", format!("unknown option; options include `{}`", listed.join("`, `"))))
    }
}

fn text(value: Input<'_>) -> Result<&str, Violation> {
    let text = value.as_str().ok_or_else(|| wrong_type("a string", value))?;
    if text.contains('\0') {
        return Err(Violation::at_root("invalid_character", "must not contain U+0000"));
    }
    if text.chars().count() > MAX_TEXT {
        return Err(Violation::at_root("too_long", format!("must have at most {MAX_TEXT} characters")));
    }
    Ok(text)
}

/// Reads a value and normalises it by its type.
fn normal(kind: FieldKind, expected: &str, value: Input<'_>) -> Result<Operand, Violation> {
    if value.as_str().is_none() {
        return Err(wrong_type(expected, value));
    }
    let checked = check_value(kind, &[], &Rules::default(), &value.to_value());
    let checked = checked.map_err(|wrong| Violation::at_root(wrong.code, wrong.message))?;
    Ok(Operand::Text(fold(checked.json.as_str().unwrap_or_default())))
}

/// Reads a substring or prefix.
pub(super) fn part(kind: Kind<'_>, operator: Operator, value: Input<'_>) -> Result<Test, Violation> {
    let text = text(value)?;
    if text.chars().count() > MAX_PART {
        return Err(Violation::at_root("too_long", format!("must have at most {MAX_PART} characters")));
    }
    // Stored phone numbers have no separators.
    let spaced = |c: &char| kind == Kind::Phone && matches!(c, ' ' | '.' | '-' | '(' | ')' | '/');
    let part = fold(&text.chars().filter(|c| !spaced(c)).collect::<String>());
    if part.is_empty() {
        return Err(Violation::at_root("blank", "must not be blank"));
    }
    Ok(if operator == Operator::Contains { Test::Contains(part) } else { Test::StartsWith(part) })
}

/// Reads a value of an ordered type.
pub(super) fn ordered(kind: Kind<'_>, value: Input<'_>) -> Result<Operand, Violation> {
    let text = value.as_str();
    match kind {
        Kind::Number => number(value).ok_or_else(|| wrong_type("a number", value)),
        Kind::Date => {
            let text = text.ok_or_else(|| wrong_type("a date such as 2026-01-31", value))?;
            date(text).ok_or_else(|| Violation::at_root("invalid_format", "expected a date such as 2026-01-31"))
        }
        Kind::Datetime => {
            let text = text.ok_or_else(|| wrong_type("a time such as 2026-01-31T09:30:00Z", value))?;
            let expected = "expected an RFC 3339 time such as 2026-01-31T09:30:00Z";
            instant(text).ok_or_else(|| Violation::at_root("invalid_format", expected))
        }
        _ => match (value, text) {
            (Input::Number(_), _) => ordered(Kind::Number, value),
            (_, Some(text)) => date(text).or_else(|| instant(text)).ok_or_else(|| {
                Violation::at_root("invalid_format", "expected a number, a date such as 2026-01-31 or an RFC 3339 time")
            }),
            _ => Err(wrong_type("a number, a date or a time", value)),
        },
    }
}

/// The range on one side of a value.
pub(super) fn half(operator: Operator, end: Operand) -> Test {
    let included = matches!(operator, Operator::Gte | Operator::Lte);
    let end = Some((end, included));
    Test::Within(match operator {
        Operator::Gt | Operator::Gte | Operator::After => Range { from: end, to: None },
        _ => Range { from: None, to: end },
    })
}

pub(super) fn duration(value: Input<'_>) -> Result<Test, Violation> {
    let text = value.as_str().ok_or_else(|| wrong_type("a duration such as P3D", value))?;
    let duration =
        text.parse::<IsoDuration>().map_err(|error| Violation::at_root("invalid_format", error.to_string()))?;
    Ok(Test::WithinLast(duration.get()))
}
