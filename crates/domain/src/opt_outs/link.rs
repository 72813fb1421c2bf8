//! Links with which the recipient of a message opts out of a channel without a credential (RFC 8058).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use crate::ids::{ChannelId, ContactId, TypedId, WorkspaceId};
use crate::ports::Sealer;

/// The context of sealed links. A sealed value of another kind is not a link.
const CONTEXT: &str = "unsubscribe link";
/// The path of links.
const PATH: &str = "/u/";

/// The content of a link: the recipient of a message. It does not expire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsubscribeLink {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The contact at the time of the message.
    pub contact: ContactId,
    /// The channel.
    pub channel: ChannelId,
    /// The contact's address on the channel at the time of the message.
    pub address: String,
}

impl UnsubscribeLink {
    /// Returns the token. The key of the server encrypts and authenticates it: it reveals nothing, and clients can
    /// neither create nor change one.
    pub fn token(&self, sealer: &dyn Sealer) -> String {
        let ids = [self.workspace.uuid(), self.contact.uuid(), self.channel.uuid()];
        let mut plain: Vec<u8> = ids.iter().flat_map(|id| *id.as_bytes()).collect();
        plain.extend(self.address.as_bytes());
        URL_SAFE_NO_PAD.encode(sealer.seal(&plain, CONTEXT))
    }

    /// Returns the URL of the link below the server's public URL.
    pub fn url(&self, sealer: &dyn Sealer, public_url: &str) -> String {
        format!("{public_url}{PATH}{}", self.token(sealer))
    }

    /// Reads a token of this server. Returns `None` if it is invalid.
    pub fn open(token: &str, sealer: &dyn Sealer) -> Option<Self> {
        let sealed = URL_SAFE_NO_PAD.decode(token).ok()?;
        let plain = sealer.open(&sealed, CONTEXT).ok()?;
        let (workspace, rest) = plain.split_first_chunk::<16>()?;
        let (contact, rest) = rest.split_first_chunk::<16>()?;
        let (channel, address) = rest.split_first_chunk::<16>()?;
        Some(Self {
            workspace: WorkspaceId::from_uuid(Uuid::from_bytes(*workspace)),
            contact: ContactId::from_uuid(Uuid::from_bytes(*contact)),
            channel: ChannelId::from_uuid(Uuid::from_bytes(*channel)),
            address: std::str::from_utf8(address).ok()?.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::PlainSealer;

    fn link() -> UnsubscribeLink {
        UnsubscribeLink {
            workspace: WorkspaceId::from_uuid(Uuid::from_u128(1)),
            contact: ContactId::from_uuid(Uuid::from_u128(2)),
            channel: ChannelId::from_uuid(Uuid::from_u128(3)),
            address: "zoë@example.com".to_owned(),
        }
    }

    #[test]
    fn a_token_contains_the_recipient() {
        let token = link().token(&PlainSealer);
        assert_eq!(UnsubscribeLink::open(&token, &PlainSealer), Some(link()));
        assert_eq!(link().url(&PlainSealer, "https://a.example"), format!("https://a.example/u/{token}"));
    }

    #[test]
    fn rejects_tokens_that_the_server_did_not_make() {
        let sealed = |plain: &[u8]| URL_SAFE_NO_PAD.encode(PlainSealer.seal(plain, CONTEXT));
        let (short, unreadable) = (sealed(&[0; 47]), sealed(&[255; 60]));
        for token in ["", "x", "!", short.as_str(), unreadable.as_str()] {
            assert_eq!(UnsubscribeLink::open(token, &PlainSealer), None, "{token}");
        }
    }
}
