use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::*;
use crate::email::parse_bounds::{MAX_BORDERS, MAX_MAILS, MAX_NESTING, MAX_PARSED, MAX_STARS, MAX_WORDS};
use crate::email::test_settings::{message_id, settings};

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

/// The content of a mail without a text, on a channel that checks no senders.
fn bare_file() -> Content {
    let original = Original { is_sender_unchecked: true, ..Original::default() };
    Content { original, ..Content::of(MessageType::File) }
}

#[test]
fn reads_the_mail_of_a_contact() {
    let hello = message(HELLO);
    assert_eq!((hello.address.as_str(), hello.name.as_deref()), ("ada@example.com", Some("Ada König")));
    assert_eq!(hello.id, "<m1@example.com> ada@example.com");
    assert_eq!((hello.content.subject.as_deref(), hello.content.text.as_deref()), (Some("Tee 🍵"), Some("Hello")));
}

#[test]
fn an_answer_names_the_answered_mail() {
    let answered = |header: &str| message(&format!("From: Ada@example.com\r\n{header}\r\n\r\nYes")).reply_to;
    let mail = AnsweredMessage {
        sent: "<m1@shop.example>".to_owned(),
        received: "<m1@shop.example> ada@example.com".to_owned(),
    };
    assert_eq!(answered("In-Reply-To: <m1@shop.example>"), Some(mail));
    let long = format!("In-Reply-To: <{}@shop.example>", "x".repeat(300));
    for other in ["Subject: Hi", "In-Reply-To:", "In-Reply-To: <m 1@shop.example>", long.as_str()] {
        assert_eq!(answered(other), None, "{other}");
    }
}

#[test]
fn reads_the_reply_address_of_a_verified_mail() {
    let settings = Settings { authserv_id: Some("mx.shop.example".to_owned()), ..settings("basic") };
    let answers_to = |raw: &str| {
        let events = events(raw.as_bytes(), &settings).unwrap();
        let [InboundEvent::Message(message)] = &events[..] else { panic!("{events:?}") };
        message.content.original.answers_to.clone()
    };
    let checked = |result: &str| format!("Authentication-Results: mx.shop.example; dmarc={result}\r\n{HELLO}");
    assert_eq!(answers_to(&checked("pass")).as_deref(), Some("other@example.com"));
    for unverified in [HELLO, &checked("fail")] {
        assert_eq!(answers_to(unverified), None, "the sender may be forged");
    }
    assert_eq!(message(&checked("pass")).content.original.answers_to, None, "no server is trusted");
    for same in ["", "ADA@example.com", "hello@shop.example", "nobody"] {
        assert_eq!(answers_to(&checked("pass").replacen("other@example.com", same, 1)), None, "{same}");
    }
}

#[test]
fn reads_the_time_of_a_mail() {
    let time = |date: &str| message(&format!("From: ada@example.com\r\nDate: {date}\r\n\r\nHi")).sent_at;
    assert_eq!(time("Thu, 1 Jan 2026 01:30:00 +0130"), Some(tidings_domain::time::Timestamp::EPOCH_2026));
    for wrong in ["yesterday", "Thu, 1 Jan 9999 00:00:00 +0000", "Thu, 99 Jan 2026 99:99:99 +0000"] {
        assert_eq!(time(wrong), None, "{wrong}");
    }
    assert_eq!(message("From: ada@example.com\r\n\r\nHi").sent_at, None);
}

#[test]
fn keeps_the_whole_text_beside_a_shorter_one() {
    let plain =
        |body: &str| message(&format!("From: ada@example.com\r\nContent-Type: text/plain\r\n\r\n{body}")).content;
    let whole = |body: &str| plain(body).original.text;
    let answer = "Yes.\r\n\r\nOn 1 Dec 2026 at 10:15 Shop wrote:\r\n> Tea?\r\n\r\n-- \r\nAda\r\n";
    assert_eq!(plain(answer).text.as_deref(), Some("Yes."));
    assert_eq!(whole(answer).as_deref(), Some("Yes.\n\nOn 1 Dec 2026 at 10:15 Shop wrote:\n> Tea?\n\n-- \nAda"));
    assert_eq!((whole("Yes.\r\n"), whole("")), (None, None));
    let long = plain(&"word ".repeat(10_000));
    assert_eq!(long.text.map(|text| text.chars().count()), Some(MAX_TEXT));
    assert_eq!(long.original.text.map(|text| text.chars().count()), Some(MAX_ORIGINAL));
    assert!(long.original.is_truncated && !plain("Hello").original.is_truncated);
    let html = "From: ada@example.com\r\nContent-Type: text/html\r\n\r\n\
                <div>Yes.</div><blockquote type=\"cite\">Tea?</blockquote>";
    let html = message(html).content;
    assert_eq!((html.text.as_deref(), html.original.text.as_deref()), (Some("Yes."), Some("Yes.\nTea?")));
}

#[test]
fn keeps_cleaned_html() {
    let raw = "From: ada@example.com\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n\
               --b\r\nContent-Type: text/plain\r\n\r\nYes.\r\n--b\r\nContent-Type: text/html; charset=iso-8859-1\r\n\
               Content-Transfer-Encoding: quoted-printable\r\n\r\n<script>evil()</script><p onclick=3D\"evil()\">Gr=FC=DFe \
               <b>Ada</b><img src=3D\"https://a.example/t.gif\"></p>\r\n--b--\r\n";
    let content = message(raw).content;
    assert_eq!((content.text.as_deref(), content.original.text), (Some("Yes."), None));
    assert_eq!(content.original.html.as_deref(), Some("<p>Grüße <b>Ada</b></p>"));
    assert_eq!(message(HELLO).content.original.html, None);
    let tables =
        format!("From: ada@example.com\r\nContent-Type: text/html\r\n\r\n{}", "<table><tr><td>x".repeat(1_250_000));
    let html = message(&tables).content.original.html.unwrap();
    assert!(html.len() < 64 * 1024, "{}", html.len());
}

