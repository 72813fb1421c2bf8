//! `/me`: information about a credential.

use tidings_domain::access::Me;

use crate::auth::caller::Caller;
use crate::request::RequestContext;
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};

/// Get the current credential.
///
/// Returns the workspace, plan and scope of the API key or user. Use it as the first request with a new key; every
/// credential can call it.
#[utoipa::path(get, path = "/api/v1/me", tag = "Access",
    responses((status = 200, description = "The credential.", body = Me)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    let limits = &cx.state.limits;
    match cx.caller() {
        Caller::Key(holder) => {
            let limit = limits.of(holder.key.workspace, holder.plan);
            Ok(Answer::json(&Me::of_key(holder, limit)))
        }
        Caller::Person(person) => {
            let place = person.membership(cx.access().workspace()).ok_or_else(|| Problem::new(Code::NotFound))?;
            let limit = limits.of(place.workspace.id, place.workspace.plan);
            Ok(Answer::json(&Me::of_person(&person.holder.user, place, limit)))
        }
        Caller::Nobody => Err(Problem::new(Code::Unauthorized)),
    }
}
