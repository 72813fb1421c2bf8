//! Updates of Telegram: their signature, messages and events.

use tidings_domain::conversations::PressedButton;
use tidings_domain::ids::MessageId;
use uuid::Uuid;

use super::*;

fn a_request(secret: Option<&str>, body: &Value) -> InboundRequest {
    let headers = secret.map(|secret| (SECRET_HEADER.to_owned(), secret.to_owned())).into_iter().collect();
    InboundRequest { headers, body: body.to_string().into_bytes(), ..InboundRequest::default() }
}

#[test]
fn a_request_is_verified_by_the_secret_of_its_channel() {
    let (connector, channel) = (connector(), a_channel("https://api.telegram.org"));
    assert!(!connector.is_signed(&a_request(None, &json!({}))));
    assert!(connector.is_signed(&a_request(Some("s3cret"), &json!({}))));
    let verify = |secret: &str| connector.verify(&channel, &a_request(Some(secret), &json!({})));
    assert_eq!(verify("s3cret"), Ok(()));
    for wrong in ["", "s3cre", "s3cret!", "S3cret"] {
        assert_eq!(verify(wrong), Err(Unverified::Signature), "{wrong}");
    }
}

fn parsed(update: &Value) -> Vec<InboundEvent> {
    let channel = a_channel("https://api.telegram.org");
    connector().parse(&channel, &a_request(None, update)).unwrap()
}

/// Returns the update of a private message with these members.
fn a_private(members: Value) -> Value {
    let mut message = json!({
        "message_id": 5,
        "date": 1_767_225_600,
        "chat": {"id": 42, "type": "private"},
        "from": {"id": 42, "is_bot": false, "first_name": "Ada", "last_name": "King", "language_code": "pt-br"},
    });
    let Value::Object(members) = members else { panic!("an object") };
    message.as_object_mut().unwrap().extend(members);
    json!({"update_id": 900, "message": message})
}

fn message(update: &Value) -> InboundMessage {
    let [InboundEvent::Message(message)] = &parsed(update)[..] else { panic!("{update}") };
    InboundMessage::clone(message)
}

#[test]
fn reads_a_text_and_its_sender() {
    let message = message(&a_private(json!({"text": "/start spring"})));
    assert_eq!((message.id.as_str(), message.address.as_str()), ("42:5", "42"));
    assert_eq!(message.content, Content::text("/start spring"));
    assert_eq!(message.sent_at, Some(tidings_domain::time::Timestamp::EPOCH_2026));
    let profile = message.profile;
    assert_eq!((profile.first_name.as_deref(), profile.last_name.as_deref()), (Some("Ada"), Some("King")));
    assert_eq!(profile.locale.map(|it| it.to_string()).as_deref(), Some("pt-br"));
}

#[test]
fn reads_a_file_with_its_caption() {
    use MessageType::{Audio, File, Image, Video};
    let file = |members: Value| {
        let mut file = json!({"file_id": "AgAC_x-1"});
        let Value::Object(members) = members else { panic!("an object") };
        file.as_object_mut().unwrap().extend(members);
        file
    };
    let size = |id: &str, width: u64| json!({"file_id": id, "width": width, "height": width});
    for (members, kind, text, expected) in [
        (
            json!({"photo": [size("small", 90), size("large", 1_280), size("middle", 320)], "caption": "My cat"}),
            Image,
            Some("My cat"),
            attachment("provider:large", None, Some("image/jpeg")),
        ),
        (
            json!({"document": file(json!({"file_name": "../bill.pdf", "mime_type": "application/pdf"}))}),
            File,
            None,
            attachment("provider:AgAC_x-1", Some("bill.pdf"), Some("application/pdf")),
        ),
        (
            json!({"animation": file(json!({})), "document": {"file_id": "x", "file_name": "a.gif"}, "caption": " "}),
            Video,
            None,
            attachment("provider:AgAC_x-1", None, Some("video/mp4")),
        ),
        (json!({"video_note": file(json!({}))}), Video, None, attachment("provider:AgAC_x-1", None, Some("video/mp4"))),
        (
            json!({"voice": file(json!({"mime_type": "audio/ogg; codecs=opus"}))}),
            Audio,
            None,
            attachment("provider:AgAC_x-1", None, Some("audio/ogg")),
        ),
        (
            json!({"audio": file(json!({"title": "Song"}))}),
            Audio,
            None,
            attachment("provider:AgAC_x-1", Some("Song"), Some("audio/mpeg")),
        ),
        (
            json!({"sticker": file(json!({"emoji": "😀"}))}),
            Image,
            Some("😀"),
            attachment("provider:AgAC_x-1", None, Some("image/webp")),
        ),
        (
            json!({"sticker": file(json!({"is_video": true, "thumbnail": {"file_id": "still"}}))}),
            Image,
            None,
            attachment("provider:still", None, None),
        ),
    ] {
        let content = message(&a_private(members.clone())).content;
        assert_eq!(content, with(kind, text, &[expected]), "{members}");
    }
}