#[test]
fn a_mail_without_a_text_says_its_subject() {
    let stop = message("From: ada@example.com\r\nSubject: STOP\r\n\r\n\r\n");
    assert_eq!(stop.content.text.as_deref(), Some("STOP"));
    let link =
        message("From: ada@example.com\r\nSubject: Unsubscribe\r\n\r\nThis message was generated by a program.\r\n");
    assert_eq!(link.content.text.as_deref(), Some("Unsubscribe"));
    let nothing = message("From: ada@example.com\r\n\r\n");
    assert_eq!((nothing.content.text.as_deref(), nothing.content.subject), (Some(EMPTY), None));
    assert!(nothing.id.starts_with("sha256:"));
}

#[test]
fn files_are_not_part_of_the_text() {
    let with = |head: &str, text: &str, files: usize| {
        let file = "--b\r\nContent-Type: application/pdf; name=a.pdf\r\n\r\nx\r\n".repeat(files);
        let head = format!("From: ada@example.com\r\n{head}Content-Type: multipart/mixed; boundary=b");
        message(&format!("{head}\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n{text}\r\n{file}--b--\r\n"))
    };
    let stop = with("Subject: Hi\r\n", "STOP", 1);
    assert_eq!((stop.content.text.as_deref(), stop.files.len()), (Some("STOP"), 1));
    let titled = with("Subject: The bill\r\n", "", 1);
    assert_eq!(titled.content.text.as_deref(), Some("The bill"));
    let bare = with("", "", 1);
    assert_eq!((bare.content, bare.files.len()), (bare_file(), 1));
    let many = with("", "Look", 11);
    assert_eq!((many.content.text.as_deref(), many.files.len()), (Some("Look\n[file] a.pdf"), 10));
    let left = with("Subject: unsubscribe\r\n", "Sent by a program.", 11);
    assert_eq!(left.content.text.as_deref(), Some("unsubscribe"));
}

#[test]
fn files_after_the_parsed_start_are_read() {
    let file = |text: &str| format!("--b\r\nContent-Type: application/pdf\r\n\r\n{text}\r\n");
    let (large, small) = (file(&"x".repeat(MAX_PARSED)), file("y"));
    let head = "From: ada@example.com\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";
    let mail = message(&format!("{head}--b\r\nContent-Type: text/plain\r\n\r\nLook\r\n{large}{small}--b--\r\n"));
    assert_eq!(mail.content.text.as_deref(), Some("Look"));
    assert_eq!(mail.files.iter().map(|file| file.bytes.len()).collect::<Vec<_>>(), [MAX_PARSED, 1]);
    let bare = message(&format!("{head}{large}--b--\r\n"));
    assert_eq!((bare.content, bare.files.len()), (bare_file(), 1), "no bytes of a file are a text");
}

#[test]
fn the_mails_of_programs_are_automatic() {
    let returned = format!("X-Tidings-Message: <{}@shop.example>", message_id());
    for header in ["Auto-Submitted: auto-replied", returned.as_str()] {
        let events = parsed(&HELLO.replacen("To:", &format!("{header}\r\nTo:"), 1));
        let [InboundEvent::Automatic(message)] = &events[..] else { panic!("{events:?}") };
        assert_eq!(message.address, "ada@example.com");
    }
}

#[test]
fn a_mail_program_opts_the_contact_out_by_the_link() {
    let raw =
        "From: ada@example.com\r\nX-Auto-Response-Suppress: All\r\nSubject: unsubscribe\r\n\r\nSent by a program.";
    assert_eq!(message(raw).content.text.as_deref(), Some("unsubscribe"));
}

#[test]
fn only_the_named_server_verifies_senders() {
    let raw = format!("Authentication-Results: mx.shop.example; dmarc=pass\r\n{HELLO}");
    let is_verified = |server: Option<&str>| {
        let settings = Settings { authserv_id: server.map(str::to_owned), ..settings("basic") };
        let events = events(raw.as_bytes(), &settings).unwrap();
        let [InboundEvent::Message(message)] = &events[..] else { panic!("{events:?}") };
        let email = message.profile.email.as_ref().map(ToString::to_string);
        assert_eq!(email, message.is_verified.then(|| message.address.clone()));
        (message.is_verified, message.content.original.is_sender_unchecked)
    };
    let servers = [None, Some("mx.other.example"), Some("mx.shop.example")];
    assert_eq!(servers.map(is_verified), [(false, true), (false, false), (true, false)]);
}

#[test]
fn ignores_mails_of_the_channel_itself() {
    assert_eq!(parsed("From: HELLO@shop.example\r\nSubject: Hi\r\n\r\nHi"), []);
}

#[test]
fn rejects_bodies_that_are_no_mail() {
    for raw in [
        "",
        "\r\n\r\n",
        "Subject: Hi\r\n\r\nHi",
        "From: nobody\r\n\r\nHi",
        "From: <a b@example.com>\r\n\r\nHi",
        "From: <\u{212a}ate@example.com>\r\n\r\nHi",
    ] {
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
