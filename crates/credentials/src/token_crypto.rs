//! Signatures of tokens: ring, for Ed25519 (RFC 8032) only.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::signature::{Error, Signer, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use ring::signature::{ED25519, Ed25519KeyPair, UnparsedPublicKey};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    // Only needed for keys in JSON (RFC 7517), which are not used.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes ring the process-wide provider for tokens. A provider that was installed earlier stays.
pub(crate) fn install() {
    let _ = PROVIDER.install_default();
}

fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    only_eddsa(*algorithm)?;
    let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(key.as_bytes()).map_err(|_| ErrorKind::InvalidEddsaKey)?;
    Ok(Box::new(EdDsaSigner(pair)))
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    only_eddsa(*algorithm)?;
    let public = key.try_get_as_bytes()?.try_into().map_err(|_| ErrorKind::InvalidEddsaKey)?;
    Ok(Box::new(EdDsaVerifier(public)))
}

fn only_eddsa(algorithm: Algorithm) -> Result<()> {
    if algorithm == Algorithm::EdDSA { Ok(()) } else { Err(ErrorKind::InvalidAlgorithm.into()) }
}

struct EdDsaSigner(Ed25519KeyPair);

impl Signer<Vec<u8>> for EdDsaSigner {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, Error> {
        Ok(self.0.sign(message).as_ref().to_vec())
    }
}

impl JwtSigner for EdDsaSigner {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

struct EdDsaVerifier([u8; 32]);

impl Verifier<Vec<u8>> for EdDsaVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), Error> {
        UnparsedPublicKey::new(&ED25519, self.0).verify(message, signature).map_err(|_| Error::new())
    }
}

impl JwtVerifier for EdDsaVerifier {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access_token::PKCS8_HEAD;

    #[test]
    fn rejects_other_algorithms() {
        let (signing, verifying) = (EncodingKey::from_secret(&[7; 32]), DecodingKey::from_secret(&[7; 32]));
        for algorithm in [Algorithm::HS256, Algorithm::RS256, Algorithm::ES256] {
            assert!(signer(&algorithm, &signing).is_err(), "{algorithm:?}");
            assert!(verifier(&algorithm, &verifying).is_err(), "{algorithm:?}");
        }
    }

    #[test]
    fn rejects_keys_of_another_length() {
        for length in [0, 31, 33] {
            assert!(verifier(&Algorithm::EdDSA, &DecodingKey::from_ed_der(&vec![7; length])).is_err(), "{length}");
            assert!(signer(&Algorithm::EdDSA, &EncodingKey::from_ed_der(&vec![7; length])).is_err(), "{length}");
        }
    }

    #[test]
    fn computes_the_signature_of_rfc_8032() {
        // RFC 8032, section 7.1, test 2.
        let seed = bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
        let public = bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
        let signature = bytes(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
             085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        );
        let der = [PKCS8_HEAD.as_slice(), &seed].concat();
        let signer = signer(&Algorithm::EdDSA, &EncodingKey::from_ed_der(&der)).unwrap();
        assert_eq!(signer.sign(b"\x72"), signature);
        let verifier = verifier(&Algorithm::EdDSA, &DecodingKey::from_ed_der(&public)).unwrap();
        assert!(verifier.verify(b"\x72", &signature).is_ok());
        assert!(verifier.verify(b"\x73", &signature).is_err());
        assert!(verifier.verify(b"\x72", &signature[..63].to_vec()).is_err());
    }

    fn bytes(hex: &str) -> Vec<u8> {
        let digits = hex.as_bytes().chunks(2);
        digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
    }
}
