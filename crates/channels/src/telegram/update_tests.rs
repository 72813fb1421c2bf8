//! Start links, edits and reactions, in the form of <https://core.telegram.org/bots/api#update>.

use serde_json::{Value, json};
use tidings_domain::conversations::{AnsweredMessage, InboundEvent, MessageType, Referral, Revision, RevisionKind};
use tidings_domain::time::Timestamp;

use super::events;

fn parsed(update: &Value) -> Vec<InboundEvent> {
    events(update.to_string().as_bytes()).unwrap()
}

fn chat() -> Value {
    json!({"id": 42, "first_name": "Ada", "username": "ada", "type": "private"})
}

fn ada() -> Value {
    json!({"id": 42, "is_bot": false, "first_name": "Ada", "username": "ada", "language_code": "en"})
}

/// Returns a message with these members.
fn a_message(members: Value) -> Value {
    let mut message = json!({"message_id": 17, "from": ada(), "chat": chat(), "date": 1_767_225_600});
    let Value::Object(members) = members else { panic!("an object") };
    message.as_object_mut().unwrap().extend(members);
    message
}

fn revision(update: &Value) -> Revision {
    let [InboundEvent::Revision(revision)] = &parsed(update)[..] else { panic!("{update}") };
    Revision::clone(revision)
}

#[test]
fn a_start_link_is_a_referral() {
    let entities = json!([{"offset": 0, "length": 6, "type": "bot_command"}]);
    for (text, expected) in [
        ("/start spring-26_a", Some("spring-26_a")),
        ("/start a ", Some("a")),
        ("/start", None),
        ("/start ", None),
        ("/start two words", None),
        ("/start\u{e4}", None),
        ("/started x", None),
        ("Hi /start x", None),
    ] {
        let message = a_message(json!({"text": text, "entities": entities}));
        let [InboundEvent::Message(message)] = &parsed(&json!({"update_id": 900, "message": message}))[..] else {
            panic!("{text}")
        };
        assert_eq!(message.referral, expected.map(|it| Referral::of("start_link", it)), "{text}");
        assert_eq!(message.content.text.as_deref(), Some(text.trim_end()), "the text stays");
    }
    let long = a_message(json!({"text": format!("/start {}", "x".repeat(65))}));
    let [InboundEvent::Message(long)] = &parsed(&json!({"update_id": 900, "message": long}))[..] else { panic!() };
    assert_eq!(long.referral, None);
}

#[test]
fn only_the_own_contact_card_has_the_phone_number_of_the_sender() {
    for (card, expected) in [
        (json!({"phone_number": "491711234567", "first_name": "Ada", "user_id": 42}), Some("+491711234567")),
        (json!({"phone_number": "+491711234567", "first_name": "Ada", "user_id": 42}), Some("+491711234567")),
        (json!({"phone_number": "491711234567", "first_name": "Bo", "user_id": 43}), None),
        (json!({"phone_number": "491711234567", "first_name": "Bo"}), None),
        (json!({"phone_number": "secret", "first_name": "Ada", "user_id": 42}), None),
    ] {
        let update = json!({"update_id": 900, "message": a_message(json!({"contact": card}))});
        let [InboundEvent::Message(message)] = &parsed(&update)[..] else { panic!("{card}") };
        assert_eq!(message.profile.phone.as_ref().map(ToString::to_string).as_deref(), expected, "{card}");
        assert!(message.content.text.as_deref().is_some_and(|text| text.starts_with("[contact] ")), "{card}");
    }
    for member in ["forward_origin", "forward_date"] {
        let card = json!({"phone_number": "491711234567", "first_name": "Ada", "user_id": 42});
        let mut message = a_message(json!({"contact": card}));
        message[member] = json!(1_767_225_000);
        let [InboundEvent::Message(message)] = &parsed(&json!({"update_id": 900, "message": message}))[..] else {
            panic!("{member}")
        };
        assert_eq!(message.profile.phone, None, "{member}: a forwarded card can be old");
    }
}

