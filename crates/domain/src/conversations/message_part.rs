//! The parts of an outbound message that is sent in several parts. Each part is one call of the provider.

use serde::{Deserialize, Serialize};

use super::{Content, MessageError, MessageType, PartKind, PartStatus};
use crate::time::Timestamp;

/// Maximum number of parts of a message.
pub const MAX_PARTS: usize = 20;

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessagePart {
    /// The kind.
    pub kind: PartKind,
    /// Number of characters of its text. With the kind, it shows whether a later plan has the same part.
    pub characters: usize,
    /// The status.
    pub status: PartStatus,
    /// The provider's ID of the part.
    pub provider_message_id: Option<String>,
    /// Number of calls that the provider refused for now.
    pub attempts: i32,
    /// Why it failed, is uncertain, or was not accepted yet.
    pub error: Option<MessageError>,
    /// When the provider accepted it.
    pub sent_at: Option<Timestamp>,
}

/// The parts of a message, in their order. Empty for a message of one part.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MessageParts(Vec<MessagePart>);

/// Why a plan of parts cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RefusedPlan {
    /// It has more than [`MAX_PARTS`] parts.
    TooLong,
    /// Some parts were sent, and the plan divides the message in another way.
    Changed,
}

impl RefusedPlan {
    /// Returns the error code of the message.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::TooLong => "too_long",
            Self::Changed => "stopped",
        }
    }

    /// Returns the description of the error.
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::TooLong => "The message has more than 20 parts.",
            Self::Changed => "The channel now divides the message in another way than before its first part.",
        }
    }
}

impl PartKind {
    /// Returns the kind of a part with this content.
    pub fn of(content: &Content) -> Self {
        if !content.quick_replies.is_empty() {
            return Self::Choices;
        }
        match content.kind {
            MessageType::Image | MessageType::Card => Self::Image,
            MessageType::Video => Self::Video,
            MessageType::Audio => Self::Audio,
            MessageType::File => Self::File,
            MessageType::Location => Self::Location,
            MessageType::Template => Self::Template,
            MessageType::Text | MessageType::Note => Self::Text,
        }
    }
}

impl MessagePart {
    fn planned(content: &Content) -> Self {
        Self {
            kind: PartKind::of(content),
            characters: content.text.as_deref().map_or(0, |text| text.chars().count()),
            status: PartStatus::Pending,
            provider_message_id: None,
            attempts: 0,
            error: None,
            sent_at: None,
        }
    }

    fn is_like(&self, content: &Content) -> bool {
        let planned = Self::planned(content);
        (self.kind, self.characters) == (planned.kind, planned.characters)
    }
}

impl MessageParts {
    /// Returns the parts.
    pub fn all(&self) -> &[MessagePart] {
        &self.0
    }

    /// Whether the message has one part, or was not divided yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the provider accepted a part.
    pub fn has_sent(&self) -> bool {
        self.0.iter().any(|part| part.status == PartStatus::Sent)
    }

    /// Returns the index of the part that is being sent: its call has begun and has no outcome.
    pub fn sending(&self) -> Option<usize> {
        self.0.iter().position(|part| part.status == PartStatus::Sending)
    }

    /// Returns the index of the part that failed, is uncertain, or was not accepted yet.
    pub fn with_error(&self) -> Option<usize> {
        self.0.iter().position(|part| part.error.is_some())
    }

    /// Whether another part follows this one.
    pub fn has_next(&self, index: usize) -> bool {
        index.saturating_add(1) < self.0.len()
    }

    /// Returns the index of the part with this ID of the provider.
    pub fn named(&self, provider_message_id: &str) -> Option<usize> {
        self.0.iter().position(|part| part.provider_message_id.as_deref() == Some(provider_message_id))
    }

    /// Returns the number of parts that were sent, and of all parts.
    pub(super) fn progress(&self) -> (usize, usize) {
        (self.0.iter().filter(|part| part.status == PartStatus::Sent).count(), self.0.len())
    }

    /// Returns the error of the part that failed, is uncertain, or was not accepted yet.
    pub(super) fn problem(&self) -> Option<&MessageError> {
        self.0.iter().find_map(|part| part.error.as_ref())
    }

    /// Returns the number of refused calls of the next part; `None` if the message has no parts.
    pub(super) fn attempts(&self) -> Option<i32> {
        self.0.iter().find(|part| part.status != PartStatus::Sent).map(|part| part.attempts)
    }

