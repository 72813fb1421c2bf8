//! `set_bot_field`: sets a bot field of the workspace.

use serde_json::Value;

use super::kind::{Kind, NodeField};
use super::parts::{Source, WriteRejection, fitting};
use crate::fields::Rules;
use crate::flows::Effect;
use crate::flows::definition::{Fields, FlowFields, Mentioned};
use crate::flows::interpret::{Interpreter, NodeOutcome};

/// Sets a bot field of the workspace.
#[derive(Debug, Clone, PartialEq)]
pub struct SetBotField {
    /// The field's key.
    pub field: String,
    /// The value.
    pub value: Source,
}

impl Kind for SetBotField {
    const WORD: &'static str = "set_bot_field";
    const ABOUT: &'static str = "Sets a bot field of the workspace.";
    const FIELDS: &'static [NodeField] =
        &[NodeField::must("field", "The key of the bot field."), Source::FIELD, NodeField::NEXT];

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let key = fields.text("field").map(|text| text.strip_prefix("bot_fields.").unwrap_or(text).to_owned());
        if let Some(key) = &key {
            fields.mention(Mentioned::BotField, "field", key);
        }
        let value = Source::read(fields, "value");
        Some(Self { field: key?, value: value? })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
        self.value.write(interpreter, at, |interpreter, value| set(interpreter, &self.field, value))
    }
}

fn set(interpreter: &mut Interpreter<'_>, key: &str, value: Option<Value>) -> Result<&'static str, WriteRejection> {
    let now = interpreter.environment.now;
    let field = interpreter.bot_fields.iter_mut().find(|field| field.key == key);
    let field = field.ok_or_else(|| WriteRejection::MissingField(format!("bot_fields.{key}")))?;
    let value = value.map(|value| fitting(field.kind, &[], &Rules::default(), value)).transpose()?;
    let value = value.map(|value| value.json);
    if field.value == value {
        return Ok("unchanged");
    }
    field.value = value;
    field.version += 1;
    field.updated_at = now.max(field.updated_at);
    let field = field.clone();
    interpreter.effect(Effect::SetBotField(field));
    Ok("set")
}
