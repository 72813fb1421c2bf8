//! Updates that the server fetches, <https://core.telegram.org/bots/api#getupdates>.

use std::time::Duration;

use serde_json::{Value, json};
use tidings_domain::channels::{HealthProblem, InboundRequest, PollFailure, Polled, PolledRequest};
use tidings_domain::read::Refusal;

use super::api::{Bot, Reply, UPDATES_BODY, Updates};
use super::update::SUBSCRIBED;
use super::{INVALID_TOKEN, setup};

/// Maximum number of updates of a poll. Telegram returns at most 100, but does not limit their size. 20 large ones fit in
/// the largest response.
const MAX_UPDATES: usize = 20;

/// The name of an update's ID, as its JSON contains it. JSON escapes the quotation marks of texts.
const UPDATE_ID: &str = "\"update_id\":";

/// Advice for a bot that has a webhook, or that another program polls.
const TAKEN: &str =
    "Another program receives the messages of this bot. Stop that program, and connect the channel again.";

/// Fetches the updates with a greater ID than `after`. Telegram deletes the others. If it has none, it waits for one, at
/// most this time. It answers one of two calls at the same time with 409. If they are too large together, one of them is
/// fetched. If that one is too large, only its beginning is fetched.
///
/// # Errors
/// [`PollFailure`].
pub(super) async fn poll(bot: &Bot<'_>, after: Option<i64>, wait: Duration) -> Result<Polled, PollFailure> {
    if let Updates::Whole(reply) = updates(bot, after, (MAX_UPDATES, wait)).await? {
        return polled(&reply, MAX_UPDATES);
    }
    match updates(bot, after, (1, Duration::ZERO)).await? {
        Updates::Whole(reply) => polled(&reply, 1),
        Updates::Cut(beginning) => beginning_of(&beginning),
    }
}

/// Returns the refusal of an update of which only the beginning was fetched.
pub(super) fn too_large(body: &[u8]) -> Option<Refusal> {
    let refusal = || Refusal::Malformed { detail: "the update is larger than 3 MiB".to_owned() };
    (body.len() > UPDATES_BODY).then(refusal)
}

async fn updates(bot: &Bot<'_>, after: Option<i64>, (limit, wait): (usize, Duration)) -> Result<Updates, PollFailure> {
    let mut query = json!({"limit": limit, "timeout": wait.as_secs(), "allowed_updates": SUBSCRIBED});
    if let Some((members, after)) = query.as_object_mut().zip(after) {
        members.insert("offset".to_owned(), after.saturating_add(1).into());
    }
    bot.updates(&query).await.map_err(|failure| unavailable(&failure.error.to_string()))
}

fn polled(reply: &Reply, limit: usize) -> Result<Polled, PollFailure> {
    let Some(updates) = reply.result.as_ref().and_then(Value::as_array) else { return Err(refused(reply)) };
    // Another Bot API server can ignore the limit. It returns the other updates again.
    let requests: Vec<PolledRequest> = updates.iter().filter_map(request).take(limit).collect();
    Ok(Polled { has_more: requests.len() >= limit, requests })
}

/// Returns the update at the beginning of a response with only one. It has the number of the update, so the next poll
/// continues after it, and [`too_large`] refuses it.
fn beginning_of(response: &[u8]) -> Result<Polled, PollFailure> {
    let text = String::from_utf8_lossy(response);
    let mut after_names = text.split(UPDATE_ID).skip(1);
    let number = after_names.next().and_then(|it| it.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok());
    match number.filter(|_| after_names.next().is_none()) {
        Some(number) => {
            let request = InboundRequest { body: response.to_vec(), ..InboundRequest::default() };
            Ok(Polled { requests: vec![PolledRequest { number, request }], has_more: true })
        }
        None => Err(unavailable("An answer with one message is larger than 3 MiB.")),
    }
}

/// Returns an update as Telegram would send it to a webhook.
fn request(update: &Value) -> Option<PolledRequest> {
    let number = update.get("update_id")?.as_i64()?;
    let request = InboundRequest { body: update.to_string().into_bytes(), ..InboundRequest::default() };
    Some(PolledRequest { number, request })
}

fn refused(reply: &Reply) -> PollFailure {
    let failure = match reply.status {
        _ if reply.rejects_the_token() => no_token(),
        409 => {
            let message = format!("{TAKEN} {}", reply.sentence());
            PollFailure { problem: HealthProblem { code: "webhook_taken", message, ends_sending: false }, after: None }
        }
        _ => unavailable(&reply.sentence()),
    };
    PollFailure { after: reply.retry_after, ..failure }
}

/// Returns the failure for a token that is not valid.
pub(super) fn no_token() -> PollFailure {
    let message = setup::wrong_token("get_updates", None).hint;
    PollFailure { problem: HealthProblem { code: INVALID_TOKEN, message, ends_sending: true }, after: None }
}

fn unavailable(why: &str) -> PollFailure {
    let message = format!("Messages cannot be fetched from Telegram. {why}");
    PollFailure { problem: HealthProblem { code: "provider_unavailable", message, ends_sending: false }, after: None }
}
