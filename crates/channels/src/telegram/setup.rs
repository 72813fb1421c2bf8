//! Set-up of a bot: its name, its webhook, and tests.

use serde_json::{Value, json};
use tidings_domain::channels::{Config, Health, SetupFailure, WebhookReport};
use tidings_domain::trial::TestAnswer;
use tidings_egress::CallError;

use super::INVALID_TOKEN;
use super::api::{Bot, Reply};
use super::channel_type::{BOT_TOKEN, BOT_USERNAME};
use super::update::SUBSCRIBED;
use crate::api::SHOWN;

/// Advice for a rejected token.
const WRONG_TOKEN: &str = "Telegram does not accept this bot token. Copy the token from @BotFather again.";

/// Returns the failure for a token that is not one.
pub(super) fn wrong_token(step: &'static str, code: Option<u16>) -> SetupFailure {
    let provider_code = code.map(|code| code.to_string());
    SetupFailure { step, provider_code, hint: WRONG_TOKEN.to_owned(), secret: Some(BOT_TOKEN) }
}

/// The transport of the updates of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transport<'p> {
    /// By a webhook with this path.
    Webhook(&'p str),
    /// The server fetches them. Telegram allows this only without a webhook.
    Polling,
}

impl Transport<'_> {
    /// Whether a bot with this URL of its webhook, empty without one, sends its updates to this channel.
    fn is_set(self, url: &str) -> bool {
        match self {
            Self::Webhook(path) => url.ends_with(path),
            Self::Polling => url.is_empty(),
        }
    }
}

/// Reads the name of the bot, registers the webhook, and reads it back.
///
/// # Errors
/// [`SetupFailure`].
pub(super) async fn connect(bot: &Bot<'_>, url: &str, secret: &str) -> Result<Config, SetupFailure> {
    let me = result("get_me", bot.call("getMe", &json!({})).await)?;
    let webhook = json!({
        "url": url,
        "secret_token": secret,
        "allowed_updates": SUBSCRIBED,
        "drop_pending_updates": false,
    });
    result("set_webhook", bot.call("setWebhook", &webhook).await)?;
    let stored = result("get_webhook_info", bot.webhook().await)?;
    if stored.get("url").and_then(Value::as_str) != Some(url) {
        return Err(other_webhook());
    }
    Ok(reported(&me))
}

/// Reads the name of the bot, removes its webhook, and checks that it has none.
///
/// # Errors
/// [`SetupFailure`].
pub(super) async fn connect_polling(bot: &Bot<'_>) -> Result<Config, SetupFailure> {
    let me = result("get_me", bot.call("getMe", &json!({})).await)?;
    let kept = json!({"drop_pending_updates": false});
    result("delete_webhook", bot.call("deleteWebhook", &kept).await)?;
    let stored = result("get_webhook_info", bot.webhook().await)?;
    match stored.get("url").and_then(Value::as_str).unwrap_or_default() {
        "" => Ok(reported(&me)),
        _ => Err(other_webhook()),
    }
}

fn other_webhook() -> SetupFailure {
    let hint = "Telegram has another webhook address for this bot. Another program sets it: stop that program, or \
                create a bot for this channel only.";
    SetupFailure { step: "get_webhook_info", provider_code: None, hint: hint.to_owned(), secret: None }
}

/// Returns the members of `config` that Telegram reports.
fn reported(me: &Value) -> Config {
    let name = me.get("username").and_then(Value::as_str);
    name.map(|name| (BOT_USERNAME.to_owned(), name.into())).into_iter().collect()
}

fn result(step: &'static str, result: Result<Reply, CallError>) -> Result<Value, SetupFailure> {
    let failed = |provider_code, hint| SetupFailure { step, provider_code, hint, secret: None };
    let reply = match result {
        Ok(reply) => reply,
        Err(failure) => return Err(failed(None, format!("Telegram cannot be reached. {failure}"))),
    };
    if reply.rejects_the_token() {
        return Err(wrong_token(step, Some(reply.status)));
    }
    let code = Some(reply.status.to_string());
    let hint = match reply.retry_after {
        Some(wait) => format!("Telegram asks to retry after {} s.", wait.as_secs()),
        None => reply.sentence(),
    };
    reply.result.ok_or_else(|| failed(code, hint))
}

