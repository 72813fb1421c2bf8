//! Sums of requests.

use std::cmp::Reverse;
use std::time::Duration;

use serde::Serialize;

use crate::ids::KeyId;
use crate::time::Timestamp;

/// An hour.
pub const HOUR: Duration = Duration::from_secs(3_600);

/// The requests of one hour to one route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageHour {
    /// Start of the hour.
    pub hour: Timestamp,
    /// HTTP method.
    pub method: String,
    /// Template of the route.
    pub route: String,
    /// Number of requests.
    pub requests: i64,
    /// Number of requests with a 4xx status.
    pub client_errors: i64,
    /// Number of requests with a 5xx status.
    pub server_errors: i64,
    /// Total duration in milliseconds.
    pub duration_ms: i64,
}

/// Requests to one route with the same error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = UsageErrorGroup))]
pub struct ErrorGroup {
    /// Error code; `null` if unknown.
    pub error_code: Option<String>,
    /// HTTP status.
    pub status: u16,
    /// HTTP method.
    pub method: String,
    /// Template of the route.
    pub route: String,
    /// Number of requests.
    pub requests: i64,
    /// When the last of these requests arrived.
    pub last_at: Timestamp,
}

impl ErrorGroup {
    /// Sorts groups for display: most requests first.
    pub fn sort(groups: &mut [Self]) {
        // Compares bytes, unlike the collation of a database.
        let rank = |it: &Self| (Reverse(it.requests), Reverse(it.last_at), it.status);
        let name = |it: &Self| (it.error_code.clone(), it.method.clone(), it.route.clone());
        groups.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| name(a).cmp(&name(b))));
    }
}

/// The requests of an API key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KeyUsage {
    /// ID of the API key, which may be revoked now.
    pub key_id: KeyId,
    /// Number of requests.
    pub requests: i64,
    /// Number of requests with a 4xx status.
    pub client_errors: i64,
    /// Number of requests with a 5xx status.
    pub server_errors: i64,
    /// When the last of these requests arrived.
    pub last_at: Timestamp,
}

/// Sums of requests, of an hour or of a route in an hour.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UsageSums {
    /// Number of requests.
    pub requests: i64,
    /// Number of requests with a 4xx status.
    pub client_errors: i64,
    /// Number of requests with a 5xx status.
    pub server_errors: i64,
    /// Mean duration in milliseconds.
    pub mean_duration_ms: i64,
}

/// The requests to one route.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RouteUsageView {
    /// HTTP method.
    pub method: String,
    /// Template of the route.
    pub route: String,
    /// The sums.
    #[serde(flatten)]
    pub sums: UsageSums,
}

/// The requests of one hour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UsageHourView {
    /// Start of the hour, in UTC.
    pub hour: Timestamp,
    /// The sums.
    #[serde(flatten)]
    pub sums: UsageSums,
    /// The sums by route.
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

/// Groups sums by hour, with their routes, in order. Hours without a request are omitted.
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
    use super::*;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    #[test]
    fn sums_routes_by_hour() {
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
