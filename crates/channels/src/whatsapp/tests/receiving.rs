//! Requests of Meta: their signature, messages and reports.

use tidings_domain::conversations::{AnsweredMessage, PressedButton};

use super::*;

fn a_request(secret: &str, body: &str) -> InboundRequest {
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret.as_bytes());
    let tag = ring::hmac::sign(&key, body.as_bytes());
    let digits: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let headers = vec![(SIGNATURE.to_owned(), format!("sha256={digits}"))];
    InboundRequest { headers, body: body.as_bytes().to_vec(), ..InboundRequest::default() }
}

#[test]
fn a_request_is_verified_by_the_app_secret() {
    let (connector, channel) = (connector(), a_channel("https://graph.facebook.com"));
    assert!(!connector.is_signed(&InboundRequest::default()));
    assert!(connector.is_signed(&a_request("app-s3cret", "{}")));
    assert_eq!(connector.verify(&channel, &a_request("app-s3cret", "{}")), Ok(()));
    for wrong in ["", TOKEN, "t0ken", "app-s3crets"] {
        assert_eq!(connector.verify(&channel, &a_request(wrong, "{}")), Err(Unverified::Signature), "{wrong}");
    }
    let without = a_channel_with("https://graph.facebook.com", &json!({"access_token": TOKEN}));
    assert_eq!(connector.verify(&without, &a_request("", "{}")), Err(Unverified::Secret));
}

#[test]
fn the_check_of_the_address_needs_the_token_of_the_channel() {
    let (connector, channel) = (connector(), a_channel("https://graph.facebook.com"));
    let asked = |token: &str| {
        let query = format!("hub.mode=subscribe&hub.challenge=1158&hub.verify_token={token}");
        connector.handshake(&channel, &InboundRequest { query, ..InboundRequest::default() })
    };
    assert_eq!(asked("t0ken"), Some(Handshake::Accepted("1158".to_owned())));
    assert_eq!(asked("app-s3cret"), Some(Handshake::Refused));
}

fn parsed(body: &Value) -> Vec<InboundEvent> {
    let channel = a_channel("https://graph.facebook.com");
    let request = InboundRequest { body: body.to_string().into_bytes(), ..InboundRequest::default() };
    connector().parse(&channel, &request).unwrap()
}

/// Returns the value of a change about the channel's number.
fn a_value(members: Value) -> Value {
    let mut value = json!({
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": "49171", "phone_number_id": "106540"},
        "contacts": [{"profile": {"name": "Ada"}, "wa_id": "491711234567", "user_id": "DE.1349"}],
    });
    let Value::Object(members) = members else { panic!("an object") };
    value.as_object_mut().unwrap().extend(members);
    value
}

fn a_body(values: &[Value]) -> Value {
    let changes: Vec<Value> = values.iter().map(|value| json!({"field": "messages", "value": value})).collect();
    json!({"object": "whatsapp_business_account", "entry": [{"id": "102290", "changes": changes}]})
}

/// Returns a message of the contact with these members.
fn a_written(members: Value) -> Value {
    let mut message =
        json!({"from": "491711234567", "from_user_id": "DE.1349", "id": "wamid.1", "timestamp": "1767225600"});
    let Value::Object(members) = members else { panic!("an object") };
    message.as_object_mut().unwrap().extend(members);
    message
}

fn message(members: Value) -> InboundMessage {
    let body = a_body(&[a_value(json!({"messages": [a_written(members)]}))]);
    let [InboundEvent::Message(message)] = &parsed(&body)[..] else { panic!("{body}") };
    InboundMessage::clone(message)
}

#[test]
fn reads_a_text_and_its_sender() {
    let message = message(json!({"type": "text", "text": {"body": "Hello"}}));
    assert_eq!((message.id.as_str(), message.address.as_str()), ("wamid.1", "491711234567"));
    assert_eq!(message.content, Content::text("Hello"));
    assert_eq!(message.sent_at, Some(tidings_domain::time::Timestamp::EPOCH_2026));
    assert_eq!(message.profile.first_name.as_deref(), Some("Ada"));
    assert_eq!(message.profile.phone.map(|phone| phone.to_string()).as_deref(), Some("+491711234567"));
    assert_eq!(message.profile.aliases, ["DE.1349"]);
}

#[test]
fn an_answer_names_the_answered_message() {
    let answered =
        |context: Value| message(json!({"type": "text", "text": {"body": "Yes"}, "context": context})).reply_to;
    let context = json!({"from": "15550783881", "id": "wamid.9"});
    assert_eq!(answered(context), Some(AnsweredMessage::named("wamid.9")));
    for other in [json!({"forwarded": true}), json!({"id": ""}), json!({"id": "wamid\u{0}"}), Value::Null] {
        assert_eq!(answered(other.clone()), None, "{other}");
    }
}

