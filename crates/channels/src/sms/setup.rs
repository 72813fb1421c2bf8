//! Set-up of a channel: its account, the address of its number, and tests.

use serde_json::{Value, json};
use tidings_domain::channels::{Config, Health, SetupFailure, WebhookReport};
use tidings_domain::trial::TestAnswer;
use tidings_egress::CallError;

use super::api::{Account, Reply};
use super::channel_type::{API_KEY, AUTH_TOKEN, MMS};
use super::outbound::{INVALID_TOKEN, OVERRIDES};

/// Advice for a rejected auth token.
const WRONG_TOKEN: &str = "Twilio does not accept this auth token for the account. Copy both from the start page of the Twilio console again.";
/// Advice for a rejected API key.
const WRONG_KEY: &str = "Twilio does not accept this API key. Create a standard API key of the same account.";
/// Advice for an account that is suspended or closed.
const INACTIVE: &str = "The Twilio account is not active. Open the Twilio console, and follow the advice there.";
/// Advice for a number of another account.
const NO_NUMBER: &str =
    "The Twilio account does not have this number. Enter a number of the account, with + and the country code.";
/// Advice for a number that an application of Twilio handles.
const HAS_APPLICATION: &str =
    "A TwiML app receives the messages of this number. Remove the app from the number in the Twilio console.";
/// Advice for a number with another address.
const MOVED: &str = "Twilio sends the messages of this number to another address. Connect the channel again.";
/// Advice for a messaging service with another address.
const SERVICE_ELSEWHERE: &str = "Twilio sends the messages of this messaging service to another address. In the Twilio console, set its request \
     URL for incoming messages to the inbound URL of the channel, with the method POST. Do not use the webhooks of the \
     numbers.";

/// The sender of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sender<'c> {
    /// A phone number.
    Number(&'c str),
    /// The ID of a messaging service.
    Service(&'c str),
}

/// A number of the account, as Twilio stores it.
struct Number {
    sid: String,
    /// The address that receives its messages.
    url: String,
    /// Whether an application receives the messages. Then `url` has no effect.
    has_application: bool,
    /// Whether the number can send files (MMS).
    has_mms: Option<bool>,
}

/// Returns the failure for secrets that cannot be used.
pub(super) fn wrong_token(step: &'static str) -> SetupFailure {
    SetupFailure { step, provider_code: None, hint: WRONG_TOKEN.to_owned(), secret: Some(AUTH_TOKEN) }
}

fn failed(step: &'static str, hint: &str) -> SetupFailure {
    SetupFailure { step, provider_code: None, hint: hint.to_owned(), secret: None }
}

/// Checks the account, sets the address of a number, and reads it back. Reports whether the number sends files. The
/// address of a messaging service belongs to its admin, so it is only compared, by [`test`].
///
/// # Errors
/// [`SetupFailure`].
pub(super) async fn connect(account: &Account<'_>, sender: Sender<'_>, url: &str) -> Result<Config, SetupFailure> {
    let itself = result("read_account", AUTH_TOKEN, account.read_account().await)?;
    if itself.text("status") != Some("active") {
        return Err(failed("read_account", INACTIVE));
    }
    match sender {
        Sender::Number(number) => connect_number(account, number, url).await,
        Sender::Service(sid) => {
            result("read_service", login_of(account), account.read_service(sid).await)?;
            Ok(Config::new())
        }
    }
}

async fn connect_number(account: &Account<'_>, number: &str, url: &str) -> Result<Config, SetupFailure> {
    let stored = read_number(account, number, "read_number").await?;
    if stored.has_application {
        return Err(failed("read_number", HAS_APPLICATION));
    }
    let form = [("SmsUrl", format!("{url}{OVERRIDES}")), ("SmsMethod", "POST".to_owned())];
    let resource = format!("IncomingPhoneNumbers/{}.json", stored.sid);
    result("update_number", login_of(account), account.write(&resource, &form).await)?;
    let stored = read_number(account, number, "check_number").await?;
    match without_fragment(&stored.url) == url && !stored.has_application {
        true => Ok(stored.has_mms.map(|has_mms| (MMS.to_owned(), has_mms.into())).into_iter().collect()),
        false => Err(failed(
            "check_number",
            "Twilio has another address for this number. Another program sets it: stop that program.",
        )),
    }
}

/// Reads the number of a channel.
async fn read_number(account: &Account<'_>, number: &str, step: &'static str) -> Result<Number, SetupFailure> {
    let query = [("PhoneNumber", number.to_owned())];
    let reply = result(step, login_of(account), account.read("IncomingPhoneNumbers.json", &query).await)?;
    let found = reply.result.as_ref().and_then(|it| it.get("incoming_phone_numbers")?.as_array());
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let is_own = |it: &&Value| it.get("phone_number").and_then(Value::as_str) == Some(number);
    let found = found.and_then(|all| all.iter().find(is_own)).ok_or_else(|| failed(step, NO_NUMBER))?;
    let sid = text(found, "sid");
    // The ID becomes part of a URL.
    if sid.is_empty() || !sid.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(failed(step, "Twilio answered without the ID of the number."));
    }
    let has_application = !text(found, "sms_application_sid").is_empty();
    let has_mms = found.pointer("/capabilities/mms").and_then(Value::as_bool);
    Ok(Number { sid, url: text(found, "sms_url"), has_application, has_mms })
}

