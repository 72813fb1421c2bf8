//! `resolve_conversation` and `assign_conversation`: resolve the conversation, or hand it over to members.

use super::kind::{Kind, NodeField};
use crate::flows::definition::{Fields, FlowFields, Mentioned};
use crate::flows::interpret::{Interpreter, NodeOutcome};
use crate::flows::{Effect, TracedEffect};
use crate::ids::UserId;

/// Resolves the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolveConversation;

/// Hands the conversation over to members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssignConversation {
    /// ID of the assigned member; no specific member if absent.
    pub user_id: Option<String>,
}

impl Kind for ResolveConversation {
    const WORD: &'static str = "resolve_conversation";
    const ABOUT: &'static str = "Resolves the conversation.";
    const FIELDS: &'static [NodeField] = &[NodeField::NEXT];

    fn read(_fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self)
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, _at: &str) -> NodeOutcome {
        interpreter.human = false;
        interpreter.effect(Effect::ResolveConversation);
        NodeOutcome::next("")
    }
}

impl Kind for AssignConversation {
    const WORD: &'static str = "assign_conversation";
    const ABOUT: &'static str = "Hands the conversation over to agents. Automations do not send until it is resolved.";
    const FIELDS: &'static [NodeField] =
        &[NodeField::may("user_id", "The ID of the member to assign; no specific member if absent."), NodeField::NEXT];

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        if fields.get("user_id").is_none() {
            return Some(Self { user_id: None });
        }
        let user = fields.id_of::<UserId>(Mentioned::User, "user_id", "user_01h455vb4pex5vsknk084sn02q")?;
        Some(Self { user_id: Some(user) })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, _at: &str) -> NodeOutcome {
        let sends = |traced: &TracedEffect| matches!(traced.effect, Effect::Send(_) | Effect::Note(_));
        interpreter.human = interpreter.environment.conversation.is_some() || interpreter.effects.iter().any(sends);
        interpreter.effect(Effect::AssignConversation(self.user_id.clone()));
        NodeOutcome::next("")
    }
}
