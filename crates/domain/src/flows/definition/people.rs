//! Nodes about the conversation and the people in it.

use super::Action;
use super::read::{Fields, Mentioned};
use crate::ids::UserId;

pub(super) fn resolve_conversation(_fields: &mut Fields<'_>) -> Option<Action> {
    Some(Action::ResolveConversation)
}

pub(super) fn assign_conversation(fields: &mut Fields<'_>) -> Option<Action> {
    if fields.get("user_id").is_none() {
        return Some(Action::AssignConversation(None));
    }
    let user = fields.text("user_id")?;
    if user.parse::<UserId>().is_err() {
        fields.wrong("user_id", "invalid_id", "expected an id such as user_01h455vb4pex5vsknk084sn02q");
        return None;
    }
    fields.mention(Mentioned::User, "user_id", user);
    Some(Action::AssignConversation(Some(user.to_owned())))
}

pub(super) fn note(fields: &mut Fields<'_>) -> Option<Action> {
    fields.template("text").map(Action::Note)
}
