//! `/platform/workspaces/{ws}/usage`: who used the API, and what went wrong.

mod export;

use std::time::Duration;

use serde::Serialize;
use tidings_domain::access::usage::{
    Caller, ErrorGroup, KeyUsage, LONGEST_BY_MINUTE, RequestFilter, Span, StatusClass, UsageFilter, UsageHistogram,
    UsageHourView, UsageView,
};
use tidings_domain::ids::{KeyId, RequestId, UserId};
use tidings_domain::read::texts::{id, integer, text, word};
use tidings_domain::time::Timestamp;
use utoipa::{IntoParams, ToSchema};

pub(crate) use export::*;

use super::WorkspacePath;
use crate::answer::Answer;
use crate::paging::{List, UncountedPageParams};
use crate::problem::Problem;
use crate::query::{Query, time};
use crate::request::Cx;

/// The longest span that is added up.
const LONGEST: Duration = Duration::from_secs(31 * 86_400);
/// The span of summaries where nothing is said.
const DAY: Duration = Duration::from_secs(86_400);
/// The span of a histogram where nothing is said.
const HOUR: Duration = Duration::from_secs(3_600);
/// The longest method, route and code that are looked for.
const MAX_TEXT: usize = 200;

/// The filters of everything that knows requests one by one or added up; all must hold.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
struct UsageFilters {
    /// Of programs, with a key, or of people, who use the panel.
    #[param(inline)]
    caller: Option<Caller>,
    /// Of this key.
    #[param(inline)]
    key_id: Option<KeyId>,
    /// With this method.
    #[param(example = "POST")]
    method: Option<String>,
    /// Of this route, as the log shows it.
    #[param(example = "/api/v1/contacts/{id}")]
    route: Option<String>,
    /// With a status of this kind.
    #[param(inline)]
    status_class: Option<StatusClass>,
    /// Answered with the problem of this code.
    #[param(example = "validation_failed")]
    error_code: Option<String>,
}

/// The filters of single requests beside those; all must hold.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
struct RequestFilters {
    /// With this status.
    #[param(minimum = 100, maximum = 599)]
    status: Option<u16>,
    /// The one whose answer carried this id in `X-Request-Id`.
    #[param(inline)]
    request_id: Option<RequestId>,
    /// Of this person.
    #[param(inline)]
    user_id: Option<UserId>,
    /// At this time or later.
    #[param(inline)]
    from: Option<Timestamp>,
    /// Before this time.
    #[param(inline)]
    to: Option<Timestamp>,
}

/// Which hours.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
struct Hours {
    /// Hours that begin at this time or later; a day before `to` when absent.
    #[param(inline)]
    from: Option<Timestamp>,
    /// Hours that begin before this time; now, when absent. At most 31 days after `from`.
    #[param(inline)]
    to: Option<Timestamp>,
}

/// Which span a histogram shows, and of whom.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
struct HistogramParams {
    /// From this time on; an hour before `to` when absent.
    #[param(inline)]
    from: Option<Timestamp>,
    /// Up to before this time; now, when absent. At most 31 days after `from`.
    #[param(inline)]
    to: Option<Timestamp>,
    /// Of this person; in spans of at most two hours.
    #[param(inline)]
    user_id: Option<UserId>,
}

/// Which quarters of an hour.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
struct Quarters {
    /// From this time on, rounded down to a quarter of an hour; a day before `to` when absent.
    #[param(inline)]
    from: Option<Timestamp>,
    /// Up to before this time, rounded up to a quarter of an hour; now, when absent. At most 31 days after `from`.
    #[param(inline)]
    to: Option<Timestamp>,
}

/// Errors by code, route and status.
#[derive(Serialize, ToSchema)]
struct UsageErrors {
    /// The groups, most requests first; at most 100.
    data: Vec<ErrorGroup>,
}

/// Requests by key.
#[derive(Serialize, ToSchema)]
struct UsageOfKeys {
    /// The keys that were used, the busiest first; at most 100.
    data: Vec<KeyUsage>,
}

fn usage_filter(query: &mut Query) -> UsageFilter {
    let classes = StatusClass::ALL.map(StatusClass::as_str);
    UsageFilter {
        caller: query.one("caller", word(&Caller::ALL.map(Caller::as_str), Caller::parse)),
        key: query.one("key_id", id),
        method: query.one("method", text(1..=MAX_TEXT)),
        route: query.one("route", text(1..=MAX_TEXT)),
        class: query.one("status_class", word(&classes, StatusClass::parse)),
        error_code: query.one("error_code", text(1..=MAX_TEXT)),
    }
}

