//! `set_bot_field`: writes a bot field of the workspace.

use super::kind::{Kind, NodeField};
use super::parts::{GONE, Source, fitting};
use crate::fields::Rules;
use crate::flows::Effect;
use crate::flows::definition::{Fields, Mentioned};
use crate::flows::interpret::{Interpreter, Turn};

/// Writes a bot field of the workspace.
#[derive(Debug, Clone, PartialEq)]
pub struct SetBotField {
    /// The field's key.
    pub field: String,
    /// Where the value comes from.
    pub value: Source,
}

impl Kind for SetBotField {
    const WORD: &'static str = "set_bot_field";
    const ABOUT: &'static str = "Writes a bot field of the workspace.";
    const FIELDS: &'static [NodeField] = &[
        NodeField::must("field", "The bot field's key."),
        NodeField::must("value", "The value; a string may be a template; `null` clears."),
        NodeField::NEXT,
    ];

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let key = fields.text("field").map(|text| text.strip_prefix("bot_fields.").unwrap_or(text).to_owned());
        if let Some(key) = &key {
            fields.mention(Mentioned::BotField, "field", key);
        }
        let value = Source::read(fields, "value");
        Some(Self { field: key?, value: value? })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> Turn {
        if let Some(error) = self.value.refused() {
            return Turn::failed("template_error", error.to_string(), at);
        }
        let value = match self.value.value(interpreter) {
            Ok(value) => value,
            Err(why) => return Turn::next(format!("not set: {why}")),
        };
        let (now, key) = (interpreter.environment.now, &self.field);
        let Some(field) = interpreter.bot_fields.iter_mut().find(|field| field.key == *key) else {
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
        interpreter.effect(Effect::SetBotField(field));
        Turn::next("set")
    }
}
