//! The one table of node types: their fields, their exits, and who reads them.

use super::read::Fields;
use super::{Action, data, messages, people, routes, waits};

/// A type of node.
pub struct NodeType {
    /// The word in `type`.
    pub word: &'static str,
    /// What it does, for people.
    pub about: &'static str,
    /// Its fields beside `id` and `type`.
    pub fields: &'static [NodeField],
    /// Whether time may pass in it.
    pub waits: bool,
    pub(super) read: fn(&mut Fields<'_>) -> Option<Action>,
}

/// A field of a node.
pub struct NodeField {
    /// Its name.
    pub name: &'static str,
    /// What it says, for people.
    pub about: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// Whether it holds the id of the node that follows.
    pub is_exit: bool,
}

const fn must(name: &'static str, about: &'static str) -> NodeField {
    NodeField { name, about, required: true, is_exit: false }
}

const fn may(name: &'static str, about: &'static str) -> NodeField {
    NodeField { name, about, required: false, is_exit: false }
}

const fn exit(name: &'static str, about: &'static str) -> NodeField {
    NodeField { name, about, required: false, is_exit: true }
}

const NEXT: NodeField = NodeField { name: "next", about: "The node that follows.", required: true, is_exit: true };

macro_rules! node_types {
    ($($word:literal, $about:literal, $waits:literal, $read:path, [$($field:expr),* $(,)?];)*) => {
        /// All types of nodes.
        pub static NODE_TYPES: &[NodeType] = &[$(NodeType {
            word: $word, about: $about, fields: &[$($field),*], waits: $waits, read: $read,
        }),*];
    };
}

node_types! {
    "send_message", "Sends a message to the contact.", false, messages::send_message, [
        must("message", "What is sent, as in `send-message`; its texts are templates."), NEXT];
    "ask", "Sends a question, waits for the reply, checks its type and saves it.", true, messages::ask, [
        must("message", "The question, as in `send-message`; its texts are templates."),
        may("expect", "The type of the answer: `text`, `number`, `boolean`, `date`, `datetime`, `email`, `phone`, `url` or `select`; `text` when absent."),
        may("options", "Of `select`: what is chosen from."),
        may("save_to", "Where the answer goes: `vars.KEY`, `contact.ATTRIBUTE` or `custom_fields.KEY`."),
        may("attempts", "How many answers are taken, 1 to 10; 3 when absent. After a wrong one the question is sent again."),
        may("invalid_message", "What is sent after a wrong answer in place of the question."),
        may("timeout", "How long a reply is awaited, an ISO 8601 duration; as long as the run lives when absent."),
        NEXT,
        exit("on_timeout", "The node that follows when no reply came in time; `next` when absent."),
        exit("on_invalid", "The node that follows after the last wrong answer; `next` when absent.")];
    "delay", "Waits: for a time, until a time, or until a window opens.", true, waits::delay, [
        may("for", "How long, an ISO 8601 duration such as `P1D`."),
        may("until", "Until when: an RFC 3339 time, a local time such as `2026-12-24T18:00`, or a template that makes one."),
        may("window", "Only within these hours: `days`, `from`, `to`, `time_zone`."),
        NEXT];
    "branch", "Goes the first way whose condition holds.", false, routes::branch, [
        must("branches", "The ways: `when`, a condition, and `next`."),
        NodeField { name: "otherwise", about: "The node that follows where no condition holds.", required: true, is_exit: true }];
    "set_field", "Writes a variable, an attribute or a custom field of the contact.", false, data::set_field, [
        must("field", "`vars.KEY`, `contact.ATTRIBUTE` or `custom_fields.KEY`."),
        must("value", "The value; a string may be a template; `null` clears."), NEXT];
    "set_bot_field", "Writes a bot field of the workspace.", false, data::set_bot_field, [
        must("field", "The bot field's key."),
        must("value", "The value; a string may be a template; `null` clears."), NEXT];
    "add_tag", "Puts a tag on the contact.", false, data::add_tag, [must("tag", "The tag's name or id."), NEXT];
    "remove_tag", "Takes a tag off the contact.", false, data::remove_tag, [must("tag", "The tag's name or id."), NEXT];
    "enroll_sequence", "Enrolls the contact in a sequence.", false, routes::enroll_sequence, [
        must("sequence", "The sequence's id."), NEXT];
    "exit_sequence", "Ends the contact's enrollment in a sequence.", false, routes::exit_sequence, [
        must("sequence", "The sequence's id."), NEXT];
    "resolve_conversation", "Resolves the conversation.", false, people::resolve_conversation, [NEXT];
    "assign_conversation", "Hands the conversation to people: bots are silent until it is resolved.", false,
        people::assign_conversation, [
        may("user_id", "To which member of the workspace; to nobody in particular when absent."), NEXT];
    "note", "Leaves a note in the conversation that the contact does not see.", false, people::note, [
        must("text", "What it says, a template."), NEXT];
    "start_flow", "Ends this run and goes over to another flow.", false, routes::start_flow, [
        must("flow_id", "The other flow's id.")];
    "end", "Completes the run.", false, routes::end, [];
}

/// The names of all fields of a type.
pub(super) fn fields_of(kind: &NodeType) -> Vec<&'static str> {
    ["id", "type"].into_iter().chain(kind.fields.iter().map(|field| field.name)).collect()
}
