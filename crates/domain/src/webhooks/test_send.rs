//! The use case that sends a test event to a webhook.

use secrecy::SecretString;

use super::sender::{AttemptOutcome, AttemptResult, DeliveryAttempt};
use super::{OlderSecret, PayloadForm, Subscription, Webhook, WebhookService, secret_context};
use crate::access::Access;
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::{DeliveryId, EventId, TypedId, WebhookId};
use crate::ports::{Sealer, StoreError};
use crate::time::Timestamp;
use crate::trial::{TestAnswer, TrialView};

/// The result of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestOutcome {
    /// The event's ID. The event is not stored.
    pub event: EventId,
    /// The type of the sample.
    pub kind: EventKind,
    /// The result of the attempt.
    pub result: AttemptResult,
}

impl Webhook {
    /// Returns the secrets that sign now, the newest first.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if a secret cannot be opened.
    pub(crate) fn signing_secrets(&self, sealer: &dyn Sealer, now: Timestamp) -> Result<Vec<SecretString>, StoreError> {
        let context = secret_context(self.id);
        let open = |sealed: &Vec<u8>| {
            let text = sealer.open(sealed, &context).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            let text =
                text.ok_or_else(|| StoreError::Corrupt(format!("a secret of {} cannot be decrypted", self.id)))?;
            Ok(SecretString::from(text))
        };
        let live = |older: &&OlderSecret| older.expires_at > now;
        let older = self.older_secrets.iter().filter(live).map(|older| &older.sealed);
        std::iter::once(&self.secret).chain(older).map(open).collect()
    }

    /// Returns the headers to send.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if a value cannot be opened.
    pub(crate) fn headers_to_send(&self, sealer: &dyn Sealer) -> Result<Vec<(String, String)>, StoreError> {
        self.headers.to_send(self.id, sealer)
    }
}

impl WebhookService {
    /// Sends a sample with `"test": true` now, whatever the webhook's status, and returns the result. Nothing is stored
    /// or counted. Without `kind`, the sample has the first type that the webhook subscribes to.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::OutboundHeld`], [`Error::Store`].
    pub async fn test(
        &self,
        access: &Access,
        webhook: WebhookId,
        kind: Option<EventKind>,
    ) -> Result<(Webhook, TestOutcome), Error> {
        let webhook = self.find(access, webhook).await?;
        if let Some(by) = self.ports.outbound.paused_by(access.workspace()).await? {
            return Err(Error::OutboundHeld(by));
        }
        let wanted = match &webhook.events {
            Subscription::Kinds(kinds) => kinds.first().copied(),
            Subscription::All => None,
        };
        let kind = kind.or(wanted).unwrap_or(EventKind::ContactCreated);
        let now = self.ports.clock.now();
        let event = EventDraft::sample(kind).seal(EventId::from_uuid(self.ports.ids.next()), now, access);
        let attempt = DeliveryAttempt {
            workspace: access.workspace(),
            url: webhook.url.clone(),
            in_turn: None,
            secrets: webhook.signing_secrets(&*self.ports.sealer, now)?,
            event_id: event.id.to_string(),
            event_kind: kind.as_str(),
            delivery_id: DeliveryId::from_uuid(self.ports.ids.next()).to_string(),
            number: 1,
            headers: webhook.headers_to_send(&*self.ports.sealer)?,
            body: if webhook.payload == PayloadForm::Thin { event.thin } else { event.full },
        };
        let result = self.ports.sender.send(attempt).await;
        Ok((webhook, TestOutcome { event: event.id, kind, result }))
    }
}

impl From<&TestOutcome> for TrialView {
    fn from(it: &TestOutcome) -> Self {
        let (status, error) = it.result.outcome.described();
        let (headers, body) = (it.result.response_headers.clone(), it.result.response_body.clone());
        Self::new(&TestAnswer { status, headers, body, error }, it.result.duration, Some((it.event, it.kind)))
    }
}

impl AttemptOutcome {
    /// Returns the status of the response, and the error message; no message if the receiver accepted the delivery.
    pub(crate) fn described(&self) -> (Option<i32>, Option<String>) {
        match self {
            Self::Answered { status: status @ 200..=299, .. } => (Some(i32::from(*status)), None),
            Self::Answered { status, .. } => {
                (Some(i32::from(*status)), Some(format!("the receiver answered {status}, expected 200 to 299")))
            }
            Self::TimedOut => (None, Some("no complete response arrived in time".to_owned())),
            Self::Failed(why) | Self::Forbidden(why) => (None, Some(why.clone())),
        }
    }
}