#[test]
fn a_sender_may_hide_the_number() {
    let says = json!({"type": "text", "text": {"body": "Hello"}});
    for from in [json!("DE.1349"), Value::Null] {
        let mut written = a_written(says.clone());
        written["from"] = from;
        let contacts = json!([{"profile": {"username": "ada"}, "user_id": "DE.1349"}]);
        let body = a_body(&[a_value(json!({"messages": [written], "contacts": contacts}))]);
        let [InboundEvent::Message(message)] = &parsed(&body)[..] else { panic!("{body}") };
        assert_eq!((message.address.as_str(), &message.profile.phone), ("DE.1349", &None));
        assert_eq!((message.profile.first_name.as_deref(), message.profile.aliases.len()), (Some("ada"), 0));
    }
    let mut nobody = a_written(says);
    (nobody["from"], nobody["from_user_id"]) = (json!("a b"), Value::Null);
    assert_eq!(parsed(&a_body(&[a_value(json!({"messages": [nobody]}))])), []);
}

#[test]
fn a_message_has_the_first_contact_with_its_number_or_user() {
    let named = |name: &str, ids: Value| {
        let mut contact = json!({"profile": {"name": name}});
        let Value::Object(ids) = ids else { panic!("an object") };
        contact.as_object_mut().unwrap().extend(ids);
        contact
    };
    let (number, user) = (json!({"wa_id": "491711234567"}), json!({"user_id": "DE.1349"}));
    let other = json!({"wa_id": "4930", "user_id": "DE.7"});
    for (contacts, expected) in [
        (vec![named("Bo", other.clone()), named("Ada", number.clone()), named("Eve", number.clone())], Some("Ada")),
        (vec![named("Bo", user.clone()), named("Ada", number)], Some("Ada")),
        (vec![named("Ada", user.clone()), named("Eve", user)], Some("Ada")),
        (vec![named("Bo", other), json!({}), Value::Null], None),
    ] {
        let written = a_written(json!({"type": "text", "text": {"body": "Hello"}}));
        let body = a_body(&[a_value(json!({"messages": [written], "contacts": contacts}))]);
        let [InboundEvent::Message(message)] = &parsed(&body)[..] else { panic!("{body}") };
        assert_eq!(message.profile.first_name.as_deref(), expected, "{body}");
        assert_eq!(message.address, "491711234567");
    }
}

#[test]
fn answers_have_the_title_of_their_choice() {
    let reply = |kind: &str, reply: Value| json!({"type": "interactive", "interactive": {"type": kind, kind: reply}});
    for (members, expected) in [
        (json!({"type": "button", "button": {"text": "Yes", "payload": "y"}}), "Yes"),
        (reply("button_reply", json!({"id": "1", "title": "Yes"})), "Yes"),
        (
            reply("list_reply", json!({"id": "c:msg_1:3:A long: title", "title": "A long", "description": "x"})),
            "A long: title",
        ),
        (reply("list_reply", json!({"id": "c:msg_1:3:", "title": "A"})), "A"),
        (reply("nfm_reply", json!({"body": "Sent", "response_json": "{}"})), "Sent"),
        (json!({"type": "interactive"}), "[unsupported message]"),
    ] {
        assert_eq!(message(members.clone()).content, Content::text(expected), "{members}");
    }
}

#[test]
fn a_button_names_its_message() {
    let press = |members: Value| {
        let body = a_body(&[a_value(json!({"messages": [a_written(members)]}))]);
        match parsed(&body).remove(0) {
            InboundEvent::Press(message, button) => (message.content, button),
            other => panic!("{other:?}"),
        }
    };
    let ours = MessageId::from_uuid(Uuid::from_u128(2));
    for kind in ["button_reply", "list_reply"] {
        let reply = json!({"id": format!("c:{ours}:3:A long: title"), "title": "A long"});
        let pressed = press(json!({"type": "interactive", "interactive": {"type": kind, kind: reply}}));
        let button = PressedButton::QuickReply { message: ours, index: 3 };
        assert_eq!(pressed, (Content::text("A long: title"), button));
    }
    let context = json!({"from": "49171", "id": "wamid.7"});
    let template = |payload: Option<&str>| PressedButton::Template {
        provider_message_id: "wamid.7".to_owned(),
        title: "Yes".to_owned(),
        payload: payload.map(str::to_owned),
    };
    for (payload, expected) in
        [(json!("y"), Some("y")), (json!(""), None), (json!("a\u{0}"), None), (Value::Null, None)]
    {
        let button = json!({"text": "Yes", "payload": payload});
        let pressed = press(json!({"type": "button", "button": button, "context": context}));
        assert_eq!(pressed, (Content::text("Yes"), template(expected)));
    }
}