/// Returns the secret that logs in, by name.
fn login_of(account: &Account<'_>) -> &'static str {
    if account.key.is_some() { API_KEY } else { AUTH_TOKEN }
}

fn result(step: &'static str, secret: &'static str, result: Result<Reply, CallError>) -> Result<Reply, SetupFailure> {
    let reply = result.map_err(|failure| failed(step, &format!("Twilio cannot be reached. {failure}")))?;
    if reply.result.is_some() {
        return Ok(reply);
    }
    let provider_code = Some(reply.code.map_or_else(|| reply.status.to_string(), |code| code.to_string()));
    let (hint, secret) = match (reply.rejects_the_login(), reply.retry_after) {
        (true, _) if secret == API_KEY => (WRONG_KEY.to_owned(), Some(secret)),
        (true, _) => (WRONG_TOKEN.to_owned(), Some(secret)),
        (false, Some(wait)) => (format!("Twilio asks to retry after {} s.", wait.as_secs()), None),
        (false, None) => (reply.sentence(), None),
    };
    Err(SetupFailure { step, provider_code, hint, secret })
}

fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(url, _)| url)
}

/// Whether an address at Twilio is the one of the channel with this path.
fn is_ours(url: &str, path: &str) -> bool {
    without_fragment(url).ends_with(path)
}

/// Removes the address of a number if it has this path, so it is the channel's own. Errors have no effect.
pub(super) async fn disconnect(account: &Account<'_>, sender: Sender<'_>, path: &str) {
    let Sender::Number(number) = sender else { return };
    let Ok(stored) = read_number(account, number, "read_number").await else { return };
    if is_ours(&stored.url, path) {
        let resource = format!("IncomingPhoneNumbers/{}.json", stored.sid);
        let _ = account.write(&resource, &[("SmsUrl", String::new())]).await;
    }
}

/// Checks the account, and the address of the sender if the channel is connected: then `path` is the path of its
/// address.
pub(super) async fn test(account: &Account<'_>, sender: Sender<'_>, path: Option<&str>) -> TestAnswer {
    let itself = match account.read_account().await {
        Ok(reply) => reply,
        Err(failure) => return TestAnswer::failed(failure.error.to_string()),
    };
    let status = Some(i32::from(itself.status));
    if itself.result.is_none() {
        let error = if itself.rejects_the_login() { WRONG_TOKEN.to_owned() } else { itself.sentence() };
        return TestAnswer { status, error: Some(error), ..TestAnswer::default() };
    }
    // The response also contains the auth token.
    let shown = json!({"friendly_name": itself.text("friendly_name"), "status": itself.text("status")});
    let error = match (itself.text("status"), path) {
        (Some("active"), Some(path)) => address_problem(account, sender, path).await,
        (Some("active"), None) => None,
        (Some(_) | None, _) => Some(INACTIVE.to_owned()),
    };
    TestAnswer { status, headers: Vec::new(), body: shown.to_string(), error }
}

/// Asks for the account and the address of a connected sender. `path` is the path of its address.
pub(super) async fn health(account: &Account<'_>, sender: Sender<'_>, path: &str) -> Health {
    let failed = |why: &str| {
        Health::default().with_problem("provider_unavailable", format!("Twilio cannot be asked. {why}"), false)
    };
    let itself = match account.read_account().await {
        Ok(reply) => reply,
        Err(failure) => return failed(&failure.error.to_string()),
    };
    if itself.rejects_the_login() {
        return Health::default().with_problem(INVALID_TOKEN, WRONG_TOKEN, true);
    }
    match (&itself.result, itself.text("status")) {
        (None, _) => failed(&itself.sentence()),
        (Some(_), Some("active")) => {
            let problem = address_problem(account, sender, path).await;
            let webhook = WebhookReport { ok: Some(problem.is_none()), ..WebhookReport::default() };
            let health = Health { webhook, ..Health::default() };
            match problem {
                Some(why) => health.with_problem("webhook_taken", why, false),
                None => health,
            }
        }
        (Some(_), _) => Health::default().with_problem("account_inactive", INACTIVE, true),
    }
}

/// Returns what keeps messages from the channel.
async fn address_problem(account: &Account<'_>, sender: Sender<'_>, path: &str) -> Option<String> {
    match sender {
        Sender::Number(number) => match read_number(account, number, "read_number").await {
            Err(failure) => Some(failure.hint),
            Ok(stored) if stored.has_application => Some(HAS_APPLICATION.to_owned()),
            Ok(stored) => (!is_ours(&stored.url, path)).then(|| MOVED.to_owned()),
        },
        Sender::Service(sid) => match result("read_service", login_of(account), account.read_service(sid).await) {
            Err(failure) => Some(failure.hint),
            Ok(service) => {
                let url = service.text("inbound_request_url").unwrap_or_default();
                let is_post = service.text("inbound_method").is_none_or(|method| method == "POST");
                let on_number =
                    service.result.as_ref().and_then(|it| it.get("use_inbound_webhook_on_number")?.as_bool());
                let is_set = is_ours(url, path) && is_post && on_number != Some(true);
                (!is_set).then(|| SERVICE_ELSEWHERE.to_owned())
            }
        },
    }
}
