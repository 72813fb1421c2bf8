//! `/me`: what a credential is told about itself.

use tidings_domain::access::Me;

use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::Cx;

/// Shows the workspace, plan and scope of the key that asks.
#[utoipa::path(get, path = "/api/v1/me", tag = "Access",
    responses((status = 200, description = "What the key opens.", body = Me)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    Ok(Answer::json(&Me::from(cx.holder())))
}
