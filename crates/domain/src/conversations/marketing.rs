//! The preference of a contact about marketing messages, which some providers ask contacts for.

use crate::time::Timestamp;

/// The contact's preference about marketing messages, as the provider reports it. Reports are repeated and arrive in any
/// order, so the latest of each kind is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MarketingPreference {
    /// When the contact last stopped marketing messages.
    pub stopped_at: Option<Timestamp>,
    /// When the contact last resumed them.
    pub resumed_at: Option<Timestamp>,
}

impl MarketingPreference {
    /// Whether the contact does not want marketing messages.
    pub fn is_stopped(self) -> bool {
        self.stopped_at.is_some() && self.stopped_at >= self.resumed_at
    }

    /// Returns the preference after another one was reported.
    pub fn joined(self, other: Self) -> Self {
        Self { stopped_at: self.stopped_at.max(other.stopped_at), resumed_at: self.resumed_at.max(other.resumed_at) }
    }
}

/// A provider's report that a contact stopped or resumed marketing messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarketingChange {
    /// The addresses of the contact. One of them finds it.
    pub addresses: Vec<String>,
    /// Whether the contact stopped marketing messages; otherwise the contact resumed them.
    pub is_stop: bool,
    /// The time of the change, if the provider states it.
    pub at: Option<Timestamp>,
}

impl MarketingChange {
    /// Returns the change as a preference. `now` is its time if the provider states none.
    pub(super) fn preference(&self, now: Timestamp) -> MarketingPreference {
        let at = Some(self.at.unwrap_or(now));
        match self.is_stop {
            true => MarketingPreference { stopped_at: at, resumed_at: None },
            false => MarketingPreference { stopped_at: None, resumed_at: at },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_change_counts_in_any_order() {
        let at = |seconds: i64| Some(Timestamp::from_millis(seconds * 1_000));
        let change = |is_stop: bool, seconds: i64| {
            let change = MarketingChange { addresses: Vec::new(), is_stop, at: at(seconds) };
            change.preference(Timestamp::EPOCH_2026)
        };
        let after = |changes: &[MarketingPreference]| {
            changes.iter().fold(MarketingPreference::default(), |before, change| before.joined(*change)).is_stopped()
        };
        let (stop, resume, again) = (change(true, 1), change(false, 2), change(true, 3));
        assert!(!after(&[]) && after(&[stop]) && !after(&[resume]));
        assert!(!after(&[stop, resume]) && !after(&[resume, stop]) && !after(&[stop, resume, stop]));
        assert!(after(&[stop, resume, again]) && after(&[again, resume, stop]));
        assert!(after(&[change(false, 2), change(true, 2)]), "a stop at the same time counts");
        let undated = MarketingChange { addresses: Vec::new(), is_stop: true, at: None };
        assert_eq!(undated.preference(Timestamp::EPOCH_2026).stopped_at, Some(Timestamp::EPOCH_2026));
    }
}
