//! Who used the API: a log of requests, kept beside the ledger, that may lose its last second.

use serde::Serialize;
use uuid::Uuid;

use crate::ids::{KeyId, UserId, WorkspaceId};
use crate::time::Timestamp;

/// For how many days single requests, and their sums by hour, are kept.
pub const KEPT_DAYS: u64 = 30;

/// One request to the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageRecord {
    /// The workspace that it was made in.
    pub workspace: WorkspaceId,
    /// Tells it apart from others of its instant.
    pub id: Uuid,
    /// When it came.
    pub at: Timestamp,
    /// The key that let it in.
    pub key: Option<KeyId>,
    /// The person who made it.
    pub user: Option<UserId>,
    /// The method.
    pub method: String,
    /// The route's template, which names nobody.
    pub route: String,
    /// The status that was answered.
    pub status: u16,
    /// How long that took, in milliseconds.
    pub duration_ms: i64,
    /// The id that the answer carried.
    pub request_id: String,
    /// The address from which it came.
    pub address: String,
}

/// That a key let a request in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyUse {
    /// The key.
    pub key: KeyId,
    /// When.
    pub at: Timestamp,
    /// From which address.
    pub address: String,
}

/// Which requests a list shows; all that is said must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UsageFilter {
    /// Of this key.
    pub key: Option<KeyId>,
    /// With this method.
    pub method: Option<String>,
    /// Of this route.
    pub route: Option<String>,
    /// With this status.
    pub status: Option<u16>,
    /// At this instant or later.
    pub from: Option<Timestamp>,
    /// Before this instant.
    pub to: Option<Timestamp>,
}

/// The requests of one hour to one route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageHour {
    /// When the hour began.
    pub hour: Timestamp,
    /// The method.
    pub method: String,
    /// The route's template.
    pub route: String,
    /// How many there were.
    pub requests: i64,
    /// How many of them were answered with 4xx.
    pub client_errors: i64,
    /// How many of them were answered with 5xx.
    pub server_errors: i64,
    /// How long all of them took together, in milliseconds.
    pub duration_ms: i64,
}

/// The full hour in which an instant lies.
pub fn hour_of(at: Timestamp) -> Timestamp {
    Timestamp::from_millis(at.millis().div_euclid(3_600_000) * 3_600_000)
}

/// One request to the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ApiRequest))]
pub struct UsageView {
    /// When it came.
    pub at: Timestamp,
    /// The key that let it in.
    pub key_id: Option<KeyId>,
    /// The person who made it.
    pub user_id: Option<UserId>,
    /// The method.
    pub method: String,
    /// The route's template.
    pub route: String,
    /// The status that was answered.
    pub status: u16,
    /// How long that took, in milliseconds.
    pub duration_ms: i64,
    /// The id that the answer carried.
    pub request_id: String,
    /// The address from which it came.
    pub address: String,
}

impl From<&UsageRecord> for UsageView {
    fn from(it: &UsageRecord) -> Self {
        Self {
            at: it.at,
            key_id: it.key,
            user_id: it.user,
            method: it.method.clone(),
            route: it.route.clone(),
            status: it.status,
            duration_ms: it.duration_ms,
            request_id: it.request_id.clone(),
            address: it.address.clone(),
        }
    }
}

/// Sums of requests: of an hour, or of a route within it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UsageSums {
    /// How many requests there were.
    pub requests: i64,
    /// How many of them were answered with 4xx.
    pub client_errors: i64,
    /// How many of them were answered with 5xx.
    pub server_errors: i64,
    /// How long one took on average, in milliseconds.
    pub mean_duration_ms: i64,
}

/// The requests to one route.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RouteUsageView {
    /// The method.
    pub method: String,
    /// The route's template.
    pub route: String,
    /// The sums.
    #[serde(flatten)]
    pub sums: UsageSums,
}

/// The requests of one hour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UsageHourView {
    /// When the hour began, in UTC.
    pub hour: Timestamp,
    /// The sums.
    #[serde(flatten)]
    pub sums: UsageSums,
    /// The same by route.
    pub routes: Vec<RouteUsageView>,
}

impl UsageSums {
    fn of<'a>(hours: impl Iterator<Item = &'a UsageHour>) -> Self {
        let mut sums = hours.fold(Self::default(), |sums, it| Self {
            requests: sums.requests + it.requests,
            client_errors: sums.client_errors + it.client_errors,
            server_errors: sums.server_errors + it.server_errors,
            mean_duration_ms: sums.mean_duration_ms + it.duration_ms,
        });
        sums.mean_duration_ms /= sums.requests.max(1);
        sums
    }
}

/// Hours with their routes, in order; hours without a request are left out.
pub fn by_hour(hours: &[UsageHour]) -> Vec<UsageHourView> {
    let same_hour = hours.chunk_by(|one, next| one.hour == next.hour);
    same_hour
        .filter_map(|rows| {
            let route = |it: &UsageHour| RouteUsageView {
                method: it.method.clone(),
                route: it.route.clone(),
                sums: UsageSums::of(std::iter::once(it)),
            };
            let hour = rows.first()?.hour;
            Some(UsageHourView { hour, sums: UsageSums::of(rows.iter()), routes: rows.iter().map(route).collect() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    #[test]
    fn an_instant_lies_in_its_hour() {
        let minutes = |minutes: u64| NOW.plus(Duration::from_secs(minutes * 60));
        assert_eq!(hour_of(NOW), NOW);
        assert_eq!(hour_of(minutes(59)), NOW);
        assert_eq!(hour_of(minutes(60)), minutes(60));
    }

    #[test]
    fn routes_add_up_to_their_hour() {
        let row = |hours: u64, route: &str, requests, duration_ms| UsageHour {
            hour: NOW.plus(Duration::from_secs(hours * 3_600)),
            method: "GET".to_owned(),
            route: route.to_owned(),
            requests,
            client_errors: 1,
            server_errors: 0,
            duration_ms,
        };
        let hours = by_hour(&[row(0, "/a", 3, 30), row(0, "/b", 1, 50), row(2, "/a", 2, 2)]);
        assert_eq!(hours.len(), 2);
        let sums = UsageSums { requests: 4, client_errors: 2, server_errors: 0, mean_duration_ms: 20 };
        assert_eq!((hours[0].sums.clone(), hours[0].routes.len()), (sums, 2));
        assert_eq!(hours[1].sums.mean_duration_ms, 1);
    }
}
