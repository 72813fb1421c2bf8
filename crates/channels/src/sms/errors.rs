//! Error codes of Twilio, <https://www.twilio.com/docs/api/errors>: in responses, and in reports on messages.

/// The meaning of an error code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorClass {
    /// Twilio did not take the message now.
    Busy,
    /// The number cannot receive messages.
    Unreachable,
    /// This message does not reach this recipient.
    Recipient,
    /// The content is not accepted.
    Message,
    /// The account or the sender cannot send.
    Channel,
    /// The recipient has opted out at Twilio.
    OptedOut,
}

impl ErrorClass {
    /// Returns the code of the error of a message.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Busy => "provider_unavailable",
            Self::Unreachable => "unreachable",
            Self::Recipient => "recipient_rejected",
            Self::Message => "message_rejected",
            Self::Channel => "channel_rejected",
            Self::OptedOut => "unsubscribed",
        }
    }
}

/// The known codes, with their meaning in words.
pub(super) const KNOWN: [(i64, ErrorClass, &str); 29] = [
    (20429, ErrorClass::Busy, "too many requests"),
    (14107, ErrorClass::Busy, "too many messages"),
    (21611, ErrorClass::Busy, "the queue of the sender is full"),
    (21211, ErrorClass::Unreachable, "the number is not valid"),
    (21214, ErrorClass::Unreachable, "the number cannot be reached"),
    (21217, ErrorClass::Unreachable, "the number is not valid"),
    (21614, ErrorClass::Unreachable, "the number is not a mobile number"),
    (30005, ErrorClass::Unreachable, "the number is unknown"),
    (30006, ErrorClass::Unreachable, "the number is a landline or its carrier cannot be reached"),
    (21408, ErrorClass::Recipient, "the account may not send to this region"),
    (21608, ErrorClass::Recipient, "a trial account can only send to verified numbers"),
    (21612, ErrorClass::Recipient, "the sender cannot reach this number"),
    (30003, ErrorClass::Recipient, "the phone is switched off or out of reach"),
    (30004, ErrorClass::Recipient, "the recipient or the carrier blocks the message"),
    (30007, ErrorClass::Recipient, "the carrier filtered the message"),
    (30008, ErrorClass::Recipient, "the carrier gave no reason"),
    (21617, ErrorClass::Message, "the text is too long"),
    (21620, ErrorClass::Message, "the media URL is not valid"),
    (21623, ErrorClass::Message, "the media are too large"),
    (20003, ErrorClass::Channel, "the login is not valid"),
    (20005, ErrorClass::Channel, "the account is not active"),
    (90010, ErrorClass::Channel, "the account is not active"),
    (21606, ErrorClass::Channel, "the sender cannot send messages"),
    (21212, ErrorClass::Channel, "the sender is not valid"),
    (30002, ErrorClass::Channel, "the account is suspended"),
    (30032, ErrorClass::Channel, "the toll-free number is not verified"),
    (30034, ErrorClass::Channel, "the number is not registered for a campaign"),
    (21610, ErrorClass::OptedOut, "the recipient has opted out by STOP"),
    (429, ErrorClass::Busy, "too many requests"),
];

/// Returns the meaning of a code.
pub(super) fn class_of(code: i64) -> Option<ErrorClass> {
    KNOWN.iter().find(|(known, ..)| *known == code).map(|(_, class, _)| *class)
}

/// Returns the meaning of a code in words.
pub(super) fn reason_of(code: i64) -> Option<&'static str> {
    KNOWN.iter().find(|(known, ..)| *known == code).map(|(.., reason)| *reason)
}
