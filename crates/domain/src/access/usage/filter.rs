//! Filters of the usage log and its sums.

use std::ops::RangeInclusive;
use std::time::Duration;

use serde::Serialize;

use super::{UsageRecord, begin_of, end_of};
use crate::ids::{KeyId, RequestId, TypedId, UserId};
use crate::time::Timestamp;

/// The maximum difference between the time in a request ID and the time of the request.
const APART: Duration = Duration::from_secs(5);

/// Class of an HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum StatusClass {
    /// The request succeeded.
    #[serde(rename = "2xx")]
    Success,
    /// The resource is elsewhere, or the client's copy is current.
    #[serde(rename = "3xx")]
    Redirection,
    /// The request was wrong.
    #[serde(rename = "4xx")]
    ClientError,
    /// The server failed.
    #[serde(rename = "5xx")]
    ServerError,
}

impl StatusClass {
    /// All classes.
    pub const ALL: [Self; 4] = [Self::Success, Self::Redirection, Self::ClientError, Self::ServerError];

    /// Returns the word in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Success => "2xx",
            Self::Redirection => "3xx",
            Self::ClientError => "4xx",
            Self::ServerError => "5xx",
        }
    }

    /// Returns the class with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == word)
    }

    /// Returns its statuses.
    pub fn statuses(self) -> RangeInclusive<u16> {
        match self {
            Self::Success => 200..=299,
            Self::Redirection => 300..=399,
            Self::ClientError => 400..=499,
            Self::ServerError => 500..=599,
        }
    }
}

/// Type of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Caller {
    /// A program with an API key.
    Key,
    /// A user with an access token, usually in the panel.
    Person,
}

impl Caller {
    /// All types.
    pub const ALL: [Self; 2] = [Self::Key, Self::Person];

    /// Returns the word in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Person => "person",
        }
    }

    /// Returns the type with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == word)
    }
}

/// A filter that also works on sums. All its conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UsageFilter {
    /// Only requests of this type of caller.
    pub caller: Option<Caller>,
    /// Only requests made with this key.
    pub key: Option<KeyId>,
    /// Only requests with this method.
    pub method: Option<String>,
    /// Only requests to this route.
    pub route: Option<String>,
    /// Only requests with a status of this class.
    pub class: Option<StatusClass>,
    /// Only requests that returned this error code.
    pub error_code: Option<String>,
}

impl UsageFilter {
    /// Whether a request matches.
    pub fn matches(&self, it: &UsageRecord) -> bool {
        self.caller.is_none_or(|caller| it.key.is_some() == (caller == Caller::Key))
            && self.key.is_none_or(|key| it.key == Some(key))
            && self.method.as_ref().is_none_or(|method| it.method == *method)
            && self.route.as_ref().is_none_or(|route| it.route == *route)
            && self.class.is_none_or(|class| class.statuses().contains(&it.status))
            && self.error_code.as_ref().is_none_or(|code| it.error_code.as_ref() == Some(code))
    }
}

/// A filter of single requests. All its conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestFilter {
    /// The conditions that also work on sums.
    pub usage: UsageFilter,
    /// Only requests with this status.
    pub status: Option<u16>,
    /// Only requests of this user.
    pub user: Option<UserId>,
    /// Only the request with this ID.
    pub request: Option<RequestId>,
    /// Only requests at or after this time.
    pub from: Option<Timestamp>,
    /// Only requests before this time.
    pub to: Option<Timestamp>,
}

impl RequestFilter {
    /// Returns the time range to search. The ID of a request contains its time, accurate to seconds, so no index of IDs
    /// is needed.
    pub fn bounds(&self) -> (Option<Timestamp>, Option<Timestamp>) {
        let Some(made) = self.request.map(made_at) else { return (self.from, self.to) };
        let (from, to) = (made.minus(APART), made.plus(APART));
        (Some(self.from.map_or(from, |it| it.max(from))), Some(self.to.map_or(to, |it| it.min(to))))
    }

