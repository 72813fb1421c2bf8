//! Sealing again by the present key what an earlier one has sealed.
//!
//! Every value names its key, so that nothing has to be remembered of how far it came: whoever begins
//! again passes over what is done. It runs beside servers that know both keys.

use std::sync::Arc;

use super::Canary;
use crate::ports::{SealedBy, SealedKind, SealedPlace, SealedRow, SealedStore, SealedValue, Sealer, StoreError};

/// So many rows are looked at, and written in one transaction.
const PORTION: u32 = 100;
/// A server may write an earlier value back that it had read before; each round finds what the one before left.
const MOST_ROUNDS: u32 = 10;

/// How many values are sealed by which key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Survey {
    /// By the one that seals now.
    pub current: u64,
    /// By one before, which opens them.
    pub earlier: u64,
    /// By none that is known, or they were changed: nobody can read them.
    pub unreadable: u64,
}

/// What came of sealing again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resealed {
    /// How many rows were written.
    pub rows: u64,
    /// What was found in the last round.
    pub left: Survey,
}

impl Resealed {
    /// Whether nothing is left that an earlier key opens.
    pub fn earlier_keys_may_go(&self) -> bool {
        self.left.earlier == 0
    }
}

/// Where a round is.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// How many kinds are done.
    kinds: usize,
    /// The last row of the present kind.
    after: Option<SealedPlace>,
    /// What was found so far.
    found: Survey,
    /// How many rows were written.
    written: u64,
}

/// Seals again.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct Resealing {
    pub store: Arc<dyn SealedStore>,
    pub sealer: Arc<dyn Sealer>,
}

impl Resealing {
    /// Seals everything by the present key that an earlier one opens, portion by portion, and has the store go by the
    /// present key. It may be interrupted, and begun again.
    ///
    /// # Errors
    /// [`StoreError`]; what was written stays.
    pub async fn run(&self) -> Result<Resealed, StoreError> {
        let mut outcome = Resealed::default();
        for _ in 0..MOST_ROUNDS {
            let mut round = Progress::default();
            while self.step(&mut round).await? {}
            outcome = Resealed { rows: outcome.rows + round.written, left: round.found };
            if round.found.earlier == 0 {
                // Last of all: until here the store opens with the earlier key, too.
                Canary { store: self.store.clone(), sealer: self.sealer.clone() }.renew().await?;
                break;
            }
        }
        Ok(outcome)
    }

    /// Counts, and changes nothing.
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

    /// One portion of a round; whether there may be another.
    ///
    /// # Errors
    /// [`StoreError`]; the portion is left as it was.
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

    /// The next portion, possibly empty; `None` behind the last.
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

    /// Whoever says that a known key sealed it must open, too.
    fn key_of(&self, value: &SealedValue) -> SealedBy {
        match self.sealer.open(&value.sealed, &value.context) {
            Ok(_) => self.sealer.sealed_by(&value.sealed),
            Err(_) => SealedBy::Unknown,
        }
    }

    /// The values of a row, those of an earlier key sealed again; `None` where there are none of those.
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