#[test]
fn reads_a_file_with_its_caption() {
    use MessageType::{Audio, File, Image, Video};
    for (members, kind, text, name, mime_type) in [
        (
            json!({"type": "image", "image": {"id": "77", "mime_type": "image/jpeg", "caption": "My cat"}}),
            Image,
            Some("My cat"),
            None,
            Some("image/jpeg"),
        ),
        (json!({"type": "video", "video": {"id": "77"}}), Video, None, None, None),
        (
            json!({"type": "audio", "audio": {"id": "77", "mime_type": "audio/ogg; codecs=opus", "voice": true}}),
            Audio,
            None,
            None,
            Some("audio/ogg"),
        ),
        (json!({"type": "voice", "voice": {"id": "77"}}), Audio, None, None, None),
        (
            json!({"type": "document", "document": {"id": "77", "filename": "a/bill.pdf"}}),
            File,
            None,
            Some("bill.pdf"),
            None,
        ),
        (
            json!({"type": "sticker", "sticker": {"id": "77", "mime_type": "image/webp", "animated": true}}),
            Image,
            None,
            None,
            Some("image/webp"),
        ),
    ] {
        let expected = with(kind, text, &[attachment("provider:77", name, mime_type)]);
        assert_eq!(message(members.clone()).content, expected, "{members}");
    }
}

