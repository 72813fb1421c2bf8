//! The connector for bots of Telegram. Telegram sends updates to a webhook, or the server fetches them, and messages
//! are sent by the Bot API.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tidings_domain::channels::{
    Channel, ChannelStatus, ChannelType, Config, Connector, ECHO_SECRET, FetchFailure, FetchedMedia, Health,
    InboundRequest, Outbound, PlainSecrets, PollFailure, Polled, SendOutcome, SetupFailure, Unverified,
};
use tidings_domain::conversations::{Content, InboundEvent};
use tidings_domain::ids::{TypedId, WorkspaceId};
use tidings_domain::ports::Sealer;
use tidings_domain::read::Refusal;
use tidings_domain::trial::TestAnswer;
use tidings_egress::{Bounds, Egress};

mod api;
mod channel_type;
mod media;
mod outbound;
mod polling;
mod setup;
#[cfg(test)]
mod tests;
mod update;

use api::Bot;
pub use channel_type::TELEGRAM;
use channel_type::{BOT_TOKEN, MODE, POLLING};
use setup::Transport;

use crate::api::BOUNDS;
use crate::fields::BASE_URL;
use crate::parts::missing_part;
use crate::secrets::{inbound_path, is_same, open_secrets};
use crate::send_metrics::measured;

/// The code of a bot token that Telegram does not accept.
const INVALID_TOKEN: &str = "invalid_token";
/// The header with the secret of the webhook, which Telegram repeats.
const SECRET_HEADER: &str = "x-telegram-bot-api-secret-token";

/// Serves `telegram` channels through the address filter.
///
/// Telegram cannot deduplicate messages, so a message that may have arrived is never sent again.
pub struct TelegramConnector {
    egress: Egress,
    sealer: Arc<dyn Sealer>,
    bounds: Bounds,
}

impl TelegramConnector {
    /// Creates a connector that calls Telegram through `egress` and opens secrets with `sealer`.
    pub fn new(egress: Egress, sealer: Arc<dyn Sealer>) -> Self {
        Self { egress, sealer, bounds: BOUNDS }
    }

    fn secrets(&self, channel: &Channel) -> Option<PlainSecrets> {
        open_secrets(&*self.sealer, channel)
    }

    /// Returns the bot of a channel; `None` if the token is not one.
    fn bot<'e>(&'e self, channel: &'e Channel) -> Option<Bot<'e>> {
        let token = self.secrets(channel)?.remove(BOT_TOKEN).filter(|token| bot_id(token).is_some())?;
        let base_url = channel.endpoint.as_ref()?.text(BASE_URL);
        Some(Bot { egress: &self.egress, bounds: self.bounds, base_url, token })
    }

    /// Returns the transport of a channel with this path of its inbound address.
    fn transport<'p>(&self, channel: &Channel, path: Option<&'p str>) -> Option<Transport<'p>> {
        if self.polls(channel) { Some(Transport::Polling) } else { path.map(Transport::Webhook) }
    }

    /// Sends the part of a message at the index of its context.
    async fn send_part_of(&self, message: Outbound) -> SendOutcome {
        let Some(bot) = self.bot(&message.channel) else {
            let message = setup::wrong_token("send_message", None).hint.into();
            return SendOutcome::ChannelFailed { code: INVALID_TOKEN, after: None, message };
        };
        match self.parts(&message).get(message.context.part) {
            Some(part) => send_part(&bot, &message, part).await,
            None => missing_part(),
        }
    }
}

/// Sends a part. A photo that Telegram refuses is sent once as a file.
async fn send_part(bot: &Bot<'_>, message: &Outbound, part: &Content) -> SendOutcome {
    let (method, body) = match outbound::call(message, part) {
        Ok(call) => call,
        Err(rejected) => return rejected,
    };
    if part.attachments.is_empty() {
        return outbound::outcome(bot.call(method, &body).await);
    }
    let result = bot.call_with_file(method, &body).await;
    match outbound::as_document(body, &result) {
        Some(document) => outbound::outcome(bot.call_with_file(outbound::SEND_DOCUMENT, &document).await),
        None => outbound::outcome(result),
    }
}

/// Returns the ID of the bot from its token, such as `110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw`. `None` if the text
/// is no token; it must not change the path of a URL.
fn bot_id(token: &str) -> Option<&str> {
    let (id, secret) = token.split_once(':')?;
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    let is_secret =
        !secret.is_empty() && secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    (is_id && is_secret).then_some(id)
}

