//! The connector for text messages by Twilio. Twilio sends messages of contacts and reports to a webhook, and messages
//! are sent by its API.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use tidings_domain::channels::{
    Capabilities, Channel, ChannelStatus, ChannelType, Config, Connector, FetchFailure, FetchedMedia, Health,
    InboundRequest, Outbound, PlainSecrets, Segments, SendOutcome, SetupFailure, Unverified,
};
use tidings_domain::conversations::{Content, InboundEvent, InboundMessage, MessageType};
use tidings_domain::ids::{TypedId, WorkspaceId};
use tidings_domain::ports::Sealer;
use tidings_domain::read::{Refusal, Violation};
use tidings_domain::time::Timestamp;
use tidings_domain::trial::TestAnswer;
use tidings_egress::{Bounds, Egress};

mod api;
mod channel_type;
mod errors;
mod form;
mod look_up;
mod media;
mod missed;
mod mms;
mod outbound;
mod segments;
mod setup;
mod signature;
#[cfg(test)]
mod tests;
mod update;

use api::{Account, BOUNDS, Login};
pub use channel_type::SMS;
use channel_type::{ACCOUNT_SID, API_KEY, AUTH_TOKEN, FROM, MESSAGING_SERVICE_SID, is_number, is_sid};
use mms::sends_files;
use outbound::{INVALID_TOKEN, Place};
use setup::Sender;

use crate::fields::BASE_URL;
use crate::parts::missing_part;
use crate::secrets::{inbound_path, open_secrets};
use crate::send_metrics::measured;

/// Serves `sms` channels through the address filter.
///
/// Twilio cannot deduplicate messages, so a message that may have arrived is never sent again.
pub struct SmsConnector {
    egress: Egress,
    sealer: Arc<dyn Sealer>,
    /// The public URL of the server without a path; empty if it is unknown.
    public_url: String,
    bounds: Bounds,
}

impl SmsConnector {
    /// Creates a connector that calls Twilio through `egress` and opens secrets with `sealer`. Twilio reports the
    /// status of messages below `public_url`, if it is not empty.
    pub fn new(egress: Egress, sealer: Arc<dyn Sealer>, public_url: impl Into<String>) -> Self {
        Self { egress, sealer, public_url: public_url.into(), bounds: BOUNDS }
    }

    /// Returns the account of a channel; `None` if its configuration or its secrets cannot be used.
    fn open_account<'e>(&'e self, channel: &'e Channel) -> Option<Account<'e>> {
        let endpoint = channel.endpoint.as_ref()?;
        let mut secrets = open_secrets(&*self.sealer, channel)?;
        let sid = endpoint.text(ACCOUNT_SID).filter(|sid| is_sid(sid, "AC"))?;
        let token = secrets.remove(AUTH_TOKEN).filter(|token| !token.is_empty())?;
        let key = secrets.remove(API_KEY).and_then(|key| login(&key));
        Some(Account { egress: &self.egress, bounds: self.bounds, base_url: endpoint.text(BASE_URL), sid, token, key })
    }

    /// Returns the URL that receives reports on the messages of a channel.
    fn inbound_url(&self, channel: &Channel) -> Option<String> {
        let path = inbound_path(&*self.sealer, channel)?;
        Some(format!("{}{path}", self.public_url)).filter(|_| !self.public_url.is_empty())
    }

    /// Sends the part of a message at the index of its context.
    async fn send_part_of(&self, message: Outbound) -> SendOutcome {
        let Some(account) = self.open_account(&message.channel) else {
            let message = setup::wrong_token("send_message").hint.into();
            return SendOutcome::ChannelFailed { code: INVALID_TOKEN, after: None, message };
        };
        let (parts, url) = (outbound::parts_of(&message), self.inbound_url(&message.channel));
        let index = message.context.part;
        let Some(part) = parts.get(index) else { return missing_part() };
        let place = Place { number: index + 1, count: parts.len() };
        match outbound::form(&message, part, place, url.as_deref()) {
            Ok(form) => outbound::outcome(account.write("Messages.json", &form).await),
            Err(rejected) => rejected,
        }
    }
}

