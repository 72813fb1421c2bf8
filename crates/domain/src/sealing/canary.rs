//! The canary: a sealed value in the store that only the right key opens. It detects a wrong key before that key is
//! used.

use std::sync::Arc;

use crate::ports::{SealedBy, SealedKind, SealedStore, Sealer, StoreError};

/// The context and the text of the canary.
const CONTEXT: &str = "master-key-canary";
const TEXT: &[u8] = b"tidings";
/// Number of rows per kind that are tried with the key, in a store without a canary.
const SAMPLE: u32 = 100;

/// The result of checking the key against a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyFinding {
    /// Nothing contradicts the key, and there is no canary yet.
    Unmarked,
    /// The key is the right one.
    Right,
    /// The store uses an earlier key, which is known.
    Earlier,
    /// The store uses an unknown key; a value that it sealed.
    Wrong(Vec<u8>),
}

/// Reads and writes the canary.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct Canary {
    pub store: Arc<dyn SealedStore>,
    pub sealer: Arc<dyn Sealer>,
}

impl Canary {
    /// Checks whether the key is the key of the store. In a store without a canary, tries to open sealed values.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn look(&self) -> Result<KeyFinding, StoreError> {
        let Some(canary) = self.store.canary().await? else { return self.judge_by_sample().await };
        if self.sealer.open(&canary, CONTEXT).is_err() {
            return Ok(KeyFinding::Wrong(canary));
        }
        Ok(match self.sealer.sealed_by(&canary) {
            SealedBy::Current => KeyFinding::Right,
            SealedBy::Earlier | SealedBy::Unknown => KeyFinding::Earlier,
        })
    }

    /// Like [`Canary::look`], and writes a missing canary.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn look_and_mark(&self) -> Result<KeyFinding, StoreError> {
        match self.look().await? {
            KeyFinding::Unmarked if self.store.put_canary(None, self.fresh()).await? => Ok(KeyFinding::Right),
            // Another instance was first, perhaps with another key.
            KeyFinding::Unmarked => self.look().await,
            finding => Ok(finding),
        }
    }

    /// Makes the current key the key of the store.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) async fn renew(&self) -> Result<(), StoreError> {
        let before = self.store.canary().await?;
        let is_current = before.as_ref().is_some_and(|it| self.sealer.sealed_by(it) == SealedBy::Current);
        if !is_current {
            self.store.put_canary(before, self.fresh()).await?;
        }
        Ok(())
    }

    fn fresh(&self) -> Vec<u8> {
        self.sealer.seal(TEXT, CONTEXT)
    }

    /// Tries signing keys last: if none can be opened, the server creates new ones, so they are weak evidence.
    async fn judge_by_sample(&self) -> Result<KeyFinding, StoreError> {
        let of_people =
            [SealedKind::Webhooks, SealedKind::Channels, SealedKind::Secrets, SealedKind::OptOutKeys].as_slice();
        for kinds in [of_people, &[SealedKind::SigningKeys]] {
            let mut unknown = None;
            for kind in kinds {
                for value in self.store.sealed(*kind, None, SAMPLE).await?.into_iter().flat_map(|row| row.values) {
                    if self.sealer.open(&value.sealed, &value.context).is_ok() {
                        return Ok(KeyFinding::Unmarked);
                    }
                    unknown = Some(value.sealed);
                }
            }
            if let Some(sealed) = unknown {
                return Ok(KeyFinding::Wrong(sealed));
            }
        }
        Ok(KeyFinding::Unmarked)
    }
}
