use mail_parser::{MessageParser, MimeHeaders};
use tidings_domain::channels::SendContext;
use tidings_domain::conversations::{Attachment, MessageTemplate, MessageType, QuickReply};

use super::*;
use crate::email::test_settings::{NOW, channel, config, message_id, secrets, settings};

fn outbound(content: Content, context: SendContext) -> Outbound {
    Outbound {
        channel: channel(config("basic"), &secrets()),
        message: message_id(),
        address: "ada@example.com".to_owned(),
        external_id: None,
        content,
        created_at: NOW,
        attempts: 0,
        context,
    }
}

fn written(message: &Outbound, settings: &Settings) -> String {
    String::from_utf8(composed(message, settings).unwrap().bytes).unwrap()
}

/// A mail without files.
fn composed(message: &Outbound, settings: &Settings) -> Result<Mail, Unsendable> {
    compose(message, settings, Vec::new())
}

fn earlier(is_inbound: bool, id: &str, subject: Option<&str>) -> EarlierMessage {
    let (provider_message_id, subject) = (id.to_owned(), subject.map(str::to_owned));
    EarlierMessage { is_inbound, provider_message_id, subject, answers_to: None }
}

fn header<'m>(mail: &'m str, name: &str) -> Option<&'m str> {
    let head = mail.split("\r\n\r\n").next()?;
    let start = head.find(&format!("{name}: ")).filter(|start| *start == 0 || head[..*start].ends_with("\r\n"))?;
    head[start + name.len() + 2..].split("\r\n").next()
}

#[test]
fn writes_headers_and_text() {
    let mail =
        composed(&outbound(Content::text("Zoë 🦀\n.hidden"), SendContext::default()), &settings("basic")).unwrap();
    assert_eq!((mail.from.as_str(), mail.to.as_str()), ("Hello@shop.example", "ada@example.com"));
    let text = String::from_utf8(mail.bytes.clone()).unwrap();
    assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 100), "{text}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    assert_eq!(header(&text, "From"), Some("\"The Shop\" <Hello@shop.example>"));
    assert_eq!(header(&text, "To"), Some("ada@example.com"));
    assert_eq!(header(&text, "Message-ID"), Some(format!("<{}@shop.example>", message_id()).as_str()));
    assert_eq!(header(&text, "X-Tidings-Message"), header(&text, "Message-ID"));
    assert_eq!(header(&text, "Subject"), Some("Message from The Shop"));
    assert_eq!(header(&text, "Auto-Submitted"), Some("auto-generated"));
    assert_eq!(header(&text, "MIME-Version"), Some("1.0"));
    assert!(header(&text, "Date").is_some_and(|date| date.contains("01 Jan 2026")), "{text}");
    for absent in ["In-Reply-To", "References", "List-Unsubscribe", "Bcc"] {
        assert_eq!(header(&text, absent), None);
    }
    let parsed = MessageParser::default().parse(&mail.bytes).unwrap();
    assert_eq!(parsed.body_text(0).as_deref().map(str::trim_end), Some("Zoë 🦀\r\n.hidden"));
    assert!(parsed.is_content_type("multipart", "alternative"));
    let html = parsed.body_html(0).unwrap();
    assert!(html.contains("<div dir=\"auto\">Zoë 🦀<br>\r\n.hidden</div>"), "{html}");
    assert_eq!((parsed.text_body_count(), parsed.html_body_count(), parsed.attachment_count()), (1, 1, 0));
}

#[test]
fn sends_a_literal_encoded_word_as_it_is() {
    for subject in ["=?utf-8?q?a?=", "Offer =?utf-8?b?Yg==?= 🦀"] {
        let content = Content { subject: Some(subject.to_owned()), ..Content::text("Hi") };
        let mail = written(&outbound(content, SendContext::default()), &settings("basic"));
        assert!(mail.is_ascii(), "{mail}");
        assert_eq!(MessageParser::default().parse(&mail).unwrap().subject(), Some(subject));
    }
}

#[test]
fn a_person_is_no_program_and_bulk_can_be_stopped() {
    let by_person = SendContext { by_person: true, ..SendContext::default() };
    let text = written(&outbound(Content::text("Hi"), by_person), &settings("basic"));
    assert_eq!(header(&text, "Auto-Submitted"), None);
    let in_bulk = SendContext { is_bulk: true, ..SendContext::default() };
    let text = written(&outbound(Content::text("Hi"), in_bulk), &settings("basic"));
    let expected = "<mailto:Hello@shop.example?subject=unsubscribe>";
    assert_eq!(header(&text, "List-Unsubscribe"), Some(expected));
    assert_eq!(header(&text, "Auto-Submitted"), Some("auto-generated"));
    assert_eq!(header(&text, "List-Unsubscribe-Post"), None);
}