fn request_filter(query: &mut Query) -> RequestFilter {
    RequestFilter {
        usage: usage_filter(query),
        status: query.one("status", integer(100..=599)).and_then(|status| u16::try_from(status).ok()),
        user: query.one("user_id", id),
        request: query.one("request_id", id),
        from: query.one("from", time),
        to: query.one("to", time),
    }
}

/// `from` and `to`; now and so long before where they are absent.
fn span(cx: &Cx, query: &mut Query, usual: Duration) -> Span {
    let (from, to) = (query.one("from", time), query.one("to", time));
    let to = to.unwrap_or_else(|| cx.services().ports.clock.now());
    let span = Span { from: from.unwrap_or_else(|| to.minus(usual)), to };
    if span.from > span.to {
        query.error("from", "out_of_range", "must not be after `to`");
    } else if span.length() > LONGEST {
        query.error("from", "out_of_range", "must be at most 31 days before `to`");
    }
    span
}

/// Lists the requests that are kept: of the last 30 days by default.
///
/// A request stands there a second after it was answered.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage", tag = "Platform",
    params(WorkspacePath, UsageFilters, RequestFilters, UncountedPageParams),
    responses((status = 200, description = "A page of requests.", body = List<UsageView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query()?;
    let filter = request_filter(&mut query);
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().ports.usage.list(cx.access(), &filter, paging.request).await?;
    Ok(cx.page(&paging, page, |record| UsageView::from(record)))
}

/// Sums the requests of each hour, by route.
///
/// Hours without a request are left out.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage/summary", tag = "Platform",
    params(WorkspacePath, Hours, UncountedPageParams),
    responses((status = 200, description = "A page of hours.", body = List<UsageHourView>)))]
pub async fn summary(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query()?;
    let span = span(&cx, &mut query, DAY);
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().platform.usage_by_hour(cx.access(), span, paging.request).await?;
    Ok(cx.page(&paging, page, Clone::clone))
}

/// Counts the requests of a span, bucket by bucket.
///
/// A bucket is as short as gives at most 120 of them; by the minute in spans of at most two hours. Buckets begin at
/// multiples of the interval in UTC; those without a request are left out. `from` and `to` of the answer are where the
/// first begins and the last ends.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage/histogram", tag = "Platform",
    params(WorkspacePath, HistogramParams, UsageFilters),
    responses((status = 200, description = "The buckets.", body = UsageHistogram)))]
pub async fn histogram(cx: Cx) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let span = span(&cx, &mut query, HOUR);
    let (usage, user) = (usage_filter(&mut query), query.one("user_id", id));
    if user.is_some() && span.length() > LONGEST_BY_MINUTE {
        query.error("user_id", "out_of_range", "a person's requests are counted in spans of at most two hours");
    }
    query.finish().map_err(Problem::validation)?;
    let filter = RequestFilter { usage, user, ..RequestFilter::default() };
    Ok(Answer::json(&cx.services().platform.usage_histogram(cx.access(), &filter, span).await?))
}

/// Shows which problems were answered most.
///
/// Answers of 400 and above by code, method, route and status.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage/errors", tag = "Platform",
    params(WorkspacePath, Quarters, UsageFilters),
    responses((status = 200, description = "The groups.", body = UsageErrors)))]
pub async fn errors(cx: Cx) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let (span, filter) = (span(&cx, &mut query, DAY), usage_filter(&mut query));
    query.finish().map_err(Problem::validation)?;
    let data = cx.services().platform.usage_errors(cx.access(), &filter, span).await?;
    Ok(Answer::json(&UsageErrors { data }))
}

/// Shows how much each key was used.
///
/// What people asked for is left out, and so are keys that were not used.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage/keys", tag = "Platform",
    params(WorkspacePath, Quarters),
    responses((status = 200, description = "The keys.", body = UsageOfKeys)))]
pub async fn keys(cx: Cx) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let span = span(&cx, &mut query, DAY);
    query.finish().map_err(Problem::validation)?;
    let data = cx.services().platform.usage_by_key(cx.access(), span).await?;
    Ok(Answer::json(&UsageOfKeys { data }))
}

#[cfg(test)]
mod tests;
