//! Requests of Twilio: their signature, messages and reports.

use super::*;

/// Returns a request with this form; the query names a message and a part.
fn a_request(query: &str, form: &[(&str, &str)]) -> InboundRequest {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let headers = vec![("content-type".to_owned(), "application/x-www-form-urlencoded; charset=UTF-8".to_owned())];
    let url = Some(format!("{PUBLIC}/inbound/guess?{query}"));
    InboundRequest { headers, query: query.to_owned(), url, body: body.into_bytes() }
}

fn parsed(channel: &Channel, query: &str, form: &[(&str, &str)]) -> Vec<InboundEvent> {
    connector().parse(channel, &a_request(query, form)).unwrap()
}

fn message(form: &[(&str, &str)]) -> InboundMessage {
    let whole = [&[("MessageSid", "SM5"), ("From", ADA), ("To", NUMBER)][..], form].concat();
    let events = parsed(&a_channel(""), "", &whole);
    let [InboundEvent::Message(message)] = &events[..] else { panic!("{events:?}") };
    InboundMessage::clone(message)
}

#[test]
fn verifies_the_signature_with_the_auth_token() {
    use ring::hmac;
    let connector = connector();
    let mut request = a_request("", &[("Body", "Hi")]);
    request.url = Some(format!("{PUBLIC}/inbound/guess"));
    assert!(!connector.is_signed(&request));
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, TOKEN.as_bytes());
    let tag = hmac::sign(&key, format!("{PUBLIC}/inbound/guessBodyHi").as_bytes());
    let signature = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, tag);
    request.headers.push((SIGNATURE_HEADER.to_owned(), signature));
    assert!(connector.is_signed(&request));
    assert_eq!(connector.verify(&a_channel(""), &request), Ok(()));
    request.body = b"Body=Ho".to_vec();
    assert_eq!(connector.verify(&a_channel(""), &request), Err(Unverified::Signature));
    let without = channel_of(SMS.kind, json!({"account_sid": SID, "from": NUMBER}), &json!({}));
    assert_eq!(connector.verify(&without, &request), Err(Unverified::Secret));
    request.headers[1].1 = "x".repeat(65);
    assert!(!connector.is_signed(&request));
}

#[test]
fn reads_a_text_and_its_sender() {
    let message = message(&[("Body", "Hi, Zoë 🦀 \n"), ("NumMedia", "0"), ("NewParameter", "")]);
    assert_eq!((message.id.as_str(), message.address.as_str()), ("SM5", ADA));
    assert_eq!(message.content, Content::text("Hi, Zoë 🦀"));
    assert_eq!(message.profile.phone.map(|it| it.to_string()).as_deref(), Some(ADA));
    assert_eq!(message.name, None);
}

#[test]
fn reads_files_with_their_text() {
    let url = |file: &str| format!("https://api.twilio.com/2010-04-01/Accounts/{SID}/Messages/MM2/Media/{file}");
    let (one, two) = (url("ME3"), url("ME4"));
    let first = [("NumMedia", "1"), ("MediaContentType0", "image/jpeg"), ("MediaUrl0", one.as_str())];
    let image = attachment("provider:MM2/ME3", None, Some("image/jpeg"));
    let looks = message(&[&first[..], &[("Body", "Look \n")]].concat()).content;
    assert_eq!(looks, with(MessageType::Image, Some("Look"), std::slice::from_ref(&image)));
    assert_eq!(message(&first).content, with(MessageType::Image, None, std::slice::from_ref(&image)));
    let both = |second: &str, url: &str| {
        let second = [("MediaContentType1", second), ("MediaUrl1", url)];
        message(&[&[("NumMedia", "2")][..], &first[1..], &second[..], &[("Body", "Look")]].concat()).content
    };
    let card = attachment("provider:MM2/ME4", None, Some("text/x-vcard"));
    assert_eq!(both("text/x-vcard", &two), with(MessageType::File, Some("Look"), &[image.clone(), card]));
    let other = both("video/mp4", "https://example.com/clip.mp4");
    assert_eq!(other, with(MessageType::Image, Some("[video] Look"), &[image]));
}

