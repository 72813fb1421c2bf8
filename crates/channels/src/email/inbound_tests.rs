use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::*;
use crate::email::test_settings::settings;

fn parsed(raw: &str) -> Vec<InboundEvent> {
    events(raw.as_bytes(), &settings("basic")).unwrap()
}

fn message(raw: &str) -> InboundMessage {
    let events = parsed(raw);
    let [InboundEvent::Message(message)] = &events[..] else { panic!("{events:?}") };
    InboundMessage::clone(message)
}

const HELLO: &str = "From: =?utf-8?q?Ada_K=C3=B6nig?= <Ada@Example.COM>\r\nTo: hello@shop.example\r\n\
    Reply-To: other@example.com\r\nMessage-ID: <m1@example.com>\r\nSubject: =?utf-8?b?VGVlIPCfjbU=?=\r\n\r\nHello\r\n";

#[test]
fn reads_the_mail_of_a_contact() {
    let hello = message(HELLO);
    assert_eq!((hello.address.as_str(), hello.name.as_deref()), ("ada@example.com", Some("Ada König")));
    assert_eq!(hello.id, "<m1@example.com> ada@example.com");
    assert_eq!((hello.content.subject.as_deref(), hello.content.text.as_deref()), (Some("Tee 🍵"), Some("Hello")));
}

#[test]
fn a_mail_without_a_text_says_its_subject() {
    let stop = message("From: ada@example.com\r\nSubject: STOP\r\n\r\n\r\n");
    assert_eq!(stop.content.text.as_deref(), Some("STOP"));
    let nothing = message("From: ada@example.com\r\n\r\n");
    assert_eq!((nothing.content.text.as_deref(), nothing.content.subject), (Some(EMPTY), None));
    assert!(nothing.id.starts_with("sha256:"));
}

#[test]
fn the_mails_of_programs_are_automatic() {
    let away = HELLO.replacen("To:", "Auto-Submitted: auto-replied\r\nTo:", 1);
    let events = parsed(&away);
    let [InboundEvent::Automatic(message)] = &events[..] else { panic!("{events:?}") };
    assert_eq!(message.address, "ada@example.com");
}

#[test]
fn ignores_mails_of_the_channel_itself() {
    assert_eq!(parsed("From: HELLO@shop.example\r\nSubject: Hi\r\n\r\nHi"), []);
}

#[test]
fn rejects_bodies_that_are_no_mail() {
    for raw in ["", "\r\n\r\n", "Subject: Hi\r\n\r\nHi", "From: nobody\r\n\r\nHi", "From: <a b@example.com>\r\n\r\nHi"]
    {
        let refused = events(raw.as_bytes(), &settings("basic"));
        assert!(matches!(refused, Err(Refusal::Malformed { .. })), "{raw:?}: {refused:?}");
    }
}

#[test]
fn bounds_texts_and_names() {
    let name = "n".repeat(300);
    let subject = "s".repeat(900);
    let text = "t".repeat(10_000);
    let long = message(&format!("From: {name} <ada@example.com>\r\nSubject: {subject}\r\n\r\n{text}\0"));
    assert_eq!(long.name.map(|name| name.len()), Some(LONGEST_NAME));
    assert_eq!(long.content.subject.map(|it| it.len()), Some(MAX_SUBJECT));
    assert_eq!(long.content.text.map(|it| it.len()), Some(MAX_TEXT));
    let invalid = events(b"From: ada@example.com\r\n\r\n\xff\xfe Hi \0\0", &settings("basic")).unwrap();
    assert_eq!(invalid.len(), 1, "bytes that are not UTF-8 are replaced");
}

#[test]
fn bounds_the_parts_of_a_hostile_mail() {
    let mut nested = "From: ada@example.com\r\n".to_owned();
    for number in 0..5_000 {
        nested.push_str(&format!("Content-Type: multipart/mixed; boundary=b{number}\r\n\r\n--b{number}\r\n"));
    }
    let limited = bounded(nested.as_bytes());
    let borders = limited.windows(3).filter(|window| *window == b"\n--").count();
    assert_eq!(borders, MAX_BORDERS);
    assert_eq!(parsed(&nested).len(), 1);
    let many = format!("From: ada@example.com\r\n{}\r\nHi", "x: y\r\n".repeat(400_000));
    assert_eq!(bounded(many.as_bytes()).len(), MAX_PARSED);
    assert_eq!(parsed(&many).len(), 1);
    assert_eq!(bounded(HELLO.as_bytes()), HELLO.as_bytes());
}

#[test]
fn survives_mails_inside_mails() {
    let mails = "Content-Type:message/rfc822\n\n".repeat(3_200);
    let plain = format!("From: ada@example.com\n{mails}");
    assert_eq!(parsed(&plain).len(), 1);
    let encoded = format!(
        "From: ada@example.com\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}",
        STANDARD.encode(mails)
    );
    assert_eq!(bounded(encoded.as_bytes()).len(), encoded.len(), "the mails inside are not counted");
    assert_eq!(parsed(&encoded).len(), 1);
}

#[test]
fn recognises_parts_that_contain_mails() {
    for kind in
        ["message/rfc822", "Message/RFC822", "message/ global", "message/(a)rfc822", "message/\"rfc822", "a/digest"]
    {
        assert!(may_nest(format!("Content-Type: {kind}\n").as_bytes()), "{kind}");
    }
    for other in ["rfc822", "smtp; rfc822", "our global shop", "message/partial", ""] {
        assert!(!may_nest(other.as_bytes()), "{other}");
    }
    let large = format!("From: ada@example.com\n\nmessage/rfc822 {}", "a".repeat(300_000));
    assert_eq!(bounded(large.as_bytes()).len(), MAX_NESTING);
}

#[test]
fn bounds_the_work_of_the_parser() {
    for (mark, most) in [("=?ab?q? ", MAX_WORDS), ("a*1=b;", MAX_STARS), ("message/rfc822 ", MAX_MAILS)] {
        let mail = format!("From: ada@example.com\nSubject: {}\n\nHi", mark.repeat(4_000));
        assert_eq!(String::from_utf8_lossy(bounded(mail.as_bytes())).matches(mark.trim()).count(), most, "{mark}");
    }
    let lines = format!("From: ada@example.com\n\n{}", "*****\n".repeat(MAX_STARS));
    assert_eq!(bounded(lines.as_bytes()).len(), lines.len());
}