    /// Stores the plan of a message, before its next call. After a part was sent, the plan stays the same.
    ///
    /// # Errors
    /// [`RefusedPlan`].
    pub(super) fn plan(&mut self, planned: &[Content]) -> Result<(), RefusedPlan> {
        if self.has_sent() {
            let is_same = self.0.len() == planned.len() && self.0.iter().zip(planned).all(|(it, new)| it.is_like(new));
            return if is_same { Ok(()) } else { Err(RefusedPlan::Changed) };
        }
        if planned.len() > MAX_PARTS {
            return Err(RefusedPlan::TooLong);
        }
        let attempts = self.attempts().unwrap_or_default();
        let is_divided = planned.len() > 1;
        self.0 = planned.iter().filter(|_| is_divided).map(MessagePart::planned).collect();
        if let Some(first) = self.0.first_mut() {
            first.attempts = attempts;
        }
        Ok(())
    }

    /// Records that the call of the next part begins. Returns its index; 0 for a message of one part.
    pub(super) fn begin(&mut self) -> usize {
        let next = self.0.iter_mut().enumerate().find(|(_, part)| part.status != PartStatus::Sent);
        next.map_or(0, |(index, part)| {
            (part.status, part.error) = (PartStatus::Sending, None);
            index
        })
    }

    /// Records that the provider accepted this part. A part that the provider reported during the call keeps its status.
    /// Returns whether the message has the part.
    pub(super) fn accept(&mut self, index: usize, provider_message_id: Option<&str>, now: Timestamp) -> bool {
        let Some(part) = self.0.get_mut(index) else { return false };
        part.provider_message_id = provider_message_id.map(str::to_owned);
        if part.status == PartStatus::Sending {
            (part.status, part.sent_at) = (PartStatus::Sent, Some(now));
        }
        true
    }

    /// Records that the provider did not accept the part that is being sent yet.
    pub(super) fn postpone(&mut self, error: MessageError) {
        if let Some(part) = self.0.iter_mut().find(|part| part.status == PartStatus::Sending) {
            (part.status, part.error) = (PartStatus::Pending, Some(error));
            part.attempts += 1;
        }
    }

    /// Records that the first part that was not sent failed. The parts after it are not sent.
    pub(super) fn fail(&mut self, error: &MessageError) {
        self.end(PartStatus::Failed, error);
    }

    /// Records that the outcome of the first part that was not sent is unknown. The parts after it are not sent.
    pub(super) fn doubt(&mut self, error: &MessageError) {
        self.end(PartStatus::Uncertain, error);
    }

    fn end(&mut self, status: PartStatus, error: &MessageError) {
        if let Some(part) = self.0.iter_mut().find(|part| part.status != PartStatus::Sent) {
            (part.status, part.error) = (status, Some(error.clone()));
        }
    }

    /// Records that the provider reported this part as failed.
    pub(super) fn report_failure(&mut self, index: usize, error: &MessageError) {
        if let Some(part) = self.0.get_mut(index) {
            (part.status, part.error) = (PartStatus::Failed, Some(error.clone()));
        }
    }

    /// Records that the provider has this part, if its outcome is unknown. Returns whether it is.
    pub(super) fn settle(&mut self, index: usize, provider_message_id: Option<&str>, now: Timestamp) -> bool {
        let Some(part) = self.0.get_mut(index).filter(|part| part.status == PartStatus::Uncertain) else {
            return false;
        };
        (part.status, part.error, part.sent_at) = (PartStatus::Sent, None, Some(now));
        part.provider_message_id = provider_message_id.map(str::to_owned);
        true
    }