/// Reads an API key from its sealed text.
fn login(key: &str) -> Option<Login> {
    let key: Value = serde_json::from_str(key).ok()?;
    let text = |name: &str| key.get(name)?.as_str().map(str::to_owned);
    Some(Login { user: text("sid")?, password: text("secret")? })
}

/// Returns the sender of a configuration; `None` if it has none, or one that is not valid.
fn sender(config: &Config) -> Option<Sender<'_>> {
    let text = |name: &str| config.get(name)?.as_str();
    match (text(FROM), text(MESSAGING_SERVICE_SID)) {
        (Some(number), None) => Some(Sender::Number(number)).filter(|_| is_number(number)),
        (None, Some(service)) => Some(Sender::Service(service)).filter(|_| is_sid(service, "MG")),
        (Some(_), Some(_)) | (None, None) => None,
    }
}

fn sender_of(channel: &Channel) -> Option<Sender<'_>> {
    sender(&channel.endpoint.as_ref()?.config)
}

/// Returns the violations of the sender of a configuration.
fn sender_violations(config: &Config) -> Vec<Violation> {
    let text = |name: &str| config.get(name)?.as_str();
    match (text(FROM), text(MESSAGING_SERVICE_SID)) {
        (Some(number), None) if !is_number(number) => {
            let why = "expected a number with its country code such as +15005550006";
            vec![Violation::new("/config/from", "invalid_format", why)]
        }
        (None, Some(service)) if !is_sid(service, "MG") => {
            let why = "expected `MG` and 32 digits or letters from a to f";
            vec![Violation::new("/config/messaging_service_sid", "invalid_format", why)]
        }
        (Some(_), Some(_)) => {
            let why = "is not allowed together with `from`: set one of the two";
            vec![Violation::new("/config/messaging_service_sid", "not_allowed", why)]
        }
        (None, None) => {
            let why = "is required, or `messaging_service_sid`";
            vec![Violation::new("/config/from", "required", why)]
        }
        (Some(_), None) | (None, Some(_)) => Vec::new(),
    }
}

