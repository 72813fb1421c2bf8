//! Encryption of secrets at rest: AES-256-GCM, bound to the row that contains them.
//!
//! A sealed value is `version (1 byte, 1) ‖ key ID (4) ‖ nonce (12, random) ‖ ciphertext ‖ tag (16)`. The version, the
//! key ID and the context are authenticated with it. With random nonces, one key is safe for 2³² seals (NIST SP
//! 800-38D, section 8.3), far more than the secrets of all workspaces.

use std::fmt;

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use tidings_domain::ports::{SealError, SealedBy};

use crate::master_key::MasterKey;
use crate::random::{RandomSource, SystemRandom, bytes, stop};

const VERSION: u8 = 1;
const KEY_ID_LENGTH: usize = 4;

struct SealingKey {
    id: [u8; KEY_ID_LENGTH],
    key: LessSafeKey,
}

impl SealingKey {
    fn derive(master: &MasterKey) -> Self {
        let id = master.derive("sealing key id");
        let [a, b, c, d, ..] = id;
        let key = UnboundKey::new(&AES_256_GCM, &master.derive("sealing"))
            .unwrap_or_else(|_| stop("the encryption key could not be created"));
        Self { id: [a, b, c, d], key: LessSafeKey::new(key) }
    }

    /// Returns the authenticated data: version, key ID and context.
    fn associated_data(&self, context: &str) -> Aad<Vec<u8>> {
        Aad::from([&[VERSION], self.id.as_slice(), context.as_bytes()].concat())
    }
}

/// Seals with the current key and opens values sealed with the current or an earlier key.
pub struct Sealer {
    current: SealingKey,
    earlier: Vec<SealingKey>,
    random: Box<dyn RandomSource>,
}

impl Sealer {
    /// Creates a sealer with this master key and the system's random source for nonces.
    pub fn new(master: &MasterKey) -> Self {
        Self::with_random(master, Box::new(SystemRandom::new()))
    }

    /// Creates a sealer with nonces from `random`. Two seals with the same nonce reveal both secrets.
    pub fn with_random(master: &MasterKey, random: Box<dyn RandomSource>) -> Self {
        Self { current: SealingKey::derive(master), earlier: Vec::new(), random }
    }

    /// Also opens values sealed with `earlier`, so the master key can be replaced without downtime.
    pub fn opening(mut self, earlier: &MasterKey) -> Self {
        self.earlier.push(SealingKey::derive(earlier));
        self
    }

    /// Seals `plain` for one `context`, which names the row and the column. A value that is moved to another row cannot
    /// be opened.
    pub fn seal(&self, plain: &[u8], context: &str) -> Vec<u8> {
        let nonce = bytes::<NONCE_LEN>(self.random.as_ref());
        let mut secret = plain.to_vec();
        let aad = self.current.associated_data(context);
        self.current
            .key
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut secret)
            .unwrap_or_else(|_| stop("a secret is too long to be encrypted"));
        [&[VERSION], self.current.id.as_slice(), &nonce, &secret].concat()
    }

    /// Opens a value that [`seal`](Self::seal) returned.
    ///
    /// # Errors
    /// [`SealError`] if the key is unknown, the context differs or the value was changed.
    pub fn open(&self, sealed: &[u8], context: &str) -> Result<Vec<u8>, SealError> {
        let (version, rest) = sealed.split_first().ok_or(SealError)?;
        let (id, rest) = rest.split_first_chunk::<KEY_ID_LENGTH>().ok_or(SealError)?;
        let (nonce, secret) = rest.split_first_chunk::<NONCE_LEN>().ok_or(SealError)?;
        if *version != VERSION {
            return Err(SealError);
        }
        let mut keys = std::iter::once(&self.current).chain(&self.earlier);
        let key = keys.find(|key| key.id == *id).ok_or(SealError)?;
        let mut secret = secret.to_vec();
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let plain = key.key.open_in_place(nonce, key.associated_data(context), &mut secret).map_err(|_| SealError)?;
        Ok(plain.to_vec())
    }
}

/// Identifies a sealing key to operators: eight hexadecimal digits that reveal nothing of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyId([u8; KEY_ID_LENGTH]);

impl KeyId {
    /// Returns the ID of the sealing key derived from this master key.
    pub fn of(master: &MasterKey) -> Self {
        Self(SealingKey::derive(master).id)
    }

