//! Resealing: values that an earlier key sealed are sealed with the current key.
//!
//! Every value names its key, so no progress is stored: a repeated run skips finished values. It can run beside servers
//! that know both keys.

use std::sync::Arc;

use super::Canary;
use crate::ports::{SealedBy, SealedKind, SealedPlace, SealedRow, SealedStore, SealedValue, Sealer, StoreError};

/// Number of rows per read and transaction.
const PORTION: u32 = 100;
/// Maximum number of rounds. A server may write back a value that it read before; the next round finds it.
const MOST_ROUNDS: u32 = 10;

/// Numbers of sealed values, by key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Survey {
    /// Sealed with the current key.
    pub current: u64,
    /// Sealed with an earlier key that can open them.
    pub earlier: u64,
    /// Sealed with an unknown key, or damaged: they cannot be opened.
    pub unreadable: u64,
}

/// The result of resealing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resealed {
    /// Number of written rows.
    pub rows: u64,
    /// The values found in the last round.
    pub left: Survey,
}

impl Resealed {
    /// Whether no value needs an earlier key any more.
    pub fn earlier_keys_may_go(&self) -> bool {
        self.left.earlier == 0
    }
}

/// The progress of a round.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// Number of finished kinds.
    kinds: usize,
    /// The last row of the current kind.
    after: Option<SealedPlace>,
    /// The values found so far.
    found: Survey,
    /// Number of written rows.
    written: u64,
}

/// Reseals values.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct Resealing {
    pub store: Arc<dyn SealedStore>,
    pub sealer: Arc<dyn Sealer>,
}

impl Resealing {
    /// Reseals all values of earlier keys in portions, and makes the current key the key of the store. It can be
    /// interrupted and repeated.
    ///
    /// # Errors
    /// [`StoreError`]; completed portions remain.
    pub async fn run(&self) -> Result<Resealed, StoreError> {
        let mut outcome = Resealed::default();
        self.resume(&mut outcome).await?;
        Ok(outcome)
    }

    /// Like [`run`](Self::run), and adds the written rows to the outcome of an interrupted run.
    ///
    /// # Errors
    /// [`StoreError`]; completed portions remain, and `outcome` contains their rows.
    pub async fn resume(&self, outcome: &mut Resealed) -> Result<(), StoreError> {
        for _ in 0..MOST_ROUNDS {
            let (mut round, before) = (Progress::default(), outcome.rows);
            while self.step(&mut round).await? {
                outcome.rows = before + round.written;
            }
            outcome.left = round.found;
            if round.found.earlier == 0 {
                // Done last: until now the earlier key must open the store, too.
                Canary { store: self.store.clone(), sealer: self.sealer.clone() }.renew().await?;
                break;
            }
        }
        Ok(())
    }

    /// Counts the sealed values. Changes nothing.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn survey(&self) -> Result<Survey, StoreError> {
        let mut round = Progress::default();
        while let Some(rows) = self.next(&mut round).await? {
            rows.iter().for_each(|row| self.count(row, &mut round.found));
        }
        Ok(round.found)
    }

    /// Reseals one portion of a round. Returns whether there may be another one.
    ///
    /// # Errors
    /// [`StoreError`]; the portion does not change.
    pub async fn step(&self, round: &mut Progress) -> Result<bool, StoreError> {
        let Some(rows) = self.next(round).await? else { return Ok(false) };
        let mut changed = Vec::new();
        for row in rows {
            self.count(&row, &mut round.found);
            if let Some(values) = self.resealed(&row) {
                changed.push((row, values));
            }
        }
        if !changed.is_empty() {
            round.written += self.store.replace_sealed(changed).await?;
        }
        Ok(true)
    }

    /// Returns the next portion, which may be empty; `None` after the last one.
    async fn next(&self, round: &mut Progress) -> Result<Option<Vec<SealedRow>>, StoreError> {
        let Some(kind) = SealedKind::ALL.get(round.kinds) else { return Ok(None) };
        let rows = self.store.sealed(*kind, round.after.take(), PORTION).await?;
        match rows.last() {
            Some(last) => round.after = Some(last.place.clone()),
            None => round.kinds += 1,
        }
        Ok(Some(rows))
    }

    fn count(&self, row: &SealedRow, found: &mut Survey) {
        for value in &row.values {
            *match self.key_of(value) {
                SealedBy::Current => &mut found.current,
                SealedBy::Earlier => &mut found.earlier,
                SealedBy::Unknown => &mut found.unreadable,
            } += 1;
        }
    }

    /// A value that names a known key must also open with it.
    fn key_of(&self, value: &SealedValue) -> SealedBy {
        match self.sealer.open(&value.sealed, &value.context) {
            Ok(_) => self.sealer.sealed_by(&value.sealed),
            Err(_) => SealedBy::Unknown,
        }
    }

    /// Returns the values of a row, resealed if an earlier key sealed them; `None` if no value needs it.
    fn resealed(&self, row: &SealedRow) -> Option<Vec<Vec<u8>>> {
        let again = |value: &SealedValue| {
            if self.sealer.sealed_by(&value.sealed) != SealedBy::Earlier {
                return None;
            }
            let plain = self.sealer.open(&value.sealed, &value.context).ok()?;
            Some(self.sealer.seal(&plain, &value.context))
        };
        let values: Vec<_> = row.values.iter().map(again).collect();
        if values.iter().all(Option::is_none) {
            return None;
        }
        Some(values.into_iter().zip(&row.values).map(|(new, old)| new.unwrap_or_else(|| old.sealed.clone())).collect())
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