#[test]
fn an_answer_names_the_message_of_its_chat() {
    let answer = |members: Value| {
        let update = json!({"update_id": 900, "message": a_message(members)});
        let [InboundEvent::Message(message)] = &parsed(&update)[..] else { panic!("{update}") };
        message.reply_to.clone()
    };
    let answered = AnsweredMessage { sent: "15".to_owned(), received: "42:15".to_owned() };
    assert_eq!(answer(json!({"text": "Yes", "reply_to_message": {"message_id": 15}})), Some(answered));
    assert_eq!(answer(json!({"text": "Yes", "reply_to_message": {"message_id": "15"}})), None);
    assert_eq!(answer(json!({"text": "Yes"})), None);
}

#[test]
fn an_edited_message_names_the_message_of_its_chat() {
    let edited = a_message(json!({"edit_date": 1_767_225_660, "text": "Hello, all"}));
    let expected = Revision {
        id: "901".to_owned(),
        address: "42".to_owned(),
        received: Some("42:17".to_owned()),
        sent: None,
        at: Some(Timestamp::from_millis(1_767_225_660_000)),
        change: RevisionKind::Edit(Some("Hello, all".to_owned())),
    };
    assert_eq!(revision(&json!({"update_id": 901, "edited_message": edited})), expected);
    let original = a_message(json!({"text": "Hello"}));
    let [InboundEvent::Message(original)] = &parsed(&json!({"update_id": 900, "message": original}))[..] else {
        panic!()
    };
    assert_eq!((original.content.kind, Some(original.id.clone())), (MessageType::Text, expected.received));
}

#[test]
fn an_edit_replaces_a_caption() {
    let photo = json!([{"file_id": "AgAC", "file_unique_id": "AQAD", "width": 90, "height": 90, "file_size": 1_024}]);
    for (members, expected) in [
        (json!({"photo": photo, "caption": "My cat"}), Some("My cat".to_owned())),
        (json!({"photo": photo}), None),
        // A moving location has no text.
        (json!({"location": {"latitude": 52.5163, "longitude": 13.3777, "live_period": 900}}), None),
    ] {
        let update = json!({"update_id": 901, "edited_message": a_message(members.clone())});
        assert_eq!(revision(&update).change, RevisionKind::Edit(expected), "{members}");
    }
}

#[test]
fn a_reaction_has_all_present_emojis() {
    let thumb = json!({"type": "emoji", "emoji": "\u{1f44d}"});
    let custom = json!({"type": "custom_emoji", "custom_emoji_id": "5368324170671202286"});
    for (present, expected) in [
        (json!([thumb]), vec!["\u{1f44d}"]),
        (json!([]), vec![]),
        (json!([thumb, custom, {"type": "paid"}]), vec!["\u{1f44d}", "[emoji]", "\u{2b50}"]),
    ] {
        let reaction = json!({"chat": chat(), "message_id": 17, "user": ada(), "date": 1_767_225_660,
            "old_reaction": [], "new_reaction": present});
        let revision = revision(&json!({"update_id": 902, "message_reaction": reaction}));
        assert_eq!((revision.id.as_str(), revision.address.as_str()), ("902", "42"));
        assert_eq!((revision.received.as_deref(), revision.sent.as_deref()), (Some("42:17"), Some("17")));
        let expected = expected.into_iter().map(str::to_owned).collect();
        assert_eq!(revision.change, RevisionKind::React(expected), "{present}");
    }
}

#[test]
fn ignores_changes_in_groups_and_by_bots() {
    let group = json!({"id": -7, "title": "Group", "type": "group"});
    let bot = json!({"id": 43, "is_bot": true, "first_name": "Bot"});
    let reaction = |chat: &Value, user: &Value| json!({"chat": chat, "message_id": 17, "user": user, "date": 0, "old_reaction": [], "new_reaction": []});
    for update in [
        json!({"update_id": 1, "edited_message": a_message(json!({"chat": group, "text": "x"}))}),
        json!({"update_id": 1, "edited_message": a_message(json!({"from": bot, "text": "x"}))}),
        json!({"update_id": 1, "edited_message": a_message(json!({"pinned_message": {}}))}),
        json!({"update_id": 1, "edited_message": "x"}),
        json!({"update_id": 1, "message_reaction": reaction(&group, &ada())}),
        json!({"update_id": 1, "message_reaction": reaction(&chat(), &bot)}),
        json!({"update_id": 1, "message_reaction": {"chat": chat(), "message_id": 17}}),
    ] {
        assert_eq!(parsed(&update), [], "{update}");
    }
}