#[async_trait]
impl Connector for TelegramConnector {
    fn channel_type(&self) -> &'static ChannelType {
        &TELEGRAM
    }

    fn for_workspace(&self, workspace: WorkspaceId) -> Option<Arc<dyn Connector>> {
        let egress = self.egress.for_workspace(workspace.uuid().as_u128());
        Some(Arc::new(Self { egress, sealer: Arc::clone(&self.sealer), bounds: self.bounds }))
    }

    fn account(&self, _: &Config, secrets: &PlainSecrets) -> Option<String> {
        bot_id(secrets.get(BOT_TOKEN)?).map(str::to_owned)
    }

    async fn connect(&self, channel: &Channel, inbound_url: &str) -> Result<Config, SetupFailure> {
        if self.polls(channel) {
            return match self.bot(channel) {
                Some(bot) => setup::connect_polling(&bot).await,
                None => Err(setup::wrong_token("get_me", None)),
            };
        }
        let secret = self.secrets(channel).and_then(|mut secrets| secrets.remove(ECHO_SECRET));
        match (self.bot(channel), secret) {
            (Some(bot), Some(secret)) => setup::connect(&bot, inbound_url, &secret).await,
            (_, _) => Err(setup::wrong_token("get_me", None)),
        }
    }

    async fn disconnect(&self, channel: &Channel) {
        if let (Some(bot), Some(path)) = (self.bot(channel), inbound_path(&*self.sealer, channel)) {
            setup::disconnect(&bot, &path).await;
        }
    }

    async fn health(&self, channel: &Channel) -> Health {
        let path = inbound_path(&*self.sealer, channel);
        match (self.bot(channel), self.transport(channel, path.as_deref())) {
            (Some(bot), Some(transport)) => setup::health(&bot, transport).await,
            (_, _) => {
                Health::default().with_problem(INVALID_TOKEN, setup::wrong_token("get_webhook_info", None).hint, true)
            }
        }
    }

    fn is_signed(&self, request: &InboundRequest) -> bool {
        request.header(SECRET_HEADER).is_some()
    }

    fn verify(&self, channel: &Channel, request: &InboundRequest) -> Result<(), Unverified> {
        let secret = self.secrets(channel).and_then(|mut secrets| secrets.remove(ECHO_SECRET));
        let secret = secret.filter(|secret| !secret.is_empty()).ok_or(Unverified::Secret)?;
        let presented = request.header(SECRET_HEADER).unwrap_or_default();
        if is_same(presented, &secret) { Ok(()) } else { Err(Unverified::Signature) }
    }

    fn parse(&self, _: &Channel, request: &InboundRequest) -> Result<Vec<InboundEvent>, Refusal> {
        match polling::too_large(&request.body) {
            Some(refusal) => Err(refusal),
            None => update::events(&request.body),
        }
    }

    fn polls(&self, channel: &Channel) -> bool {
        channel.endpoint.as_ref().is_some_and(|endpoint| endpoint.text(MODE) == Some(POLLING))
    }

    async fn poll(&self, channel: &Channel, after: Option<i64>, wait: Duration) -> Result<Polled, PollFailure> {
        match self.bot(channel) {
            Some(bot) => polling::poll(&bot, after, wait).await,
            None => Err(polling::no_token()),
        }
    }

    fn acknowledges(&self, request: &InboundRequest) -> bool {
        update::query(&request.body).is_some()
    }

    /// Ends the animation of a pressed button, and removes the buttons of its message.
    async fn acknowledge(&self, channel: &Channel, request: &InboundRequest) {
        let (Some(bot), Some((query, message))) = (self.bot(channel), update::query(&request.body)) else { return };
        let _ = bot.call("answerCallbackQuery", &json!({"callback_query_id": query})).await;
        if let Some((chat, message)) = message {
            let _ = bot.call("editMessageReplyMarkup", &json!({"chat_id": chat, "message_id": message})).await;
        }
    }

    async fn fetch_media(&self, channel: &Channel, reference: &str, limit: u64) -> Result<FetchedMedia, FetchFailure> {
        match self.bot(channel) {
            Some(bot) => media::fetch(&bot, reference, limit).await,
            None => Err(FetchFailure::Retry(setup::wrong_token("get_file", None).hint)),
        }
    }

    fn plan(&self, _: &Channel, content: &Content) -> Vec<Content> {
        outbound::parts(content)
    }

    async fn test(&self, channel: &Channel) -> TestAnswer {
        let path = inbound_path(&*self.sealer, channel);
        let transport = self.transport(channel, path.as_deref());
        let transport = transport.filter(|_| channel.status == ChannelStatus::Connected);
        match self.bot(channel) {
            Some(bot) => setup::test(&bot, transport).await,
            None => TestAnswer::failed(setup::wrong_token("get_me", None).hint),
        }
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        measured(TELEGRAM.kind, self.send_part_of(message)).await
    }
}
