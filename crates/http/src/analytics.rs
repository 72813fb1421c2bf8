//! `/analytics`: what happened in the workspace, in numbers.

use std::time::Duration;

use tidings_domain::analytics::{Interval, Overview, OverviewRequest, Zone};
use tidings_domain::read::Violation;
use tidings_domain::read::texts::word;
use tidings_domain::time::Timestamp;
use utoipa::IntoParams;

use crate::answer::Answer;
use crate::problem::Problem;
use crate::query::time;
use crate::request::Cx;

/// What span, and how it is cut.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
struct OverviewParams {
    /// From this time on, rounded down to a quarter of an hour; 30 days before `to` where absent.
    #[param(inline)]
    from: Option<Timestamp>,
    /// Up to before this time, rounded up to a quarter of an hour; now where absent.
    #[param(inline)]
    to: Option<Timestamp>,
    /// By whose clock days and hours begin: an IANA name, `UTC` where absent.
    #[param(example = "Europe/Berlin")]
    time_zone: Option<String>,
    /// How much a point of the series spans; a day where absent. At most 31 days by hour, 400 by day,
    /// 800 by week.
    #[param(inline)]
    interval: Option<Interval>,
}

/// Shows how often things happened in a span of time, in total and point by point.
#[utoipa::path(get, path = "/api/v1/analytics/overview", tag = "Analytics", params(OverviewParams),
    responses((status = 200, description = "The numbers.", body = Overview)))]
pub async fn overview(cx: Cx) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let words = Interval::ALL.map(Interval::as_str);
    let interval = query.one("interval", word(&words, Interval::parse)).unwrap_or(Interval::Day);
    let zone = query.one("time_zone", |text| {
        text.parse::<Zone>()
            .map_err(|_| Violation::here("unknown_time_zone", "expected an IANA name such as `Europe/Berlin`"))
    });
    let to = query.one("to", time).unwrap_or_else(|| cx.services().ports.clock.now());
    let from = query.one("from", time).unwrap_or_else(|| to.minus(Duration::from_secs(30 * 86_400)));
    if from >= to {
        query.error("from", "out_of_range", "must be before `to`");
    } else if to.since(from) > interval.longest() {
        let days = interval.longest().as_secs() / 86_400;
        query.error("from", "out_of_range", format!("at most {days} days by `{}`", interval.as_str()));
    }
    query.finish().map_err(Problem::validation)?;
    let request = OverviewRequest { from, to, zone: zone.unwrap_or(Zone::UTC), interval };
    let overview = cx.services().analytics.overview(cx.access(), request).await?;
    Ok(Answer::json(&overview))
}
