//! The request log.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;

use crate::access::Access;
use crate::access::storage_usage::StorageUsage;
use crate::access::usage::{
    ErrorGroup, HOUR, KeyUsage, KeyUse, RequestFilter, Span, UsageFilter, UsageHour, UsagePoint, UsageRecord, begin_of,
};
use crate::analytics::QUARTER;
use crate::memory::bounds::texts::Text;
use crate::memory::{MemoryStore, State};
use crate::pagination::{Page, PageRequest, Position};
use crate::ports::{StoreError, UsageStore};
use crate::time::Timestamp;

type Answer<T> = Result<T, StoreError>;

impl State {
    fn usage_of(&self, access: &Access) -> impl Iterator<Item = &UsageRecord> {
        let workspace = access.workspace();
        self.usage.iter().filter(move |it| it.workspace == workspace)
    }
}

/// Counts requests per interval of this width, in order.
fn points<'a>(requests: impl Iterator<Item = &'a UsageRecord>, width: Duration) -> Vec<UsagePoint> {
    let mut points = BTreeMap::<Timestamp, UsagePoint>::new();
    for it in requests {
        let one = UsagePoint::one(begin_of(it.at, width), it.status);
        points.entry(one.at).and_modify(|sum| sum.add(&one)).or_insert(one);
    }
    points.into_values().collect()
}

#[async_trait]
impl UsageStore for MemoryStore {
    async fn record(&self, requests: Vec<UsageRecord>, uses: Vec<KeyUse>) -> Answer<()> {
        let mut state = self.lock();
        self.bounds.admit_more(&mut state, requests.len(), requests.text())?;
        state.usage.extend(requests);
        for used in uses {
            let Some(key) = state.keys.get_mut(&used.key) else { continue };
            if key.last_used_at < Some(used.at) {
                let address = used.address.len();
                (key.last_used_at, key.last_used_address) = (Some(used.at), Some(used.address));
                state.add_written(address);
            }
        }
        Ok(())
    }

    async fn list(&self, access: &Access, filter: &RequestFilter, page: PageRequest) -> Answer<Page<UsageRecord>> {
        let state = self.lock();
        let shown = state.usage_of(access).filter(|it| filter.matches(it));
        Ok(crate::memory::tables::pages::page(shown.cloned().collect(), page, |it| Position { at: it.at, id: it.id }))
    }

    async fn minutes(&self, access: &Access, filter: &RequestFilter, span: Span) -> Answer<Vec<UsagePoint>> {
        let state = self.lock();
        let counted = state.usage_of(access).filter(|it| filter.matches(it) && span.contains(it.at));
        Ok(points(counted, Duration::from_secs(60)))
    }

    async fn quarters(&self, access: &Access, filter: &UsageFilter, span: Span) -> Answer<Vec<UsagePoint>> {
        let state = self.lock();
        let counted = state.usage_of(access).filter(|it| filter.matches(it) && span.contains(begin_of(it.at, QUARTER)));
        Ok(points(counted, QUARTER))
    }

    async fn hours(&self, access: &Access, span: Span) -> Answer<Vec<UsageHour>> {
        let state = self.lock();
        let mut hours = BTreeMap::new();
        for it in state.usage_of(access) {
            let hour = begin_of(it.at, HOUR);
            if !span.contains(hour) {
                continue;
            }
            let key = (hour, it.method.clone(), it.route.clone());
            let sums = hours.entry(key).or_insert_with(|| UsageHour {
                hour,
                method: it.method.clone(),
                route: it.route.clone(),
                requests: 0,
                client_errors: 0,
                server_errors: 0,
                duration_ms: 0,
            });
            let one = UsagePoint::one(hour, it.status);
            sums.requests += one.requests;
            sums.client_errors += one.client_errors;
            sums.server_errors += one.server_errors;
            sums.duration_ms += it.duration_ms;
        }
        Ok(hours.into_values().collect())
    }

    async fn errors(&self, access: &Access, filter: &UsageFilter, span: Span, limit: u32) -> Answer<Vec<ErrorGroup>> {
        let state = self.lock();
        let mut groups = BTreeMap::new();
        let wrong = state.usage_of(access).filter(|it| it.status >= 400 && filter.matches(it));
        for it in wrong.filter(|it| span.contains(begin_of(it.at, QUARTER))) {
            let key = (it.error_code.clone(), it.status, it.method.clone(), it.route.clone());
            let group = groups.entry(key).or_insert_with(|| ErrorGroup {
                error_code: it.error_code.clone(),
                status: it.status,
                method: it.method.clone(),
                route: it.route.clone(),
                requests: 0,
                last_at: it.at,
            });
            group.requests += 1;
            group.last_at = group.last_at.max(it.at);
        }
        let mut groups: Vec<ErrorGroup> = groups.into_values().collect();
        ErrorGroup::sort(&mut groups);
        groups.truncate(limit as usize);
        Ok(groups)
    }

    async fn storage_usage(&self, access: &Access, _: Timestamp) -> Answer<StorageUsage> {
        Ok(self.lock().stored.get(&access.workspace()).copied().unwrap_or_default())
    }

    async fn keys(&self, access: &Access, span: Span, limit: u32) -> Answer<Vec<KeyUsage>> {
        let state = self.lock();
        let mut keys = BTreeMap::new();
        for it in state.usage_of(access).filter(|it| span.contains(begin_of(it.at, QUARTER))) {
            let Some(key_id) = it.key else { continue };
            let none = KeyUsage { key_id, requests: 0, client_errors: 0, server_errors: 0, last_at: it.at };
            let sums = keys.entry(key_id).or_insert(none);
            let one = UsagePoint::one(it.at, it.status);
            sums.requests += one.requests;
            sums.client_errors += one.client_errors;
            sums.server_errors += one.server_errors;
            sums.last_at = sums.last_at.max(it.at);
        }
        let mut keys: Vec<KeyUsage> = keys.into_values().collect();
        keys.sort_by_key(|it| (Reverse(it.requests), it.key_id));
        keys.truncate(limit as usize);
        Ok(keys)
    }

    async fn expire(&self, before: Timestamp, limit: u32) -> Answer<u64> {
        let mut state = self.lock();
        let mut removed = 0;
        state.usage.retain(|it| {
            let goes = it.at < before && removed < u64::from(limit);
            removed += u64::from(goes);
            !goes
        });
        Ok(removed)
    }
}