    /// Records that the provider has the last part, if its outcome is unknown or not stored yet.
    pub(super) fn settle_last(&mut self, provider_message_id: Option<&str>, now: Timestamp) {
        let is_open = |part: &&mut MessagePart| matches!(part.status, PartStatus::Uncertain | PartStatus::Sending);
        if let Some(part) = self.0.last_mut().filter(is_open) {
            (part.status, part.error, part.sent_at) = (PartStatus::Sent, None, Some(now));
            if part.provider_message_id.is_none() {
                part.provider_message_id = provider_message_id.map(str::to_owned);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<Content> {
        texts.iter().map(|text| Content::text(*text)).collect()
    }

    fn error() -> MessageError {
        MessageError::new("c", "m")
    }

    fn statuses(parts: &MessageParts) -> Vec<&'static str> {
        parts.all().iter().map(|part| part.status.as_str()).collect()
    }

    #[test]
    fn a_message_of_one_part_has_no_rows() {
        let mut parts = MessageParts::default();
        assert_eq!(parts.plan(&texts(&["one"])), Ok(()));
        assert!(parts.is_empty() && !parts.has_sent() && !parts.has_next(0));
        assert_eq!((parts.begin(), parts.sending(), parts.attempts()), (0, None, None));
        assert!(!parts.accept(0, Some("1"), Timestamp::EPOCH_2026));
    }

    #[test]
    fn a_refused_part_is_the_next_one_again() {
        let (mut parts, now) = (MessageParts::default(), Timestamp::EPOCH_2026);
        parts.plan(&texts(&["one", "two"])).unwrap();
        assert_eq!(parts.begin(), 0);
        assert!(parts.accept(0, Some("1"), now));
        assert_eq!((parts.begin(), parts.attempts()), (1, Some(0)));
        parts.postpone(error());
        assert_eq!(
            (statuses(&parts), parts.with_error(), parts.attempts()),
            (vec!["sent", "pending"], Some(1), Some(1))
        );
        parts.plan(&texts(&["one", "two"])).unwrap();
        assert_eq!((parts.begin(), parts.with_error(), parts.sending()), (1, None, Some(1)));
        assert!(parts.accept(1, Some("2"), now) && !parts.has_next(1));
        assert_eq!((statuses(&parts), parts.attempts()), (vec!["sent", "sent"], None));
        assert_eq!((parts.named("1"), parts.named("2"), parts.named("3")), (Some(0), Some(1), None));
    }

    #[test]
    fn a_plan_may_only_change_before_a_part_was_sent() {
        let mut parts = MessageParts::default();
        parts.plan(&texts(&["one", "two"])).unwrap();
        parts.begin();
        parts.postpone(error());
        parts.plan(&texts(&["one", "two", "three"])).unwrap();
        assert_eq!((parts.all().len(), parts.attempts()), (3, Some(1)), "the refused calls still count");
        parts.begin();
        parts.accept(0, None, Timestamp::EPOCH_2026);
        assert_eq!(parts.plan(&texts(&["one", "two"])), Err(RefusedPlan::Changed));
        assert_eq!(parts.plan(&texts(&["one", "two", "other"])), Ok(()), "texts of the same length");
        assert_eq!(parts.plan(&texts(&["one", "two", "longer"])), Err(RefusedPlan::Changed));
        let mut long = MessageParts::default();
        assert_eq!(long.plan(&texts(&["x"; MAX_PARTS + 1])), Err(RefusedPlan::TooLong));
        assert_eq!(long.plan(&texts(&["x"; MAX_PARTS])), Ok(()));
    }

    #[test]
    fn the_end_of_a_message_is_in_the_first_part_that_was_not_sent() {
        let mut parts = MessageParts::default();
        parts.plan(&texts(&["one", "two", "three"])).unwrap();
        parts.begin();
        parts.accept(0, Some("1"), Timestamp::EPOCH_2026);
        let mut uncertain = parts.clone();
        parts.fail(&error());
        assert_eq!((statuses(&parts), parts.with_error()), (vec!["sent", "failed", "pending"], Some(1)));
        uncertain.begin();
        uncertain.doubt(&error());
        uncertain.settle_last(Some("3"), Timestamp::EPOCH_2026);
        assert_eq!(statuses(&uncertain), ["sent", "uncertain", "pending"], "it is not the last part");
        assert!(
            !uncertain.settle(0, Some("9"), Timestamp::EPOCH_2026) && !uncertain.settle(3, None, Timestamp::EPOCH_2026)
        );
        assert!(uncertain.settle(1, Some("2"), Timestamp::EPOCH_2026));
        assert_eq!((statuses(&uncertain), uncertain.with_error()), (vec!["sent", "sent", "pending"], None));
        assert_eq!((uncertain.named("1"), uncertain.named("2")), (Some(0), Some(1)));
    }

    #[test]
    fn a_report_during_the_call_decides_about_the_part() {
        let (mut parts, now) = (MessageParts::default(), Timestamp::EPOCH_2026);
        parts.plan(&texts(&["one", "two"])).unwrap();
        parts.begin();
        let mut failed = parts.clone();
        failed.report_failure(0, &error());
        assert!(failed.accept(0, Some("1"), now));
        assert_eq!((statuses(&failed), failed.named("1")), (vec!["failed", "pending"], Some(0)));
        parts.accept(0, Some("1"), now);
        parts.begin();
        parts.settle_last(None, now);
        assert_eq!(statuses(&parts), ["sent", "sent"], "the last part was delivered before its call ended");
        assert!(parts.accept(1, Some("2"), now));
        assert_eq!(parts.named("2"), Some(1));
    }
}
