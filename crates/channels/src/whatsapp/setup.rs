//! Set-up of a phone number: its account, its webhook address, and tests.

use serde_json::{Value, json};
use tidings_domain::channels::{Config, Health, SetupFailure, WebhookReport};
use tidings_domain::trial::TestAnswer;
use tidings_egress::CallError;

use super::Number;
use super::channel_type::{ACCESS_TOKEN, DISPLAY_NUMBER, PIN, VERIFIED_NAME};
use super::errors::INVALID_TOKEN;
use crate::contents::LONGEST_NAME;
use crate::graph::Reply;

/// The members of a phone number that the set-up reads.
const FIELDS: &str = "fields=display_phone_number,verified_name,quality_rating,webhook_configuration";
/// The code of a PIN that does not belong to the phone number.
const WRONG_PIN: &str = "133005";
/// Advice for a rejected token.
const WRONG_TOKEN: &str = "WhatsApp does not accept this access token. Create a permanent token of a system user with \
                           the permissions whatsapp_business_messaging and whatsapp_business_management.";
/// Advice for a number with another address.
const WEBHOOK_TAKEN: &str =
    "WhatsApp sends the messages of this phone number to another address. Connect the channel again.";
/// Advice for IDs and versions that cannot be called.
const WRONG_CONFIG: &str = "The phone number ID and the account ID have only digits, and the version of the Graph API \
                            is a text such as v25.0. Correct the configuration of the channel.";

/// Returns the failure for a configuration or a token that cannot be called.
pub(super) fn wrong_config() -> SetupFailure {
    SetupFailure { step: "check_config", provider_code: None, hint: WRONG_CONFIG.to_owned(), secret: None }
}

/// Reads the phone number, registers it if there is a PIN, subscribes the app to the account, registers the address of
/// the channel, and reads it back. `token` is the token that Meta repeats when it checks the address.
///
/// # Errors
/// [`SetupFailure`].
pub(super) async fn connect(number: &Number<'_>, url: &str, token: &str) -> Result<Config, SetupFailure> {
    let graph = &number.graph;
    let read = result("read_number", graph.get(&number.fields()).await)?;
    if let Some(pin) = &number.pin {
        let body = json!({"messaging_product": "whatsapp", "pin": pin});
        let registered = result("register", graph.post(&format!("{}/register", number.id), &body).await);
        registered.map_err(|failure| match failure.provider_code.as_deref() {
            Some(WRONG_PIN) => SetupFailure { secret: Some(PIN), ..failure },
            Some(_) | None => failure,
        })?;
    }
    let account = format!("{}/subscribed_apps", number.account);
    result("subscribe_app", graph.post(&account, &json!({})).await)?;
    let webhook = json!({"webhook_configuration": {"override_callback_uri": url, "verify_token": token}});
    result("set_webhook", graph.post(number.id, &webhook).await)?;
    let stored = result("read_webhook", graph.get(&number.fields()).await)?;
    if webhook_url(&stored) != Some(url) {
        let hint = "WhatsApp has another webhook address for this phone number. Another program sets it: stop that \
                    program, or use another phone number.";
        return Err(SetupFailure { step: "read_webhook", provider_code: None, hint: hint.to_owned(), secret: None });
    }
    let reported = [DISPLAY_NUMBER, VERIFIED_NAME].into_iter();
    let value = |name: &'static str| Some((name.to_owned(), Value::from(shown(read.get(name)?.as_str()?))));
    Ok(reported.filter_map(value).collect())
}

/// Returns a text of WhatsApp as the channel stores it: bounded, and without characters that databases cannot store.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect()
}

impl Number<'_> {
    /// Returns the path that reads the phone number.
    fn fields(&self) -> String {
        format!("{}?{FIELDS}", self.id)
    }
}

/// Returns the address to which WhatsApp sends the messages of the phone number.
fn webhook_url(number: &Value) -> Option<&str> {
    let configuration = number.get("webhook_configuration")?;
    let address = |name: &str| configuration.get(name).and_then(Value::as_str);
    address("phone_number").or_else(|| address("override_callback_uri"))
}

/// Returns the body of a response, or the failure of a step.
pub(super) fn result(step: &'static str, result: Result<Reply, CallError>) -> Result<Value, SetupFailure> {
    let failed = |provider_code, hint, secret| SetupFailure { step, provider_code, hint, secret };
    let reply = match result {
        Ok(reply) => reply,
        Err(failure) => return Err(failed(None, format!("WhatsApp cannot be reached. {failure}"), None)),
    };
    if reply.is_success() {
        return Ok(reply.body);
    }
    let code = reply.code().map_or_else(|| reply.status.to_string(), |code| code.to_string());
    match reply.rejects_the_token() {
        true => Err(failed(Some(code), WRONG_TOKEN.to_owned(), Some(ACCESS_TOKEN))),
        false => Err(failed(Some(code), reply.sentence(), None)),
    }
}

