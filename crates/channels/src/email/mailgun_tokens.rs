//! The signed tokens of Mailgun. Its signature does not cover the mail, so each token belongs to one mail.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ring::digest::{SHA256, digest};
use tidings_domain::ids::ChannelId;

use super::request::MAILGUN_TOLERANCE;

/// Maximum number of tokens that are remembered. Each has a valid signature of a channel and is remembered for minutes.
const MAX_REMEMBERED: usize = 100_000;
/// The time until a token is too old to be accepted again, in seconds.
const REMEMBERED: i64 = 2 * MAILGUN_TOLERANCE + 1;

/// The mail of a token.
struct Mail {
    digest: [u8; 32],
    /// The end of the memory, in Unix seconds.
    until: i64,
}

/// The recent tokens of all channels, in this process.
#[derive(Default)]
pub(super) struct MailgunTokens(Mutex<HashMap<[u8; 32], Mail>>);

impl MailgunTokens {
    /// Whether a token of a channel belongs to this mail: it is new, or Mailgun repeats the mail. `signed` is the text
    /// with the token that Mailgun signed. `now` is the server's time in Unix seconds.
    pub(super) fn admit(&self, channel: ChannelId, signed: &str, mail: &[u8], now: i64) -> bool {
        let (key, mail) = (hash(format!("{channel} {signed}").as_bytes()), hash(mail));
        let mut mails = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = mails.get(&key).filter(|known| known.until >= now) {
            return known.digest == mail;
        }
        if mails.len() >= MAX_REMEMBERED {
            mails.retain(|_, known| known.until >= now);
        }
        let has_room = mails.len() < MAX_REMEMBERED;
        if has_room {
            mails.insert(key, Mail { digest: mail, until: now.saturating_add(REMEMBERED) });
        }
        has_room
    }
}

fn hash(bytes: &[u8]) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest(&SHA256, bytes).as_ref());
    hash
}

#[cfg(test)]
mod tests {
    use tidings_domain::ids::TypedId;
    use uuid::Uuid;

    use super::*;

    const NOW: i64 = 1_767_225_600;

    fn channel(number: u128) -> ChannelId {
        ChannelId::from_uuid(Uuid::from_u128(number))
    }

    #[test]
    fn a_token_belongs_to_one_mail() {
        let tokens = MailgunTokens::default();
        assert!(tokens.admit(channel(1), "1t", b"Hello", NOW));
        assert!(tokens.admit(channel(1), "1t", b"Hello", NOW + 60), "Mailgun repeats the mail");
        assert!(!tokens.admit(channel(1), "1t", b"forged", NOW + MAILGUN_TOLERANCE));
        assert!(tokens.admit(channel(1), "2t", b"Hello", NOW), "another token");
        assert!(tokens.admit(channel(2), "1t", b"other", NOW), "another channel");
    }

    #[test]
    fn forgets_tokens_that_are_too_old() {
        let tokens = MailgunTokens::default();
        assert!(tokens.admit(channel(1), "1t", b"Hello", NOW));
        assert!(!tokens.admit(channel(1), "1t", b"other", NOW + REMEMBERED));
        assert!(tokens.admit(channel(1), "1t", b"other", NOW + REMEMBERED + 1));
    }
}
