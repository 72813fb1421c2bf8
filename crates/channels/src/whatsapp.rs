//! The connector for phone numbers of WhatsApp. Meta sends messages to a webhook, and messages are sent by the Cloud
//! API.

use std::sync::Arc;

use async_trait::async_trait;
use tidings_domain::channels::{
    Channel, ChannelStatus, ChannelType, Config, Connector, ECHO_SECRET, FetchFailure, FetchedMedia, Handshake, Health,
    InboundRequest, Outbound, PaceLimit, PlainSecrets, ProviderTemplate, SendOutcome, SendPace, SetupFailure,
    Unverified,
};
use tidings_domain::conversations::{Content, InboundEvent};
use tidings_domain::ports::Sealer;
use tidings_domain::read::Refusal;
use tidings_domain::trial::TestAnswer;
use tidings_egress::{Bounds, Egress};

mod address;
mod address_change;
mod channel_type;
mod errors;
mod media;
mod outbound;
mod preferences;
mod setup;
mod templates;
#[cfg(test)]
mod tests;
mod update;

pub use channel_type::WHATSAPP;
use channel_type::{
    ACCESS_TOKEN, APP_SECRET, DEFAULT_PACE, DEFAULT_VERSION, GRAPH_VERSION, MESSAGES_PER_SECOND, PHONE_NUMBER_ID, PIN,
    WABA_ID,
};

use crate::api::BOUNDS;
use crate::fields::BASE_URL;
use crate::graph::{self, Graph};
use crate::parts::missing_part;
use crate::secrets::{inbound_path, open_secrets};
use crate::send_metrics::measured;

/// The code of a configuration or a token that cannot be used in a call.
const INVALID_CONFIG: &str = "invalid_config";

/// Serves `whatsapp` channels through the address filter.
///
/// WhatsApp cannot deduplicate messages, so a message that may have arrived is never sent again.
pub struct WhatsappConnector {
    egress: Egress,
    sealer: Arc<dyn Sealer>,
    bounds: Bounds,
}

/// A phone number with its access.
struct Number<'c> {
    graph: Graph<'c>,
    id: &'c str,
    account: &'c str,
    pin: Option<&'c String>,
}

impl WhatsappConnector {
    /// Creates a connector that calls WhatsApp through `egress` and opens secrets with `sealer`.
    pub fn new(egress: Egress, sealer: Arc<dyn Sealer>) -> Self {
        Self { egress, sealer, bounds: BOUNDS }
    }

    fn secrets(&self, channel: &Channel) -> PlainSecrets {
        open_secrets(&*self.sealer, channel).unwrap_or_default()
    }

    /// Returns the phone number of a channel; `None` if its configuration or its token cannot be used in a call.
    fn number<'c>(&'c self, channel: &'c Channel, secrets: &'c PlainSecrets) -> Option<Number<'c>> {
        let endpoint = channel.endpoint.as_ref()?;
        let id = |name: &str| endpoint.text(name).filter(|id| is_id(id));
        let version = endpoint.text(GRAPH_VERSION).unwrap_or(DEFAULT_VERSION);
        let token = secrets.get(ACCESS_TOKEN)?;
        let graph = Graph::new((&self.egress, self.bounds), endpoint.text(BASE_URL), version, token)?;
        Some(Number { graph, id: id(PHONE_NUMBER_ID)?, account: id(WABA_ID)?, pin: secrets.get(PIN) })
    }

    /// Sends the part of a message at the index of its context.
    async fn send_part_of(&self, message: Outbound) -> SendOutcome {
        let secrets = self.secrets(&message.channel);
        let Some(number) = self.number(&message.channel, &secrets) else {
            let message = setup::wrong_config().hint.into();
            return SendOutcome::ChannelFailed { code: INVALID_CONFIG, after: None, message };
        };
        let path = format!("{}/messages", number.id);
        let (parts, index) = (self.parts(&message), message.context.part);
        let Some(part) = parts.get(index) else { return missing_part() };
        match outbound::body(&message, part, (index, parts.len())) {
            Ok(body) => outbound::outcome(number.graph.post(&path, &body).await, message.attempts),
            Err(rejected) => rejected,
        }
    }
}