#[async_trait]
impl Connector for SmsConnector {
    fn channel_type(&self) -> &'static ChannelType {
        &SMS
    }

    fn capabilities(&self, channel: &Channel) -> Capabilities {
        match sends_files(channel) {
            true => SMS.capabilities,
            false => Capabilities { types: &[MessageType::Text], ..SMS.capabilities },
        }
    }

    fn for_workspace(&self, workspace: WorkspaceId) -> Option<Arc<dyn Connector>> {
        let egress = self.egress.for_workspace(workspace.uuid().as_u128());
        let (sealer, public_url) = (Arc::clone(&self.sealer), self.public_url.clone());
        Some(Arc::new(Self { egress, sealer, public_url, bounds: self.bounds }))
    }

    fn account(&self, config: &Config, _: &PlainSecrets) -> Option<String> {
        let account = config.get(ACCOUNT_SID)?.as_str()?;
        match sender(config)? {
            Sender::Number(sender) | Sender::Service(sender) => Some(format!("{account} {sender}")),
        }
    }

    fn check(&self, config: &Config, secrets: &PlainSecrets) -> Vec<Violation> {
        let mut wrong = sender_violations(config);
        let account = config.get(ACCOUNT_SID).and_then(Value::as_str);
        if account.is_some_and(|sid| !is_sid(sid, "AC")) {
            let why = "expected `AC` and 32 digits or letters from a to f";
            wrong.push(Violation::new("/config/account_sid", "invalid_format", why));
        }
        let key = secrets.get(API_KEY).map(|key| login(key));
        if key.is_some_and(|key| key.is_none_or(|key| !is_sid(&key.user, "SK"))) {
            let why = "expected `SK` and 32 digits or letters from a to f";
            wrong.push(Violation::new("/secrets/api_key/sid", "invalid_format", why));
        }
        wrong
    }

    async fn connect(&self, channel: &Channel, inbound_url: &str) -> Result<Config, SetupFailure> {
        match (self.open_account(channel), sender_of(channel)) {
            (Some(account), Some(sender)) => setup::connect(&account, sender, inbound_url).await,
            (_, _) => Err(setup::wrong_token("read_account")),
        }
    }

    async fn disconnect(&self, channel: &Channel) {
        let path = inbound_path(&*self.sealer, channel);
        if let (Some(account), Some(sender), Some(path)) = (self.open_account(channel), sender_of(channel), path) {
            setup::disconnect(&account, sender, &path).await;
        }
    }

    async fn health(&self, channel: &Channel) -> Health {
        let path = inbound_path(&*self.sealer, channel);
        match (self.open_account(channel), sender_of(channel), path) {
            (Some(account), Some(sender), Some(path)) => setup::health(&account, sender, &path).await,
            (_, _, _) => Health::default().with_problem(INVALID_TOKEN, setup::wrong_token("read_account").hint, true),
        }
    }

    fn is_signed(&self, request: &InboundRequest) -> bool {
        signature::is_present(request)
    }

    fn verify(&self, channel: &Channel, request: &InboundRequest) -> Result<(), Unverified> {
        let token = open_secrets(&*self.sealer, channel).and_then(|mut secrets| secrets.remove(AUTH_TOKEN));
        let token = token.filter(|token| !token.is_empty()).ok_or(Unverified::Secret)?;
        if signature::is_valid(request, &token) { Ok(()) } else { Err(Unverified::Signature) }
    }

    fn parse(&self, channel: &Channel, request: &InboundRequest) -> Result<Vec<InboundEvent>, Refusal> {
        update::events(channel, request)
    }

    fn catches_up(&self) -> bool {
        true
    }

    async fn received_since(&self, channel: &Channel, since: Timestamp) -> Option<Vec<InboundMessage>> {
        let (account, sender) = (self.open_account(channel)?, sender_of(channel)?);
        missed::received_since(&account, (channel, sender), since).await
    }

    async fn fetch_media(&self, channel: &Channel, reference: &str, limit: u64) -> Result<FetchedMedia, FetchFailure> {
        match self.open_account(channel) {
            Some(account) => media::fetch(&account, reference, limit).await,
            None => Err(FetchFailure::Retry(setup::wrong_token("read_media").hint)),
        }
    }

    /// The parts of a message to a number that receives files.
    fn plan(&self, channel: &Channel, content: &Content) -> Vec<Content> {
        outbound::parts(content, sends_files(channel))
    }

    fn parts(&self, message: &Outbound) -> Vec<Content> {
        outbound::parts_of(message)
    }

    fn segments(&self, parts: &[Content]) -> Option<Segments> {
        outbound::segments_of(parts)
    }

    fn look_up_waits(&self) -> &'static [Duration] {
        &look_up::WAITS
    }

    async fn look_up(&self, message: &Outbound, began: Timestamp) -> Option<Vec<String>> {
        let account = self.open_account(&message.channel)?;
        let parts = outbound::parts_of(message);
        let part = parts.get(message.context.part)?;
        let reply = account.read("Messages.json", &look_up::query(&message.address)).await.ok()?;
        look_up::matches(&reply, message, part.text.as_deref()?, began)
    }

    async fn test(&self, channel: &Channel) -> TestAnswer {
        let path = inbound_path(&*self.sealer, channel).filter(|_| channel.status == ChannelStatus::Connected);
        match (self.open_account(channel), sender_of(channel)) {
            (Some(account), Some(sender)) => setup::test(&account, sender, path.as_deref()).await,
            (_, _) => TestAnswer::failed(setup::wrong_token("read_account").hint),
        }
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        measured(SMS.kind, self.send_part_of(message)).await
    }
}
