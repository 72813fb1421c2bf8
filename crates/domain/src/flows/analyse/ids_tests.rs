//! Ids of members and channels.

use serde_json::{Value, json};

use super::named;
use super::workspace_tests::{at, flow, found, say};

#[test]
fn members_and_channels_are_there_wherever_they_are_named() {
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
