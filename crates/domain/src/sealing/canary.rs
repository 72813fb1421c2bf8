//! A sealed value in the store that opens with the right key only, so that a wrong one is noticed before it is used.

use std::sync::Arc;

use crate::ports::{SealedBy, SealedKind, SealedStore, Sealer, StoreError};

/// What the canary is bound to, and what it says.
const CONTEXT: &str = "master-key-canary";
const TEXT: &[u8] = b"tidings";
/// So many rows of a kind tell the key of a store that has no canary yet.
const SAMPLE: u32 = 100;

/// What a store says of the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyFinding {
    /// Nothing contradicts it, and there is no canary yet.
    Unmarked,
    /// It is the one.
    Right,
    /// The store goes by an earlier one, which is known and opens.
    Earlier,
    /// The store goes by a key that is not known here; a value that is sealed by it.
    Wrong(Vec<u8>),
}

/// Looks at the canary and writes it.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct Canary {
    pub store: Arc<dyn SealedStore>,
    pub sealer: Arc<dyn Sealer>,
}

impl Canary {
    /// Whether the key is the store's. A store of before the canary is judged by what is sealed in it.
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

    /// The same, and marks a store that has no canary.
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

    /// Has the store go by the key that seals now.
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

    /// Keys that sign tokens are made anew where none opens, so that they tell least.
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
