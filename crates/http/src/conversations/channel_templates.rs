//! `/channels/{id}/templates`: templates that the provider of a channel stores.

use tidings_domain::channels::ProviderTemplates;

use crate::request::RequestContext;
use crate::request::path::CHANNEL;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// List templates of a channel.
///
/// Returns the templates that the provider of the channel stores, with their parameters: at most the first 500. Channels
/// without templates have none. The server asks the provider at most every 15 minutes; `fetched_at` is the time of the
/// last answer.
#[utoipa::path(get, path = "/api/v1/channels/{id}/templates", tag = "Channels",
    responses((status = 200, description = "The templates.", body = ProviderTemplates),
    (status = 409, description = "`setup_failed`: the provider did not return the templates.")))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let channel = cx.path_parameter(&CHANNEL)?;
    Ok(Answer::json(&cx.services().channels.templates(cx.access(), channel).await?))
}