#[test]
fn bulk_can_be_stopped_with_one_click() {
    let url = format!("https://tidings.example/u/{}", "x".repeat(160));
    let in_bulk = SendContext { is_bulk: true, unsubscribe_url: Some(url.clone()), ..SendContext::default() };
    let text = written(&outbound(Content::text("Hi"), in_bulk), &settings("basic")).replace("\r\n ", " ");
    let links = header(&text, "List-Unsubscribe").unwrap().trim();
    assert_eq!(links, format!("<{url}>, <mailto:Hello@shop.example?subject=unsubscribe>"));
    assert_eq!(header(&text, "List-Unsubscribe-Post"), Some("List-Unsubscribe=One-Click"));
    let by_person = SendContext { by_person: true, ..SendContext::default() };
    let text = written(&outbound(Content::text("Hi"), by_person), &settings("basic"));
    assert_eq!(header(&text, "List-Unsubscribe-Post"), None);
}

#[test]
fn answers_a_mail_and_refers_to_those_before_it() {
    let context = SendContext {
        earlier: vec![
            earlier(true, "<1@example.com> ada@example.com", Some("Question")),
            earlier(false, "<msg_1@shop.example>", None),
            earlier(false, "sha256:00", None),
        ],
        reply_to: Some(earlier(true, "<2@example.com> ada@example.com", Some("Order 7"))),
        ..SendContext::default()
    };
    let text = written(&outbound(Content::text("Hi"), context.clone()), &settings("basic"));
    assert_eq!(header(&text, "In-Reply-To"), Some("<2@example.com>"));
    assert_eq!(header(&text, "Subject"), Some("Re: Order 7"));
    let parsed = MessageParser::default().parse(text.as_bytes()).unwrap();
    let references = parsed.references().as_text_list().unwrap().join(" ");
    assert_eq!(references, "1@example.com msg_1@shop.example 2@example.com");

    let own = Content { subject: Some("News".to_owned()), ..Content::text("Hi") };
    let text = written(&outbound(own.clone(), SendContext::default()), &settings("basic"));
    assert_eq!((header(&text, "Subject"), header(&text, "In-Reply-To")), (Some("News"), None));
    let text = written(&outbound(own, context), &settings("basic"));
    assert_eq!((header(&text, "Subject"), header(&text, "In-Reply-To")), (Some("News"), Some("<2@example.com>")));
}

#[test]
fn only_a_person_answers_to_another_address() {
    let recipient = |by_person: bool, answers_to: &str| {
        let answers_to = Some(answers_to.to_owned());
        let reply_to = EarlierMessage { answers_to, ..earlier(true, "<1@example.com> ada@example.com", None) };
        let context = SendContext { by_person, reply_to: Some(reply_to), ..SendContext::default() };
        let mail = composed(&outbound(Content::text("Hi"), context), &settings("basic")).unwrap();
        let text = String::from_utf8(mail.bytes).unwrap();
        assert_eq!(header(&text, "To"), Some(mail.to.as_str()));
        mail.to
    };
    assert_eq!(recipient(true, "other@example.com"), "other@example.com");
    assert_eq!(recipient(false, "other@example.com"), "ada@example.com");
    assert_eq!(recipient(true, "x@example.com\r\nRCPT TO:<eve@example.com>"), "ada@example.com");
}

#[test]
fn keeps_the_mark_of_a_reply_and_bounds_references() {
    for (subject, expected) in [("Re: Order", "Re: Order"), ("AW: Order", "AW: Order"), ("Re", "Re: Re")] {
        let reply_to = Some(earlier(true, "<1@example.com> ada@example.com", Some(subject)));
        let context = SendContext { reply_to, ..SendContext::default() };
        let text = written(&outbound(Content::text("Hi"), context), &settings("basic"));
        assert_eq!(header(&text, "Subject"), Some(expected));
    }
    let many: Vec<_> = (0..30).map(|number| earlier(false, &format!("<{number}@shop.example>"), None)).collect();
    let listed = references(&many, "<a@b.example>");
    assert_eq!(listed.split(' ').count(), MOST_REFERENCES);
    assert!(listed.starts_with("<21@") && listed.ends_with("<29@shop.example> <a@b.example>"), "{listed}");
}

#[test]
fn nothing_in_a_message_starts_another_header() {
    let subject = "Hi\r\nBcc: eve@example.com\r\n\r\nBody";
    let context = SendContext {
        reply_to: Some(earlier(true, "<1@example.com>\r\nBcc: eve@example.com> x", Some(subject))),
        ..SendContext::default()
    };
    let text = written(&outbound(Content::text("Hi"), context), &settings("basic"));
    assert_eq!(header(&text, "Bcc"), None);
    assert_eq!(header(&text, "In-Reply-To"), None, "an ID with control characters is not used");
    let own = Content { subject: Some(subject.to_owned()), ..Content::text("Hi") };
    let text = written(&outbound(own, SendContext::default()), &settings("basic"));
    assert_eq!((header(&text, "Bcc"), header(&text, "Subject")), (None, Some("Hi  Bcc: eve@example.com    Body")));
}

