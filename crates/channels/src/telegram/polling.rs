//! Updates that the server fetches, <https://core.telegram.org/bots/api#getupdates>.

use std::time::Duration;

use serde_json::{Value, json};
use tidings_domain::channels::{HealthProblem, InboundRequest, PollFailure, Polled, PolledRequest};

use super::api::{Bot, Reply};
use super::update::SUBSCRIBED;
use super::{INVALID_TOKEN, setup};

/// Maximum number of updates of a poll. Telegram returns at most 100, but does not limit their size. 20 large ones fit in
/// the largest response.
const MAX_UPDATES: usize = 20;

/// Advice for a bot that has a webhook, or that another program polls.
const TAKEN: &str =
    "Another program receives the messages of this bot. Stop that program, and connect the channel again.";

/// Fetches the updates with a greater ID than `after`. Telegram deletes the others. If it has none, it waits for one, at
/// most this time. It answers one of two calls at the same time with 409.
///
/// # Errors
/// [`PollFailure`].
pub(super) async fn poll(bot: &Bot<'_>, after: Option<i64>, wait: Duration) -> Result<Polled, PollFailure> {
    let mut query = json!({"limit": MAX_UPDATES, "timeout": wait.as_secs(), "allowed_updates": SUBSCRIBED});
    if let Some((members, after)) = query.as_object_mut().zip(after) {
        members.insert("offset".to_owned(), after.saturating_add(1).into());
    }
    let reply = match bot.updates(&query).await {
        Ok(reply) => reply,
        Err(failure) => return Err(unavailable(&failure.error.to_string())),
    };
    let Some(updates) = reply.result.as_ref().and_then(Value::as_array) else { return Err(refused(&reply)) };
    // Another Bot API server can ignore the limit. It returns the other updates again.
    let requests: Vec<PolledRequest> = updates.iter().filter_map(request).take(MAX_UPDATES).collect();
    Ok(Polled { has_more: requests.len() >= MAX_UPDATES, requests })
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
