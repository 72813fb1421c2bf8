//! `/flows/{id}/statistics`: the results of runs at each node of a flow.

use tidings_domain::flows::{FlowStatistics, LONGEST_SPAN, StatisticsRequest};
use tidings_domain::time::Timestamp;

use crate::request::RequestContext;
use crate::request::path::FLOW;
use crate::request::query::{parameters, time, whole};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

parameters! {
    struct StatisticsParams {
        /// Number of a published version; all versions if absent.
        one version: i64 = whole(1..=i64::MAX);
        /// Start of the range, inclusive, rounded down to a whole hour. Without `from` and `to`, the whole lifetime.
        one from: Timestamp = time();
        /// End of the range, exclusive, rounded up to a whole hour; now by default. Needs `from`, at most 92 days
        /// earlier.
        one to: Timestamp = time();
    }
}

/// Get the statistics of a flow.
///
/// Counts, for each node, the visits, the exits and the waiting runs, and measures the time in the node. Covers all
/// versions, or one version. Times are accurate to a tenth.
#[utoipa::path(get, path = "/api/v1/flows/{id}/statistics", tag = "Flows", params(StatisticsParams),
    responses((status = 200, description = "The statistics.", body = FlowStatistics)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let StatisticsParams { version, from, to } = query.read();
    let end = to.unwrap_or_else(|| cx.services().ports.clock.now());
    let span = from.map(|from| (from, end));
    match span {
        None if to.is_some() => query.error("to", "missing_from", "requires `from`"),
        Some((from, to)) if from >= to => query.error("from", "out_of_range", "must be before `to`"),
        Some((from, to)) if to.since(from) > LONGEST_SPAN => {
            query.error("from", "out_of_range", "must be at most 92 days before `to`");
        }
        Some(_) | None => {}
    }
    query.finish()?;
    let flow = cx.path_parameter(&FLOW)?;
    let statistics = cx.services().flows.statistics(cx.access(), flow, StatisticsRequest { version, span }).await?;
    Ok(Answer::json(&statistics))
}
