//! Parts, limits and quick replies of contents.

use super::*;
use serde_json::{Value, json};

fn wrong(value: Value) -> Vec<(String, &'static str)> {
    let violations = Content::parse(&value).err().unwrap_or_default();
    violations.into_iter().map(|it| (it.pointer, it.code)).collect()
}

fn at(pointer: &str, code: &'static str) -> Vec<(String, &'static str)> {
    vec![(pointer.to_owned(), code)]
}

#[test]
fn accepts_only_the_parts_of_each_type() {
    let picture = json!([{"url": "https://example.com/a.png", "name": "A", "mime_type": "image/png"}]);
    let place = json!([{"url": "geo:52.5163,13.3777", "name": "Brandenburg Gate"}]);
    for good in [
        json!({"type": "text", "text": "Hi", "quick_replies": [{"title": "Yes", "payload": "y"}, {"title": "No"}]}),
        json!({"type": "image", "attachments": picture}),
        json!({"type": "file", "text": "The bill", "attachments": picture}),
        json!({"type": "location", "attachments": place}),
        json!({"type": "card", "text": "Choose", "attachments": picture, "quick_replies": [{"title": "This"}]}),
        json!({"type": "template", "template": {"name": "welcome", "language": "de", "parameters": {"1": "Ada"}}}),
        json!({"type": "note", "text": "She called."}),
    ] {
        assert_eq!(wrong(good.clone()), [], "{good}");
    }
    assert_eq!(wrong(json!({"type": "text"})), at("/text", "required"));
    assert_eq!(wrong(json!({"type": "image"})), at("/attachments", "required"));
    assert_eq!(wrong(json!({"type": "image", "attachments": place})), at("/attachments/0/url", "invalid_format"));
    assert_eq!(wrong(json!({"type": "location", "attachments": picture})), at("/attachments/0/url", "invalid_format"));
    assert_eq!(wrong(json!({"type": "text", "text": "Hi", "attachments": picture})), at("/attachments", "not_allowed"));
    assert_eq!(wrong(json!({"type": "template"})), at("/template", "required"));
    let noted = json!({"type": "note", "text": "x", "subject": "x"});
    assert_eq!(wrong(noted), at("/subject", "not_allowed"));
    let noted = json!({"type": "note", "text": "x", "quick_replies": [{"title": "Yes"}]});
    assert_eq!(wrong(noted), at("/quick_replies", "not_allowed"));
}

#[test]
fn reports_each_violation_at_its_pointer() {
    assert_eq!(wrong(json!("Hi")), at("", "wrong_type"));
    assert_eq!(wrong(json!({"text": "Hi"})), at("/type", "required"));
    assert_eq!(wrong(json!({"type": "sms", "text": "Hi"})), at("/type", "invalid_value"));
    let two = wrong(json!({"type": "text", "text": 1, "attachment": []}));
    assert_eq!(two, [at("/text", "wrong_type"), at("/attachment", "unknown_field")].concat());
    assert_eq!(wrong(json!({"type": "text", "text": " "})), at("/text", "blank"));
    assert_eq!(wrong(json!({"type": "text", "text": "x".repeat(4_097)})), at("/text", "too_long"));
    let many: Vec<Value> = (0..11).map(|_| json!({"title": "x"})).collect();
    assert_eq!(wrong(json!({"type": "text", "text": "x", "quick_replies": many})), at("/quick_replies", "too_many"));
    let odd = json!({"type": "file", "attachments": [{"url": "ftp://example.com/a", "size": 1}]});
    assert_eq!(wrong(odd), at("/attachments/0/size", "unknown_field"));
}