    /// Whether a request matches.
    pub fn matches(&self, it: &UsageRecord) -> bool {
        let (from, to) = self.bounds();
        self.usage.matches(it)
            && self.status.is_none_or(|status| it.status == status)
            && self.user.is_none_or(|user| it.user == Some(user))
            && self.request.is_none_or(|request| it.request_id == request.to_string())
            && from.is_none_or(|from| it.at >= from)
            && to.is_none_or(|to| it.at < to)
    }
}

/// Returns the time in a UUIDv7 (RFC 9562, section 5.7): its first 48 bits are milliseconds since 1970.
fn made_at(request: RequestId) -> Timestamp {
    Timestamp::from_millis(i64::try_from(request.uuid().as_u128() >> 80).unwrap_or(i64::MAX))
}

/// A half-open time range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Start, inclusive.
    pub from: Timestamp,
    /// End, exclusive.
    pub to: Timestamp,
}

impl Span {
    /// Returns its length.
    pub fn length(self) -> Duration {
        self.to.since(self.from)
    }

    /// Extends the range to whole multiples of `width`.
    pub fn widened(self, width: Duration) -> Self {
        Self { from: begin_of(self.from, width), to: end_of(self.to, width) }
    }

    /// Returns the range of the multiples of `width` that begin in it.
    pub fn beginning_in(self, width: Duration) -> Self {
        Self { from: end_of(self.from, width), to: end_of(self.to, width) }
    }

    /// Whether it contains a time.
    pub fn contains(self, at: Timestamp) -> bool {
        self.from <= at && at < self.to
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn at(seconds: u64) -> Timestamp {
        NOW.plus(Duration::from_secs(seconds))
    }

    #[test]
    fn parses_each_status_class_it_writes() {
        for class in StatusClass::ALL {
            assert_eq!(StatusClass::parse(class.as_str()), Some(class));
            assert!(class.as_str().starts_with(&(class.statuses().start() / 100).to_string()));
        }
        assert_eq!(StatusClass::parse("4XX"), None);
    }

    #[test]
    fn parses_each_caller_it_writes() {
        assert_eq!(Caller::ALL.map(|it| Caller::parse(it.as_str())), Caller::ALL.map(Some));
        assert_eq!(Caller::parse("user"), None);
    }

    #[test]
    fn a_request_id_narrows_the_time_range() {
        let made = u128::try_from(NOW.millis()).unwrap() << 80 | 7 << 76 | 0b10 << 62 | 1;
        let request = Some(RequestId::from_uuid(Uuid::from_u128(made)));
        let bounds = |from, to| RequestFilter { request, from, to, ..RequestFilter::default() }.bounds();
        assert_eq!(bounds(None, None), (Some(NOW.minus(APART)), Some(NOW.plus(APART))));
        assert_eq!(bounds(Some(at(1)), Some(at(2))), (Some(at(1)), Some(at(2))));
        assert_eq!(bounds(Some(at(0).minus(APART * 2)), Some(at(60))), bounds(None, None));
        let everything = RequestFilter { from: Some(at(3)), ..RequestFilter::default() };
        assert_eq!(everything.bounds(), (Some(at(3)), None));
    }

    #[test]
    fn rounds_a_span_to_intervals_it_touches_or_that_begin_in_it() {
        let (minute, span) = (Duration::from_secs(60), Span { from: at(30), to: at(90) });
        assert_eq!(span.widened(minute), Span { from: at(0), to: at(120) });
        assert_eq!(span.beginning_in(minute), Span { from: at(60), to: at(120) });
        let whole = Span { from: at(60), to: at(120) };
        assert_eq!((whole.widened(minute), whole.beginning_in(minute)), (whole, whole));
        assert_eq!([59, 60, 119, 120].map(|seconds| whole.contains(at(seconds))), [false, true, true, false]);
    }
}