/// Returns the number of messages that a channel sends each second.
fn per_second(channel: &Channel) -> u32 {
    let configured = channel.endpoint.as_ref().and_then(|endpoint| endpoint.config.get(MESSAGES_PER_SECOND)?.as_u64());
    configured.and_then(|number| u32::try_from(number).ok()).unwrap_or(DEFAULT_PACE)
}

/// Whether a text is an ID of Meta.
fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[async_trait]
impl Connector for WhatsappConnector {
    fn channel_type(&self) -> &'static ChannelType {
        &WHATSAPP
    }

    fn pace(&self, channel: &Channel) -> SendPace {
        SendPace { channel: Some(PaceLimit::per_second(per_second(channel))), ..WHATSAPP.pace }
    }

    fn account(&self, config: &Config, _: &PlainSecrets) -> Option<String> {
        config.get(PHONE_NUMBER_ID)?.as_str().map(str::to_owned)
    }

    async fn connect(&self, channel: &Channel, inbound_url: &str) -> Result<Config, SetupFailure> {
        let secrets = self.secrets(channel);
        match (self.number(channel, &secrets), secrets.get(ECHO_SECRET)) {
            (Some(number), Some(token)) => setup::connect(&number, inbound_url, token).await,
            (_, _) => Err(setup::wrong_config()),
        }
    }

    async fn disconnect(&self, channel: &Channel) {
        let secrets = self.secrets(channel);
        if let (Some(number), Some(path)) = (self.number(channel, &secrets), inbound_path(&*self.sealer, channel)) {
            setup::disconnect(&number, &path).await;
        }
    }

    async fn templates(&self, channel: &Channel) -> Result<Vec<ProviderTemplate>, SetupFailure> {
        let secrets = self.secrets(channel);
        match self.number(channel, &secrets) {
            Some(number) => templates::all(&number).await,
            None => Err(setup::wrong_config()),
        }
    }

    async fn health(&self, channel: &Channel) -> Health {
        let secrets = self.secrets(channel);
        match (self.number(channel, &secrets), inbound_path(&*self.sealer, channel)) {
            (Some(number), Some(path)) => setup::health(&number, &path).await,
            (_, _) => Health::default().with_problem(INVALID_CONFIG, setup::wrong_config().hint, true),
        }
    }

    fn handshake(&self, channel: &Channel, request: &InboundRequest) -> Option<Handshake> {
        let token = self.secrets(channel).remove(ECHO_SECRET).unwrap_or_default();
        Some(graph::answer_challenge(&request.query, &token))
    }

    fn is_signed(&self, request: &InboundRequest) -> bool {
        graph::is_signed(request)
    }

    fn verify(&self, channel: &Channel, request: &InboundRequest) -> Result<(), Unverified> {
        let secret = self.secrets(channel).remove(APP_SECRET).filter(|secret| !secret.is_empty());
        graph::verify(&secret.ok_or(Unverified::Secret)?, request)
    }

    fn parse(&self, channel: &Channel, request: &InboundRequest) -> Result<Vec<InboundEvent>, Refusal> {
        let id = channel.endpoint.as_ref().and_then(|endpoint| endpoint.text(PHONE_NUMBER_ID));
        update::events(&request.body, id.unwrap_or_default())
    }

    async fn fetch_media(&self, channel: &Channel, reference: &str, limit: u64) -> Result<FetchedMedia, FetchFailure> {
        let secrets = self.secrets(channel);
        match self.number(channel, &secrets) {
            Some(number) => media::fetch(&number, reference, limit).await,
            None => Err(FetchFailure::Retry(setup::wrong_config().hint)),
        }
    }

    fn plan(&self, _: &Channel, content: &Content) -> Vec<Content> {
        outbound::parts(content)
    }

    async fn test(&self, channel: &Channel) -> TestAnswer {
        let secrets = self.secrets(channel);
        let path = inbound_path(&*self.sealer, channel).filter(|_| channel.status == ChannelStatus::Connected);
        match self.number(channel, &secrets) {
            Some(number) => setup::test(&number, path.as_deref()).await,
            None => TestAnswer::failed(setup::wrong_config().hint),
        }
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        measured(WHATSAPP.kind, self.send_part_of(message)).await
    }
}