#[test]
fn lists_quick_replies_links_and_the_signature() {
    let replies = ["Yes", "No"].map(|title| QuickReply { title: title.to_owned(), payload: None });
    let attachment = Attachment { url: "https://a.io/1".to_owned(), name: Some("Bill".to_owned()), mime_type: None };
    let content = Content {
        text: Some("Look".to_owned()),
        attachments: vec![attachment],
        quick_replies: replies.to_vec(),
        ..Content::of(MessageType::File)
    };
    let signed = Settings { signature: Some("The Shop".to_owned()), ..settings("basic") };
    let mail = composed(&outbound(content, SendContext::default()), &signed).unwrap();
    let parsed = MessageParser::default().parse(&mail.bytes).unwrap();
    let expected = "Look\r\nBill: https://a.io/1\r\n\r\n1. Yes\r\n2. No\r\n\r\n-- \r\nThe Shop";
    assert_eq!(parsed.body_text(0).as_deref().map(str::trim_end), Some(expected));
    assert!(parsed.body_html(0).unwrap().contains("Bill: <a href=\"https://a.io/1\">https://a.io/1</a><br>"));
}

#[test]
fn a_plan_has_the_lines_of_the_text() {
    let file = |url: &str| Attachment { url: url.to_owned(), name: None, mime_type: None };
    let content = Content {
        attachments: vec![file("https://a.io/1"), file("https://a.io/2")],
        quick_replies: vec![QuickReply { title: "Yes".to_owned(), payload: None }],
        ..Content { kind: MessageType::File, ..Content::text("Look") }
    };
    let shown = planned(&content, |index| index == 1);
    let text = "Look\nhttps://a.io/1\n\n1. Yes";
    let expected = Content {
        attachments: vec![file("https://a.io/2")],
        ..Content { kind: MessageType::File, ..Content::text(text) }
    };
    assert_eq!(shown, expected);
    let template = Content::of(MessageType::Template);
    assert_eq!(planned(&template, |_| true), template);
    let picture = Content { attachments: vec![file("https://a.io/1")], ..Content::of(MessageType::Image) };
    assert_eq!(planned(&picture, |_| true), picture);
}

#[test]
fn contains_files_and_links_to_the_others() {
    let attachment = |url: &str, name: Option<&str>, mime_type: Option<&str>| {
        let (name, mime_type) = (name.map(str::to_owned), mime_type.map(str::to_owned));
        Attachment { url: url.to_owned(), name, mime_type }
    };
    let attachments = vec![
        attachment("https://a.io/1", Some("Zoë \"\r\nBcc: eve@example.com\r\n.pdf"), Some("application/pdf")),
        attachment("https://a.io/2", Some("Large"), None),
        attachment("https://a.io/3", None, Some("multipart/mixed; boundary=x")),
    ];
    let content = Content { text: Some("Look".to_owned()), attachments, ..Content::of(MessageType::File) };
    let bytes: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    let files = || {
        vec![
            ContainedFile { attachment: 0, bytes: bytes.clone() },
            ContainedFile { attachment: 2, bytes: b".\r\n".to_vec() },
        ]
    };
    let message = outbound(content, SendContext::default());
    let mail = compose(&message, &settings("basic"), files()).unwrap();
    let text = String::from_utf8(mail.bytes.clone()).unwrap();
    assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 120), "{text}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    assert_eq!((header(&text, "MIME-Version"), header(&text, "Bcc")), (Some("1.0"), None));

    let parsed = MessageParser::default().parse(&mail.bytes).unwrap();
    assert_eq!(parsed.body_text(0).as_deref().map(str::trim_end), Some("Look\r\nLarge: https://a.io/2"));
    let read: Vec<_> = parsed.attachments().map(|part| (part.attachment_name(), part.contents().to_vec())).collect();
    assert_eq!(read, [(Some("Zoë \"Bcc: eve@example.com.pdf"), bytes.clone()), (Some("file"), b".\r\n".to_vec())]);
    let types: Vec<_> = parsed.attachments().map(|part| part.content_type().unwrap().subtype()).collect();
    assert_eq!(types, [Some("pdf"), Some("octet-stream")]);

    let only = Content { attachments: message.content.attachments[..1].to_vec(), ..Content::of(MessageType::File) };
    let message = outbound(only, SendContext::default());
    let mail = compose(&message, &settings("basic"), vec![ContainedFile { attachment: 0, bytes }]).unwrap();
    let parsed = MessageParser::default().parse(&mail.bytes).unwrap();
    assert_eq!(parsed.body_text(0).as_deref().map(str::trim_end), Some(""), "no link");
    assert_eq!(parsed.attachment_count(), 1);
}

#[test]
fn rejects_templates_and_wrong_addresses() {
    let template = MessageTemplate { name: "hi".to_owned(), language: None, parameters: Default::default() };
    let template = Content { template: Some(template), ..Content::of(MessageType::Template) };
    let refused = composed(&outbound(template, SendContext::default()), &settings("basic")).unwrap_err();
    assert_eq!(refused.0, "unsupported_type");
    for address in
        ["+4930", "ada", "ada@example.com\r\nRCPT TO:<eve@example.com>", "ädä@example.com", "\"a b\"@example.com"]
    {
        let mut message = outbound(Content::text("Hi"), SendContext::default());
        message.address = address.to_owned();
        assert_eq!(composed(&message, &settings("basic")).unwrap_err().0, "unreachable", "{address}");
    }
}
