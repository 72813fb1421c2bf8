//! `/platform/workspaces/{ws}/usage`: the requests to the API and their errors.

mod export;

use std::time::Duration;

use serde::Serialize;
use tidings_domain::access::usage::{
    Caller, ErrorGroup, KeyUsage, LONGEST_BY_MINUTE, RequestFilter, Span, StatusClass, UsageFilter, UsageHistogram,
    UsageHourView, UsageView,
};
use tidings_domain::ids::{KeyId, RequestId, UserId};
use tidings_domain::read::schema::Annotate;
use tidings_domain::read::{id, text, word};
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;

pub(crate) use export::*;

use crate::request::RequestContext;
use crate::request::paging::{List, UncountedPageParams};
use crate::request::query::{Query, parameters, time, whole};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// The longest range of time.
const LONGEST: Duration = Duration::from_secs(31 * 86_400);
/// The default range of summaries.
const DAY: Duration = Duration::from_secs(86_400);
/// The default range of a histogram.
const HOUR: Duration = Duration::from_secs(3_600);
/// The maximum length of a method, route or code in a filter.
const MAX_TEXT: usize = 200;

parameters! {
    /// The filters of requests and of their summaries; all must match.
    struct UsageFilters {
        /// Only requests of programs with an API key (`key`), or of users of the panel (`person`).
        one caller: Caller = word(Caller::ALL.map(Caller::as_str), Caller::parse);
        /// Only requests made with this key.
        one key_id: KeyId = id();
        /// Only requests with this method.
        one method: String = text(1..=MAX_TEXT).example("POST");
        /// Only requests to this route, as in the log.
        one route: String = text(1..=MAX_TEXT).example("/api/v1/contacts/{id}");
        /// Only requests with a status of this class.
        one status_class: StatusClass = word(StatusClass::ALL.map(StatusClass::as_str), StatusClass::parse);
        /// Only requests that returned this error code.
        one error_code: String = text(1..=MAX_TEXT).example("validation_failed");
    }
}

parameters! {
    /// The filters of single requests; all must match.
    struct RequestFilters {
        flat usage: UsageFilters;
        /// Only requests with this status.
        one status: u16 = whole(100..=599);
        /// Only requests of this user.
        one user_id: UserId = id();
        /// Only the request with this ID in its response header `X-Request-Id`.
        one request_id: RequestId = id();
        /// Only entries at this time or later.
        one from: Timestamp = time();
        /// Only entries before this time.
        one to: Timestamp = time();
    }
}

parameters! {
    struct Hours {
        /// Only hours that begin at this time or later; a day before `to` if absent.
        one from: Timestamp = time();
        /// Only hours that begin before this time; now if absent. At most 31 days after `from`.
        one to: Timestamp = time();
    }
}

parameters! {
    struct HistogramSpan {
        /// Start of the range, inclusive; an hour before `to` if absent.
        one from: Timestamp = time();
        /// End of the range, exclusive; now if absent. At most 31 days after `from`.
        one to: Timestamp = time();
    }
}

parameters! {
    /// The filters of a histogram; all must match.
    struct HistogramFilters {
        flat usage: UsageFilters;
        /// Only requests of this user, in ranges of at most two hours.
        one user_id: UserId = id();
    }
}

parameters! {
    struct Quarters {
        /// Start of the range, inclusive, rounded down to a quarter of an hour; a day before `to` if absent.
        one from: Timestamp = time();
        /// End of the range, exclusive, rounded up to a quarter of an hour; now if absent. At most 31 days after
        /// `from`.
        one to: Timestamp = time();
    }
}

/// Errors by code, method, route and status.
#[derive(Serialize, ToSchema)]
struct UsageErrors {
    /// The groups, with the most requests first; at most 100.
    data: Vec<ErrorGroup>,
}

/// Requests by API key.
#[derive(Serialize, ToSchema)]
struct UsageOfKeys {
    /// The used keys, with the most requests first; at most 100.
    data: Vec<KeyUsage>,
}

impl From<UsageFilters> for UsageFilter {
    fn from(it: UsageFilters) -> Self {
        let UsageFilters { caller, key_id: key, method, route, status_class: class, error_code } = it;
        Self { caller, key, method, route, class, error_code }
    }
}

