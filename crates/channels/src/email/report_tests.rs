use mail_parser::MessageParser;

use super::*;
use crate::email::test_settings::{message_id, settings};

fn dsn(status: &str, original: &str) -> String {
    format!(
        "From: MAILER-DAEMON@mail.example\r\nReturn-Path: <>\r\nAuto-Submitted: auto-replied\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n\
         --b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mail.example\r\n\r\n{status}\r\n\
         --b\r\n{original}\r\n--b--\r\n"
    )
}

fn whole(domain: &str) -> String {
    format!(
        "Content-Type: message/rfc822\r\n\r\nFrom: hello@shop.example\r\nMessage-ID: <{}@{domain}>\r\n\r\nHi\r\n",
        message_id()
    )
}

fn headers() -> String {
    format!("Content-Type: text/rfc822-headers\r\n\r\nMessage-ID: <{}@SHOP.example>\r\nSubject: Hi\r\n", message_id())
}

fn events(raw: &str) -> Option<Vec<InboundEvent>> {
    reported(&MessageParser::default().parse(raw).unwrap(), raw.as_bytes(), &settings("basic"))
}

/// The event of a failure without a code of its own.
fn failed(reason: &str) -> Option<Vec<InboundEvent>> {
    failed_with("provider_failed", reason)
}

fn failed_with(code: &str, reason: &str) -> Option<Vec<InboundEvent>> {
    let status = reason.split(' ').next().filter(|word| word.starts_with('5')).map(str::to_owned);
    let report = Report::Failed(MessageError::new(code, reason).with_provider_code(status));
    let report = StatusReport { provider_message_id: message_id().to_string(), part: None, report };
    Some(vec![InboundEvent::Status(report)])
}

#[test]
fn a_returned_mail_fails_its_message() {
    let status = "Final-Recipient: rfc822; ada@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\n\
                  Diagnostic-Code: smtp; 550 5.1.1 no such user\r\n";
    let reason = "5.1.1 smtp; 550 5.1.1 no such user";
    assert_eq!(events(&dsn(status, &whole("shop.example"))), failed_with("unreachable", reason));
    assert_eq!(events(&dsn(status, &headers())), failed_with("unreachable", reason));
    let replaced = headers().replacen("Message-ID:", "Message-ID: <1@mail.example>\r\nX-Tidings-Message:", 1);
    assert_eq!(events(&dsn(status, &replaced)), failed_with("unreachable", reason), "a mail server replaced the ID");
    assert_eq!(events(&dsn("Status: 5.0.0", &whole("shop.example"))), failed("5.0.0"));
    assert_eq!(events(&dsn("Action: failed", &whole("shop.example"))), failed("The mail was returned."));
    for (status, code) in [
        ("5.1.10", "unreachable"),
        ("5.2.1", "unreachable"),
        ("5.2.2", "mailbox_full"),
        ("5.1.8", "provider_failed"),
        ("5.7.1", "provider_failed"),
    ] {
        assert_eq!(events(&dsn(&format!("Status: {status}"), &headers())), failed_with(code, status), "{status}");
    }
}

#[test]
fn only_a_status_of_the_standard_is_a_code_of_the_provider() {
    for (status, code) in
        [("5.1.1 (no such user)", Some("5.1.1")), ("unknown", None), ("", None), ("5.1.1.1.1.1", None)]
    {
        let read = DeliveryStatus::read(&format!("Status: {status}"));
        assert_eq!(read.provider_code().as_deref(), code, "{status}");
    }
}

#[test]
fn a_delay_and_a_success_change_nothing() {
    for status in ["Action: delayed\r\nStatus: 4.4.7\r\n", "Action: delivered\r\nStatus: 2.0.0\r\n", "Status: 4.0.0"] {
        assert_eq!(events(&dsn(status, &whole("shop.example"))), Some(Vec::new()), "{status}");
    }
}

#[test]
fn reports_about_other_mails_are_no_reports() {
    let status = "Action: failed\r\nStatus: 5.1.1\r\n";
    assert_eq!(events(&dsn(status, &whole("other.example"))), None);
    assert_eq!(events(&dsn(status, "Content-Type: text/plain\r\n\r\nnothing")), None);
    let foreign = "Content-Type: message/rfc822\r\n\r\nMessage-ID: <x@shop.example>\r\n\r\nHi\r\n";
    assert_eq!(events(&dsn(status, foreign)), None);
    assert_eq!(events("From: ada@example.com\r\n\r\nHi"), None);
}

#[test]
fn a_complaint_is_an_opt_out() {
    let raw = format!(
        "From: fbl@mail.example\r\nContent-Type: multipart/report; boundary=b; report-type=feedback-report\r\n\r\n\
         --b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\n\r\n--b\r\n{}\r\n--b--\r\n",
        whole("shop.example")
    );
    let complaint = |raw: &str| match events(raw).as_deref() {
        Some([InboundEvent::Complaint(complaint)]) => complaint.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(complaint(&raw).message, message_id().to_string());
    assert_eq!(complaint(&raw), complaint(&raw), "a repeated report is the same event");
    let next = raw.replacen("From:", "Message-ID: <2@mail.example>\r\nFrom:", 1);
    assert_ne!(complaint(&next).event, complaint(&raw).event);
    let resent = next.replacen("From:", "Received: by mx.example\r\nFrom:", 1);
    assert_eq!(complaint(&resent).event, complaint(&next).event, "other headers may change on the way");
    assert_eq!(events(&raw.replace("feedback-report", "other")), None);
}
