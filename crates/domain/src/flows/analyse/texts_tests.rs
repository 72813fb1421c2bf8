//! Tests of texts that can never be sent.

use serde_json::json;

use super::KnownObjects;
use super::workspace_tests::{acme, at, flow, found, found_with, say};
use crate::channels::SANDBOX;

#[test]
fn reports_constant_texts_that_can_never_be_sent() {
    let said = |text: &str| found(flow(vec![say("a", text, "end")]));
    for right in ["Hi", "{{ 'a'|upper }}", "{{ contact.first_name }}", "{% if vars.x %}{% endif %}"] {
        assert_eq!(said(right), [], "{right}");
    }
    for wrong in ["{{ '' }}", "{# nothing #}", "{{ 1 // 0 }}"] {
        assert_eq!(said(wrong), [at("/nodes/0/message/text", "text_never_sent")], "{wrong}");
    }
    let note = flow(vec![json!({"id": "a", "type": "note", "text": "{{ '' }}", "next": "end"})]);
    assert_eq!(found(note), [at("/nodes/0/text", "text_never_sent")]);
    let title = "{{ 'aaaaaaaaaa'|replace('a', 'bbbbbbbbbbbbbbbb') }}";
    let quick = json!({"type": "text", "text": "?", "quick_replies": [{"title": title}]});
    let long = flow(vec![json!({"id": "a", "type": "send_message", "message": quick, "next": "end"})]);
    assert_eq!(found(long), [at("/nodes/0/message", "text_never_sent")]);
    let nowhere = KnownObjects { carriers: Some(Vec::new()), ..acme() };
    assert_eq!(found_with(&nowhere, &flow(vec![say("a", "Hi", "end")])), [at("/nodes/0/message", "no_channel")]);
    let somewhere = KnownObjects { carriers: Some(vec![SANDBOX.capabilities]), ..acme() };
    assert_eq!(found_with(&somewhere, &flow(vec![say("a", "Hi", "end")])), []);
}