#[test]
fn shows_what_has_no_file_as_a_text() {
    for (members, expected) in [
        (json!({"photo": [{"width": 1}], "caption": "My cat"}), "[photo] My cat"),
        (json!({"video": {"file_id": "a b"}}), "[video]"),
        (json!({"sticker": {"file_id": "x", "is_animated": true, "emoji": "😀"}}), "[sticker] 😀"),
        (json!({"dice": {"emoji": "🎲", "value": 3}}), "[dice]"),
        (json!({"document": {"file_name": "bill.pdf"}}), "[file] bill.pdf"),
        (json!({"animation": {}, "document": {"file_name": "a.gif"}}), "[animation] a.gif"),
        (json!({"sticker": {"emoji": "😀"}}), "[sticker] 😀"),
        (json!({"voice": {}}), "[voice message]"),
        (json!({"contact": {"first_name": "Bo", "phone_number": "+4930"}}), "[contact] Bo +4930"),
        (json!({"poll": {"question": "Tea?"}}), "[poll] Tea?"),
        (json!({"hologram": {}}), "[unsupported message]"),
        (json!({"text": " \n"}), "[unsupported message]"),
        (json!({"text": "a\u{0}b"}), "ab"),
    ] {
        let mut content = message(&a_private(members.clone())).content;
        let data = content.original.data.take();
        assert_eq!(content, Content::text(expected), "{members}");
        let (contact, poll) = (members.get("contact"), members.get("poll"));
        let expected =
            contact.map(|card| json!({"contacts": [card]})).or_else(|| poll.map(|poll| json!({"poll": poll})));
        assert_eq!(data, expected, "{members}");
    }
    let place = json!({"latitude": 52.5163, "longitude": 13.3777});
    let content = message(&a_private(json!({"location": place, "venue": {"title": "Gate"}}))).content;
    assert_eq!((content.kind, content.attachments[0].url.as_str()), (MessageType::Location, "geo:52.5163,13.3777"));
    assert_eq!(content.attachments[0].name.as_deref(), Some("Gate"));
}

#[test]
fn a_pressed_button_says_its_title() {
    let keyboard = json!({"inline_keyboard": [[{"text": "Yes", "callback_data": "c:m:0"}], [{"text": "No", "callback_data": "c:m:1"}]]});
    let from = json!({"id": 42, "first_name": "Ada"});
    let of = |message: Value| json!({"update_id": 901, "callback_query": {"id": "77", "from": from, "data": "c:m:1", "message": message}});
    let chat = json!({"id": 42, "type": "private"});
    let update = of(json!({"message_id": 6, "chat": chat, "reply_markup": keyboard}));
    let pressed = message(&update);
    assert_eq!((pressed.id.as_str(), pressed.content), ("901", Content::text("No")));
    let request = a_request(None, &update);
    assert!(connector().acknowledges(&request));
    assert_eq!(update::query(&request.body), Some(("77".to_owned(), Some((42, 6)))));
    // Telegram leaves out the content of old messages.
    assert_eq!(message(&of(json!({"message_id": 6, "chat": chat, "date": 0}))).content, Content::text("[button]"));
    assert!(!connector().acknowledges(&a_request(None, &a_private(json!({"text": "\"callback_query\""})))));
}