#[test]
fn shows_what_has_no_file_as_a_text() {
    let picture = [("NumMedia", "2"), ("MediaContentType0", "image/jpeg"), ("MediaContentType1", "text/x-vcard")];
    assert_eq!(message(&[&picture[..], &[("Body", "Look")]].concat()).content, Content::text("[picture] [file] Look"));
    assert_eq!(message(&picture).content, Content::text("[picture] [file]"));
    for (form, expected) in [
        (&[("Body", "")][..], "[unsupported message]"),
        (&[("Body", " \n")], "[unsupported message]"),
        (&[], "[unsupported message]"),
        (&[("Body", "a\0b")], "ab"),
        (&[("NumMedia", "99999999999999999999"), ("Body", "x")], "x"),
    ] {
        assert_eq!(message(form).content, Content::text(expected), "{form:?}");
    }
    let many = message(&[("NumMedia", "4000000000")]).content.text.unwrap();
    assert_eq!(many.matches("[file]").count(), 10);
    let long = "🦀".repeat(5_000);
    let long = message(&[("Body", long.as_str())]).content.text.unwrap();
    assert_eq!(long.chars().count(), 4_096);
}

#[test]
fn ignores_messages_to_other_senders() {
    let base = [("MessageSid", "SM5"), ("Body", "Hi")];
    let with = |more: &[(&'static str, &'static str)]| [&base[..], more].concat();
    for form in [
        with(&[("From", ADA), ("To", "+15005550007")]),
        with(&[("From", ADA)]),
        with(&[("To", NUMBER)]),
        with(&[("From", "whatsapp:+491711234567"), ("To", NUMBER)]),
        with(&[("From", "+49\n171"), ("To", NUMBER)]),
    ] {
        assert_eq!(parsed(&a_channel(""), "", &form), [], "{form:?}");
    }
    let service = a_service_channel("");
    for (form, count) in [
        (with(&[("From", ADA), ("To", "+15005550007"), ("MessagingServiceSid", SERVICE)]), 1),
        (with(&[("From", ADA), ("To", "+15005550007")]), 1),
        (with(&[("From", ADA), ("MessagingServiceSid", "MGffffffffffffffffffffffffffffffff")]), 0),
    ] {
        assert_eq!(parsed(&service, "", &form).len(), count, "{form:?}");
    }
}

#[test]
fn an_opt_out_at_twilio_is_one_here() {
    let form = [("MessageSid", "SM5"), ("From", ADA), ("To", NUMBER), ("Body", "HALT"), ("OptOutType", "STOP")];
    let events = parsed(&a_channel(""), "", &form);
    assert!(matches!(&events[..], [InboundEvent::OptOut(message)] if message.address == ADA), "{events:?}");
    let help = [("MessageSid", "SM5"), ("From", ADA), ("To", NUMBER), ("Body", "HELP"), ("OptOutType", "HELP")];
    assert!(matches!(&parsed(&a_channel(""), "", &help)[..], [InboundEvent::Message(_)]));
}

#[test]
fn each_status_has_its_report() {
    let id = MessageId::from_uuid(Uuid::from_u128(2)).to_string();
    let query = format!("message={id}&part=1&parts=1");
    let reported = |status: &str| {
        let events = parsed(&a_channel(""), &query, &[("MessageSid", "SM5"), ("MessageStatus", status), ("To", ADA)]);
        events.into_iter().next().map(|event| match event {
            InboundEvent::Status(StatusReport { provider_message_id, part, report }) => {
                assert_eq!((provider_message_id.as_str(), part), (id.as_str(), Some(0)));
                report
            }
            InboundEvent::Message(_)
            | InboundEvent::Press(..)
            | InboundEvent::OptOut(_)
            | InboundEvent::Automatic(_)
            | InboundEvent::Blocked(_)
            | InboundEvent::Unblocked(_)
            | InboundEvent::Marketing(_)
            | InboundEvent::Complaint(_)
            | InboundEvent::Revision(_)
            | InboundEvent::AddressChange(_) => panic!("{event:?}"),
        })
    };
    assert_eq!(reported("delivered"), Some(Report::Delivered));
    assert_eq!(reported("read"), Some(Report::Read));
    for status in ["accepted", "scheduled", "queued", "sending", "sent", "partially_delivered"] {
        assert_eq!(reported(status), Some(Report::Sent { provider_message_id: "SM5".to_owned() }), "{status}");
    }
    for status in ["failed", "undelivered", "canceled"] {
        assert_eq!(reported(status), Some(Report::failed(format!("Twilio reported `{status}`."))));
    }
    assert_eq!(reported("evaporated"), None);
}

