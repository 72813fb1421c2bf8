//! Links with which a provider or a browser reads a file without a credential, until they expire.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use crate::ids::{MediaId, TypedId, WorkspaceId};
use crate::ports::{FilePlace, Sealer};
use crate::time::Timestamp;

/// Lifetime of the links in messages to providers.
pub const LINK_LIFE: Duration = Duration::from_secs(24 * 3_600);

/// The context of sealed links. A sealed value of another kind is not a link.
const CONTEXT: &str = "media link";
/// The path of links.
const PATH: &str = "/m/";

/// The content of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MediaLink {
    /// The file.
    pub place: FilePlace,
    /// End of the lifetime.
    pub expires_at: Timestamp,
}

impl MediaLink {
    /// Returns the token. The key of the server encrypts and authenticates it, so clients can neither create nor change
    /// one.
    pub fn token(&self, sealer: &dyn Sealer) -> String {
        let FilePlace { workspace, media } = self.place;
        let millis = self.expires_at.millis().to_be_bytes();
        let plain = [workspace.uuid().as_bytes().as_slice(), media.uuid().as_bytes(), &millis].concat();
        URL_SAFE_NO_PAD.encode(sealer.seal(&plain, CONTEXT))
    }

    /// Returns the URL of the link below the server's public URL, or its path if the public URL is empty.
    pub fn url(&self, sealer: &dyn Sealer, public_url: &str) -> String {
        format!("{public_url}{PATH}{}", self.token(sealer))
    }

    /// Reads a token of this server. Returns `None` if it is invalid or has expired.
    pub fn open(token: &str, sealer: &dyn Sealer, now: Timestamp) -> Option<Self> {
        let sealed = URL_SAFE_NO_PAD.decode(token).ok()?;
        let plain = sealer.open(&sealed, CONTEXT).ok()?;
        let (workspace, rest) = plain.split_first_chunk::<16>()?;
        let (media, rest) = rest.split_first_chunk::<16>()?;
        let millis = <[u8; 8]>::try_from(rest).ok()?;
        let workspace = WorkspaceId::from_uuid(Uuid::from_bytes(*workspace));
        let place = FilePlace { workspace, media: MediaId::from_uuid(Uuid::from_bytes(*media)) };
        let expires_at = Timestamp::from_millis(i64::from_be_bytes(millis));
        (now < expires_at).then_some(Self { place, expires_at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::PlainSealer;

    #[test]
    fn a_link_works_until_it_expires() {
        let (sealer, now) = (PlainSealer, Timestamp::EPOCH_2026);
        let workspace = WorkspaceId::from_uuid(Uuid::from_u128(1));
        let place = FilePlace { workspace, media: MediaId::from_uuid(Uuid::from_u128(2)) };
        let link = MediaLink { place, expires_at: now.plus(LINK_LIFE) };
        let token = link.token(&sealer);
        assert_eq!(MediaLink::open(&token, &sealer, now), Some(link));
        let last = link.expires_at.minus(Duration::from_millis(1));
        assert_eq!(MediaLink::open(&token, &sealer, last), Some(link));
        assert_eq!(MediaLink::open(&token, &sealer, link.expires_at), None);
        assert_eq!(link.url(&sealer, "https://a.example"), format!("https://a.example/m/{token}"));
    }

    #[test]
    fn rejects_tokens_that_the_server_did_not_make() {
        let (sealer, now) = (PlainSealer, Timestamp::EPOCH_2026);
        let other = URL_SAFE_NO_PAD.encode(sealer.seal(&[0; 40], "webhook:1"));
        let short = URL_SAFE_NO_PAD.encode(sealer.seal(&[255; 39], CONTEXT));
        for token in ["", "x", "!", other.as_str(), short.as_str()] {
            assert_eq!(MediaLink::open(token, &sealer, now), None, "{token}");
        }
    }
}
