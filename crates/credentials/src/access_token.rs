//! Access tokens: JSON Web Tokens (RFC 7519) signed by Ed25519 (RFC 8037, `EdDSA`).

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use ring::signature::{Ed25519KeyPair, KeyPair};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use tidings_domain::ids::{SessionId, SigningKeyId, UserId};
use tidings_domain::ports::{AccessClaims, TokenSigner};

use crate::random::{RandomSource, SystemRandom, bytes};
use crate::token_crypto;

/// The audience of tokens: this service's own API.
pub const AUDIENCE: &str = "tidings";

/// The bytes before the 32 bytes of a private key in PKCS #8 (RFC 8410, section 7).
pub(crate) const PKCS8_HEAD: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

/// The longest accepted token, in bytes. All tokens of this service are shorter; a longer one is rejected unread.
const LONGEST: usize = 2_048;

/// Signs and verifies for one issuer. A private key is 32 random bytes, the seed of RFC 8032.
pub struct Ed25519Signer {
    issuer: String,
    random: Box<dyn RandomSource>,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: UserId,
    sid: SessionId,
    iat: i64,
    exp: i64,
}

impl Ed25519Signer {
    /// Creates a signer for an issuer.
    pub fn new(issuer: impl Into<String>) -> Self {
        token_crypto::install();
        Self { issuer: issuer.into(), random: Box::new(SystemRandom::new()) }
    }

    fn validation(&self) -> Validation {
        // Accepts a single algorithm, so the header cannot choose another one, such as `none`.
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // Expiry is checked against the caller's clock.
        validation.validate_exp = false;
        validation
    }
}

impl TokenSigner for Ed25519Signer {
    fn generate(&self) -> Vec<u8> {
        bytes::<32>(self.random.as_ref()).to_vec()
    }

    fn sign(&self, key: &[u8], id: SigningKeyId, claims: &AccessClaims) -> Option<SecretString> {
        let seed: &[u8; 32] = key.try_into().ok()?;
        let der = [PKCS8_HEAD.as_slice(), seed].concat();
        let header = Header { kid: Some(id.to_string()), ..Header::new(Algorithm::EdDSA) };
        let claims = Claims {
            iss: self.issuer.clone(),
            aud: AUDIENCE.to_owned(),
            sub: claims.user,
            sid: claims.session,
            iat: claims.issued_at,
            exp: claims.expires_at,
        };
        encode(&header, &claims, &EncodingKey::from_ed_der(&der)).ok().map(SecretString::from)
    }

    fn key_of(&self, token: &str) -> Option<SigningKeyId> {
        if token.len() > LONGEST {
            return None;
        }
        let header = decode_header(token).ok().filter(|header| header.alg == Algorithm::EdDSA)?;
        header.kid?.parse().ok()
    }