#[test]
fn a_pressed_button_names_its_message() {
    let ours = MessageId::from_uuid(Uuid::from_u128(2));
    let old = json!({"message_id": 6, "chat": {"id": 42, "type": "private"}, "date": 0});
    let query = json!({"id": "77", "from": {"id": 42}, "data": format!("c:{ours}:1"), "message": old});
    let events = parsed(&json!({"update_id": 901, "callback_query": query}));
    let [InboundEvent::Press(message, button)] = &events[..] else { panic!("{events:?}") };
    assert_eq!((message.id.as_str(), &message.content), ("901", &Content::text("[button]")));
    assert_eq!(*button, PressedButton::QuickReply { message: ours, index: 1 });
}

#[tokio::test]
async fn acknowledges_a_pressed_button() {
    let api = TestApi::start(|_| ok(json!(true))).await;
    let update = json!({"callback_query": {"id": "77", "message": {"message_id": 6, "chat": {"id": 42}}}});
    connector().acknowledge(&a_channel(&api.url), &a_request(None, &update)).await;
    let expected = [json!({"callback_query_id": "77"}), json!({"chat_id": 42, "message_id": 6})];
    assert_eq!(api.names(), ["POST answerCallbackQuery", "POST editMessageReplyMarkup"]);
    assert_eq!(api.calls().into_iter().map(|call| call.body).collect::<Vec<_>>(), expected);
}

#[test]
fn a_contact_can_block_and_unblock_the_bot() {
    let update = |id: i64, status: &str| json!({"update_id": id, "my_chat_member": {"chat": {"id": 42, "type": "private"}, "new_chat_member": {"status": status}}});
    let block = |id: i64| {
        let events = parsed(&update(id, "kicked"));
        let [InboundEvent::Blocked(block)] = &events[..] else { panic!("{events:?}") };
        block.clone()
    };
    assert_eq!(block(1).address, "42");
    assert_eq!(block(1), block(1), "a repeated update is the same event");
    assert_ne!(block(1).event, block(2).event);
    let unblocked = parsed(&update(3, "member"));
    let [InboundEvent::Unblocked(unblock)] = &unblocked[..] else { panic!("{unblocked:?}") };
    assert_eq!(unblock.address, "42");
    assert_eq!(parsed(&update(1, "administrator")), []);
}

#[test]
fn ignores_groups_bots_and_service_messages() {
    let group = json!({"chat": {"id": -7, "type": "group"}, "text": "Hi"});
    let bot = json!({"from": {"id": 43, "is_bot": true}, "text": "Hi"});
    for members in [group, bot, json!({"pinned_message": {}})] {
        assert_eq!(parsed(&a_private(members.clone())), [], "{members}");
    }
    let update = a_private(json!({"text": "Hi"}));
    let message = &update["message"];
    for kind in ["channel_post", "edited_channel_post", "business_message"] {
        assert_eq!(parsed(&json!({"update_id": 1, kind: message})), [], "{kind}");
    }
    assert_eq!(parsed(&json!({"update_id": 1, "message": "Hi"})), []);
}

#[test]
fn rejects_bodies_that_are_no_updates() {
    let channel = a_channel("https://api.telegram.org");
    let deep = "[".repeat(10_000);
    for body in ["", "{", "[]", "{}", r#"{"update_id":"1"}"#, deep.as_str()] {
        let request = InboundRequest { body: body.as_bytes().to_vec(), ..InboundRequest::default() };
        let refused = connector().parse(&channel, &request);
        assert!(matches!(refused, Err(Refusal::Malformed { .. })), "{refused:?}");
    }
}