/// Removes the address if it has this path, so it is the channel's own. Errors have no effect.
pub(super) async fn disconnect(number: &Number<'_>, path: &str) {
    let Ok(reply) = number.graph.get(&number.fields()).await else { return };
    if webhook_url(&reply.body).is_some_and(|url| url.ends_with(path)) {
        let none = json!({"webhook_configuration": {"override_callback_uri": ""}});
        let _ = number.graph.post(number.id, &none).await;
    }
}

/// The member of a phone number with its quality rating.
const QUALITY: &str = "quality_rating";
/// The member of a phone number with the maximum number of contacts that the business can write first in 24 hours.
/// Older versions of the Graph API reject it, so it has its own call.
const MESSAGING_LIMIT: &str = "whatsapp_business_manager_messaging_limit";
/// The name of the messaging limit in the health of a channel.
const LIMIT: &str = "messaging_limit";
/// The quality rating of a number that WhatsApp may restrict.
const LOW_QUALITY: &str = "RED";

/// Asks for the quality, the messaging limit and the address of a connected number, and for the end of its token. `path`
/// is the path of its address.
pub(super) async fn health(number: &Number<'_>, path: &str) -> Health {
    let failed = |why: &str| {
        Health::default().with_problem("provider_unavailable", format!("WhatsApp cannot be asked. {why}"), false)
    };
    let reply = match number.graph.get(&number.fields()).await {
        Ok(reply) => reply,
        Err(failure) => return failed(&failure.error.to_string()),
    };
    if reply.rejects_the_token() {
        return Health::default().with_problem(INVALID_TOKEN, WRONG_TOKEN, true);
    }
    if !reply.is_success() {
        return failed(&reply.sentence());
    }
    let quality = reply.body.get(QUALITY).and_then(Value::as_str);
    let is_ours = webhook_url(&reply.body).is_some_and(|url| url.ends_with(path));
    let limit = messaging_limit(number).await;
    let limits = [(QUALITY, quality), (LIMIT, limit.as_deref())].into_iter();
    let health = Health {
        webhook: WebhookReport { ok: Some(is_ours), ..WebhookReport::default() },
        limits: limits.filter_map(|(name, value)| Some((name.to_owned(), Value::from(shown(value?))))).collect(),
        credential_expires_at: number.graph.token_expiry().await,
        ..Health::default()
    };
    let health = match quality {
        Some(LOW_QUALITY) => {
            let why =
                "Contacts block or report this phone number, so WhatsApp rates its quality as low and can limit it.";
            health.with_problem("low_quality", why, false)
        }
        Some(_) | None => health,
    };
    if is_ours { health } else { health.with_problem("webhook_taken", WEBHOOK_TAKEN, false) }
}

/// Asks for the messaging limit, such as `TIER_2K`. `None` if Meta does not report it.
async fn messaging_limit(number: &Number<'_>) -> Option<String> {
    let path = format!("{}?fields={MESSAGING_LIMIT}", number.id);
    let reply = number.graph.get(&path).await.ok().filter(Reply::is_success)?;
    reply.body.get(MESSAGING_LIMIT)?.as_str().map(str::to_owned)
}

/// Checks the token, and the address if the channel is connected: then `path` is its path.
pub(super) async fn test(number: &Number<'_>, path: Option<&str>) -> TestAnswer {
    let reply = match number.graph.get(&number.fields()).await {
        Ok(reply) => reply,
        Err(failure) => return TestAnswer::failed(failure.error.to_string()),
    };
    let status = Some(i32::from(reply.status));
    if !reply.is_success() {
        let error = if reply.rejects_the_token() { WRONG_TOKEN.to_owned() } else { reply.sentence() };
        return TestAnswer { status, error: Some(error), ..TestAnswer::default() };
    }
    let is_ours = |path: &str| webhook_url(&reply.body).is_some_and(|url| url.ends_with(path));
    let error = path.filter(|path| !is_ours(path)).map(|_| WEBHOOK_TAKEN.to_owned());
    let shown = ["display_phone_number", "verified_name", "quality_rating"];
    let body: Config =
        shown.iter().filter_map(|name| Some(((*name).to_owned(), reply.body.get(*name)?.clone()))).collect();
    TestAnswer { status, headers: Vec::new(), body: Value::Object(body).to_string(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_names_without_control_characters_and_within_bounds() {
        assert_eq!(shown("Example\0 Shop\n"), "Example Shop");
        assert_eq!(shown(&"ä".repeat(9_000)), "ä".repeat(LONGEST_NAME));
    }
}
