//! Tests of member and channel IDs.

use serde_json::{Value, json};

use super::named;
use super::workspace_tests::{at, flow, found, say};

#[test]
fn reports_unknown_members_and_channels_in_conditions() {
    let nobody = "user_00000000000000000000000009";
    let branch = |field: &str, value: Value| {
        flow(vec![
            json!({"id": "a", "type": "branch", "otherwise": "end",
                   "branches": [{"when": {"not": {"field": field, "op": "in", "value": value}}, "next": "b"}]}),
            say("b", "Hi", "end"),
        ])
    };
    let there = "user_00000000000000000000000001";
    assert_eq!(found(branch("conversation.assignee_id", json!([there]))), []);
    let wrong = at("/nodes/0/branches/0/when/not/value/1", "unknown_member");
    assert_eq!(found(branch("conversation.assignee_id", json!([there, nobody]))), [wrong]);
    let gone = "chan_00000000000000000000000009";
    let wrong = at("/nodes/0/branches/0/when/not/value/0", "unknown_channel");
    assert_eq!(found(branch("conversation.channel_id", json!([gone]))), [wrong]);
    let named = named(&branch("conversation.assignee_id", json!([there, nobody])));
    assert_eq!(named.members, [there, nobody]);
}

#[test]
fn viewers_cannot_be_assigned_but_conditions_may_name_them() {
    let viewer = "user_00000000000000000000000002";
    let assign = json!({"id": "a", "type": "assign_conversation", "user_id": viewer, "next": "end"});
    assert_eq!(found(flow(vec![assign])), [at("/nodes/0/user_id", "not_assignable")]);
    let when = json!({"field": "conversation.assignee_id", "op": "eq", "value": viewer});
    let branch = json!({"id": "a", "type": "branch", "otherwise": "end", "branches": [{"when": when, "next": "b"}]});
    assert_eq!(found(flow(vec![branch, say("b", "Hi", "end")])), []);
}