#[test]
fn a_report_without_our_message_names_the_one_of_twilio() {
    for query in ["", "message=nonsense", "message=", "x"] {
        let events = parsed(&a_channel(""), query, &[("MessageSid", "SM5"), ("MessageStatus", "delivered")]);
        let report = StatusReport { provider_message_id: "SM5".to_owned(), part: None, report: Report::Delivered };
        assert_eq!(events, [InboundEvent::Status(report)], "{query}");
    }
}

#[test]
fn only_the_last_part_is_delivered_and_any_part_can_fail() {
    let id = MessageId::from_uuid(Uuid::from_u128(2));
    let events = |part: usize, status: &str| {
        let form = [("MessageSid", "SM5"), ("MessageStatus", status), ("ErrorCode", "30005"), ("To", ADA)];
        parsed(&a_channel(""), &format!("message={id}&part={part}&parts=3"), &form)
    };
    let event = |part: usize, report: Report| {
        [InboundEvent::Status(StatusReport { provider_message_id: id.to_string(), part: Some(part - 1), report })]
    };
    let sent = || Report::Sent { provider_message_id: "SM5".to_owned() };
    assert_eq!(events(1, "delivered"), event(1, sent()));
    assert_eq!(events(2, "sent"), event(2, sent()));
    assert_eq!(events(3, "delivered"), event(3, Report::Delivered));
    let [InboundEvent::Status(report)] = &events(1, "undelivered")[..] else { panic!("one report") };
    let error = MessageError::new("unreachable", "Twilio reported `undelivered` (error 30005): the number is unknown.");
    assert_eq!(report.report, Report::Failed(error.with_provider_code(Some("30005".to_owned()))));
    let [InboundEvent::Status(report)] = &events(2, "undelivered")[..] else { panic!("one report") };
    assert_eq!((report.provider_message_id.as_str(), report.part), (id.to_string().as_str(), Some(1)));
}

#[test]
fn each_known_code_has_its_report() {
    for (code, class, reason) in KNOWN {
        let number = code.to_string();
        let form = [("MessageSid", "SM5"), ("MessageStatus", "failed"), ("ErrorCode", number.as_str()), ("To", ADA)];
        let events = parsed(&a_channel(""), "", &form);
        let [InboundEvent::Status(StatusReport { report, .. })] = &events[..] else { panic!("{events:?}") };
        let (Report::Failed(error) | Report::OptedOut(error)) = report else { panic!("{report:?}") };
        assert_eq!(error.code, class.word());
        assert!(error.message.contains(reason) && error.message.contains(&number), "{error:?}");
        assert_eq!(matches!(report, Report::OptedOut(_)), class == ErrorClass::OptedOut, "{code}");
    }
}

#[test]
fn reads_json_and_rejects_other_bodies() {
    let channel = a_channel("");
    let of = |media_type: &str, body: &str| {
        let headers = vec![("content-type".to_owned(), media_type.to_owned())];
        let request = InboundRequest { headers, body: body.as_bytes().to_vec(), ..InboundRequest::default() };
        connector().parse(&channel, &request)
    };
    let body = json!({"MessageSid": "SM5", "From": ADA, "To": NUMBER, "Body": "Hi", "NumMedia": 0}).to_string();
    assert_eq!(of("application/json; charset=utf-8", &body).unwrap().len(), 1);
    let deep = format!(r#"{{"MessageSid": {}"#, "[".repeat(10_000));
    for (media_type, body) in [
        ("application/json", "{"),
        ("application/json", "[]"),
        ("application/json", deep.as_str()),
        ("application/json", r#"{"MessageSid": 5}"#),
        ("application/x-www-form-urlencoded", ""),
        ("application/x-www-form-urlencoded", "MessageSid=../1"),
        ("application/x-www-form-urlencoded", "Body=Hi"),
    ] {
        let refused = of(media_type, body);
        assert!(matches!(refused, Err(Refusal::Malformed { .. })), "{body}: {refused:?}");
    }
    let many = "a=1&".repeat(1_000);
    assert!(of("application/x-www-form-urlencoded", &many).is_err());
}
