//! Opaque tokens: 32 random bytes with a prefix.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use ring::hmac;
use secrecy::SecretString;
use tidings_domain::ports::{OpaqueToken, OpaqueTokens};

use crate::master_key::MasterKey;
use crate::random::{RandomSource, SystemRandom, bytes};

/// The prefix of every token. Scanners for leaked secrets recognise it.
const PREFIX: &str = "tdg_token_";
/// Letters and digits that are not easily confused.
const LEGIBLE: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz123456789";

/// Creates tokens. A successor token is derived from its predecessor with a key of the service.
pub struct OpaqueTokenMaker {
    successors: hmac::Key,
    /// Keys derived from previous or future master keys.
    earlier: Vec<hmac::Key>,
    random: Box<dyn RandomSource>,
}

impl OpaqueTokenMaker {
    /// Creates a maker with this master key and the system's random source.
    pub fn new(master: &MasterKey) -> Self {
        Self { successors: successors(master), earlier: Vec::new(), random: Box::new(SystemRandom::new()) }
    }

    /// Also accepts successors derived with `earlier`, so the master key can be replaced without downtime.
    pub fn knowing(mut self, earlier: &MasterKey) -> Self {
        self.earlier.push(successors(earlier));
        self
    }
}

fn successors(master: &MasterKey) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, &master.derive("refresh tokens"))
}

fn token(bytes: &[u8]) -> OpaqueToken {
    let text = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
    OpaqueToken { digest: sha256(&text), text: text.into() }
}

fn sha256(text: &str) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.copy_from_slice(digest(&SHA256, text.as_bytes()).as_ref());
    bytes
}

impl OpaqueTokens for OpaqueTokenMaker {
    fn fresh(&self) -> OpaqueToken {
        token(&bytes::<32>(self.random.as_ref()))
    }

    fn successors(&self, presented: &str) -> (OpaqueToken, Vec<OpaqueToken>) {
        let under = |key: &hmac::Key| token(hmac::sign(key, presented.as_bytes()).as_ref());
        (under(&self.successors), self.earlier.iter().map(under).collect())
    }

    fn digest(&self, presented: &str) -> Option<[u8; 32]> {
        let random = presented.strip_prefix(PREFIX)?;
        let decoded = URL_SAFE_NO_PAD.decode(random).ok().filter(|bytes| bytes.len() == 32);
        decoded.map(|_| sha256(presented))
    }

    fn password(&self) -> SecretString {
        // 20 characters of 5 bits: 100 bits, in groups that are easy to copy.
        let random = bytes::<20>(self.random.as_ref());
        let digits = random.iter().filter_map(|byte| LEGIBLE.get(usize::from(byte & 31)));
        let mut text = String::new();
        for (place, digit) in digits.enumerate() {
            if place > 0 && place % 5 == 0 {
                text.push('-');
            }
            text.push(char::from(*digit));
        }
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    fn maker() -> OpaqueTokenMaker {
        OpaqueTokenMaker::new(&MasterKey::generate(&SystemRandom::new()))
    }

    #[test]
    fn finds_a_token_by_its_digest() {
        let maker = maker();
        let (one, two) = (maker.fresh(), maker.fresh());
        assert_ne!(one.digest, two.digest);
        assert_eq!(maker.digest(one.text.expose_secret()), Some(one.digest));
        let whole = one.text.expose_secret();
        for text in ["", "tdg_token_", &whole[1..], &whole[..50], &format!("{whole}A"), &whole.replace('_', "-")] {
            assert_eq!(maker.digest(text), None, "{text}");
        }
    }

    #[test]
    fn a_successor_depends_only_on_the_token_and_the_key() {
        let (maker, other) = (maker(), maker());
        let first = maker.fresh();
        let first = first.text.expose_secret();
        let successor = |maker: &OpaqueTokenMaker, of: &str| maker.successors(of).0;
        let (next, again) = (successor(&maker, first), successor(&maker, first));
        assert_eq!(next.text.expose_secret(), again.text.expose_secret());
        assert_eq!(maker.digest(next.text.expose_secret()), Some(next.digest));
        assert_ne!(next.digest, successor(&other, first).digest);
        assert_ne!(next.digest, successor(&maker, next.text.expose_secret()).digest);
    }

    #[test]
    fn returns_the_successors_of_replaced_master_keys() {
        let (old, new) = (MasterKey::generate(&SystemRandom::new()), MasterKey::generate(&SystemRandom::new()));
        let (before, after) = (OpaqueTokenMaker::new(&old), OpaqueTokenMaker::new(&new).knowing(&old));
        let first = before.fresh();
        let first = first.text.expose_secret();
        let (present, earlier) = after.successors(first);
        assert_eq!(present.digest, OpaqueTokenMaker::new(&new).successors(first).0.digest);
        let earlier: Vec<_> = earlier.iter().map(|token| token.digest).collect();
        assert_eq!(earlier, [before.successors(first).0.digest]);
    }

    #[test]
    fn a_password_has_four_groups_of_five_characters() {
        let (one, two) = (maker().password(), maker().password());
        assert_eq!(one.expose_secret().len(), 23);
        assert!(one.expose_secret().split('-').all(|group| group.len() == 5));
        assert_ne!(one.expose_secret(), two.expose_secret());
    }
}
