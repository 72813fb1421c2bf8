//! `/platform/workspaces/{ws}/usage`: who used the API.

use std::time::Duration;

use tidings_domain::access::usage::{UsageFilter, UsageHourView, UsageView};
use tidings_domain::ids::KeyId;
use tidings_domain::time::Timestamp;
use utoipa::IntoParams;

use super::WorkspacePath;
use crate::answer::Answer;
use crate::paging::{List, PageParams};
use crate::problem::Problem;
use crate::query::time;
use crate::request::Cx;
use crate::values;

/// The longest span of a summary.
const LONGEST: Duration = Duration::from_secs(31 * 86_400);
/// Its span where nothing is said.
const DAY: Duration = Duration::from_secs(86_400);
/// The longest method and route that are looked for.
const MAX_TEXT: usize = 200;

/// The filters; all must hold.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
struct UsageFilters {
    /// Of this key.
    #[param(inline)]
    key_id: Option<KeyId>,
    /// With this method.
    #[param(example = "POST")]
    method: Option<String>,
    /// Of this route, as the log shows it.
    #[param(example = "/api/v1/contacts/{id}")]
    route: Option<String>,
    /// With this status.
    #[param(minimum = 100, maximum = 599)]
    status: Option<u16>,
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
struct Span {
    /// Hours that begin at this time or later; a day before `to` when absent.
    #[param(inline)]
    from: Option<Timestamp>,
    /// Hours that begin before this time; now, when absent. At most 31 days after `from`.
    #[param(inline)]
    to: Option<Timestamp>,
}

/// Lists the requests of the last 30 days.
///
/// A request stands there a second after it was answered.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage", tag = "Platform",
    params(WorkspacePath, UsageFilters, PageParams),
    responses((status = 200, description = "A page of requests.", body = List<UsageView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query()?;
    let filter = UsageFilter {
        key: query.one("key_id", values::id),
        method: query.one("method", values::text(1..=MAX_TEXT)),
        route: query.one("route", values::text(1..=MAX_TEXT)),
        status: query.one("status", values::integer(100..=599)).and_then(|status| u16::try_from(status).ok()),
        from: query.one("from", time),
        to: query.one("to", time),
    };
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().usage.list(cx.access(), &filter, paging.request).await?;
    Ok(cx.page(&paging, page, |record| UsageView::from(record)))
}

/// Sums the requests of each hour, by route.
///
/// Hours without a request are left out.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage/summary", tag = "Platform",
    params(WorkspacePath, Span, PageParams),
    responses((status = 200, description = "A page of hours.", body = List<UsageHourView>)))]
pub async fn summary(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query()?;
    let (from, to) = (query.one("from", time), query.one("to", time));
    let to = to.unwrap_or_else(|| cx.services().clock.now());
    let from = from.unwrap_or_else(|| to.minus(DAY));
    if to.since(from) > LONGEST {
        query.error("from", "out_of_range", "must be at most 31 days before `to`");
    }
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().platform.usage_by_hour(cx.access(), from, to, paging.request).await?;
    Ok(cx.page(&paging, page, Clone::clone))
}
