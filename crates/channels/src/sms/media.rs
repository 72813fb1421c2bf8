//! Files of contacts, <https://www.twilio.com/docs/messaging/api/media-resource>.

use tidings_domain::channels::{FetchFailure, FetchedMedia};
use url::Url;

use super::api::Account;
use super::outbound::is_message_id;

/// Returns the reference of a contact's file from its URL: the IDs of the message and the file. `None` if the file does
/// not belong to this account.
pub(super) fn reference(account: &str, url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let segments: Vec<&str> = url.path_segments()?.collect();
    match &segments[..] {
        ["2010-04-01", "Accounts", owner, "Messages", message, "Media", file]
            if *owner == account && is_message_id(message) && is_message_id(file) =>
        {
            Some(format!("{message}/{file}"))
        }
        _ => None,
    }
}

/// Fetches a file of at most `limit` bytes by its reference.
///
/// # Errors
/// [`FetchFailure`].
pub(super) async fn fetch(account: &Account<'_>, reference: &str, limit: u64) -> Result<FetchedMedia, FetchFailure> {
    let ids = reference.split_once('/').filter(|(message, file)| is_message_id(message) && is_message_id(file));
    let wrong = || FetchFailure::Gone("The reference of the file is no ID of Twilio.".to_owned());
    let (message, file) = ids.ok_or_else(wrong)?;
    account.download(&format!("Messages/{message}/Media/{file}"), limit).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_has_only_ids() {
        let of = |rest: &str| reference("AC1", &format!("https://api.twilio.com/2010-04-01/Accounts/{rest}"));
        assert_eq!(of("AC1/Messages/MM2/Media/ME3").as_deref(), Some("MM2/ME3"));
        for wrong in [
            "AC2/Messages/MM2/Media/ME3",
            "AC1/Messages/MM2/Media/",
            "AC1/Messages/MM-2/Media/ME3",
            "AC1/Messages/MM2/Media/ME3/x",
            "AC1/Calls/MM2/Media/ME3",
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        assert_eq!(reference("AC1", "MM2/ME3"), None);
    }
}
