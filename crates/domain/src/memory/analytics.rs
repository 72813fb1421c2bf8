//! Analytics facts and counters in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::apply::{Applied, insert};
use super::{MemoryStore, State};
use crate::access::Access;
use crate::analytics::{Count, Metric, Part, QUARTER, ReplyMeasure, ReplyTallies, ReplyTally};
use crate::ids::WorkspaceId;
use crate::ports::{AnalyticsChange, AnalyticsQueries, StoreError};
use crate::time::Timestamp;

/// Returns the start of the quarter of an hour that contains `at`.
fn quarter(at: Timestamp) -> Timestamp {
    let quarter = i64::try_from(QUARTER.as_millis()).unwrap_or(1);
    Timestamp::from_millis(at.millis().div_euclid(quarter) * quarter)
}

impl MemoryStore {
    /// Moves facts into the counters.
    pub(super) fn move_facts(&self, limit: u32) -> u64 {
        let mut state = self.lock();
        let keys: Vec<_> = state.facts.keys().copied().take(limit as usize).collect();
        for key in &keys {
            let Some(fact) = state.facts.remove(key) else { continue };
            let place = (key.0, (quarter(fact.at), fact.metric, fact.dimension));
            *state.counters.entry(place).or_default() += fact.amount;
        }
        keys.len() as u64
    }
}

impl State {
    pub(super) fn change_analytics(&mut self, ws: WorkspaceId, change: AnalyticsChange) -> Applied {
        match change {
            AnalyticsChange::Record(it) => insert(&mut self.facts, (ws, it.id), it),
            AnalyticsChange::RecordReply(it) => {
                let key = (ws, (quarter(it.at), it.measure, it.channel, it.user, it.bucket));
                *self.reply_times.entry(key).or_default() += 1;
                Ok(())
            }
        }
    }
}

fn tallies<K>(sums: BTreeMap<(K, ReplyMeasure, i32), i64>) -> Vec<ReplyTally<K>> {
    let tally = |((of, measure, bucket), amount)| ReplyTally { of, measure, bucket, amount };
    sums.into_iter().map(tally).collect()
}

#[async_trait]
impl AnalyticsQueries for MemoryStore {
    async fn counts(&self, access: &Access, from: Timestamp, to: Timestamp) -> Result<Vec<Count>, StoreError> {
        let state = self.lock();
        let mut sums: BTreeMap<(Timestamp, Metric), i64> = BTreeMap::new();
        for ((ws, (quarter, metric, _)), amount) in &state.counters {
            if *ws == access.workspace() && (from..to).contains(quarter) {
                *sums.entry((*quarter, *metric)).or_default() += amount;
            }
        }
        Ok(sums.into_iter().map(|((quarter, metric), amount)| Count { metric, quarter, amount }).collect())
    }

    async fn parts(&self, access: &Access, from: Timestamp, to: Timestamp) -> Result<Vec<Part>, StoreError> {
        let state = self.lock();
        let mut sums: BTreeMap<(Metric, &str), i64> = BTreeMap::new();
        for ((ws, (quarter, metric, dimension)), amount) in &state.counters {
            if *ws == access.workspace() && (from..to).contains(quarter) && !dimension.is_empty() {
                *sums.entry((*metric, dimension)).or_default() += amount;
            }
        }
        let part =
            |((metric, dimension), amount): ((_, &str), _)| Part { metric, dimension: dimension.to_owned(), amount };
        Ok(sums.into_iter().map(part).collect())
    }

    async fn sums(
        &self,
        access: &Access,
        metrics: Vec<Metric>,
        before: Timestamp,
    ) -> Result<Vec<(Metric, i64)>, StoreError> {
        let state = self.lock();
        let sum = |wanted: Metric| {
            let own = state.counters.iter().filter(move |((ws, (at, metric, _)), _)| {
                *ws == access.workspace() && *at < before && *metric == wanted
            });
            own.fold(None, |sum: Option<i64>, (_, amount)| Some(sum.unwrap_or(0) + amount))
        };
        Ok(metrics.into_iter().filter_map(|metric| Some((metric, sum(metric)?))).collect())
    }

    async fn reply_times(&self, access: &Access, from: Timestamp, to: Timestamp) -> Result<ReplyTallies, StoreError> {
        let state = self.lock();
        let mut by_user: BTreeMap<_, i64> = BTreeMap::new();
        let mut by_channel: BTreeMap<_, i64> = BTreeMap::new();
        for ((ws, (quarter, measure, channel, user, bucket)), amount) in &state.reply_times {
            if *ws == access.workspace() && (from..to).contains(quarter) {
                *by_user.entry((*user, *measure, *bucket)).or_default() += amount;
                *by_channel.entry((*channel, *measure, *bucket)).or_default() += amount;
            }
        }
        Ok(ReplyTallies { by_user: tallies(by_user), by_channel: tallies(by_channel) })
    }

    async fn oldest_fact(&self, access: &Access) -> Result<Option<Timestamp>, StoreError> {
        let state = self.lock();
        Ok(state.facts.iter().filter(|((ws, _), _)| *ws == access.workspace()).map(|(_, fact)| fact.at).min())
    }
}
