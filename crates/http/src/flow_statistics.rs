//! `/flows/{id}/statistics`: what became of runs at each node of a flow.

use tidings_domain::flows::{FlowStatistics, LONGEST_SPAN, StatisticsRequest};
use tidings_domain::time::Timestamp;

use crate::answer::Answer;
use crate::path::FLOW;
use crate::problem::Problem;
use crate::query::{parameters, time, whole};
use crate::request::Cx;

parameters! {
    /// Of which version, and of what time.
    struct StatisticsParams {
        /// The number of a published version; all versions together where absent.
        one version: i64 = whole(1..=i64::MAX);
        /// From this time on, rounded down to a whole hour; where `from` and `to` are absent, of all time.
        one from: Timestamp = time();
        /// Up to before this time, rounded up to a whole hour; now where absent. It needs `from`, at most 92 days before.
        one to: Timestamp = time();
    }
}

/// Shows how often runs came to each node of a flow, by which exits they left it, how long that took, and how many are there
/// now.
///
/// Of all versions, or of one. Times are told give or take a tenth.
#[utoipa::path(get, path = "/api/v1/flows/{id}/statistics", tag = "Flows", params(StatisticsParams),
    responses((status = 200, description = "The numbers.", body = FlowStatistics)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let StatisticsParams { version, from, to } = query.read();
    let end = to.unwrap_or_else(|| cx.services().ports.clock.now());
    let span = from.map(|from| (from, end));
    match span {
        None if to.is_some() => query.error("to", "missing_from", "needs `from`: when the time begins"),
        Some((from, to)) if from >= to => query.error("from", "out_of_range", "must be before `to`"),
        Some((from, to)) if to.since(from) > LONGEST_SPAN => {
            query.error("from", "out_of_range", "at most 92 days before `to`");
        }
        Some(_) | None => {}
    }
    query.finish().map_err(Problem::validation)?;
    let flow = cx.named(&FLOW)?;
    let statistics = cx.services().flows.statistics(cx.access(), flow, StatisticsRequest { version, span }).await?;
    Ok(Answer::json(&statistics))
}
