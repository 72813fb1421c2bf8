//! The content of entries.

use serde_json::json;

use super::*;
use crate::access::Actor;
use crate::conversations::{Attachment, Content, Message, MessageReaction, Suppression};
use crate::custom_events::CustomEvent;
use crate::events::EventKind;
use crate::flows::TraceEntry;
use crate::ids::{FlowId, MessageId, RunId, TypedId};
use crate::time::Timestamp;

fn id<I: TypedId>(number: u128) -> I {
    I::from_uuid(uuid::Uuid::from_u128(number))
}

const NOW: Timestamp = Timestamp::EPOCH_2026;

fn a_message() -> Message {
    Message::queued(id(1), (id(3), id(4)), Content::text("ä".repeat(300)), Actor::system(), NOW)
}

#[test]
fn shows_a_suppressed_message_with_its_reason() {
    let mut message = a_message();
    let sent = TimelineEntry::Message(Box::new(message.clone()));
    let view = TimelineEntryView::from(&sent);
    assert_eq!((view.kind, view.id), (TimelineKind::Message, id::<MessageId>(1).to_string()));
    assert_eq!(view.summary["text"].as_str().map(|text| text.chars().count()), Some(200));
    assert_eq!((&view.summary["status"], &view.summary["reason"]), (&json!("queued"), &json!(null)));
    message.suppress(Suppression::Unsubscribed, NOW);
    let view = TimelineEntryView::from(&TimelineEntry::Message(Box::new(message)));
    assert_eq!(view.kind, TimelineKind::Suppression);
    assert_eq!((&view.summary["status"], &view.summary["reason"]), (&json!("suppressed"), &json!("unsubscribed")));
}

#[test]
fn names_the_files_of_a_message() {
    let mut message = a_message();
    let file = |name: Option<&str>| Attachment {
        url: "https://a.example/1".to_owned(),
        name: name.map(ToOwned::to_owned),
        mime_type: None,
    };
    message.content.attachments = vec![file(Some("cat.png")), file(None)];
    let view = TimelineEntryView::from(&TimelineEntry::Message(Box::new(message)));
    assert_eq!(view.summary["files"], json!(["cat.png"]));
}

#[test]
fn shows_the_changes_by_the_contact() {
    let mut message = a_message();
    let shown = |message: &Message| {
        let summary = TimelineEntryView::from(&TimelineEntry::Message(Box::new(message.clone()))).summary;
        ["edited_at", "deleted_by_contact_at", "reactions"].map(|name| summary[name].clone())
    };
    assert_eq!(shown(&message), [json!(null), json!(null), json!([])]);
    (message.revisions.edited_at, message.revisions.deleted_at) = (Some(NOW), Some(NOW));
    message.revisions.reactions = vec![MessageReaction { emoji: "\u{1f44d}".to_owned(), at: NOW }];
    assert_eq!(shown(&message), [json!(NOW), json!(NOW), json!(["\u{1f44d}"])]);
}

#[test]
fn shows_a_step_with_its_run_and_position() {
    let entry = TraceEntry {
        node: "ask".into(),
        kind: "ask".into(),
        at: NOW,
        outcome: "waits for a reply".into(),
        exit: None,
        resumed: false,
        message: Some(id(7)),
        run: None,
        decision: None,
    };
    let step = TimelineEntry::Step { run: id(5), flow: id(6), place: 12, entry: Box::new(entry) };
    let view = TimelineEntryView::from(&step);
    assert_eq!((view.id, view.kind, view.at), (format!("{}.12", id::<RunId>(5)), TimelineKind::RunStep, NOW));
    assert_eq!(view.summary["flow_id"], json!(id::<FlowId>(6)));
    assert_eq!(view.summary["message_id"], json!(id::<MessageId>(7)));
}

#[test]
fn shows_the_ids_of_events_and_omits_long_data() {
    let envelope =
        r#"{"type": "contact.deleted", "actor": {"type": "system"}, "data": {"id": "contact_1"}}"#.to_owned();
    let event = TimelineEvent { id: id(8), kind: EventKind::ContactDeleted, at: NOW, envelope };
    let view = TimelineEntryView::from(&TimelineEntry::Event(event));
    let expected = json!({"type": "contact.deleted", "actor": {"type": "system"}, "data": {"id": "contact_1"}});
    assert_eq!(serde_json::Value::Object(view.summary), expected);
    let told = |data: serde_json::Value| {
        let data = data.as_object().cloned().expect("the data is an object");
        let event = CustomEvent {
            id: id(9),
            contact: id(3),
            name: "order.paid".parse().expect("the name is valid"),
            data,
            at: NOW,
        };
        TimelineEntryView::from(&TimelineEntry::CustomEvent(event)).summary
    };
    assert_eq!(told(json!({"total": 7}))["data"], json!({"total": 7}));
    assert_eq!(told(json!({"text": "x".repeat(2_000)}))["data"], json!(null));
}

#[test]
fn shows_the_changed_values_of_an_event_with_the_ids() {
    let envelope = json!({
        "type": "contact.field_changed", "actor": {"type": "system"},
        "data": {"object": {"id": "contact_1", "email": "ada@example.com"}, "field": {"id": "field_1", "key": "plan"},
            "value": "gold", "previous": "silver"},
    });
    let event =
        TimelineEvent { id: id(8), kind: EventKind::ContactFieldChanged, at: NOW, envelope: envelope.to_string() };
    let view = TimelineEntryView::from(&TimelineEntry::Event(event));
    let expected = json!({
        "type": "contact.field_changed", "actor": {"type": "system"},
        "data": {"object": {"id": "contact_1"}, "field": {"id": "field_1"}},
        "changes": [{"field": "custom_fields.plan", "previous": "silver", "value": "gold"}],
    });
    assert_eq!(serde_json::Value::Object(view.summary), expected);
}

#[test]
fn reads_back_every_kind() {
    for kind in TimelineKind::ALL {
        assert_eq!(TimelineKind::parse(kind.as_str()), Some(kind));
        assert_eq!(json!(kind), json!(kind.as_str()));
    }
    assert_eq!(TimelineKind::parse("events"), None);
    assert!(Source::ALL.is_sorted());
}