#[test]
fn shows_what_has_no_file_as_a_text() {
    for (members, expected) in [
        (json!({"type": "video", "video": {"id": "../me"}}), "[video]"),
        (json!({"type": "image", "image": {"caption": "My cat"}}), "[image] My cat"),
        (json!({"type": "document", "document": {"filename": "bill.pdf"}}), "[file] bill.pdf"),
        (json!({"type": "audio", "audio": {"voice": true}}), "[voice message]"),
        (json!({"type": "sticker"}), "[sticker]"),
        (
            json!({"type": "contacts", "contacts": [{"name": {"formatted_name": "Bo"}, "phones": [{"phone": "+4930"}]}]}),
            "[contact] Bo +4930",
        ),
        (json!({"type": "order", "order": {"text": "Soon"}}), "[order] Soon"),
        (json!({"type": "contacts", "contacts": []}), "[contact]"),
        (json!({"type": "hologram"}), "[unsupported message]"),
        (json!({"type": "unsupported", "errors": [{"code": 131_051}]}), "[unsupported message]"),
        (json!({"type": "location", "location": {"latitude": 500}}), "[unsupported message]"),
        (json!({"type": "text", "text": {"body": "a\u{0}b"}}), "ab"),
    ] {
        let mut content = message(members.clone()).content;
        let data = content.original.data.take();
        assert_eq!(content, Content::text(expected), "{members}");
        let cards = members.get("contacts").filter(|it| it[0].is_object()).map(|it| json!({"contacts": it}));
        assert_eq!(data, cards.or_else(|| members.get("order").map(|it| json!({"order": it}))), "{members}");
    }
    let form = json!({"body": "Sent", "response_json": r#"{"day": "Monday"}"#});
    let form = json!({"type": "interactive", "interactive": {"type": "nfm_reply", "nfm_reply": form}});
    assert_eq!(message(form).content.original.data, Some(json!({"form": {"day": "Monday"}})));
    let place = json!({"latitude": 52.5163, "longitude": 13.3777, "name": "Gate"});
    let content = message(json!({"type": "location", "location": place})).content;
    assert_eq!((content.kind, content.attachments[0].url.as_str()), (MessageType::Location, "geo:52.5163,13.3777"));
    assert_eq!(content.attachments[0].name.as_deref(), Some("Gate"));
}

#[test]
fn reads_batches_and_ignores_other_numbers() {
    let says = |id: &str| a_written(json!({"id": id, "type": "text", "text": {"body": id}}));
    let value = |ids: &[&str]| a_value(json!({"messages": ids.iter().map(|id| says(id)).collect::<Vec<_>>()}));
    let mut other = value(&["x1"]);
    other["metadata"]["phone_number_id"] = json!("999");
    let mut body = a_body(&[value(&["a1", "a2"]), other, value(&["a3"])]);
    let echo = json!({"field": "smb_message_echoes", "value": value(&["x2"])});
    let second = json!({"id": "102290", "changes": [echo, {"field": "messages", "value": value(&["a4"])}]});
    body["entry"].as_array_mut().unwrap().push(second);
    let ids: Vec<String> = parsed(&body)
        .into_iter()
        .map(|event| match event {
            InboundEvent::Message(message) => message.id,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(ids, ["a1", "a2", "a3", "a4"]);
}

#[test]
fn ignores_groups_and_system_messages() {
    for members in [
        json!({"group_id": "g", "type": "text", "text": {"body": "Hi"}}),
        json!({"type": "system", "system": {"type": "user_changed_number"}}),
        json!({"id": "x".repeat(256), "type": "text", "text": {"body": "Hi"}}),
        json!({"id": "a\u{0}", "type": "text", "text": {"body": "Hi"}}),
    ] {
        assert_eq!(parsed(&a_body(&[a_value(json!({"messages": [a_written(members.clone())]}))])), [], "{members}");
    }
}

#[test]
fn reads_the_reports_on_messages() {
    let ours = MessageId::from_uuid(Uuid::from_u128(2)).to_string();
    let report = |status: &str, callback: &str| {
        let errors = json!([{"code": 131_049, "title": "Not delivered", "error_data": {"details": "A limit."}}]);
        let mut status = json!({"id": "wamid.7", "status": status, "timestamp": "1767225600"});
        if status["status"] == "failed" {
            status["errors"] = errors;
        }
        if !callback.is_empty() {
            status["biz_opaque_callback_data"] = json!(callback);
        }
        parsed(&a_body(&[a_value(json!({"statuses": [status]}))]))
    };
    let event = |name: &str, part: Option<usize>, report: Report| {
        [InboundEvent::Status(StatusReport { provider_message_id: name.to_owned(), part, report })]
    };
    let limited = MessageError::new("provider_limit", "WhatsApp reports the error 131049: A limit.")
        .with_provider_code(Some("131049".to_owned()));
    let last = format!("{ours}:1/2");
    let sent = || Report::Sent { provider_message_id: "wamid.7".to_owned() };
    assert_eq!(report("sent", &last), event(&ours, Some(1), sent()));
    assert_eq!(report("delivered", &last), event(&ours, Some(1), Report::Delivered));
    assert_eq!(report("played", &last), event(&ours, Some(1), Report::Read));
    assert_eq!(report("failed", &last), event(&ours, Some(1), Report::Failed(limited.clone())));
    // The first part of a message is not the message.
    let first = format!("{ours}:0/2");
    assert_eq!(report("sent", &first), event(&ours, Some(0), sent()));
    assert_eq!(report("read", &first), event(&ours, Some(0), sent()));
    assert_eq!(report("failed", &first), event(&ours, Some(0), Report::Failed(limited)));
    let without_part = format!("{ours}:1");
    let without_count = format!("{ours}:{}/0", usize::MAX);
    for other in ["", "order 7", "msg_1:0/1", without_part.as_str(), without_count.as_str()] {
        assert_eq!(report("read", other), event("wamid.7", None, Report::Read), "{other}");
    }
    assert_eq!(report("deleted", ""), []);
    let unnamed = json!({"id": "wamid.7", "status": "failed"});
    let [InboundEvent::Status(failed)] = &parsed(&a_body(&[a_value(json!({"statuses": [unnamed]}))]))[..] else {
        panic!("one report")
    };
    let Report::Failed(error) = &failed.report else { panic!("{failed:?}") };
    assert_eq!((error.code.as_str(), error.provider_code.as_deref()), ("provider_failed", None));
}

#[test]
fn rejects_bodies_of_another_form() {
    let channel = a_channel("https://graph.facebook.com");
    let deep = "[".repeat(10_000);
    let status = json!({"id": "wamid.1", "status": "read"});
    let many = a_body(&[a_value(json!({"statuses": vec![status; 5_001]}))]).to_string();
    for body in ["", "{", "[]", "{}", r#"{"entry":{}}"#, deep.as_str(), many.as_str(), "\u{fffd}"] {
        let request = InboundRequest { body: body.as_bytes().to_vec(), ..InboundRequest::default() };
        let refused = connector().parse(&channel, &request);
        assert!(matches!(refused, Err(Refusal::Malformed { .. })), "{refused:?}");
    }
    assert_eq!(parsed(&json!({"entry": [1, {}, {"changes": [{}, {"value": 7}]}]})), []);
}

#[test]
fn accepts_the_largest_webhook_of_meta() {
    assert_eq!(WHATSAPP.inbound.map(|rule| rule.max_body), Some(3 * 1024 * 1024));
}
