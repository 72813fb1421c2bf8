//! Reactions, edits, deletions and advertisements, in the form of
//! <https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/reaction>.

use serde_json::{Value, json};
use tidings_domain::conversations::{InboundEvent, Referral, Revision, RevisionKind};
use tidings_domain::time::Timestamp;

use super::events;

const NUMBER: &str = "106540352242922";
const ORIGINAL: &str = "wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQUFERjg0NDEzNDdFODU3MUMxMAA=";

/// Returns the events of a webhook with a message with these members.
fn parsed(members: &Value) -> Vec<InboundEvent> {
    let mut message = json!({"from": "16505551234", "id": "wamid.NEW", "timestamp": "1767225660"});
    let Value::Object(members) = members.clone() else { panic!("an object") };
    message.as_object_mut().unwrap().extend(members);
    let value = json!({
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": "15550783881", "phone_number_id": NUMBER},
        "contacts": [{"profile": {"name": "Ada"}, "wa_id": "16505551234"}],
        "messages": [message],
    });
    let change = json!({"field": "messages", "value": value});
    let body = json!({"object": "whatsapp_business_account", "entry": [{"id": "102290", "changes": [change]}]});
    events(body.to_string().as_bytes(), NUMBER).unwrap()
}

fn revision(members: &Value) -> Revision {
    let [InboundEvent::Revision(revision)] = &parsed(members)[..] else { panic!("{members}") };
    Revision::clone(revision)
}

#[test]
fn a_reaction_without_an_emoji_is_removed() {
    for (reaction, expected) in [
        (json!({"message_id": ORIGINAL, "emoji": "\u{1f44d}"}), vec!["\u{1f44d}".to_owned()]),
        (json!({"message_id": ORIGINAL, "emoji": ""}), vec![]),
        (json!({"message_id": ORIGINAL}), vec![]),
    ] {
        let expected = Revision {
            id: "wamid.NEW".to_owned(),
            address: "16505551234".to_owned(),
            received: Some(ORIGINAL.to_owned()),
            sent: Some(ORIGINAL.to_owned()),
            at: Some(Timestamp::from_millis(1_767_225_660_000)),
            change: RevisionKind::React(expected),
        };
        assert_eq!(revision(&json!({"type": "reaction", "reaction": reaction})), expected);
    }
}

#[test]
fn an_edit_has_the_new_text_or_caption() {
    let edit = |message: Value| json!({"type": "edit", "edit": {"original_message_id": ORIGINAL, "message": message}});
    let context = json!({"id": "M0"});
    for (message, expected) in [
        (json!({"context": context, "type": "text", "text": {"body": "Hello, all"}}), Some("Hello, all")),
        (json!({"type": "image", "image": {"id": "1", "mime_type": "image/png", "caption": "My cat"}}), Some("My cat")),
        (json!({"type": "image", "image": {"id": "1", "mime_type": "image/png"}}), None),
    ] {
        let revision = revision(&edit(message.clone()));
        assert_eq!(revision.change, RevisionKind::Edit(expected.map(str::to_owned)), "{message}");
        assert_eq!((revision.received.as_deref(), revision.sent), (Some(ORIGINAL), None));
    }
    for other in [json!({"type": "location", "location": {}}), json!({"type": "text"}), json!({}), json!("x")] {
        assert_eq!(parsed(&edit(other.clone())), [], "{other}");
    }
}

#[test]
fn a_revoked_message_is_deleted() {
    let revision = revision(&json!({"type": "revoke", "revoke": {"original_message_id": ORIGINAL}}));
    assert_eq!((revision.change, revision.received.as_deref()), (RevisionKind::Delete, Some(ORIGINAL)));
    for members in [
        json!({"type": "revoke"}),
        json!({"type": "revoke", "revoke": {"original_message_id": ""}}),
        json!({"type": "revoke", "revoke": {"original_message_id": ORIGINAL}, "group_id": "g"}),
        json!({"type": "reaction", "reaction": {"emoji": "\u{1f44d}"}}),
    ] {
        assert_eq!(parsed(&members), [], "{members}");
    }
}

#[test]
fn a_new_number_replaces_the_earlier_one() {
    let system = json!({
        "body": "User Ada changed from 16505551234 to 12195555358", "wa_id": "12195555358", "user_id": "US.2",
        "previous_user_id": "US.1", "type": "user_changed_number",
    });
    let change = |from: Value, system: &Value| {
        let events = parsed(&json!({"from": from, "from_user_id": "US.2", "type": "system", "system": system}));
        let [InboundEvent::AddressChange(change)] = &events[..] else { return None };
        Some((change.earlier.clone(), change.current.clone(), change.at))
    };
    let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let at = Some(Timestamp::from_millis(1_767_225_660_000));
    let expected = (texts(&["16505551234", "US.1"]), texts(&["12195555358", "US.2"]), at);
    assert_eq!(change(json!("16505551234"), &system), Some(expected));
    let hidden = json!({"user_id": "US.2", "previous_user_id": "US.1", "type": "user_changed_user_id"});
    assert_eq!(change(Value::Null, &hidden), Some((texts(&["US.1"]), texts(&["US.2"]), at)));
    for other in [
        json!({"wa_id": "12195555358", "type": "customer_identity_changed"}),
        json!({"wa_id": "+1 219", "type": "user_changed_number"}),
        json!({"wa_id": "12195555358"}),
        Value::Null,
    ] {
        assert_eq!(change(json!("16505551234"), &other), None, "{other}");
    }
}

#[test]
fn an_advertisement_is_a_referral() {
    let referral = json!({
        "source_url": "https://fb.me/3cr4Wqqkv", "source_id": "120226305854810726", "source_type": "ad",
        "body": "Summer succulents are here!", "headline": "Chat with us", "media_type": "image",
        "image_url": "https://scontent.xx.fbcdn.net/v/t45.1", "ctwa_clid": "Aff-n8ZTODiE79d22KtAwQKj9e",
    });
    let of = |referral: &Value| {
        let members = json!({"type": "text", "text": {"body": "Hello"}, "referral": referral});
        let [InboundEvent::Message(message)] = &parsed(&members)[..] else { panic!("{members}") };
        message.referral.clone()
    };
    let expected = Referral {
        source: "ad".to_owned(),
        reference: Some("120226305854810726".to_owned()),
        url: Some("https://fb.me/3cr4Wqqkv".to_owned()),
        ad_id: Some("120226305854810726".to_owned()),
        headline: Some("Chat with us".to_owned()),
    };
    assert_eq!(of(&referral), Some(expected));
    let post = of(&json!({"source_type": "post", "source_id": "7"}));
    assert_eq!(post, Some(Referral::of("post", "7")), "a post has no advertisement");
    assert_eq!(of(&Value::Null), None);
}
