//! Finds a message of the account after the outcome of its call was unknown.

use std::time::Duration;

use serde_json::Value;
use tidings_domain::channels::Outbound;
use tidings_domain::time::Timestamp;

use super::api::{Member, Reply};
use super::channel_type::{FROM, MESSAGING_SERVICE_SID};
use super::outbound::is_message_id;

/// The waits before each look-up.
pub(super) const WAITS: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(300)];
/// Number of messages that are read, the newest first.
const READ: usize = 50;
/// The difference between the clocks of this server and of Twilio, which counts whole seconds.
pub(super) const SKEW: Duration = Duration::from_secs(5);
/// Months as Twilio writes them.
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Returns the query for the messages to a number.
pub(super) fn query(address: &str) -> [Member; 2] {
    [("To", address.to_owned()), ("PageSize", READ.to_string())]
}

/// Returns the IDs of the messages that can be this one: with its text and its sender, created after the call began.
/// `None` if the response has no list.
pub(super) fn matches(reply: &Reply, message: &Outbound, text: &str, began: Timestamp) -> Option<Vec<String>> {
    let listed = reply.result.as_ref()?.get("messages")?.as_array()?;
    let config = |name: &str| message.channel.endpoint.as_ref().and_then(|endpoint| endpoint.text(name));
    let earliest = began.minus(SKEW);
    let is_match = |it: &&Value| {
        let has = |name: &str, expected: &str| member(it, name).is_some_and(|found| found.trim_end() == expected);
        let is_outbound = member(it, "direction").is_some_and(|direction| direction.starts_with("outbound"));
        let has_sender = match (config(FROM), config(MESSAGING_SERVICE_SID)) {
            (Some(number), _) => has("from", number),
            (None, Some(service)) => has("messaging_service_sid", service),
            (None, None) => false,
        };
        let created = member(it, "date_created").and_then(instant);
        let is_late_enough = created.is_some_and(|created| created >= earliest);
        is_outbound && has_sender && is_late_enough && has("to", &message.address) && has("body", text.trim_end())
    };
    let found = listed.iter().take(READ).filter(is_match);
    Some(found.filter_map(|it| member(it, "sid")).filter(|sid| is_message_id(sid)).map(str::to_owned).collect())
}

/// Returns a text of an object.
pub(super) fn member<'v>(of: &'v Value, name: &str) -> Option<&'v str> {
    of.get(name)?.as_str()
}

/// Reads a time of RFC 2822, such as `Tue, 31 Aug 2010 20:36:28 +0000`.
pub(super) fn instant(text: &str) -> Option<Timestamp> {
    let mut words = text.split_whitespace().skip(1);
    let day: u8 = words.next()?.parse().ok()?;
    let month = words.next()?;
    let month = MONTHS.iter().position(|known| *known == month)? + 1;
    let (year, time, zone) = (words.next()?, words.next()?, words.next()?);
    let (hours, minutes) = (zone.get(..3)?, zone.get(3..)?);
    format!("{year}-{month:02}-{day:02}T{time}{hours}:{minutes}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_times_of_twilio() {
        let expected: Timestamp = "2010-08-31T20:36:28Z".parse().unwrap();
        assert_eq!(instant("Tue, 31 Aug 2010 20:36:28 +0000"), Some(expected));
        assert_eq!(instant("Tue, 31 Aug 2010 22:36:28 +0200"), Some(expected));
        for wrong in ["", "Tue,", "2010-08-31T20:36:28Z", "Tue, 31 Foo 2010 20:36:28 +0000", "Tue, 31 Aug 2010 20:36 é"]
        {
            assert_eq!(instant(wrong), None, "{wrong}");
        }
    }
}