    fn verify(&self, key: &[u8], token: &str) -> Option<AccessClaims> {
        let pair = Ed25519KeyPair::from_seed_unchecked(key).ok()?;
        let key = DecodingKey::from_ed_der(pair.public_key().as_ref());
        let claims = decode::<Claims>(token, &key, &self.validation()).ok()?.claims;
        let Claims { sub, sid, iat, exp, .. } = claims;
        Some(AccessClaims { user: sub, session: sid, issued_at: iat, expires_at: exp })
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use secrecy::ExposeSecret;
    use tidings_domain::ids::TypedId;
    use uuid::Uuid;

    use super::*;

    fn id<I: TypedId>(number: u128) -> I {
        I::from_uuid(Uuid::from_u128(number))
    }

    fn claims() -> AccessClaims {
        AccessClaims { user: id(1), session: id(2), issued_at: 1_767_225_600, expires_at: 1_767_830_400 }
    }

    fn signer() -> Ed25519Signer {
        Ed25519Signer::new("https://tidings.example")
    }

    fn token(key: &[u8]) -> String {
        signer().sign(key, id(7), &claims()).unwrap().expose_secret().to_owned()
    }

    /// Returns a token with these parts, unsigned or with the signature of another token.
    fn forged(header: &str, claims: &str, signature: &str) -> String {
        format!("{}.{}.{signature}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims))
    }

    #[test]
    fn derives_the_key_pair_of_rfc_8032() {
        // RFC 8032, section 7.1, test 1.
        let seed: Vec<u8> = hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).unwrap();
        assert_eq!(pair.public_key().as_ref(), hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"));
        assert_eq!(signer().verify(&seed, &token(&seed)), Some(claims()));
    }

    fn hex(text: &str) -> Vec<u8> {
        text.as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect()
    }

    #[test]
    fn a_token_names_its_key_and_is_deterministic() {
        let key = signer().generate();
        assert_eq!(signer().key_of(&token(&key)), Some(id(7)));
        assert_eq!(token(&key), token(&key));
        let header = token(&key).split('.').next().map(|part| URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap();
        assert_eq!(header, format!(r#"{{"typ":"JWT","alg":"EdDSA","kid":"{}"}}"#, id::<SigningKeyId>(7)).as_bytes());
    }

    #[test]
    fn rejects_another_key_issuer_audience_or_algorithm() {
        let (key, other) = (signer().generate(), signer().generate());
        let good = token(&key);
        assert_eq!(signer().verify(&key, &good), Some(claims()));
        assert_eq!(signer().verify(&other, &good), None);
        assert_eq!(Ed25519Signer::new("https://other.example").verify(&key, &good), None);
        let (signed, signature) = good.rsplit_once('.').unwrap();
        let (head, body) = signed.split_once('.').unwrap();
        let body = String::from_utf8(URL_SAFE_NO_PAD.decode(body).unwrap()).unwrap();
        let head = String::from_utf8(URL_SAFE_NO_PAD.decode(head).unwrap()).unwrap();
        for bad in [
            forged(&head.replace("EdDSA", "none"), &body, ""),
            forged(&head.replace("EdDSA", "HS256"), &body, signature),
            forged(&head, &body.replace("tidings\"", "other\""), signature),
            forged(&head, &body.replace("1767830400", "1999999999"), signature),
            format!("{signed}."),
            signed.to_owned(),
            String::new(),
        ] {
            assert_eq!(signer().verify(&key, &bad), None, "{bad}");
        }
    }

    #[test]
    fn rejects_signed_tokens_with_wrong_or_missing_claims() {
        let key = signer().generate();
        let der = [PKCS8_HEAD.as_slice(), &key].concat();
        let sign = |claims: serde_json::Value| {
            encode(&Header::new(Algorithm::EdDSA), &claims, &EncodingKey::from_ed_der(&der)).unwrap()
        };
        let whole = |aud: &str| {
            serde_json::json!({"iss": "https://tidings.example", "aud": aud, "sub": id::<UserId>(1),
                "sid": id::<SessionId>(2), "iat": 1, "exp": 2})
        };
        assert!(signer().verify(&key, &sign(whole(AUDIENCE))).is_some());
        assert!(signer().verify(&key, &sign(whole("other"))).is_none());
        for missing in ["iss", "aud", "sub", "sid", "exp"] {
            let mut claims = whole(AUDIENCE);
            claims.as_object_mut().unwrap().remove(missing);
            assert!(signer().verify(&key, &sign(claims)).is_none(), "without {missing}");
        }
    }

    #[test]
    fn returns_no_key_for_an_invalid_token() {
        for text in ["", "a.b.c", "tdg_live_0123", &"x".repeat(5_000)] {
            assert_eq!(signer().key_of(text), None, "{text}");
        }
        assert_eq!(
            signer().key_of(&forged(r#"{"alg":"HS256","kid":"skey_01h455vb4pex5vsknk084sn02q"}"#, "{}", "")),
            None
        );
        assert_eq!(signer().key_of(&forged(r#"{"alg":"EdDSA","kid":"../../etc/passwd"}"#, "{}", "")), None);
    }
}