    /// Returns the ID of the key that sealed a value; `None` if it is not a sealed value.
    pub fn of_sealed(sealed: &[u8]) -> Option<Self> {
        let (version, rest) = sealed.split_first()?;
        let id = rest.first_chunk::<KEY_ID_LENGTH>()?;
        (*version == VERSION).then_some(Self(*id))
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl tidings_domain::ports::Sealer for Sealer {
    fn seal(&self, plain: &[u8], context: &str) -> Vec<u8> {
        self.seal(plain, context)
    }

    fn open(&self, sealed: &[u8], context: &str) -> Result<Vec<u8>, SealError> {
        self.open(sealed, context)
    }

    fn sealed_by(&self, sealed: &[u8]) -> SealedBy {
        match KeyId::of_sealed(sealed) {
            Some(KeyId(id)) if id == self.current.id => SealedBy::Current,
            Some(KeyId(id)) if self.earlier.iter().any(|key| key.id == id) => SealedBy::Earlier,
            _ => SealedBy::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::testing::Counting;

    fn a_master_key() -> MasterKey {
        MasterKey::generate(&SystemRandom::new())
    }

    #[test]
    fn a_sealed_value_hides_its_secret_and_differs_each_time() {
        let sealer = Sealer::new(&a_master_key());
        let (one, two) = (sealer.seal(b"whsec_secret", "webhook:1"), sealer.seal(b"whsec_secret", "webhook:1"));
        assert_ne!(one, two);
        assert!(!one.windows(6).any(|window| window == b"secret"));
        assert_eq!(one.len(), 1 + 4 + 12 + b"whsec_secret".len() + 16);
    }

    #[test]
    fn the_sealed_format_does_not_change() {
        let sealer = Sealer::with_random(&MasterKey::generate(&Counting::default()), Box::new(Counting::default()));
        let sealed = sealer.seal(b"secret", "webhook:1:secret");
        let hex: String = sealed.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "0140cec432000102030405060708090a0bde31e0df95fd9ae23879c5a37f774f98d0bcdf61e6e8");
        assert_eq!(sealer.open(&sealed, "webhook:1:secret"), Ok(b"secret".to_vec()));
    }

    #[test]
    fn rejects_another_context_or_key() {
        let sealer = Sealer::new(&a_master_key());
        let sealed = sealer.seal(b"secret", "webhook:1");
        assert_eq!(sealer.open(&sealed, "webhook:2"), Err(SealError));
        assert_eq!(Sealer::new(&a_master_key()).open(&sealed, "webhook:1"), Err(SealError));
    }

    #[test]
    fn opens_values_sealed_with_a_replaced_master_key() {
        let (old, new) = (a_master_key(), a_master_key());
        let sealed = Sealer::new(&old).seal(b"secret", "webhook:1");
        let sealer = Sealer::new(&new).opening(&old);
        assert_eq!(sealer.open(&sealed, "webhook:1"), Ok(b"secret".to_vec()));
        let by = |sealer: &Sealer, sealed: &[u8]| tidings_domain::ports::Sealer::sealed_by(sealer, sealed);
        assert_eq!(by(&sealer, &sealed), SealedBy::Earlier);
        assert_eq!(by(&Sealer::new(&new), &sealed), SealedBy::Unknown);
        let sealed = sealer.seal(b"secret", "webhook:1");
        assert_eq!(by(&sealer, &sealed), SealedBy::Current);
        assert_eq!(Sealer::new(&new).open(&sealed, "webhook:1"), Ok(b"secret".to_vec()));
    }

    #[test]
    fn a_sealed_value_contains_the_id_of_its_key() {
        let master = MasterKey::generate(&Counting::default());
        let sealed = Sealer::new(&master).seal(b"secret", "webhook:1");
        assert_eq!(KeyId::of_sealed(&sealed), Some(KeyId::of(&master)));
        assert_eq!(KeyId::of(&master).to_string(), "40cec432");
        assert_eq!(KeyId::of_sealed(b"{}"), None);
    }

    proptest! {
        #[test]
        fn opens_any_sealed_value_and_rejects_altered_ones(
            plain in proptest::collection::vec(any::<u8>(), 0..200), context: String, place: prop::sample::Index, bit in 0..8_u8,
        ) {
            let sealer = Sealer::new(&a_master_key());
            let mut sealed = sealer.seal(&plain, &context);
            prop_assert_eq!(sealer.open(&sealed, &context), Ok(plain));
            prop_assert_eq!(sealer.open(&sealed[..place.index(sealed.len())], &context), Err(SealError));
            let place = place.index(sealed.len());
            sealed[place] ^= 1_u8 << bit;
            prop_assert_eq!(sealer.open(&sealed, &context), Err(SealError));
        }
    }
}
