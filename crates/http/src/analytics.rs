//! `/analytics`: what happened in the workspace, in numbers.

use std::time::Duration;

use tidings_domain::analytics::{Interval, Overview, OverviewRequest, Zone};
use tidings_domain::read::schema::Annotate;
use tidings_domain::read::{Violation, string, word};
use tidings_domain::time::Timestamp;

use crate::answer::Answer;
use crate::problem::Problem;
use crate::query::{parameters, time};
use crate::request::Cx;

parameters! {
    /// What span, and how it is cut.
    struct OverviewParams {
        /// How much a point of the series spans; a day where absent. At most 31 days by hour, 400 by day,
        /// 800 by week.
        one interval: Interval = word(Interval::ALL.map(Interval::as_str), Interval::parse);
        /// By whose clock days and hours begin: an IANA name, `UTC` where absent.
        one time_zone: Zone = string(zone).example("Europe/Berlin");
        /// Up to before this time, rounded up to a quarter of an hour; now where absent.
        one to: Timestamp = time();
        /// From this time on, rounded down to a quarter of an hour; 30 days before `to` where absent.
        one from: Timestamp = time();
    }
}

/// Shows how often things happened in a span of time, in total and point by point.
///
/// `interval` is the length of a point, in `time_zone`.
#[utoipa::path(get, path = "/api/v1/analytics/overview", tag = "Analytics", params(OverviewParams),
    responses((status = 200, description = "The numbers.", body = Overview)))]
pub async fn overview(cx: Cx) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let OverviewParams { interval, time_zone, to, from } = query.read();
    let interval = interval.unwrap_or(Interval::Day);
    let to = to.unwrap_or_else(|| cx.services().ports.clock.now());
    let from = from.unwrap_or_else(|| to.minus(Duration::from_secs(30 * 86_400)));
    if from >= to {
        query.error("from", "out_of_range", "must be before `to`");
    } else if to.since(from) > interval.longest() {
        let days = interval.longest().as_secs() / 86_400;
        query.error("from", "out_of_range", format!("at most {days} days by `{}`", interval.as_str()));
    }
    query.finish().map_err(Problem::validation)?;
    let request = OverviewRequest { from, to, zone: time_zone.unwrap_or(Zone::UTC), interval };
    let overview = cx.services().analytics.overview(cx.access(), request).await?;
    Ok(Answer::json(&overview))
}

fn zone(text: &str) -> Result<Zone, Violation> {
    text.parse().map_err(|_| Violation::here("unknown_time_zone", "expected an IANA name such as `Europe/Berlin`"))
}
