//! Tests of each operator on each type, and of the pointer of each error.

mod grammar;
mod meaning;
mod never;
mod robust;
mod zones;

use chrono_tz::Tz;
use serde_json::{Map, Value, json};

use super::{Condition, Facts, Vocabulary};
use crate::contacts::{AppliedTag, Contact};
use crate::conversations::Conversation;
use crate::fields::{BotField, CustomField, FieldKind};
use crate::ids::{BotFieldId, ChannelId, ContactId, ConversationId, FieldId, TagId, TypedId};
use crate::tags::Tag;
use crate::time::Timestamp;
use uuid::Uuid;

fn now() -> Timestamp {
    Timestamp::EPOCH_2026
}

fn id<I: TypedId>(number: u128) -> I {
    I::from_uuid(Uuid::from_u128(number))
}

fn a_field(number: u128, key: &str, kind: FieldKind) -> CustomField {
    let options = if kind.has_options() { vec!["Red".to_owned(), "Green".to_owned()] } else { Vec::new() };
    CustomField { options, ..CustomField::new(id::<FieldId>(number), key, kind, now()) }
}

/// One custom field of each type, a bot field and two tags, in the context of a flow.
fn vocabulary() -> Vocabulary {
    let kinds = FieldKind::WORDS.iter().enumerate();
    let fields = kinds
        .map(|(place, word)| a_field(place as u128, word, FieldKind::parse(word).expect("the field type is known")));
    let bot = BotField {
        name: "Open".to_owned(),
        value: Some(json!(true)),
        ..BotField::new(id::<BotFieldId>(1), "open", FieldKind::Boolean, now())
    };
    let tags = [Tag::new(id(1), "VIP", now()), Tag::new(id(2), "Late", now())];
    Vocabulary::new(fields, [bot], tags).with_vars().with_event()
}

/// A contact with all values.
fn ada() -> Contact {
    let mut ada = Contact::new(id::<ContactId>(7), now().minus(std::time::Duration::from_secs(86_400)));
    ada.first_name = Some("Ada".to_owned());
    ada.last_name = Some("Lovelace".to_owned());
    ada.email = "ada@example.com".parse().ok();
    ada.phone = "+49301234567".parse().ok();
    ada.locale = "pt-BR".parse().ok();
    ada.last_message_at = Some(now().minus(std::time::Duration::from_secs(3_600)));
    ada.tags = vec![AppliedTag { id: id::<TagId>(1), name: "VIP".to_owned(), applied_at: now() }];
    ada.custom_fields = [
        ("text", json!("Straße  10")),
        ("number", json!(18)),
        ("boolean", json!(true)),
        ("date", json!("2025-12-30")),
        ("datetime", json!("2025-12-31T23:00:00.000Z")),
        ("email", json!("a@b.io")),
        ("phone", json!("+14155550100")),
        ("url", json!("https://a.io/")),
        ("select", json!("Red")),
        ("multi_select", json!(["Red"])),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    ada
}

/// A contact without values.
fn nobody() -> Contact {
    Contact::new(id::<ContactId>(8), now())
}

fn a_conversation(number: u128, last_message_at: Option<Timestamp>) -> Conversation {
    let conversation = Conversation::new(id::<ConversationId>(number), id(7), id::<ChannelId>(number), now());
    Conversation { last_message_at, unread_count: 3, ..conversation }
}

fn parse(written: &Value) -> Condition {
    Condition::parse(written, &vocabulary()).unwrap_or_else(|wrong| panic!("{written}: {wrong:?}"))
}

fn holds(written: &Value, contact: &Contact) -> bool {
    let (bot_fields, vars, zone) = (vocabulary().bot_values(), Map::new(), Tz::UTC);
    let facts = Facts {
        contact,
        conversations: &[],
        bot_fields: &bot_fields,
        vars: Some(&vars),
        event: None,
        now: now(),
        zone,
    };
    let condition = parse(written);
    let held = condition.holds(&facts);
    let keys = |field: FieldId| vocabulary().custom_fields.values().find(|it| it.id == field).map(|it| it.key.clone());
    let chosen = condition.selection(&bot_fields, now(), zone).chooses(contact, &[], &keys);
    assert_eq!(held, chosen, "{written}: a selection matches like the condition");
    held
}

fn leaf(field: &str, op: &str, value: Value) -> Value {
    json!({ "field": field, "op": op, "value": value })
}
