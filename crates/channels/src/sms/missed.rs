//! Messages of contacts that Twilio could not deliver. It does not repeat them, but it lists the messages of an account,
//! <https://www.twilio.com/docs/messaging/api/message-resource#read-multiple-message-resources>.

use serde_json::Value;
use tidings_domain::channels::Channel;
use tidings_domain::conversations::InboundMessage;
use tidings_domain::time::Timestamp;
use url::form_urlencoded::parse;

use super::api::{Account, Member};
use super::form::Parameters;
use super::look_up::{SKEW, instant, member};
use super::outbound::is_message_id;
use super::setup::Sender;
use super::update::{MAX_MEDIA, read_message};

/// Number of messages of a page.
const PAGE_SIZE: usize = 100;
/// Maximum number of pages that are read for a number.
const MAX_PAGES: usize = 10;
/// Maximum number of numbers of a messaging service whose messages are read.
const MAX_NUMBERS: usize = 20;

/// A file of a message: its media type and its ID.
type File = (String, String);

/// Returns the messages that the sender of a channel has received since a time, the oldest first: of each number, at
/// most the newest 1,000. `None` if Twilio gave no answer.
pub(super) async fn received_since(
    account: &Account<'_>,
    (channel, sender): (&Channel, Sender<'_>),
    since: Timestamp,
) -> Option<Vec<InboundMessage>> {
    let mut found = Vec::new();
    for number in numbers(account, sender).await? {
        // The newest one is listed first.
        for listed in list(account, &number, since).await?.iter().rev() {
            let Some((at, id)) = received(listed, since) else { continue };
            let files = files(account, listed, id).await?;
            let parameters = parameters(account.sid, listed, (id, &files));
            let message = read_message(channel, &parameters, id);
            found.extend(message.map(|message| (at, InboundMessage { sent_at: Some(at), ..message })));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    Some(found.into_iter().map(|(_, message)| message).collect())
}

/// Returns the numbers of a sender.
async fn numbers(account: &Account<'_>, sender: Sender<'_>) -> Option<Vec<String>> {
    let service = match sender {
        Sender::Number(number) => return Some(vec![number.to_owned()]),
        Sender::Service(service) => service,
    };
    let reply = account.read_service_numbers(service, MAX_NUMBERS).await.ok()?;
    let listed = reply.result.as_ref()?.get("phone_numbers")?.as_array()?;
    let numbers = listed.iter().filter_map(|it| member(it, "phone_number")).map(str::to_owned);
    Some(numbers.take(MAX_NUMBERS).collect())
}

/// Lists the messages to a number since a time, the newest first.
async fn list(account: &Account<'_>, number: &str, since: Timestamp) -> Option<Vec<Value>> {
    let (mut messages, mut place) = (Vec::new(), Vec::new());
    for _ in 0..MAX_PAGES {
        let mut query = vec![
            ("To", number.to_owned()),
            // Twilio reads the name and the value as `DateSent>=`.
            ("DateSent>", in_seconds(since)),
            ("PageSize", PAGE_SIZE.to_string()),
        ];
        query.append(&mut place);
        let reply = account.read("Messages.json", &query).await.ok()?;
        let page = reply.result.as_ref()?;
        messages.extend(page.get("messages")?.as_array()?.iter().take(PAGE_SIZE).cloned());
        place = page.get("next_page_uri").and_then(Value::as_str).map(next_place).unwrap_or_default();
        if place.is_empty() {
            break;
        }
    }
    Some(messages)
}

/// Returns an instant as Twilio reads it, such as `2026-01-31T09:30:00Z`.
fn in_seconds(at: Timestamp) -> String {
    let text = at.to_string();
    format!("{}Z", text.split('.').next().unwrap_or(&text))
}

/// Returns the parameters of the next page. The rest of the path is not used, because the call contains a login.
fn next_place(path: &str) -> Vec<Member> {
    let query = path.split_once('?').map_or("", |(_, query)| query);
    let value = |name: &str| parse(query.as_bytes()).find(|(own, _)| own == name).map(|(_, value)| value.into_owned());
    ["Page", "PageToken"].into_iter().filter_map(|name| Some((name, value(name)?))).collect()
}

/// Returns the time and the ID of a listed message, if a contact sent it since a time.
fn received(listed: &Value, since: Timestamp) -> Option<(Timestamp, &str)> {
    let at = ["date_sent", "date_created"].into_iter().find_map(|name| instant(member(listed, name)?))?;
    let id = member(listed, "sid").filter(|id| is_message_id(id))?;
    let is_new = member(listed, "direction") == Some("inbound") && at >= since.minus(SKEW);
    is_new.then_some((at, id))
}

/// Returns the files of a listed message, <https://www.twilio.com/docs/messaging/api/media-resource>. `None` if Twilio
/// gave no answer.
async fn files(account: &Account<'_>, listed: &Value, id: &str) -> Option<Vec<File>> {
    if matches!(member(listed, "num_media"), None | Some("0")) {
        return Some(Vec::new());
    }
    let query = [("PageSize", MAX_MEDIA.to_string())];
    let reply = account.read(&format!("Messages/{id}/Media.json"), &query).await.ok()?;
    if reply.status == 404 {
        return Some(Vec::new());
    }
    let files = reply.result.as_ref()?.get("media_list")?.as_array()?;
    let file = |it: &Value| Some((member(it, "content_type")?.to_owned(), member(it, "sid")?.to_owned()));
    Some(files.iter().filter_map(file).collect())
}

/// Returns the parameters of a request of Twilio about a listed message.
fn parameters(account: &str, listed: &Value, (id, files): (&str, &[File])) -> Parameters<'static> {
    let names = [
        ("From", "from"),
        ("To", "to"),
        ("Body", "body"),
        ("NumMedia", "num_media"),
        ("MessagingServiceSid", "messaging_service_sid"),
    ];
    let members = names.into_iter().filter_map(|(name, own)| Some((name.to_owned(), member(listed, own)?.to_owned())));
    let mut pairs: Vec<(String, String)> = members.collect();
    for (number, (media_type, file)) in files.iter().enumerate() {
        let url = format!("https://api.twilio.com/2010-04-01/Accounts/{account}/Messages/{id}/Media/{file}");
        pairs.push((format!("MediaContentType{number}"), media_type.clone()));
        pairs.push((format!("MediaUrl{number}"), url));
    }
    Parameters::of_pairs(pairs)
}
