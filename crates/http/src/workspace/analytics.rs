//! `/analytics`: counts of what happened in the workspace.

use std::time::Duration;

use tidings_domain::analytics::{
    Interval, LONGEST_REPLIES, Overview, OverviewRequest, RepliesReport, RepliesRequest, Zone,
};
use tidings_domain::read::schema::Annotate;
use tidings_domain::read::{Violation, string, word};
use tidings_domain::time::Timestamp;

use crate::request::RequestContext;
use crate::request::query::{parameters, time};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

parameters! {
    struct OverviewParams {
        /// Length of a point of the series; a day by default. At most 31 days by hour, 400 days by day, 800 days by
        /// week.
        one interval: Interval = word(Interval::ALL.map(Interval::as_str), Interval::parse);
        /// Time zone of days and hours: an IANA name; `UTC` by default.
        one time_zone: Zone = string(zone).example("Europe/Berlin");
        /// End of the range, exclusive, rounded up to a quarter of an hour; now by default.
        one to: Timestamp = time();
        /// Start of the range, inclusive, rounded down to a quarter of an hour; 30 days before `to` by default.
        one from: Timestamp = time();
    }
}

parameters! {
    struct RepliesParams {
        /// End of the range, exclusive, rounded up to a quarter of an hour; now by default.
        one to: Timestamp = time();
        /// Start of the range, inclusive, rounded down to a quarter of an hour, at most 400 days before `to`; 30 days before
        /// `to` by default.
        one from: Timestamp = time();
    }
}

/// Get the analytics overview.
///
/// Returns totals and a series for a range of time. `interval` is the length of a point of the series, in `time_zone`.
#[utoipa::path(get, path = "/api/v1/analytics/overview", tag = "Analytics", params(OverviewParams),
    responses((status = 200, description = "The overview.", body = Overview)))]
pub async fn overview(cx: RequestContext) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let OverviewParams { interval, time_zone, to, from } = query.read();
    let interval = interval.unwrap_or(Interval::Day);
    let to = to.unwrap_or_else(|| cx.services().ports.clock.now());
    let from = from.unwrap_or_else(|| to.minus(Duration::from_secs(30 * 86_400)));
    if from >= to {
        query.error("from", "out_of_range", "must be before `to`");
    } else if to.since(from) > interval.longest() {
        let days = interval.longest().as_secs() / 86_400;
        query.error(
            "from",
            "out_of_range",
            format!("must be at most {days} days before `to` if `interval` is `{}`", interval.as_str()),
        );
    }
    query.finish()?;
    let request = OverviewRequest { from, to, zone: time_zone.unwrap_or(Zone::UTC), interval };
    let overview = cx.services().analytics.overview(cx.access(), request).await?;
    Ok(Answer::json(&overview))
}

/// Get reply times.
///
/// Returns the time to the first reply of a member and the time until a member resolved a conversation, with median and
/// 90th percentile: for the whole workspace, by member and by channel. Replies and resolutions by automation and API keys
/// do not count. A duration belongs to the range that contains its end, and is accurate to a tenth.
#[utoipa::path(get, path = "/api/v1/analytics/replies", tag = "Analytics", params(RepliesParams),
    responses((status = 200, description = "The reply times.", body = RepliesReport)))]
pub async fn replies(cx: RequestContext) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let RepliesParams { to, from } = query.read();
    let to = to.unwrap_or_else(|| cx.services().ports.clock.now());
    let from = from.unwrap_or_else(|| to.minus(Duration::from_secs(30 * 86_400)));
    if from >= to {
        query.error("from", "out_of_range", "must be before `to`");
    } else if to.since(from) > LONGEST_REPLIES {
        query.error("from", "out_of_range", "must be at most 400 days before `to`");
    }
    query.finish()?;
    let report = cx.services().analytics.replies(cx.access(), RepliesRequest { from, to }).await?;
    Ok(Answer::json(&report))
}

fn zone(text: &str) -> Result<Zone, Violation> {
    text.parse().map_err(|_| Violation::at_root("unknown_time_zone", "expected an IANA name such as `Europe/Berlin`"))
}