impl From<RequestFilters> for RequestFilter {
    fn from(it: RequestFilters) -> Self {
        let RequestFilters { usage, status, user_id: user, request_id: request, from, to } = it;
        Self { usage: usage.into(), status, user, request, from, to }
    }
}

/// Returns the range. By default, `to` is now, and `from` is earlier by `usual`.
fn span(
    cx: &RequestContext,
    query: &mut Query,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    usual: Duration,
) -> Span {
    let to = to.unwrap_or_else(|| cx.services().ports.clock.now());
    let span = Span { from: from.unwrap_or_else(|| to.minus(usual)), to };
    if span.from > span.to {
        query.error("from", "out_of_range", "must not be after `to`");
    } else if span.length() > LONGEST {
        query.error("from", "out_of_range", "must be at most 31 days before `to`");
    }
    span
}

fn quarters(cx: &RequestContext, query: &mut Query) -> Span {
    let Quarters { from, to } = query.read();
    span(cx, query, from, to, DAY)
}

/// List API requests.
///
/// Returns stored requests, by default of the last 30 days. A request appears a second after its response.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage", tag = "Platform",
    params(RequestFilters, UncountedPageParams),
    responses((status = 200, description = "A page of requests.", body = List<UsageView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<UncountedPageParams>();
    let filter: RequestFilters = query.read();
    query.finish()?;
    let page = cx.services().ports.usage.list(cx.access(), &filter.into(), paging.request).await?;
    Ok(cx.page(&paging, page, |record| UsageView::from(record)))
}

/// List hourly usage.
///
/// Sums the requests of each hour, in total and by route. Hours without requests are left out.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage/summary", tag = "Platform",
    params(Hours, UncountedPageParams),
    responses((status = 200, description = "A page of hours.", body = List<UsageHourView>)))]
pub async fn summary(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<UncountedPageParams>();
    let Hours { from, to } = query.read();
    let span = span(&cx, &mut query, from, to, DAY);
    query.finish()?;
    let page = cx.services().platform.usage_by_hour(cx.access(), span, paging.request).await?;
    Ok(cx.page(&paging, page, Clone::clone))
}

/// Get the usage histogram.
///
/// Counts requests in buckets. The interval is the shortest that gives at most 120 buckets; one minute for ranges of at
/// most two hours. Buckets begin at multiples of the interval in UTC; empty buckets are left out. `from` and `to` of
/// the response are the start of the first bucket and the end of the last one.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage/histogram", tag = "Platform",
    params(HistogramSpan, HistogramFilters),
    responses((status = 200, description = "The histogram.", body = UsageHistogram)))]
pub async fn histogram(cx: RequestContext) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let HistogramSpan { from, to } = query.read();
    let span = span(&cx, &mut query, from, to, HOUR);
    let HistogramFilters { usage, user_id: user } = query.read();
    if user.is_some() && span.length() > LONGEST_BY_MINUTE {
        query.error("user_id", "out_of_range", "needs a range of at most two hours");
    }
    query.finish()?;
    let filter = RequestFilter { usage: usage.into(), user, ..RequestFilter::default() };
    Ok(Answer::json(&cx.services().platform.usage_histogram(cx.access(), &filter, span).await?))
}

/// List usage errors.
///
/// Groups responses with a status of 400 or higher by code, method, route and status.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage/errors", tag = "Platform",
    params(Quarters, UsageFilters),
    responses((status = 200, description = "The groups.", body = UsageErrors)))]
pub async fn errors(cx: RequestContext) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let span = quarters(&cx, &mut query);
    let filter: UsageFilters = query.read();
    query.finish()?;
    let data = cx.services().platform.usage_errors(cx.access(), &filter.into(), span).await?;
    Ok(Answer::json(&UsageErrors { data }))
}

/// List usage by key.
///
/// Requests of users and unused keys are left out.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage/keys", tag = "Platform",
    params(Quarters),
    responses((status = 200, description = "The usage of each key.", body = UsageOfKeys)))]
pub async fn keys(cx: RequestContext) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let span = quarters(&cx, &mut query);
    query.finish()?;
    let data = cx.services().platform.usage_by_key(cx.access(), span).await?;
    Ok(Answer::json(&UsageOfKeys { data }))
}

#[cfg(test)]
mod tests;
