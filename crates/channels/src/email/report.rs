//! Reports about outbound mail: delivery status notifications (RFC 3464) and complaints (RFC 5965).

use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders, PartType};
use tidings_domain::conversations::{Complaint, InboundEvent, MessageError, Report, StatusReport};
use tidings_domain::ids::MessageId;

use super::identity::{own_message, stored_id};
use super::parse_bounds::bounded;
use super::settings::Settings;
use crate::event_digest::event_digest;

/// Maximum number of parts of a report that are read.
const MAX_PARTS: usize = 20;
/// The code of a failure without its own code.
const FAILED: &str = "provider_failed";
/// Maximum length of a status, such as `5.123.123`.
const MAX_STATUS: usize = 9;
/// Maximum number of characters of a reason.
const MAX_REASON: usize = 300;

/// Returns the events of a report about one of the channel's mails: a failure, or a complaint. Reports of a delay or of
/// a success have no events. `None` if the mail, with these bytes, is not such a report.
pub(super) fn reported(mail: &Message<'_>, raw: &[u8], settings: &Settings) -> Option<Vec<InboundEvent>> {
    let content_type = mail.content_type().filter(|it| it.ctype().eq_ignore_ascii_case("multipart"))?;
    content_type.subtype().filter(|it| it.eq_ignore_ascii_case("report"))?;
    let message = mail.parts.iter().take(MAX_PARTS).find_map(|part| original(part, settings))?.to_string();
    match content_type.attribute("report-type")?.to_ascii_lowercase().as_str() {
        "delivery-status" => {
            let status = mail.parts.iter().take(MAX_PARTS).find_map(delivery_status)?;
            let error = MessageError::new(status.code().unwrap_or(FAILED), status.reason())
                .with_provider_code(status.provider_code());
            let report = StatusReport { provider_message_id: message, part: None, report: Report::Failed(error) };
            let failed = InboundEvent::Status(report);
            Some(if status.is_failure() { vec![failed] } else { Vec::new() })
        }
        "feedback-report" => {
            let event = event_digest(&stored_id(mail.message_id(), &message, raw));
            Some(vec![InboundEvent::Complaint(Complaint { event, message })])
        }
        _ => None,
    }
}

/// Returns the message of the mail that a part of a report contains, if the channel sent it.
fn original(part: &MessagePart<'_>, settings: &Settings) -> Option<MessageId> {
    let (kind, subtype) = media_type(part)?;
    match (&part.body, kind.as_str(), subtype.as_str()) {
        (PartType::Message(inner), _, _) if !inner.parts.is_empty() => own_message(inner, settings),
        (_, "text", "rfc822-headers") | (_, "message", "rfc822" | "rfc822-headers" | "global-headers") => {
            let headers = MessageParser::default().parse_headers(bounded(part.contents()))?;
            if headers.parts.is_empty() {
                return None;
            }
            own_message(&headers, settings)
        }
        _ => None,
    }
}

fn media_type(part: &MessagePart<'_>) -> Option<(String, String)> {
    let content_type = part.content_type()?;
    Some((content_type.ctype().to_ascii_lowercase(), content_type.subtype()?.to_ascii_lowercase()))
}

/// The fields of the first recipient of a delivery status notification.
#[derive(Debug, Default, PartialEq, Eq)]
struct DeliveryStatus {
    action: String,
    status: String,
    diagnostic: String,
}

impl DeliveryStatus {
    fn read(fields: &str) -> Self {
        let mut status = Self::default();
        for line in fields.lines() {
            let Some((name, value)) = line.split_once(':') else { continue };
            let field = match name.trim().to_ascii_lowercase().as_str() {
                "action" => &mut status.action,
                "status" => &mut status.status,
                "diagnostic-code" => &mut status.diagnostic,
                _ => continue,
            };
            if field.is_empty() {
                *field = value.trim().chars().filter(|c| !c.is_control()).take(MAX_REASON).collect();
            }
        }
        status
    }

    /// Whether the mail is not delivered, and the server has given up.
    fn is_failure(&self) -> bool {
        self.action.eq_ignore_ascii_case("failed") || (self.action.is_empty() && self.status.starts_with('5'))
    }

    /// Returns the status without the comment that can follow it.
    fn number(&self) -> &str {
        self.status.split_ascii_whitespace().next().unwrap_or_default()
    }

    /// Returns the status if it has the form of RFC 3463.
    fn provider_code(&self) -> Option<String> {
        let number = self.number();
        let is_code = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        (is_code && (1..=MAX_STATUS).contains(&number.len())).then(|| number.to_owned())
    }

    /// Returns the code of a message to a missing or full mailbox, as for an answer to `RCPT TO`.
    fn code(&self) -> Option<&'static str> {
        match self.number() {
            // The sender's address is wrong (RFC 3463, section 3.2).
            "5.1.7" | "5.1.8" => None,
            "5.2.1" => Some("unreachable"),
            "5.2.2" => Some("mailbox_full"),
            status => status.starts_with("5.1.").then_some("unreachable"),
        }
    }

    fn reason(&self) -> String {
        let reason = format!("{} {}", self.status, self.diagnostic);
        let reason: String = reason.trim().chars().take(MAX_REASON).collect();
        if reason.is_empty() { "The mail was returned.".to_owned() } else { reason }
    }
}

fn delivery_status(part: &MessagePart<'_>) -> Option<DeliveryStatus> {
    let (kind, subtype) = media_type(part)?;
    let is_status = kind == "message" && ["delivery-status", "global-delivery-status"].contains(&subtype.as_str());
    is_status.then(|| DeliveryStatus::read(&String::from_utf8_lossy(part.contents())))
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