/// Removes the webhook if it has this path, so it is the channel's own. Errors have no effect.
pub(super) async fn disconnect(bot: &Bot<'_>, path: &str) {
    let Ok(reply) = bot.webhook().await else { return };
    if webhook_url(&reply).ends_with(path) {
        let kept = json!({"drop_pending_updates": false});
        let _ = bot.call("deleteWebhook", &kept).await;
    }
}

fn webhook_url(reply: &Reply) -> &str {
    let url = reply.result.as_ref().and_then(|it| it.get("url")?.as_str());
    url.unwrap_or_default()
}

/// Checks the token, and the webhook if the channel is connected: then it has a transport.
pub(super) async fn test(bot: &Bot<'_>, transport: Option<Transport<'_>>) -> TestAnswer {
    let me = match bot.call("getMe", &json!({})).await {
        Ok(reply) => reply,
        Err(failure) => return TestAnswer::failed(failure.error.to_string()),
    };
    let status = Some(i32::from(me.status));
    let Some(bot_itself) = &me.result else {
        let error = if me.rejects_the_token() { WRONG_TOKEN.to_owned() } else { me.sentence() };
        return TestAnswer { status, error: Some(error), ..TestAnswer::default() };
    };
    let body = bot_itself.to_string();
    let error = match transport {
        Some(transport) => webhook_problem(bot, transport).await,
        None => None,
    };
    TestAnswer { status, headers: Vec::new(), body, error }
}

/// Advice for a bot whose messages go to another address.
const WEBHOOK_TAKEN: &str = "Telegram sends the messages of this bot to another address. Connect the channel again.";

/// Asks for the webhook of a connected bot.
pub(super) async fn health(bot: &Bot<'_>, transport: Transport<'_>) -> Health {
    let reply = match bot.webhook().await {
        Ok(reply) => reply,
        Err(failure) => return unreachable(&failure.error.to_string()),
    };
    let Some(stored) = &reply.result else {
        return match reply.rejects_the_token() {
            true => Health::default().with_problem(INVALID_TOKEN, WRONG_TOKEN, true),
            false => unreachable(&reply.sentence()),
        };
    };
    let pending = stored.get("pending_update_count").and_then(Value::as_u64);
    let has_webhook = transport != Transport::Polling;
    let error = stored.get("last_error_message").and_then(Value::as_str).filter(|_| has_webhook).map(shown);
    let is_ours = transport.is_set(webhook_url(&reply));
    let is_stuck = pending.is_some_and(|pending| pending > 0) && error.is_some();
    let ok = has_webhook.then_some(is_ours && !is_stuck);
    let webhook = WebhookReport { ok, pending, last_error: error.clone() };
    let health = Health { webhook, ..Health::default() };
    if !is_ours {
        return health.with_problem("webhook_taken", WEBHOOK_TAKEN, false);
    }
    match error.filter(|_| is_stuck) {
        Some(error) => {
            let why = format!("Telegram cannot deliver messages to this server. {error}.");
            health.with_problem("webhook_failing", why, false)
        }
        None => health,
    }
}

fn unreachable(why: &str) -> Health {
    Health::default().with_problem("provider_unavailable", format!("Telegram cannot be asked. {why}"), false)
}

/// Returns a text of Telegram as the channel stores it: bounded, and without characters that databases cannot store.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(SHOWN).collect()
}

/// Returns what keeps Telegram from delivering messages to the channel.
async fn webhook_problem(bot: &Bot<'_>, transport: Transport<'_>) -> Option<String> {
    let reply = match bot.webhook().await {
        Ok(reply) => reply,
        Err(failure) => return Some(failure.error.to_string()),
    };
    let Some(stored) = &reply.result else { return Some(reply.sentence()) };
    if !transport.is_set(webhook_url(&reply)) {
        return Some(WEBHOOK_TAKEN.to_owned());
    }
    if transport == Transport::Polling {
        return None;
    }
    let pending = stored.get("pending_update_count").and_then(Value::as_u64).unwrap_or_default();
    let error = stored.get("last_error_message").and_then(Value::as_str).filter(|_| pending > 0)?;
    Some(format!("Telegram cannot deliver messages to this server (waiting: {pending}). {error}."))
}