#[test]
fn checks_built_content_by_the_limits_of_parsed_content() {
    let x = |count: usize| "x".repeat(count);
    let card = |more: usize| Content {
        text: Some(x(4_096 + more)),
        attachments: vec![Attachment {
            url: format!("https://example.com/{}", x(2_028 + more)),
            name: Some(x(200 + more)),
            mime_type: Some(x(100 + more)),
        }],
        quick_replies: vec![QuickReply { title: x(80 + more), payload: Some(x(200 + more)) }],
        subject: Some(x(200 + more)),
        ..Content::of(MessageType::Card)
    };
    let template = |more: usize| {
        let (name, language) = (x(200 + more), Some(x(35 + more)));
        let template = Some(MessageTemplate { name, language, parameters: [(x(100), x(4_096))].into() });
        Content { template, ..Content::of(MessageType::Template) }
    };
    let written = |it: &Content| {
        json!({"type": it.kind.as_str(), "subject": it.subject, "text": it.text, "attachments": it.attachments,
               "quick_replies": it.quick_replies, "template": it.template})
    };
    for right in [card(0), template(0)] {
        assert_eq!(right.check(), []);
        assert_eq!(Content::parse(&written(&right)), Ok(right));
    }
    let of_card = vec![
        "/subject",
        "/text",
        "/attachments/0/url",
        "/attachments/0/name",
        "/attachments/0/mime_type",
        "/quick_replies/0/title",
        "/quick_replies/0/payload",
    ];
    let of_template = vec!["/template/name", "/template/language"];
    for (long, places) in [(card(1), of_card), (template(1), of_template)] {
        let expected: Vec<_> = places.into_iter().map(|place| (place.to_owned(), "too_long")).collect();
        let checked: Vec<_> = long.check().into_iter().map(|it| (it.pointer, it.code)).collect();
        assert_eq!((checked, wrong(written(&long))), (expected.clone(), expected));
    }
}

#[test]
fn only_messages_of_contacts_have_files_at_the_provider() {
    let at_provider = |reference: &str| Attachment::at_provider(reference, None, Some("image/jpeg".to_owned()));
    let attachment = at_provider("AgACAgIAAxkBAAI").expect("the reference is valid");
    assert_eq!(attachment.url, "provider:AgACAgIAAxkBAAI");
    assert_eq!(attachment.provider_reference(), Some("AgACAgIAAxkBAAI"));
    let content = |kind| Content { attachments: vec![attachment.clone()], ..Content::of(kind) };
    assert_eq!(content(MessageType::Image).check_inbound(), []);
    let of_api = json!({"type": "image", "attachments": [{"url": attachment.url}]});
    assert_eq!(wrong(of_api), at("/attachments/0/url", "invalid_format"));
    assert_eq!(content(MessageType::Image).check().len(), 1);
    assert_eq!(content(MessageType::Location).check_inbound().len(), 1, "a location is no file");
    let long = "x".repeat(2_048);
    for reference in ["", "a b", "a\nb", "ä", long.as_str()] {
        assert_eq!(at_provider(reference), None, "{reference}");
    }
    for url in ["provider:", "https://a.example/provider:1", "geo:1,2"] {
        let other = Attachment { url: url.to_owned(), name: None, mime_type: None };
        assert_eq!(other.provider_reference(), None, "{url}");
    }
}

#[test]
fn offers_all_quick_replies_or_none() {
    let offered = |mut content: Content, titles: &[&str], most: usize| {
        content.offer(&titles.iter().map(ToString::to_string).collect::<Vec<_>>(), most);
        assert_eq!(content.check(), []);
        content.quick_replies.iter().map(|reply| reply.title.clone()).collect::<Vec<_>>()
    };
    let template = json!({"type": "template", "template": {"name": "welcome"}});
    let template = Content::parse(&template).expect("the content is valid");
    let long = "x".repeat(81);
    assert_eq!(offered(Content::text("Which?"), &["a", "b"], 10), ["a", "b"]);
    assert_eq!(offered(Content::text("Which?"), &["a", "b"], 2), ["a", "b"]);
    assert!(offered(Content::text("Which?"), &["a", "b", "c"], 2).is_empty(), "the channel allows two quick replies");
    assert!(offered(Content::text("Which?"), &["a"; 11], 20).is_empty(), "a message has at most ten quick replies");
    assert!(offered(Content::text("Which?"), &["a", &long], 10).is_empty(), "one title is too long");
    assert!(offered(template, &["a"], 10).is_empty(), "a template gets no quick replies");
    let mut own = Content::text("Which?");
    own.quick_replies = vec![QuickReply { title: "Mine".to_owned(), payload: None }];
    assert_eq!(offered(own, &["a"], 10), ["Mine"]);
}

#[test]
fn maps_texts_and_titles_of_quick_replies() {
    let content = json!({"type": "text", "subject": "s", "text": "a", "quick_replies": [{"title": "b"}]});
    let content = Content::parse(&content).and_then(|it| it.try_map_texts(|text| Ok(text.to_uppercase())));
    let content = content.expect("the content is valid");
    assert_eq!((content.text.as_deref(), content.quick_replies[0].title.as_str()), (Some("A"), "B"));
    assert_eq!(content.subject.as_deref(), Some("S"));
}
